// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_side.h"

#include "core/runs/rank/ranking.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/run_names.h"
#include "ui/pages/runs/best_distances.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/link_row.h"

#include <QGridLayout>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxBest = 12; ///< checkpoints that are listed
constexpr int kNoteLines = 4;
constexpr std::size_t kMaxRunSettings = 10; ///< of one run

void clearLayout(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

} // namespace

RunsSide::RunsSide(QWidget* parent)
    : QWidget(parent), m_kind(captionLabel({})), m_name(new TextLabel), m_line(new TextLabel),
      m_grid(new QGridLayout), m_checkpointsHead(captionLabel({})), m_checkpoints(new QVBoxLayout),
      m_open(new Button(tr("Open Best Checkpoint"))), m_diff(new Button(tr("Diff Best Two"))),
      m_compare(new Button(tr("Compare Best Two"))), m_average(new Button(tr("Average Weights…"))),
      m_distances(new BestDistances), m_noteHead(captionLabel(tr("Note"))),
      m_note(new QPlainTextEdit), m_noteCard(makeNote()), m_body(new QWidget) {
    build();
    text::setToolTip(m_average, tr("Write the average of these best checkpoints, as a job"));
    connect(m_average, &QPushButton::clicked, this, [this] {
        if (const auto members = averaged(); members.size() > 1) {
            Q_EMIT averageRequested(members);
        }
    });
    connect(m_distances, &BestDistances::diffRequested, this, &RunsSide::diffRequested);
    text::setToolTip(m_diff, tr("Compare the tensors of the two best checkpoints"));
    text::setToolTip(m_compare, tr("Compare curves, settings and weights of the two best runs"));
    connect(m_open, &QPushButton::clicked, this, [this] {
        if (!m_best.empty()) {
            Q_EMIT checkpointChosen(std::filesystem::path(m_best.front().checkpoint->path));
        }
    });
    connect(m_diff, &QPushButton::clicked, this, [this] {
        if (m_best.size() > 1) {
            Q_EMIT diffRequested(std::filesystem::path(m_best[0].checkpoint->path),
                                 std::filesystem::path(m_best[1].checkpoint->path));
        }
    });
    connect(m_compare, &QPushButton::clicked, this, [this] {
        if (m_best.size() > 1) {
            Q_EMIT compareRequested(std::filesystem::path(m_best[0].run->path),
                                    std::filesystem::path(m_best[1].run->path));
        }
    });
    clear();
}

void RunsSide::build() {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_body->setAutoFillBackground(true);
    m_body->setBackgroundRole(QPalette::Base);
    scroll->setWidget(m_body);
    outer->addWidget(scroll);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid - 2, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid);
    m_name->setFont(theme::headline(m_name->font()));
    m_name->setElideMiddle(true);
    m_line->setTone(theme::Tone::Dim);
    m_line->setWordWrap(true);
    column->addWidget(m_kind);
    column->addWidget(m_name);
    column->addWidget(m_line);
    m_grid->setHorizontalSpacing(2 * theme::kGrid);
    m_grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
    column->addSpacing(theme::kGrid);
    column->addWidget(m_checkpointsHead);
    m_checkpoints->setSpacing(0);
    column->addLayout(m_checkpoints);
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(theme::kGrid, buttons);
    for (Button* button : {m_open, m_diff, m_compare, m_average}) {
        flow->addWidget(button);
    }
    column->addWidget(buttons);
    column->addWidget(m_distances);
    column->addSpacing(theme::kGrid);
    column->addWidget(m_noteHead);
    column->addWidget(m_noteCard);
    column->addStretch(1);
}

QWidget* RunsSide::makeNote() {
    auto* card = new Card;
    card->layout()->setContentsMargins(theme::kGrid / 2, theme::kGrid / 2, theme::kGrid / 2,
                                       theme::kGrid / 2);
    m_note->setFrameShape(QFrame::NoFrame);
    m_note->setTabChangesFocus(true);
    m_note->setPlaceholderText(tr("Kept on this computer, not in the run's folder"));
    m_note->setAccessibleName(tr("Note about the run"));
    m_note->setFixedHeight(kNoteLines * m_note->fontMetrics().lineSpacing() + 2 * theme::kGrid);
    card->content()->addWidget(m_note);
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_noted.empty()) {
            Q_EMIT noteEdited(m_noted, m_note->toPlainText());
        }
    });
    return card;
}

void RunsSide::setNote(const QString& note) {
    if (note != m_note->toPlainText().left(RunNotes::kMostLetters)) {
        const QSignalBlocker quiet(m_note);
        m_note->setPlainText(note);
    }
}

std::vector<std::filesystem::path> RunsSide::averaged() const {
    std::vector<std::filesystem::path> members;
    for (const Best& best : m_best) {
        if (best.checkpoint->mayBeComplete()) {
            members.push_back(best.checkpoint->path);
        }
    }
    return members;
}

