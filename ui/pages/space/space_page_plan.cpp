// SPDX-License-Identifier: GPL-3.0-or-later
// The Space page's plan and tables.
#include "ui/models/row_view.h"
#include "ui/pages/space/cell_table.h"
#include "ui/pages/space/plan_panel.h"
#include "ui/pages/space/plan_words.h"
#include "ui/pages/space/rule_bar.h"
#include "ui/pages/space/space_legend.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/pages/tensors/segments.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QHeaderView>
#include <QLocale>
#include <QStackedLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kPlan = 0;
enum PlanColumn { kName, kFrees, kWhy, kLoses };
constexpr qsizetype kMaxProblems = 5;

QString percent(double share) {
    constexpr double kLeast = 0.1;
    const bool isLess = share > 0 && share * 100 < kLeast / 2; // would be shown as zero
    return (isLess ? QStringLiteral("< ") : QString()) +
           QLocale().toString(isLess ? kLeast : share * 100, 'f', 1);
}

/// The path below the experiment, or a tensor's name.
QString wholeName(const SpaceMap& map, std::uint32_t source) {
    if (map.checkpoint) {
        return text::fromCore(map.checkpoint->tensors()[source].name);
    }
    const auto below = map.tree->pathOf(source).lexically_relative(map.tree->path);
    return text::fromPath(below.empty() || below == "." ? map.tree->path.filename() : below);
}

} // namespace

void SpacePage::connectPlan() {
    connect(m_rules, &RuleBar::chosen, &m_controller, &RetentionController::setRules);
    connect(m_rules, &RuleBar::stopRequested, &m_controller, &RetentionController::stop);
    connect(m_rules, &RuleBar::planRequested, &m_controller, &RetentionController::plan);
    connect(m_rules, &RuleBar::moveRequested, this, &SpacePage::confirmMove);
    connect(m_rules, &RuleBar::undoRequested, &m_controller, &RetentionController::undo);
    connect(m_strip, &MessageStrip::closed, this, &SpacePage::closeStrip);
    connect(&m_controller, &RetentionController::changed, this, &SpacePage::showPlan);
    connect(&m_controller, &RetentionController::reported, this, &SpacePage::report);
}

QWidget* SpacePage::sidePanel() {
    return m_scope == Scope::Tensors ? nullptr : m_panel;
}

/// Of the runs that fill the map.
void SpacePage::requestPlan(bool again) {
    std::vector<RetentionController::Target> runs;
    for (const ScannedRun& run : m_experiment->runs) {
        const auto below = run.path.lexically_relative(m_zoomed);
        const bool isShown = run.path == m_zoomed || (!below.empty() && *below.begin() != "..");
        if (isShown && run.checkpoints.size() > run.links() && !m_experiment->isCheckpoint) {
            runs.push_back({run.path, m_experiment->path, text::fromCore(run.name)});
        }
    }
    if (again || !m_planned.isValid()) {
        m_planned.start();
    }
    m_controller.setRuns(std::move(runs), again);
}

void SpacePage::showPlan() {
    const SpaceMapPtr map = m_view->map();
    if (!map || m_stack == nullptr) {
        return;
    }
    const bool isRuns = m_scope == Scope::Runs;
    const auto& outcome = m_controller.outcome();
    if (m_confirming && m_confirming != outcome) {
        closeStrip(); // it asks about another plan
    }
    std::vector<bool> hatched;
    if (isRuns && map->tree) {
        m_rules->show(m_controller, m_controller.canUndo() && (!m_stripIsOpen || m_confirming));
        m_panel->show(m_controller, map->nodes[m_view->root()].bytes);
        if (outcome && outcome->moved > 0) {
            hatched.resize(map->nodes.size());
            for (const RetentionController::RunPlan& run : outcome->runs) {
                for (const auto& each : run.plan.remove) {
                    if (const auto at = map->saves.find(each.path); at != map->saves.end()) {
                        hatched[at->second] = true;
                    }
                }
            }
        }
    }
    m_view->setHatched(std::move(hatched));
    updateLegend();
    showTable();
}

void SpacePage::updateLegend() {
    using Fill = SpaceMap::Fill;
    const auto& there = m_view->map()->fills;
    std::vector<Fill> fills;
    for (const Fill fill : {Fill::Weights, Fill::Optimizer, Fill::Other, Fill::Outside}) {
        if (there[static_cast<std::size_t>(fill)]) {
            fills.push_back(fill);
        }
    }
    const auto& outcome = m_controller.outcome();
    m_legend->show(fills, m_scope == Scope::Runs && outcome && outcome->moved > 0);
}

