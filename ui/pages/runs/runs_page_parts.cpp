// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the Runs page beside its table: layout, notices, popups, export.
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/export_action.h"
#include "ui/charts/relation_plot.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/hairline_splitter.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMinBelow = 300; ///< px for charts
constexpr int kNotedMs = 500;

} // namespace

void RunsPage::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_stack);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(2 * theme::kGrid, theme::kGrid, 2 * theme::kGrid, theme::kGrid);
    bar->setSpacing(theme::kGrid);
    auto* formats = new QMenu(this);
    const auto addFormat = [&](const QString& label, RunsFormat format) {
        connect(formats->addAction(label), &QAction::triggered, this,
                [this, format] { exportTable(format); });
    };
    addFormat(tr("CSV…"), RunsFormat::Csv);
    addFormat(tr("TSV…"), RunsFormat::Tsv);
    addFormat(tr("Markdown…"), RunsFormat::Markdown);
    addPlotExports(*formats);
    m_exportButton->setMenu(formats);
    m_counts->setWordWrap(true);
    bar->addWidget(m_groupButton);
    bar->addWidget(m_columnsButton);
    bar->addWidget(m_counts, 1);
    bar->addWidget(m_exportButton);
    column->addLayout(bar);
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(2 * theme::kGrid, 0, 2 * theme::kGrid, theme::kGrid);
    m_problem->hide();
    column->addWidget(m_problem);
    column->addWidget(m_splitter, 1);
    m_rows->addWidget(m_view);
    m_rows->addWidget(m_nothing);
    auto* card = new Card;
    card->layout()->setContentsMargins(theme::kGrid, theme::kGrid / 2, theme::kGrid, theme::kGrid);
    card->content()->addWidget(m_rows);
    auto* framed = new QWidget; // the card with the margins of the page
    auto* frame = new QVBoxLayout(framed);
    frame->setContentsMargins(2 * theme::kGrid, 0, 2 * theme::kGrid, theme::kGrid);
    frame->addWidget(card);
    m_splitter->addWidget(framed);
    buildBelow();
    m_stack->addWidget(page);
    m_stack->addWidget(m_notice);
    m_groupList->addPreset(tr("All but Seed"), [this] {
        QStringList keys;
        for (const std::size_t setting : groupingSettings(m_data->grid)) {
            const std::string& key = m_data->grid.settings()[setting].key;
            if (!QString::fromStdString(lastPart(key))
                     .contains(QStringLiteral("seed"), Qt::CaseInsensitive)) {
                keys << QString::fromStdString(m_data->grid.nameOf(GridColumn::setting(setting)));
            }
        }
        return keys;
    });
    m_groupList->addPreset(tr("None"), [] { return QStringList(); });
    m_columnList->addPreset(tr("Default Columns"),
                            [this] { return toStrings(columnKeys(m_data->grid, {}, false)); });
    m_side->hide(); // until the shell takes it
}

void RunsPage::buildBelow() {
    auto* below = new QWidget;
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_controls);
    column->addWidget(m_grid, 1);
    m_grid->setFooter(m_footer);
    m_controls->hide();
    m_splitter->addWidget(below);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    updateCharts();
}