/// "0.928", or "val_loss 1.05" of a metric that does not rank the others.
QString RunsSide::scoreText(const Best& best) {
    if (!best.checkpoint->score) {
        return {};
    }
    const QString value = text::number(*best.checkpoint->score);
    return best.isRanked ? value
                         : text::fromCore(best.run->scoreMetric()) + QLatin1Char(' ') + value;
}

QString RunsSide::nameOf(const Best& best) const {
    return m_several ? words::runName(m_from->experiment, *best.run)
                     : text::fromCore(best.checkpoint->name);
}

void RunsSide::clear() {
    forget();
    m_noted.clear();
    m_distances->show({});
    m_noteHead->hide();
    m_noteCard->hide();
}

void RunsSide::forget() {
    m_best.clear();
    m_facts.clear();
    clearLayout(*m_grid);
    clearLayout(*m_checkpoints);
    m_kind->setText(tr("Run"));
    m_name->setText(tr("No run is selected"));
    m_line->setText(tr("Select a row to see its results and its best checkpoint."));
    for (QWidget* each :
         std::initializer_list<QWidget*>{m_checkpointsHead, m_open, m_diff, m_compare, m_average}) {
        each->hide();
    }
}

QString RunsSide::headline() const {
    return m_name->text();
}

void RunsSide::fact(const QString& what, const QString& value) {
    const auto row = static_cast<int>(m_facts.size());
    auto* name = new TextLabel(what, theme::Tone::Dim);
    name->setElideMiddle(true);
    auto* words = new TextLabel(value);
    words->setWordWrap(true);
    m_grid->addWidget(name, row, 0, Qt::AlignTop);
    m_grid->addWidget(words, row, 1);
    m_facts << what + QStringLiteral(": ") + value;
}

void RunsSide::show(const RunsDataPtr& from, const QString& name,
                    const std::vector<std::size_t>& runs, bool measures) {
    forget();
    m_from = from;
    std::vector<std::uint32_t> rows;
    std::vector<bool> wanted(from != nullptr ? from->experiment.runs.size() : 0);
    for (const std::size_t run : runs) {
        wanted.at(run) = true;
    }
    for (std::uint32_t row = 0; from != nullptr && row < from->grid.rows().size(); ++row) {
        if (wanted[from->grid.rows()[row].run]) {
            rows.push_back(row);
        }
    }
    // The note keeps the focus where it is shown again.
    m_noted = rows.size() == 1 ? from->grid.rows()[rows.front()].path : std::filesystem::path();
    m_noteHead->setVisible(!m_noted.empty());
    m_noteCard->setVisible(!m_noted.empty());
    if (rows.empty()) {
        m_distances->show({});
        return;
    }
    m_name->setText(name);
    if (rows.size() == 1) {
        showRun(*from, rows.front());
    } else {
        showGroup(*from, rows);
    }
    showCheckpoints(*from, rows);
    std::vector<BestDistances::Place> places;
    for (std::size_t i = 0; measures && i < m_best.size(); ++i) {
        const ScannedCheckpoint& checkpoint = *m_best[i].checkpoint;
        places.push_back({nameOf(m_best[i]), checkpoint.path, checkpoint.modifiedNs,
                          checkpoint.mayBeComplete()});
    }
    m_distances->show(std::move(places));
}

void RunsSide::showRun(const RunsData& from, std::uint32_t row) {
    const RunGrid& grid = from.grid;
    const GridRow& run = grid.rows()[row];
    QStringList line;
    if (run.step) {
        line << tr("step %1").arg(text::count(static_cast<std::uint64_t>(*run.step)));
    }
    line << tr("%Ln checkpoints", nullptr, static_cast<int>(run.checkpoints))
         << text::bytes(run.bytes);
    m_kind->setText(tr("Run"));
    m_line->setText(line.join(QStringLiteral(" · ")));
    if (const auto lead = grid.leadMetric()) {
        const QString metric = text::fromCore(grid.metrics()[*lead].name);
        const auto figures = grid.metric(row, *lead);
        if (figures && figures->best) {
            fact(tr("best %1").arg(metric),
                 tr("%1 at step %2")
                     .arg(text::number(*figures->best),
                          numberText(figures->bestStep,
                                     GridColumn::metric(*lead, MetricPart::BestStep))));
        }
        if (figures) {
            fact(tr("last %1").arg(metric), text::number(figures->last));
        }
    }
    if (run.duration) {
        fact(tr("duration"), text::duration(*run.duration));
    }
    const std::vector<std::size_t> settings = groupingSettings(grid);
    for (std::size_t i = 0; i < std::min(settings.size(), kMaxRunSettings); ++i) {
        if (const SettingValue* value = grid.setting(row, settings[i])) {
            fact(text::fromCore(lastPart(grid.settings()[settings[i]].key)),
                 text::fromCore(value->text));
        }
    }
}