void SpacePage::confirmMove() {
    const auto& outcome = m_controller.outcome();
    if (!outcome || outcome->moved == 0) {
        return;
    }
    showStrip({theme::Tone::Attention,
               tr("Move %Ln checkpoints (%1) to the wastebasket?", nullptr,
                  static_cast<int>(outcome->moved))
                   .arg(text::bytes(outcome->freedBytes)),
               tr("Each is compared with the examined files first. The disk is freed when the "
                  "wastebasket is emptied."),
               {{tr("Move"),
                 [this] {
                     closeStrip();
                     m_controller.move();
                 }},
                {tr("Cancel"), [this] { closeStrip(); }}}});
    m_confirming = outcome;
}

void SpacePage::showStrip(Message message) {
    m_confirming.reset();
    m_stripIsOpen = true;
    m_strip->show(std::move(message));
    m_strip->setVisible(m_scope == Scope::Runs);
}

void SpacePage::closeStrip() {
    m_confirming.reset();
    m_stripIsOpen = false;
    m_strip->hide();
    m_rules->show(m_controller, m_controller.canUndo());
}

void SpacePage::report(const RetentionController::Report& report) {
    const auto count = static_cast<int>(report.count);
    const QString bytes = text::bytes(report.bytes);
    QString title =
        report.isUndo
            ? tr("Moved %Ln checkpoints (%1) back", nullptr, count).arg(bytes)
            : tr("Moved %Ln checkpoints (%1) to the wastebasket", nullptr, count).arg(bytes);
    QStringList lines;
    for (const Error& error : report.problems) {
        const text::ErrorWords words = text::describe(error);
        lines << (words.detail.isEmpty() ? words.title
                                         : tr("%1: %2").arg(words.title, words.detail));
        if (lines.size() == kMaxProblems) {
            break;
        }
    }
    const auto failed = static_cast<int>(report.problems.size());
    if (failed > 0) {
        title = tr("%1; %2").arg(title, tr("%Ln were not moved", nullptr, failed));
    }
    Message message{failed == 0 ? theme::Tone::Good
                    : count > 0 ? theme::Tone::Attention
                                : theme::Tone::Broken,
                    title,
                    lines.join(QLatin1Char('\n')),
                    {}};
    if (m_controller.canUndo()) {
        message.actions.push_back({tr("Undo"), [this] { m_controller.undo(); }});
    }
    showStrip(std::move(message));
}

void SpacePage::showTable() {
    const bool isRuns = m_scope == Scope::Runs && !m_experiment->isCheckpoint;
    m_which->setVisible(isRuns);
    m_head->setVisible(!isRuns);
    if (!isRuns || m_which->chosen() != kPlan) {
        showLargest();
        return;
    }
    m_ranking.cancel();
    const auto& outcome = m_controller.outcome();
    m_filling = true;
    if (m_shownTable != Table::Plan) {
        m_shownTable = Table::Plan;
        m_rows->setColumns(planColumns());
        m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
        m_table->setSortingEnabled(true);
        m_table->setAccessibleName(tr("Plan"));
    }
    m_rows->setRows(outcome ? planRows(*outcome, m_planPaths) : std::vector<CellTable::Row>());
    fitPlanColumns();
    m_filling = false;
    shareHeight();
    selectRow();
}

/// What would be lost is shown if there is any. All columns are seen without scrolling: names have
/// at most a third if the sentences need the rest, and these half of what is left each if both are
/// long.
void SpacePage::fitPlanColumns() {
    QHeaderView* header = m_table->header();
    bool loses = false;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        loses = loses || !m_rows->index(row, kLoses).data().toString().isEmpty();
    }
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    m_table->setColumnHidden(kLoses, !loses);
    m_planWidths.clear();
    for (const int column : {kName, kFrees, kWhy, kLoses}) {
        m_table->resizeColumnToContents(column);
        m_planWidths.push_back(header->sectionSize(column)); // a hidden one has none
    }
    m_table->setNameColumn(-1);
    placePlanColumns();
}

void SpacePage::placePlanColumns() {
    const int width = m_table->viewport()->width();
    const int frees = m_planWidths[kFrees];
    const int sentences = m_planWidths[kWhy] + m_planWidths[kLoses];
    const int name = std::min(m_planWidths[kName], std::max(width / 3, width - frees - sentences));
    const int room = std::max(0, width - name - frees);
    const int loses = std::min(m_planWidths[kLoses], std::max(room / 2, room - m_planWidths[kWhy]));
    QHeaderView* header = m_table->header();
    header->resizeSection(kName, name);
    header->resizeSection(kFrees, frees);
    header->resizeSection(kWhy, room - loses);
    if (loses > 0) {
        header->resizeSection(kLoses, loses);
    }
}