void RunsPage::connectParts() {
    m_groupButton->setOpensList(true);
    m_columnsButton->setOpensList(true);
    connect(m_groupButton, &QPushButton::clicked, this, &RunsPage::popUpGroups);
    connect(m_columnsButton, &QPushButton::clicked, this, &RunsPage::popUpColumns);
    connect(m_groupList, &ChoiceList::changed, this,
            [this](const QStringList& keys) { setGroupBy(fromStrings(keys)); });
    connect(m_columnList, &ChoiceList::changed, this,
            [this](const QStringList& keys) { setColumns(fromStrings(keys)); });
    connect(m_nothing, &NoticePane::actionChosen, this, &RunsPage::clearFilterRequested);
    connect(m_notice, &NoticePane::actionChosen, this, &RunsPage::reload);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_divided = true; });
    connect(&m_charts, &RunCharts::namesChanged, this, &RunsPage::updateCharts);
    connect(&m_charts, &RunCharts::made, this, [this](const QString& name) {
        m_board.turns().add(this, [this, name] {
            if (CurveChart* chart = m_grid->chart(name)) {
                chart->setContent(m_charts.content(name));
            }
        });
    });
    connect(m_controls, &ChartControls::stateChanged, this, [this] { stateChanged(); });
    connect(m_controls, &ChartControls::axisChosen, this, [this] {
        m_charts.setAxis(m_controls->axis());
        m_board.resetExtent();
        m_grid->refill();
    });
    connect(m_controls, &ChartControls::tablesToggled, m_grid, &ChartGrid::setTablesShown);
    connect(m_controls, &ChartControls::exportRequested, this,
            [this](ExportFormat format) { exportCharts(m_grid->shownNames(), format); });
    connect(m_grid, &ChartGrid::menuRequested, this, [this](const QString& name, QPoint at) {
        popUpExportMenu(*this, at,
                        [this, name](ExportFormat format) { exportCharts({name}, format); });
    });
    connect(m_footer->relation(), &RelationCards::chosenChanged, this, [this] {
        m_brushes = true;
        chooseBrushed();
    });
    connect(m_footer->relation(), &RelationCards::runClicked, this, &RunsPage::announceChosen);
    connect(m_footer->relation(), &RelationCards::stateChanged, this, [this] { stateChanged(); });
    connect(m_footer->relation(), &RelationCards::menuRequested, this,
            [this](RelationPlot* plot, const QPoint& global) {
                popUpExportMenu(
                    *this, global, [this, plot](ExportFormat format) { exportPlot(*plot, format); },
                    ExportMenu::Pictures);
            });
    connect(m_side, &RunsSide::checkpointChosen, this, &RunsPage::checkpointChosen);
    connect(m_side, &RunsSide::diffRequested, this, &RunsPage::diffRequested);
    connect(m_side, &RunsSide::compareRequested, this, &RunsPage::compareRequested);
    connect(m_side, &RunsSide::averageRequested, this, &RunsPage::averageRequested);
    connect(m_side, &RunsSide::noteEdited, this, &RunsPage::setNote);
    m_noted.setSingleShot(true);
    m_noted.setInterval(kNotedMs);
    connect(&m_noted, &QTimer::timeout, this, &RunsPage::arrange);
}

void RunsPage::updateNotice() {
    const bool listed = m_listed != nullptr;
    if (!listed) {
        m_notice->showMessage(tr("No folder is open"),
                              tr("Open a folder of runs to list and compare them."));
    } else if (m_listed->runs.empty()) {
        m_notice->showMessage(tr("No runs were found"), text::fromPath(m_listed->path),
                              tr("Refresh"));
    } else if (m_error && m_data == nullptr) {
        m_notice->showError(tr("The runs cannot be read"), *m_error, tr("Retry"));
    } else if (m_data == nullptr) {
        m_notice->showMessage(tr("Reading the runs…"), text::fromPath(m_listed->path));
    }
    const bool hasRuns = listed && !m_listed->runs.empty() && m_data != nullptr;
    m_stack->setCurrentIndex(hasRuns ? 0 : 1);
    const bool nothing = hasRuns && m_arrangement.rows->rows.empty() && !m_arranger.isRunning();
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
    if (m_data != nullptr && m_known && !m_reader.isRunning() &&
        !m_arrangement.rows->rows.empty()) {
        const bool marked = !m_lineKeys.isEmpty();
        if (m_data->grid.metrics().empty()) {
            hint = tr("No logs were found for these runs. Cairn searches the run's folder and the "
                      "log folders above it.");
        } else if (!marked) {
            hint = tr("Check the boxes of runs, or press X, to see their curves here.");
        } else if (m_charts.names().empty() && m_charts.isSettled()) {
            hint = tr("The marked runs have no curves.");
        } else if (m_cut) {
            hint = tr("Only the first 200 marked runs are drawn.");
        }
    }
    m_footer->setHint(hint);
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
    if (counts != m_counts->text() && m_arrangement.rows->matching < m_arrangement.rows->all) {
        announce(this, counts);
    }
    m_counts->setText(counts);
    Q_EMIT changed();
}

