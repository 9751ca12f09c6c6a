// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page's parts: their arrangement, what is connected, and the notices in their places.
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/pages/runs/runs_state.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/hairline_splitter.h"

#include <QJsonArray>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMinBelow = 300; ///< px for charts
constexpr int kNotedMs = 500;
const QString kRelationKey = QStringLiteral("relation");
const QString kChartsKey = QStringLiteral("charts");
const QString kSeenKey = QStringLiteral("seen");
constexpr std::size_t kMostSeen = 200; ///< experiments

} // namespace

RunsPage::RunsPage(QWidget* parent)
    : Page(parent), m_bar(new RunsBar(this, m_query)), m_nothing(new NoticePane),
      m_rows(new QStackedWidget), m_curves(new MarkedCurves), m_chosen(m_table, *m_curves),
      m_splitter(new HairlineSplitter(Qt::Vertical)), m_notice(new NoticePane),
      m_stack(new QStackedWidget), m_side(new RunsSide(this)) {
    build();
    connectParts();
    connectTable();
    updateNotice();
    updateCounts();
    m_bar->show(nullptr, m_arrangement, {});
}

void RunsPage::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_stack);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_curves->addPlotExports(*m_bar->exportMenu());
    column->addWidget(m_bar);
    column->addWidget(m_splitter, 1);
    m_rows->addWidget(m_table.view());
    m_rows->addWidget(m_nothing);
    auto* card = new Card;
    card->layout()->setContentsMargins(theme::kGrid, theme::kGrid / 2, theme::kGrid, theme::kGrid);
    card->content()->addWidget(m_rows);
    auto* framed = new QWidget; // the card with the margins of the page
    auto* frame = new QVBoxLayout(framed);
    frame->setContentsMargins(2 * theme::kGrid, 0, 2 * theme::kGrid, theme::kGrid);
    frame->addWidget(card);
    m_splitter->addWidget(framed);
    m_splitter->addWidget(m_curves);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_stack->addWidget(page);
    m_stack->addWidget(m_notice);
    m_side->hide(); // until the shell takes it
}

void RunsPage::connectParts() {
    connect(&m_reader, &RunsReader::arranged, this, &RunsPage::take);
    connect(&m_reader, &RunsReader::progressed, this, &RunsPage::updateNotice);
    connect(m_bar, &RunsBar::groupByChosen, this,
            [this](const QStringList& keys) { setGroupBy(fromStrings(keys)); });
    connect(m_bar, &RunsBar::columnsChosen, this,
            [this](const QStringList& keys) { setColumns(fromStrings(keys)); });
    connect(m_bar, &RunsBar::colourChosen, this,
            [this](const QString& choice) { setColourBy(choice.toStdString()); });
    connect(m_bar, &RunsBar::filterEdited, this, [this](const QString& text) {
        setFilter(text);
        Q_EMIT filterEdited(text);
    });
    connect(m_bar, &RunsBar::filterFinished, this, &RunsPage::finishFilter);
    connect(m_curves->grid(), &ChartGrid::enlargedChanged, this, [this](bool enlarged) {
        m_bar->setVisible(!enlarged);
        m_splitter->widget(0)->setVisible(!enlarged);
    });
    connect(m_curves, &MarkedCurves::runClicked, this, [this](const std::filesystem::path& run) {
        m_table.selectRun({}); // alone
        setCurrentRun(run);
        m_table.scrollToSelected();
        announceSelected();
    });
    connect(m_bar, &RunsBar::exported, this, &RunsPage::statusMessage);
    connect(m_nothing, &NoticePane::actionChosen, this, &RunsPage::clearFilterRequested);
    connect(m_notice, &NoticePane::actionChosen, this, &RunsPage::reload);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_divided = true; });
    connect(m_curves, &MarkedCurves::chartsChanged, this, [this] {
        updateHint();
        fitHeights();
    });
    connect(m_curves, &MarkedCurves::stateChanged, this, [this] { stateChanged(); });
    connect(m_curves, &MarkedCurves::exported, this, &RunsPage::statusMessage);
    connect(footer()->relation(), &RelationCards::stateChanged, this, [this] { stateChanged(); });
    connect(m_side, &RunsSide::checkpointChosen, this, &RunsPage::checkpointChosen);
    connect(m_side, &RunsSide::diffRequested, this, &RunsPage::diffRequested);
    connect(m_side, &RunsSide::compareRequested, this, &RunsPage::compareRequested);
    connect(m_side, &RunsSide::averageRequested, this,
            [this](const std::vector<std::filesystem::path>& checkpoints) {
                if (finishesFilter()) {
                    Q_EMIT averageRequested(checkpoints);
                }
            });
    connect(m_side, &RunsSide::noteEdited, this, &RunsPage::setNote);
    m_noted.setSingleShot(true);
    m_noted.setInterval(kNotedMs);
    connect(&m_noted, &QTimer::timeout, &m_reader, &RunsReader::arrange);
}

void RunsPage::connectTable() {
    connect(&m_table, &RunsTable::sortRequested, this, &RunsPage::sortBy);
    connect(&m_table, &RunsTable::columnsRequested, m_bar, &RunsBar::popUpColumns);
    connect(&m_table, &RunsTable::columnsFitted, this,
            [this] { m_bar->setLeftOut(m_table.leftOut()); });
    connect(&m_table, &RunsTable::widthsEdited, this, [this] { stateChanged(); });
    connect(&m_table, &RunsTable::bestRequested, this, &RunsPage::openBest);
    connect(&m_table, &RunsTable::togglingRequested, this, &RunsPage::toggleMarks);
    connect(&m_table, &RunsTable::markEdited, this,
            [this](const std::vector<std::filesystem::path>& runs, bool marked) {
                if (finishesFilter()) {
                    Q_EMIT marksEdited({runs}, marked);
                }
            });
    connect(&m_table, &RunsTable::copyRequested, this, [this] { copySelection(CopyAs::Rows); });
    connect(&m_table, &RunsTable::selectionEdited, this, [this] {
        showSelected();
        m_chosen.takeSelection();
        announceSelected();
    });
    connect(&m_chosen, &ChosenRuns::selected, this, &RunsPage::showSelected);
    connect(footer()->relation(), &RelationCards::runClicked, this, &RunsPage::announceSelected);
}

