// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_page.h"

#include "ui/models/row_view.h"
#include "ui/pages/page_info.h"
#include "ui/pages/runs/filter_field.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr std::size_t kMinExplained = 4; ///< runs with a value
constexpr std::size_t kBestMarked = 5;   ///< runs, at first sight
constexpr std::size_t kMinToMark = 3;    ///< of fewer runs none

} // namespace

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
    return m_table.view();
}

QWidget* RunsPage::sidePanel() {
    return m_side;
}

bool RunsPage::copySelection(CopyAs what) {
    return what == CopyAs::Rows && finishesFilter() && m_table.view()->copyRows();
}

QLineEdit* RunsPage::filterField() {
    return m_bar->filterField();
}

void RunsPage::setFilter(const QString& text) {
    m_bar->setFilter(text);
    const std::string filter = text.toStdString();
    if (filter != m_query.filter) {
        m_query.filter = filter;
        m_query.isUnfinished = m_bar->filterField()->isUnfinished();
        m_reader.arrange();
    }
}

/// The rows of the filter before are shown only while it is being typed.
void RunsPage::finishFilter() {
    if (std::exchange(m_query.isUnfinished, false)) {
        m_reader.arrange();
    }
}

/// Before something is done with the rows. False: they are those of the filter before, until they
/// have been arranged.
bool RunsPage::finishesFilter() {
    finishFilter();
    return !m_arrangement.isOfFilterBefore;
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
        m_reader.clear();
        m_explainer.cancel();
        m_explanation.reset();
        m_explained.clear();
        m_query.sorted = m_query.sorted && first;
        m_query.validFilter.clear(); // that of the other experiment
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
    m_curves->source().reload();
    m_stale = m_listed != nullptr;
    if (m_stale && isVisible()) {
        read();
    }
}

void RunsPage::read() {
    m_stale = false;
    m_reader.read(m_listed, m_known);
}

void RunsPage::take(const RunsDataPtr& data, const RunsArrangement& arrangement,
                    const std::string& filter) {
    const std::optional<Error>& problem = arrangement.problem;
    const bool isKept = problem || arrangement.isOfFilterBefore;
    m_query.validFilter = isKept ? m_query.validFilter : filter;
    QString said;
    if (arrangement.isOfFilterBefore) {
        said = tr("No run matches so far; the runs of the filter before are shown");
    }
    if (problem) {
        const text::ErrorWords words = text::describe(*problem);
        said = words.detail.isEmpty() ? words.title
                                      : words.title + QStringLiteral(" · ") + words.detail;
    }
    m_bar->setProblem(said);
    publish(data, arrangement);
}

void RunsPage::publish(RunsDataPtr data, RunsArrangement arrangement) {
    if (data != m_data) {
        const bool follows = m_data != nullptr && data != nullptr;
        m_data = std::move(data);
        m_explained.clear();
        static const RunGrid none;
        footer()->showSettings(m_data != nullptr ? m_data->grid : none);
        footer()->showExplanation(RunGrid(), nullptr);
        if (follows && isVisible()) {
            m_curves->source().reload(); // the logs may have grown
        }
    }
    m_arrangement = std::move(arrangement);
    m_table.show(m_arrangement.rows);
    if (std::exchange(m_toTop, false)) {
        m_table.view()->scrollToTop();
    }
    fitHeights();
    m_curves->show(m_data, m_arrangement, m_marks, m_query.colourBy);
    m_bar->show(m_data, m_arrangement, m_curves->colourBy());
    updateHint();
    updateCounts();
    showSelected();
    m_chosen.show(m_data, m_arrangement, m_marks);
    explain();
    markBest();
}

/// At first sight of an experiment its best runs are marked: their curves are where one begins.
void RunsPage::markBest() {
    if (m_data == nullptr || !m_known || m_reader.isReading() ||
        m_data->grid.rows().size() < kMinToMark ||
        std::ranges::find(m_seen, m_data->experiment.path) != m_seen.end()) {
        return;
    }
    const RunGrid& grid = m_data->grid;
    const auto lead = grid.leadMetric();
    if (!lead || grid.metrics()[*lead].better == names::Direction::Unknown) {
        return;
    }
    m_seen.push_back(m_data->experiment.path);
    stateChanged();
    const GridColumn column = GridColumn::metric(*lead);
    std::vector<std::uint32_t> order = allRuns(grid);
    sortRuns(grid, order, column, grid.metrics()[*lead].better == names::Direction::Larger);
    std::vector<std::vector<std::filesystem::path>> best;
    for (const std::uint32_t row : order) {
        if (m_marks.contains(grid.rows()[row].path)) {
            return; // the user has begun
        }
        const std::optional<double> value = grid.number(row, column);
        if (best.size() < kBestMarked && value && std::isfinite(*value)) {
            best.push_back({grid.rows()[row].path});
        }
    }
    Q_EMIT marksEdited(best, true);
}

void RunsPage::explain() {
    if (m_data == nullptr || m_reader.isReading() || m_arrangement.matching == m_explained) {
        return;
    }
    m_explained = m_arrangement.matching;
    m_explanation.reset();
    footer()->showExplanation(m_data->grid, nullptr);
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
                footer()->showExplanation(data->grid, &*m_explanation);
                fitHeights();
            }
        });
}

void RunsPage::setMarks(const RunMarks& marks) {
    m_marks = marks;
    if (!std::exchange(m_marksStale, true) && isVisible()) { // otherwise when it is shown
        m_curves->turns().add(this, [this] {
            if (isVisible() && std::exchange(m_marksStale, false)) {
                showMarks();
            }
        });
    }
}

