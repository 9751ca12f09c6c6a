// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_page.h"

#include "ui/bridge/release_on_worker.h"
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_row_delegate.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/hairline_splitter.h"

#include <QScopedValueRollback>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr std::size_t kMinExplained = 4;  ///< runs with a value
constexpr std::size_t kMaxRunLines = 200; ///< of the charts

} // namespace

RunsPage::RunsPage(QWidget* parent)
    : Page(parent), m_groupButton(new Button(tr("Group By"))),
      m_columnsButton(new Button(tr("Columns"))), m_exportButton(new Button(tr("Export"))),
      m_counts(new TextLabel({}, theme::Tone::Dim)),
      m_problem(new TextLabel({}, theme::Tone::Attention)),
      m_groupList(new ChoiceList(tr("Settings to group by"), this)),
      m_columnList(new ChoiceList(tr("Columns of the table"), this)),
      m_model(new RunTableModel(this)), m_view(new RowView), m_nothing(new NoticePane),
      m_rows(new QStackedWidget), m_controls(new ChartControls(m_board)),
      m_grid(new ChartGrid(m_board)), m_footer(new RunsFooter(m_board.turns())),
      m_splitter(new HairlineSplitter(Qt::Vertical)), m_notice(new NoticePane),
      m_stack(new QStackedWidget), m_side(new RunsSide(this)) {
    build();
    connectParts();
    connectTable();
    updateNotice();
    updateCounts();
    updateButtons();
}

RunsPage::~RunsPage() {
    delete m_grid; // before the board that its charts refer to
    delete m_controls;
}

extern const PageInfo kRunsPage;
const PageInfo kRunsPage{
    .id = "runs",
    .title = [] { return RunsPage::tr("Runs"); },
    .shows = Page::Subject::Experiment,
    .make = [](const PageParts&) -> Page* { return new RunsPage; },
};

const PageInfo& RunsPage::info() const {
    return kRunsPage;
}

QString RunsPage::filterHint() const {
    return tr("Filter runs: lr < 1e-3");
}

QWidget* RunsPage::filterTarget() {
    return m_view;
}

QWidget* RunsPage::sidePanel() {
    return m_side;
}

bool RunsPage::copySelection(CopyAs what) {
    return what == CopyAs::Rows && m_view->copyRows();
}

void RunsPage::setFilter(const QString& text) {
    const std::string filter = text.toStdString();
    if (filter != m_query.filter) {
        m_query.filter = filter;
        arrange();
    }
}

void RunsPage::showExperiment(std::shared_ptr<const Experiment> experiment, bool known) {
    if (experiment == m_listed && (known == m_known || !known)) {
        return;
    }
    const bool other =
        experiment == nullptr || m_listed == nullptr || experiment->path != m_listed->path;
    const bool first = m_listed == nullptr; // the order may be that of the last session
    m_listed = std::move(experiment);
    m_known = known;
    m_stale = m_listed != nullptr;
    if (other) {
        m_reader.cancel();
        m_arranger.cancel();
        m_explainer.cancel();
        m_latest.reset();
        m_error.reset();
        m_explanation.reset();
        m_explained.clear();
        m_query.sorted = m_query.sorted && first;
        publish(nullptr, {});
    }
    if (m_stale && isVisible()) {
        read();
    }
    updateNotice();
}

void RunsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (std::exchange(m_marksStale, false)) {
        showMarks();
    }
    if (m_stale) {
        read();
    }
}

void RunsPage::reload() {
    m_charts.reload();
    m_stale = m_listed != nullptr;
    if (m_stale && isVisible()) {
        read();
    }
}