bool SpacePage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && m_shownTable == Table::Plan && !m_planWidths.empty()) {
        placePlanColumns();
    }
    return Page::eventFilter(watched, event);
}

void SpacePage::showLargest() {
    const SpaceMapPtr map = m_view->map();
    if (map->checkpoint) {
        m_ranked = {};
        fillLargest(map->largest);
        return;
    }
    const std::pair<SpaceMapPtr, std::uint32_t> wanted{map, m_view->root()};
    if (m_shownTable == Table::Largest && m_ranked == wanted) {
        selectRow();
        return;
    }
    const std::uint32_t source = map->nodes[m_view->root()].source;
    m_ranking.start(
        [map, source](const CancelToken&) -> Result<std::vector<std::uint32_t>> {
            return largestOf(*map->tree, source, SpaceMap::kLargest);
        },
        [this, wanted](Result<std::vector<std::uint32_t>> nodes) {
            if (nodes && wanted.first == m_view->map()) {
                m_ranked = wanted;
                fillLargest(*nodes);
            }
        });
}

/// `nodes`: of the tree, or tensors.
void SpacePage::fillLargest(const std::vector<std::uint32_t>& nodes) {
    const SpaceMapPtr map = m_view->map();
    m_filling = true;
    m_shownTable = Table::Largest;
    m_rows->setColumns({{map->checkpoint ? tr("Tensor") : tr("Checkpoint or File")},
                        {tr("Size"), true},
                        {tr("Share"), true}});
    m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_table->setAccessibleName(tr("Ten largest"));
    std::vector<CellTable::Row> rows;
    const auto total = static_cast<double>(map->nodes[map->checkpoint ? 0 : m_view->root()].bytes);
    for (const std::uint32_t source : nodes) {
        const std::uint64_t bytes = map->checkpoint ? map->checkpoint->tensors()[source].bytes()
                                                    : map->tree->nodes[source].bytes;
        const double share = total > 0 ? static_cast<double>(bytes) / total : 0;
        rows.push_back({source,
                        {{wholeName(*map, source)},
                         {text::bytes(bytes), static_cast<double>(bytes), text::exactBytes(bytes)},
                         {tr("%1 %").arg(percent(share)), share}}});
    }
    m_rows->setRows(std::move(rows));
    shareHeight();
    m_planWidths.clear();
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(QHeaderView::Interactive);
    for (int column = 1; column < m_rows->columnCount(); ++column) {
        m_table->resizeColumnToContents(column);
    }
    m_table->setNameColumn(0);
    m_filling = false;
    selectRow();
}

void SpacePage::chooseRow(const QModelIndex& index) {
    const SpaceMapPtr map = m_view->map();
    if (m_filling || !index.isValid() || !map) {
        return;
    }
    const std::uint64_t key = m_rows->keyAt(index);
    std::uint32_t node = SpaceMap::kNone;
    if (m_shownTable == Table::Plan) {
        const auto at = map->saves.find(m_planPaths[key]);
        node = at != map->saves.end() ? at->second : SpaceMap::kNone;
    } else {
        node = map->nodeOf[key];
    }
    if (node != SpaceMap::kNone) {
        m_view->select(node);
        choose(node);
    }
}

/// The row of the tile that is selected.
void SpacePage::selectRow() {
    const SpaceMapPtr map = m_view->map();
    const auto selected = m_view->selected();
    m_filling = true;
    QModelIndex row;
    if (map && selected && map->nodes[*selected].source != SpaceMap::kNone) {
        if (m_shownTable == Table::Plan) {
            const auto path = map->isCheckpoint(*selected)
                                  ? map->tree->pathOf(map->nodes[*selected].source)
                                  : std::filesystem::path();
            const auto at = std::ranges::find(m_planPaths, path);
            if (at != m_planPaths.end()) {
                row = m_rows->find(static_cast<std::uint64_t>(at - m_planPaths.begin()));
            }
        } else {
            row = m_rows->find(map->nodes[*selected].source);
        }
    }
    if (row.isValid()) {
        m_table->setCurrentIndex(row);
        m_table->scrollTo(row);
    } else {
        m_table->clearSelection();
        m_table->selectionModel()->clearCurrentIndex();
    }
    m_filling = false;
}

bool SpacePage::copySelection(CopyAs what) {
    return what == CopyAs::Rows && m_table->copyRows();
}

} // namespace cairn::ui