void RunsPage::showMarks() {
    m_table.model()->setMarks(m_marks);
    m_curves->show(m_data, m_arrangement, m_marks, m_query.colourBy);
    m_bar->show(m_data, m_arrangement, m_curves->colourBy());
    updateHint();
    updateCounts();
    m_chosen.show(m_data, m_arrangement, m_marks);
    fitHeights();
}

void RunsPage::setCurrentRun(const std::filesystem::path& run) {
    if (m_table.selectRun(run)) {
        showSelected();
        m_chosen.takeSelection();
    }
}

bool RunsPage::isSettled() const {
    return (!m_stale || !isVisible()) && !m_reader.isReading() && !m_reader.isArranging() &&
           !m_explainer.isRunning() && m_curves->isSettled();
}

void RunsPage::setGroupBy(const std::vector<std::string>& keys) {
    m_query.groupBy = keys;
    stateChanged();
    m_reader.arrange();
}

void RunsPage::setColumns(const std::vector<std::string>& checked) {
    m_query.columns = choiceOf(m_data->grid, checked);
    stateChanged();
    m_reader.arrange();
}

void RunsPage::setColourBy(const std::string& key) {
    m_query.colourBy = key;
    stateChanged();
    m_curves->show(m_data, m_arrangement, m_marks, m_query.colourBy);
    m_bar->show(m_data, m_arrangement, m_curves->colourBy());
    m_chosen.show(m_data, m_arrangement, m_marks);
}

void RunsPage::sortBy(int column, Qt::SortOrder order) {
    const auto at = static_cast<std::size_t>(column);
    if (column < 0 || at >= m_arrangement.rows->columns.size()) {
        return;
    }
    std::string key = m_arrangement.rows->columns[at].key;
    if (key == kCurveKey) { // by the metric that it shows
        const auto lead = m_data->grid.leadMetric();
        key = lead ? m_data->grid.nameOf(GridColumn::metric(*lead)) : key;
    }
    m_query.sortKey = key;
    m_query.descending = order == Qt::DescendingOrder;
    m_query.sorted = true;
    m_toTop = true; // the first rows are why one sorts
    stateChanged();
    m_reader.arrange();
}

void RunsPage::setNote(const std::filesystem::path& run, const QString& note) {
    auto notes = std::make_shared<RunNotes>(*m_query.notes);
    if (notes->set(run, note)) {
        m_query.notes = std::move(notes);
        stateChanged();
        m_noted.start();
    }
}

void RunsPage::showSelected() {
    const std::vector<const RunRows::Row*> rows = m_table.selectedRows();
    std::vector<std::size_t> runs;
    for (const RunRows::Row* row : rows) {
        runs.insert(runs.end(), row->runs.begin(), row->runs.end());
    }
    if (rows.empty()) { // the experiment
        for (const std::uint32_t row : m_arrangement.matching) {
            runs.push_back(m_data->grid.rows()[row].run);
        }
        m_side->show(m_data,
                     m_data != nullptr ? text::fromCore(m_data->experiment.name) : QString(), runs,
                     false);
        m_side->setNote(m_query.notes->of(m_side->notedRun()));
        return;
    }
    m_side->show(m_data,
                 rows.size() == 1 ? rows.front()->name
                                  : tr("%Ln selected runs", nullptr, static_cast<int>(runs.size())),
                 runs, true);
    m_side->setNote(m_query.notes->of(m_side->notedRun()));
}

void RunsPage::announceSelected() {
    const std::vector<std::filesystem::path> runs = selectedRuns();
    if (runs.size() == 1) {
        Q_EMIT runChosen(std::filesystem::path(runs.front()));
    }
}

void RunsPage::toggleMarks() {
    if (!finishesFilter()) {
        return;
    }
    const std::vector<std::filesystem::path> paths = selectedRuns();
    const bool all = std::ranges::all_of(
        paths, [this](const std::filesystem::path& path) { return m_marks.contains(path); });
    std::vector<std::vector<std::filesystem::path>> each; // with a colour of its own
    for (const RunRows::Row* row : m_table.selectedRows()) {
        each.push_back(row->paths);
    }
    Q_EMIT marksEdited(each, !all);
}

void RunsPage::openBest(const QString& key) {
    const QModelIndex index = m_table.model()->find(key);
    if (m_data == nullptr || !index.isValid()) {
        return;
    }
    const GridRow* best = nullptr;
    const RunRows::Row& row = m_table.model()->row(index);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < m_data->grid.rows().size(); ++i) {
        if (std::ranges::find(row.runs, m_data->grid.rows()[i].run) != row.runs.end()) {
            rows.push_back(i);
        }
    }
    const auto lead = m_data->grid.leadMetric();
    const auto bestRow = lead ? bestRowOf(m_data->grid, rows, *lead) : std::nullopt;
    best = rows.empty() ? nullptr : &m_data->grid.rows()[bestRow.value_or(rows.front())];
    const auto checkpoint = best == nullptr ? std::nullopt : best->best ? best->best : best->newest;
    if (checkpoint) {
        Q_EMIT checkpointChosen(m_data->experiment.runs[best->run].checkpoints[*checkpoint].path);
    } else {
        Q_EMIT statusMessage(tr("%1 has no checkpoint").arg(row.name));
    }
}

} // namespace cairn::ui