void RunsPage::read() {
    m_stale = false;
    m_error.reset();
    m_reader.start(
        [this, listed = m_listed, known = m_known, isFirst = m_latest == nullptr](
            const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<RunsDataPtr> {
            auto data = std::make_shared<RunsData>();
            data->experiment = *listed;
            if (isFirst || !known) { // names and sizes, until the histories are read
                auto names = std::make_shared<RunsData>();
                names->experiment = *listed;
                names->grid = RunGrid(names->experiment, nullptr);
                if (!known) {
                    return sharedForGui(RunsDataPtr(std::move(names)));
                }
                post([this, names = sharedForGui(RunsDataPtr(std::move(names)))] {
                    m_latest = names;
                    arrange();
                });
            }
            CAIRN_TRY(RunTable table, readRunTable(data->experiment, IndexCache::ofUser(), cancel));
            data->notices = table.notices;
            data->grid =
                RunGrid(data->experiment, std::make_shared<const RunTable>(std::move(table)));
            return sharedForGui(RunsDataPtr(std::move(data)));
        },
        [this](Result<RunsDataPtr> data) {
            if (data) {
                m_latest = std::move(*data);
                arrange();
            } else {
                m_error = data.error();
            }
            updateNotice();
        });
    updateNotice();
}

void RunsPage::arrange() {
    if (m_latest == nullptr) {
        return;
    }
    m_arranger.start(
        [data = m_latest, query = m_query](const CancelToken& cancel) {
            return arrangeRuns(*data, query, cancel);
        },
        [this, data = m_latest, filter = m_query.filter](Result<RunsArrangement> arrangement) {
            if (arrangement) {
                m_query.validFilter = arrangement->problem ? m_query.validFilter : filter;
                showFilterProblem(arrangement->problem);
                publish(data, std::move(*arrangement));
            }
            updateNotice();
        });
}

void RunsPage::showFilterProblem(const std::optional<Error>& problem) {
    m_problem->setVisible(problem.has_value());
    if (problem) {
        const text::ErrorWords words = text::describe(*problem);
        m_problem->setText(words.detail.isEmpty()
                               ? words.title
                               : words.title + QStringLiteral(" · ") + words.detail);
    }
}

void RunsPage::publish(RunsDataPtr data, RunsArrangement arrangement) {
    QStringList keys;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        keys << m_model->row(index).key;
    }
    const QString current =
        m_view->currentIndex().isValid() ? m_model->row(m_view->currentIndex()).key : QString();
    if (data != m_data) {
        const bool follows = m_data != nullptr && data != nullptr;
        m_data = std::move(data);
        m_explained.clear();
        static const RunGrid none;
        m_footer->showSettings(m_data != nullptr ? m_data->grid : none);
        m_footer->showExplanation(RunGrid(), nullptr);
        if (follows && isVisible()) {
            m_charts.reload(); // the logs may have grown
        }
    }
    m_arrangement = std::move(arrangement);
    {
        const QScopedValueRollback quiet(m_quiet, true);
        m_model->show(m_arrangement.rows);
        if (const QModelIndex index = m_model->find(current); index.isValid()) {
            m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        }
        selectKeys(keys);
    }
    showIndicator();
    fitColumns();
    fitHeights();
    updateButtons();
    updateLines();
    updateHint();
    updateCounts();
    showChosen();
    updateRelation();
    explain();
}

void RunsPage::explain() {
    if (m_data == nullptr || m_reader.isRunning() || m_arrangement.matching == m_explained) {
        return;
    }
    m_explained = m_arrangement.matching;
    m_explanation.reset();
    m_footer->showExplanation(m_data->grid, nullptr);
    const auto lead = m_data->grid.leadMetric();
    if (!lead || m_explained.size() < kMinExplained || groupingSettings(m_data->grid).empty()) {
        m_explainer.cancel();
        return;
    }
    m_explainer.start(
        [data = m_data, rows = m_explained,
         column = GridColumn::metric(*lead)](const CancelToken& cancel) {
            return explainColumn(data->grid, rows, column, {}, cancel);
        },
        [this, data = m_data](Result<MetricExplanation> explanation) {
            if (explanation && data == m_data && explanation->runs >= kMinExplained) {
                m_explanation = std::move(*explanation);
                m_footer->showExplanation(data->grid, &*m_explanation);
                fitHeights();
            }
        });
}