void RunsSide::showGroup(const RunsData& from, const std::vector<std::uint32_t>& rows) {
    const RunGrid& grid = from.grid;
    m_kind->setText(rows.size() == grid.rows().size() ? tr("Experiment") : tr("Group"));
    m_line->setText(tr("%Ln runs", nullptr, static_cast<int>(rows.size())));
    const RunGroup group{{}, rows};
    if (const auto lead = grid.leadMetric()) {
        const GridMetric& metric = grid.metrics()[*lead];
        const GridColumn column = GridColumn::metric(*lead);
        const Figures figures = groupFigures(grid, group, column);
        const bool larger = metric.better == names::Direction::Larger;
        const auto place = [&](Aggregate which) {
            const double value = figures.of(which);
            QString words = text::number(value);
            for (const std::uint32_t row : rows) {
                if (grid.number(row, column) == value) {
                    return words + QStringLiteral(" · ") +
                           words::runName(from.experiment,
                                          from.experiment.runs[grid.rows()[row].run]);
                }
            }
            return words;
        };
        if (figures.n > 0) {
            m_line->setText(m_line->text() + QStringLiteral(" · ") +
                            columnFullTitle(grid, grid.nameOf(column)));
            if (metric.better != names::Direction::Unknown) {
                fact(tr("best"), place(larger ? Aggregate::Max : Aggregate::Min));
            }
            fact(tr("mean"), meanText(figures, column));
            if (metric.better != names::Direction::Unknown) {
                fact(tr("worst"), place(larger ? Aggregate::Min : Aggregate::Max));
            }
            if (figures.n < rows.size()) {
                fact(tr("without a value"),
                     tr("%Ln runs", nullptr, static_cast<int>(rows.size() - figures.n)));
            }
        }
    }
    const GridColumn duration = GridColumn::of(RunFact::Duration);
    if (const Figures took = groupFigures(grid, group, duration); took.n > 0) {
        fact(tr("duration"), meanText(took, duration));
    }
}

void RunsSide::showCheckpoints(const RunsData& from, const std::vector<std::uint32_t>& rows) {
    m_several = rows.size() > 1;
    std::vector<std::uint32_t> runs;
    std::map<std::uint32_t, const GridRow*> rowOf;
    for (const std::uint32_t at : rows) {
        const GridRow& row = from.grid.rows()[at];
        runs.push_back(row.run);
        rowOf[row.run] = &row;
    }
    const RankedRuns order = rankRuns(from.experiment, runs);
    for (std::size_t i = 0; i < order.runs.size(); ++i) {
        const GridRow& row = *rowOf.at(order.runs[i]);
        const ScannedRun& run = from.experiment.runs[row.run];
        if (const auto index = row.best ? row.best : row.newest) {
            m_best.push_back({&run, &run.checkpoints[*index], &row, i < order.ranked});
        }
    }
    m_checkpointsHead->setText(rows.size() > 1 ? tr("Best checkpoints") : tr("Best checkpoint"));
    m_checkpointsHead->setVisible(!m_best.empty());
    QStringList names;
    for (std::size_t i = 0; i < std::min(m_best.size(), kMaxBest); ++i) {
        names << nameOf(m_best[i]);
    }
    const qsizetype sharedStart = text::sharedStart(names);
    for (std::size_t i = 0; i < std::min(m_best.size(), kMaxBest); ++i) {
        const Best& best = m_best[i];
        const QString name = nameOf(best);
        QString remark = words::position(best.checkpoint->step, best.checkpoint->epoch);
        const QString score = best.row->best ? scoreText(best) : QString();
        if (!score.isEmpty()) {
            remark += (remark.isEmpty() ? QString() : QStringLiteral(" · ")) + score;
        }
        auto* row = new LinkRow(name, remark);
        row->setSharedStart(sharedStart);
        if (!score.isEmpty()) { // the step is in the tooltip
            row->setShortRemark(score);
        }
        QStringList tip{name + QStringLiteral(" · ") + remark,
                        text::fromPath(best.checkpoint->path),
                        words::decisions(*best.run, *best.checkpoint)};
        tip.removeAll(QString());
        text::setToolTip(row, tip.join(QLatin1Char('\n')));
        connect(row, &QAbstractButton::clicked, this,
                [this, path = best.checkpoint->path] { Q_EMIT checkpointChosen(path); });
        m_checkpoints->addWidget(row);
    }
    m_open->setVisible(!m_best.empty());
    // Of more than two, the best two are those of the ranking.
    const bool two = m_best.size() == 2 || order.ranked > 1;
    m_diff->setVisible(two);
    m_compare->setVisible(two);
    m_average->setVisible(std::ranges::count_if(m_best, [](const Best& best) {
                              return best.checkpoint->mayBeComplete();
                          }) > 1);
}

} // namespace cairn::ui
