// SPDX-License-Identifier: GPL-3.0-or-later
// The Space page's parts: their arrangement, the breadcrumb, and what they show of the plan.
#include "ui/models/row_view.h"
#include "ui/navigator/run_names.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/space/crumb_bar.h"
#include "ui/pages/space/move_strip.h"
#include "ui/pages/space/plan_panel.h"
#include "ui/pages/space/rule_bar.h"
#include "ui/pages/space/space_legend.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/space_table.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kBothLines = 34; ///< of text, that map and rows together need

} // namespace

void SpacePage::build() {
    m_stack = new QStackedLayout(this);
    m_notice = new NoticePane;
    m_rules = new RuleBar;
    m_strip = new MoveStrip(m_controller);
    m_panel = new PlanPanel(this);
    m_panel->hide();
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid + 4);
    column->addWidget(m_rules);
    column->addWidget(m_strip);
    m_strip->hide();
    m_mapCard = buildMap();
    m_table = new SpaceTable(*m_view);
    column->addWidget(m_mapCard, 1);
    column->addWidget(m_table, 1); // half of the height each, but no more than ten rows
    m_stack->addWidget(body);
    m_stack->addWidget(m_notice);
}

QWidget* SpacePage::buildMap() {
    auto* card = new Card;
    m_crumbs = new CrumbBar;
    m_view = new TreemapView;
    m_legend = new SpaceLegend;
    m_pointed = new TextLabel({}, theme::Tone::Dim);
    m_pointed->setElideMiddle(true);
    card->content()->setSpacing(theme::kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * theme::kGrid);
    head->addWidget(m_crumbs);
    m_pointed->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    m_pointed->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the path comes first
    head->addWidget(m_pointed, 1);
    card->content()->addLayout(head);
    card->content()->addWidget(m_view, 1);
    card->content()->addWidget(m_legend);
    return card;
}

void SpacePage::connectParts() {
    connect(m_view, &TreemapView::chosen, this, &SpacePage::choose);
    connect(m_view, &TreemapView::entered, this, &SpacePage::enter);
    connect(m_view, &TreemapView::left, this, &SpacePage::leave);
    connect(m_view, &TreemapView::pointed, this, &SpacePage::point);
    connect(m_crumbs, &CrumbBar::chosen, this, [this](int part) {
        const auto action = m_crumbActions[static_cast<std::size_t>(part)];
        action();
    });
    connect(m_table, &SpaceTable::nodeChosen, this, [this](std::uint32_t node) {
        m_view->select(node);
        choose(node);
    });
    connect(m_table, &SpaceTable::kindChosen, this, &SpacePage::showParts);
    connect(m_rules, &RuleBar::chosen, &m_controller, &RetentionController::setRules);
    connect(m_rules, &RuleBar::stopRequested, &m_controller, &RetentionController::stop);
    connect(m_rules, &RuleBar::planRequested, &m_controller, &RetentionController::plan);
    connect(m_rules, &RuleBar::moveRequested, m_strip, &MoveStrip::confirm);
    connect(m_rules, &RuleBar::undoRequested, &m_controller, &RetentionController::undo);
    connect(m_strip, &MoveStrip::dismissed, this,
            [this] { m_rules->show(m_controller, m_controller.canUndo()); });
    connect(&m_controller, &RetentionController::changed, this, &SpacePage::showPlan);
    connect(&m_controller, &RetentionController::reported, m_strip, &MoveStrip::report);
}

/// In a low window map and rows are shown in turn.
void SpacePage::shareHeight() {
    m_table->setInTurn(height() < kBothLines * fontMetrics().height());
}

void SpacePage::showParts() {
    m_mapCard->setVisible(m_table->showsMap());
    if (m_view->map()) {
        showTable();
    }
}

void SpacePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    shareHeight();
}

void SpacePage::updateCrumbs() {
    QStringList parts;
    m_crumbActions.clear();
    const SpaceMapPtr map = m_view->map();
    QString remark = text::bytes(map->nodes[m_view->root()].bytes);
    const auto addRuns = [&](const ExperimentPtr& experiment, const std::filesystem::path& below) {
        parts << text::fromCore(experiment->name);
        m_crumbActions.emplace_back(
            [this, experiment, below] { goToRuns(experiment, experiment->path, below); });
    };
    if (m_scope == Scope::Tensors) {
        const std::filesystem::path path = m_checkpoint->path();
        if (const ExperimentPtr experiment = experimentOf(path);
            experiment && !experiment->isCheckpoint) {
            for (const ScannedRun& run : experiment->runs) {
                const auto at = std::ranges::find_if(
                    run.checkpoints, [&](const auto& each) { return isSpaceOf(path, each.path); });
                if (at != run.checkpoints.end()) {
                    addRuns(experiment, at->path);
                    if (run.path != experiment->path) {
                        parts << text::fromCore(run.name);
                        m_crumbActions.emplace_back(
                            [this, experiment, zoomed = run.path, each = at->path] {
                                goToRuns(experiment, zoomed, each);
                            });
                    }
                    break;
                }
            }
        }
    }
    std::vector<std::uint32_t> chain;
    for (std::uint32_t at = m_view->root();; at = map->nodes[at].parent) {
        chain.push_back(at);
        if (at == 0) {
            break;
        }
    }
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        parts << m_view->nameOf(*at);
        m_crumbActions.emplace_back([this, node = *at] { zoom(node); });
    }
    m_crumbs->setParts(parts, remark);
    m_view->setAccessibleDescription(tr("%1, %2").arg(parts.last(), remark));
}

void SpacePage::point(const QString& description) {
    m_pointed->setText(!description.isEmpty()      ? description
                       : m_scope == Scope::Tensors ? tr("area = bytes of the tensors")
                                                   : tr("area = sizes of the files; hard links "
                                                        "counted once"));
}

/// Of the runs that fill the map.
void SpacePage::requestPlan(bool again) {
    std::vector<RetentionController::Target> runs;
    for (const ScannedRun& run : m_experiment->runs) {
        const auto below = run.path.lexically_relative(m_zoomed);
        const bool isShown = run.path == m_zoomed || (!below.empty() && *below.begin() != "..");
        if (isShown && run.checkpoints.size() > run.links() && !m_experiment->isCheckpoint) {
            runs.push_back({run.path, m_experiment->path, words::runName(*m_experiment, run)});
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
    m_strip->planChanged();
    std::vector<bool> hatched;
    if (isRuns && map->tree) {
        m_rules->show(m_controller, m_controller.canUndo() && !m_strip->hasReport());
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
    const bool isHatched = m_scope == Scope::Runs && outcome && outcome->moved > 0;
    m_legend->show(fills, isHatched && !fills.empty() ? std::optional(fills.front())
                                                      : std::nullopt); // as a tile has it
}

void SpacePage::showTable() {
    const bool plans = m_scope == Scope::Runs && !m_experiment->isCheckpoint;
    m_table->showRows(plans, m_controller.outcome());
}

} // namespace cairn::ui