QJsonObject RunsPage::keptState() const {
    QJsonObject state = queryState(m_query, m_table.widths());
    state.insert(kRelationKey, footer()->relation()->keptState());
    state.insert(kChartsKey, m_curves->controls()->keptState());
    charts()->keepHidden(state);
    QJsonArray seen; // the last ones
    for (std::size_t i = m_seen.size() - std::min(m_seen.size(), kMostSeen); i < m_seen.size();
         ++i) {
        seen.append(text::fromPath(m_seen[i]));
    }
    state.insert(kSeenKey, seen);
    return state;
}

void RunsPage::restoreState(const QJsonObject& state) {
    restoreQuery(state, m_query);
    for (const auto& [key, width] : restoredWidths(state)) {
        m_table.setWidth(key, width);
    }
    footer()->relation()->restoreState(state.value(kRelationKey).toObject());
    m_curves->controls()->restoreState(state.value(kChartsKey).toObject());
    charts()->restoreHidden(state);
    m_seen.clear();
    for (const QJsonValue& path : state.value(kSeenKey).toArray()) {
        m_seen.emplace_back(path.toString().toStdString());
    }
    m_reader.arrange();
}

void RunsPage::updateNotice() {
    const bool listed = m_listed != nullptr;
    if (!listed) {
        m_notice->showMessage(tr("No folder is open"),
                              tr("Open a folder of runs to list and compare them."));
    } else if (m_listed->runs.empty()) {
        m_notice->showMessage(tr("No runs were found"), text::fromPath(m_listed->path),
                              tr("Refresh"));
    } else if (m_reader.error() && m_data == nullptr) {
        m_notice->showError(tr("The runs cannot be read"), *m_reader.error(), tr("Retry"));
    } else if (m_data == nullptr) {
        m_notice->showMessage(tr("Reading the runs…"), text::fromPath(m_listed->path));
    }
    const bool hasRuns = listed && !m_listed->runs.empty() && m_data != nullptr;
    m_stack->setCurrentIndex(hasRuns ? 0 : 1);
    const bool nothing = hasRuns && m_arrangement.rows->rows.empty() && !m_reader.isArranging();
    if (nothing) {
        m_nothing->showMessage(tr("No run matches the filter"),
                               tr("%Ln runs are hidden by the filter.", nullptr,
                                  static_cast<int>(m_arrangement.rows->all)),
                               tr("Clear Filter"));
    }
    m_rows->setCurrentIndex(nothing ? 1 : 0);
}

void RunsPage::updateHint() {
    QString hint;
    if (m_data != nullptr && m_known && !m_reader.isReading() &&
        !m_arrangement.rows->rows.empty()) {
        const bool marked = m_curves->hasMarked();
        if (m_data->grid.metrics().empty()) {
            hint = tr("No logs were found for these runs. Cairn searches the run's folder and the "
                      "log folders above it.");
        } else if (!marked) {
            hint = tr("Check the boxes of runs, or press X, to see their curves here.");
        } else if (m_curves->source().names().empty() && m_curves->source().isSettled()) {
            hint = tr("The marked runs have no curves.");
        } else if (m_curves->isCut()) {
            hint = tr("Only the first 200 marked runs are drawn.");
        }
    }
    footer()->setHint(hint);
}

QString RunsPage::countsLine() const {
    const RunRows& rows = *m_arrangement.rows;
    if (rows.all == 0) {
        return {};
    }
    QStringList parts;
    const auto all = static_cast<int>(rows.all);
    parts << (rows.matching == rows.all
                  ? tr("%Ln runs", nullptr, all)
                  : tr("%1 of %Ln runs", nullptr, all).arg(text::count(rows.matching)));
    if (rows.grouped) {
        parts << tr("%Ln groups", nullptr, static_cast<int>(rows.rows.size()));
    }
    int marked = 0;
    for (const GridRow& row : m_data->grid.rows()) {
        marked += m_marks.contains(row.path) ? 1 : 0;
    }
    if (marked > 0) {
        parts << tr("%Ln marked", nullptr, marked);
    }
    return parts.join(QStringLiteral(", "));
}

void RunsPage::updateCounts() {
    const QString counts = countsLine();
    if (counts != m_bar->counts() && m_arrangement.rows->matching < m_arrangement.rows->all) {
        announce(this, counts);
    }
    m_bar->setCounts(counts);
    Q_EMIT changed();
}

void RunsPage::fitHeights() {
    if (m_divided || m_splitter->height() <= 0) {
        return;
    }
    const int content = m_table.wantedHeight();
    const int whole = m_splitter->height();
    const bool charts = m_curves->hasCurves();
    const int below =
        charts ? std::max(kMinBelow, whole * 11 / 20)
               : std::min(footer()->sizeHint().height() + 5 * theme::kGrid, whole * 3 / 5);
    const int table = std::clamp(content, std::min(120, whole), std::max(120, whole - below));
    m_splitter->setSizes({table, whole - table});
}

void RunsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fitHeights();
}

} // namespace cairn::ui