void RunsPage::updateButtons() {
    QStringList names;
    for (const std::size_t setting : m_arrangement.groups.settings) {
        names << text::fromCore(lastPart(m_data->grid.settings()[setting].key));
    }
    const QString all = names.join(QStringLiteral(", "));
    const QString shown =
        all.size() <= 18 ? all : tr("%Ln settings", nullptr, static_cast<int>(names.size()));
    m_groupButton->setText(names.isEmpty() ? tr("Group By")
                                           : text::withoutMnemonic(tr("Group by %1").arg(shown)));
    text::setToolTip(m_groupButton,
                     all.isEmpty() ? tr("Show runs with equal settings as one row") : all);
    for (Button* button : {m_groupButton, m_columnsButton}) {
        button->updateGeometry();
    }
    m_groupButton->setEnabled(m_data != nullptr && !groupingSettings(m_data->grid).empty());
    m_exportButton->setEnabled(!m_arrangement.rows->rows.empty());
}

void RunsPage::popUpGroups() {
    std::vector<ChoiceList::Choice> choices;
    for (const std::size_t setting : groupingSettings(m_data->grid)) {
        const std::string name = m_data->grid.nameOf(GridColumn::setting(setting));
        choices.push_back({QString::fromStdString(name),
                           text::fromCore(m_data->grid.settings()[setting].key),
                           std::ranges::find(m_query.groupBy, name) != m_query.groupBy.end()});
    }
    m_groupList->setChoices(choices);
    m_groupList->popUp(*m_groupButton);
}

void RunsPage::popUpColumns() {
    const std::vector<std::string> shown = columnKeys(m_data->grid, m_query.columns, false);
    std::vector<ChoiceList::Choice> choices;
    for (const std::string& key : allColumnKeys(m_data->grid)) {
        choices.push_back({QString::fromStdString(key), columnFullTitle(m_data->grid, key),
                           std::ranges::find(shown, key) != shown.end()});
    }
    m_columnList->setChoices(choices);
    m_columnList->popUp(*m_columnsButton);
}

void RunsPage::setGroupBy(const std::vector<std::string>& keys) {
    m_query.groupBy = keys;
    stateChanged();
    arrange();
}

void RunsPage::setColumns(const std::vector<std::string>& checked) {
    m_query.columns = choiceOf(m_data->grid, checked);
    stateChanged();
    arrange();
}

void RunsPage::exportTable(RunsFormat format) {
    const QString suffix = format == RunsFormat::Csv   ? QStringLiteral("csv")
                           : format == RunsFormat::Tsv ? QStringLiteral("tsv")
                                                       : QStringLiteral("md");
    auto* dialog = new QFileDialog(this, tr("Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->setNameFilter(QStringLiteral("*.") + suffix);
    dialog->selectFile(QStringLiteral("runs.") + suffix);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, format, rows = m_arrangement.rows](const QString& path) {
                m_saver.start(
                    [rows, format, path](const CancelToken& cancel) {
                        return saveExport(path, exportRuns(*rows, format), cancel);
                    },
                    [this](const Result<QString>& saved) {
                        Q_EMIT statusMessage(saved ? tr("Exported: %1").arg(*saved)
                                                   : text::describe(saved.error()).title);
                    });
            });
    dialog->open();
}

void RunsPage::exportCharts(const std::vector<QString>& names, ExportFormat format) {
    std::vector<ChartContent> shown;
    for (const QString& name : names) {
        shown.push_back(m_charts.content(name));
    }
    askAndExport(*this, m_saver, ChartExport(std::move(shown), m_board), format,
                 QStringLiteral("runs"),
                 [this](const QString& line) { Q_EMIT statusMessage(line); });
}

void RunsPage::fitHeights() {
    if (m_divided || m_splitter->height() <= 0) {
        return;
    }
    const int rowHeight = std::max(m_view->sizeHintForRow(0), 24);
    const int content = m_view->header()->sizeHint().height() +
                        std::max(m_model->rowCount(), 1) * rowHeight + 4 * theme::kGrid +
                        m_view->horizontalScrollBar()->sizeHint().height();
    const int whole = m_splitter->height();
    const bool charts = m_charts.hasLines() && !m_charts.names().empty();
    const int below =
        charts ? std::max(kMinBelow, whole * 11 / 20)
               : std::min(m_footer->sizeHint().height() + 5 * theme::kGrid, whole * 3 / 5);
    const int table = std::clamp(content, std::min(120, whole), std::max(120, whole - below));
    m_splitter->setSizes({table, whole - table});
}

void RunsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fitHeights();
}

} // namespace cairn::ui