void RunsPage::setMarks(const RunMarks& marks) {
    m_marks = marks;
    if (!std::exchange(m_marksStale, true) && isVisible()) { // otherwise when it is shown
        m_board.turns().add(this, [this] {
            if (isVisible() && std::exchange(m_marksStale, false)) {
                showMarks();
            }
        });
    }
}

void RunsPage::showMarks() {
    m_model->setMarks(m_marks);
    updateLines();
    updateHint();
    updateCounts();
    updateRelation();
    fitHeights();
}

void RunsPage::setCurrentRun(const std::filesystem::path& run) {
    const QScopedValueRollback quiet(m_quiet, true);
    const QModelIndex index = run.empty() ? QModelIndex() : m_model->findRun(run);
    const bool selected = index.isValid() && m_view->selectionModel()->isSelected(index);
    if (selected) {
        return;
    }
    if (index.isValid()) {
        m_view->setCurrentIndex(index);
    } else {
        m_view->selectionModel()->clear();
    }
    showChosen();
    relateSelection();
}

bool RunsPage::isSettled() const {
    return (!m_stale || !isVisible()) && !m_reader.isRunning() && !m_arranger.isRunning() &&
           !m_explainer.isRunning() && m_charts.isSettled() && m_footer->relation()->isSettled() &&
           m_board.turns().isEmpty();
}

QString RunsPage::problem() const {
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void RunsPage::updateLines() {
    struct Marked { ///< a row with marks
        const RunRows::Row* row;
        std::vector<std::pair<std::size_t, int>> runs; ///< with their slots
    };
    std::vector<Marked> marked;
    const bool isAlone = m_data != nullptr && m_data->grid.rows().size() == 1; // needs no mark
    for (const RunRows::Row& row : m_arrangement.rows->rows) {
        Marked found{&row, {}};
        for (std::size_t i = 0; i < row.runs.size(); ++i) {
            const int slot = isAlone ? 0 : m_marks.slotOf(row.paths[i]);
            if (slot >= 0) {
                found.runs.emplace_back(row.runs[i], slot);
            }
        }
        m_cut = !found.runs.empty() && marked.size() >= kMaxRunLines;
        if (m_cut) {
            break;
        }
        if (!found.runs.empty()) {
            marked.push_back(std::move(found));
        }
    }
    const auto slotOf = [](const Marked& each) { return each.runs.front().second; };
    std::ranges::stable_sort(marked, {}, slotOf);
    QStringList keys;
    for (const Marked& each : marked) {
        keys << QString::number(slotOf(each)) + QLatin1Char('\n') + each.row->name;
        for (const auto& [run, slot] : each.runs) {
            keys << text::fromPath(m_data->experiment.runs[run].path);
        }
    }
    if (keys == m_lineKeys) {
        return;
    }
    m_lineKeys = keys;
    std::vector<RunCharts::Line> lines;
    for (const Marked& each : marked) {
        RunCharts::Line& line = lines.emplace_back();
        line.slot = slotOf(each);
        line.name = each.row->name;
        line.isGroup = m_arrangement.rows->grouped;
        for (const auto& [index, slot] : each.runs) {
            const ScannedRun& run = m_data->experiment.runs[index];
            line.runs.push_back(
                {run.path, m_data->experiment.path, text::fromCore(run.name), run, slot});
        }
    }
    m_charts.setLines(std::move(lines));
}

void RunsPage::updateCharts() {
    const std::vector<QString>& names =
        m_charts.hasLines() ? m_charts.names() : std::vector<QString>();
    m_controls->setVisible(!names.empty());
    if (!names.empty()) {
        m_controls->setAxes(m_charts.axes(), {});
        m_charts.setAxis(m_controls->axis());
    }
    m_board.resetExtent();
    m_grid->setCharts(names, [this](const QString& name) { return m_charts.content(name); });
    QStringList notes = m_charts.problems();
    for (const Notice& notice : m_data != nullptr ? m_data->notices : std::vector<Notice>()) {
        notes << text::describe(notice.error).title;
    }
    m_footer->showNotes(notes.mid(0, 6));
    updateHint();
    fitHeights();
}

} // namespace cairn::ui
