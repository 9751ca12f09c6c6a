// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/space_page.h"

#include "core/runs/scan/reuse_unchanged.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/pages/space/crumb_bar.h"
#include "ui/pages/space/move_strip.h"
#include "ui/pages/space/plan_panel.h"
#include "ui/pages/space/rule_bar.h"
#include "ui/pages/space/space_table.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"

#include <QElapsedTimer>
#include <QStackedLayout>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kProgressMs = 200;
constexpr qint64 kPlanAgeMs = 300'000; ///< after which "changed recently" is asked again
constexpr std::size_t kKeptNodes = 100'000;

} // namespace

SpacePage::SpacePage(FileOps& ops, QWidget* parent) : Page(parent), m_controller(ops) {
    build();
    connectParts();
    clear();
}

SpacePage::~SpacePage() = default;

extern const PageInfo kSpacePage;
const PageInfo kSpacePage{
    .id = "space",
    .title = [] { return SpacePage::tr("Space"); },
    .shows = Page::Subject::Experiment,
    .make = [](const PageParts& parts) -> Page* { return new SpacePage(parts.fileOps); },
};

const PageInfo& SpacePage::info() const {
    return kSpacePage;
}

QWidget* SpacePage::filterTarget() {
    return m_table->showsMap() ? static_cast<QWidget*>(m_view) : table();
}

QWidget* SpacePage::sidePanel() {
    return m_scope == Scope::Tensors ? nullptr : m_panel;
}

bool SpacePage::copySelection(CopyAs what) {
    return what == CopyAs::Rows && table()->copyRows();
}

MessageStrip* SpacePage::strip() const {
    return m_strip;
}

RowView* SpacePage::table() const {
    return m_table->view();
}

bool SpacePage::isSettled() const {
    return !m_measuring.isRunning() && !m_mapping.isRunning() && !m_table->isRanking() &&
           !m_controller.isBusy() && !m_controller.isMoving();
}

void SpacePage::clear() {
    m_mapping.cancel();
    m_checkpoint.reset();
    m_tensorMap.reset();
    m_tensor.reset();
    if (m_scope == Scope::Runs && m_experiment) {
        return; // what is shown needs no open checkpoint
    }
    m_scope = Scope::None;
    m_view->show(nullptr);
    m_notice->showMessage(tr("Nothing is selected"),
                          tr("Select an experiment, a run or a checkpoint on the left to see what "
                             "takes the disk."));
    m_stack->setCurrentWidget(m_notice);
}

bool SpacePage::isSpaceOf(const std::filesystem::path& opened,
                          const std::filesystem::path& listed) {
    const std::string& whole = opened.native();
    const std::size_t length = listed.native().size();
    return length > 0 && whole.starts_with(listed.native()) &&
           (whole.size() == length || whole[length] == '.');
}

SpacePage::ExperimentPtr SpacePage::experimentOf(const std::filesystem::path& checkpoint) const {
    ExperimentPtr found;
    for (const auto& [path, experiment] : m_known) {
        for (const ScannedRun& run : experiment->runs) {
            const bool holds = std::ranges::any_of(run.checkpoints, [&](const auto& each) {
                return isSpaceOf(checkpoint, each.path);
            });
            found = holds && (!found || experiment == m_experiment) ? experiment : found;
        }
    }
    return found;
}

void SpacePage::setScope(Scope scope) {
    const bool changed = scope != m_scope;
    m_scope = scope;
    if (changed) {
        Q_EMIT sideChanged();
    }
}

void SpacePage::showCheckpoint(const CheckpointPtr& checkpoint) {
    const bool isNew = checkpoint != m_checkpoint;
    m_checkpoint = checkpoint;
    if (isNew) {
        m_mapping.cancel();
        m_tensorMap.reset();
        m_tensor.reset();
        m_tensorRoot = 0;
    }
    const bool chosenHere = m_scope == Scope::Runs && isSpaceOf(checkpoint->path(), m_chosen);
    const bool enters = isSpaceOf(checkpoint->path(), m_entering);
    m_entering.clear();
    if (chosenHere && !enters) {
        return;
    }
    if (!isNew && m_scope == Scope::Runs && !enters) {
        return; // refreshed, not chosen
    }
    m_chosen.clear();
    setScope(Scope::Tensors);
    refresh();
}

void SpacePage::showExperiment(const ExperimentPtr& experiment) {
    updateExperiment(experiment);
    goToRuns(experiment, experiment->path, {});
}

void SpacePage::showRun(const RunPlace& place) {
    if (!m_known.contains(place.root)) {
        Experiment alone; // of an experiment that is not listed any more
        alone.path = place.path;
        alone.name = place.path.filename().string();
        alone.runs.push_back(place.run);
        showExperiment(std::make_shared<const Experiment>(std::move(alone)));
        return;
    }
    goToRuns(m_known[place.root], place.path, {});
}

void SpacePage::updateExperiment(const ExperimentPtr& experiment) {
    m_known[experiment->path] = experiment;
    if (m_experiment && m_experiment->path == experiment->path) {
        m_experiment = experiment;
        if (m_scope == Scope::Runs) {
            refresh();
        }
    }
}

void SpacePage::goToRuns(const ExperimentPtr& experiment, const std::filesystem::path& zoomed,
                         const std::filesystem::path& selected) {
    m_experiment = experiment;
    m_zoomed = zoomed;
    m_selected = selected;
    m_chosen = selected;
    setScope(Scope::Runs);
    refresh();
}

void SpacePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_planIsStale = m_planIsStale || (m_planned.isValid() && m_planned.hasExpired(kPlanAgeMs));
    refresh();
}

/// The map of a million tensors is not kept for a page that nobody looks at.
void SpacePage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_mapping.cancel();
    if (m_tensorMap && m_tensorMap->nodes.size() > kKeptNodes) {
        if (m_view->map() == m_tensorMap) {
            m_view->show(nullptr);
        }
        m_tensorMap.reset();
    }
}

/// Shows what the scope asks for; what is not known yet is read first, once the page is visible.
void SpacePage::refresh() {
    if (!isVisible() || m_scope == Scope::None) {
        return;
    }
    if (m_scope == Scope::Tensors) {
        m_tensorMap ? showMap(m_tensorMap, m_tensorRoot) : mapTensors();
        return;
    }
    if (m_runMap && m_measured && m_measured->path == m_experiment->path) {
        showMap(m_runMap, nodeAt(m_zoomed)); // also while it is measured again
    }
    if (m_measured != m_experiment) {
        measure();
    }
}

void SpacePage::measure() {
    if (m_measuring.isRunning() && m_measured && m_measured->path == m_experiment->path) {
        return; // take() measures again if the listing has changed meanwhile
    }
    if (!m_measured || m_measured->path != m_experiment->path) {
        m_notice->showMessage(tr("Measuring files…"), QString());
        m_stack->setCurrentWidget(m_notice);
    }
    const SpaceMapPtr before =
        m_runMap && m_measured && sameListing(*m_measured, *m_experiment) ? m_runMap : nullptr;
    const auto work = [this, experiment = m_experiment,
                       before](const CancelToken& cancel,
                               const AsyncRunner::Post& post) -> Result<SpaceMapPtr> {
        if (before) { // the same files, known better
            SpaceTree tree = *before->tree;
            return updateRoles(tree, *experiment)
                       ? SpaceMap::make(std::make_shared<const SpaceTree>(std::move(tree)), cancel)
                       : Result<SpaceMapPtr>(before);
        }
        QElapsedTimer clock;
        clock.start();
        CAIRN_TRY(SpaceTree tree, measureSpace(*experiment, cancel, [&](std::size_t entries) {
                      if (clock.elapsed() > kProgressMs) {
                          clock.restart();
                          post([this, entries] {
                              m_notice->showMessage(
                                  tr("Measuring files…"),
                                  tr("%Ln files", nullptr, static_cast<int>(entries)));
                          });
                      }
                  }));
        return SpaceMap::make(std::make_shared<const SpaceTree>(std::move(tree)), cancel);
    };
    m_measuring.start(work, [this, experiment = m_experiment, before](Result<SpaceMapPtr> map) {
        if (!map) {
            m_notice->showError(tr("The files cannot be measured"), map.error(), {});
            m_stack->setCurrentWidget(m_notice);
            return;
        }
        m_planIsStale = m_planIsStale || !before;
        const bool isSame = before && *map == before;
        m_runMap = std::move(*map);
        m_measured = experiment;
        if (m_scope == Scope::Runs && (!isSame || m_measured != m_experiment)) {
            refresh();
        }
    });
}

void SpacePage::mapTensors() {
    m_notice->showMessage(tr("Arranging tensors…"), QString());
    m_stack->setCurrentWidget(m_notice);
    m_mapping.start([checkpoint = m_checkpoint](
                        const CancelToken& cancel) { return SpaceMap::make(checkpoint, cancel); },
                    [this](Result<SpaceMapPtr> map) {
                        if (!map) {
                            m_notice->showError(tr("The tensors cannot be arranged"), map.error(),
                                                {});
                            return;
                        }
                        m_tensorMap = std::move(*map);
                        refresh();
                    });
}

std::uint32_t SpacePage::nodeAt(const std::filesystem::path& path) const {
    const auto found = m_runMap->tree->find(path);
    const std::uint32_t node = found ? m_runMap->nodeOf[*found] : SpaceMap::kNone;
    return node == SpaceMap::kNone ? 0 : node;
}

void SpacePage::showMap(const SpaceMapPtr& map, std::uint32_t root) {
    const bool isRuns = m_scope == Scope::Runs;
    m_rules->setVisible(isRuns && !m_experiment->isCheckpoint);
    m_strip->setRunsShown(isRuns);
    if (map->nodes[root].bytes == 0) {
        m_notice->showMessage(tr("Nothing takes space here"),
                              isRuns ? tr("All files are empty.") : tr("All tensors are empty."));
        m_stack->setCurrentWidget(m_notice);
        return;
    }
    m_stack->setCurrentIndex(0);
    m_view->show(map, root);
    if (isRuns) {
        const auto at = map->saves.find(m_selected);
        m_view->select(at != map->saves.end() ? std::optional(at->second) : std::nullopt);
        requestPlan(std::exchange(m_planIsStale, false));
    } else if (m_tensor) {
        m_view->select(map->nodeOf[m_tensor->position()]);
    }
    updateCrumbs();
    showPlan();
    point({});
}

void SpacePage::zoom(std::uint32_t node) {
    const SpaceMapPtr map = m_view->map();
    if (m_scope == Scope::Tensors) {
        m_tensorRoot = node;
    } else {
        m_zoomed = map->tree->pathOf(map->nodes[node].source);
    }
    showMap(map, node);
}

void SpacePage::leave() {
    const SpaceMapPtr& map = m_view->map();
    if (map && m_view->root() != 0) {
        const std::uint32_t start = startOfChain(*map, m_view->root(), 0);
        zoom(map->nodes[start].parent);
    } else if (m_scope == Scope::Tensors && m_crumbActions.size() > 1) {
        const auto action = m_crumbActions[m_crumbActions.size() - 2];
        action();
    }
}

void SpacePage::enter(std::uint32_t node) {
    const SpaceMapPtr map = m_view->map();
    if (m_scope == Scope::Runs && map->isCheckpoint(node)) {
        const std::filesystem::path path = map->tree->pathOf(map->nodes[node].source);
        m_entering = path;
        if (m_checkpoint && isSpaceOf(m_checkpoint->path(), path)) {
            showCheckpoint(m_checkpoint);
        } else {
            Q_EMIT checkpointChosen(path);
        }
        return;
    }
    if (m_scope == Scope::Tensors) { // one level at a time
        while (node != 0 && map->nodes[node].parent != m_view->root()) {
            node = map->nodes[node].parent;
        }
        node = endOfChain(*map, node);
    }
    if (node != m_view->root() && map->nodes[node].childCount > 0) {
        zoom(node);
    }
}

void SpacePage::choose(std::uint32_t node) {
    const SpaceMapPtr map = m_view->map();
    m_table->selectRow();
    if (const auto tensor = map->tensorOf(node)) {
        m_tensor = tensor;
        Q_EMIT tensorSelected(m_checkpoint, *tensor);
    } else if (m_scope == Scope::Runs && map->isCheckpoint(node)) {
        m_selected = map->tree->pathOf(map->nodes[node].source);
        m_chosen = m_selected;
        Q_EMIT checkpointChosen(m_selected);
    }
}

void SpacePage::showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) {
    if (checkpoint != m_checkpoint) {
        return;
    }
    m_tensor = tensor;
    if (m_scope == Scope::Tensors && m_tensorMap && m_view->map() == m_tensorMap) {
        m_view->select(m_tensorMap->nodeOf[tensor.position()]);
        m_table->selectRow();
    }
}

} // namespace cairn::ui
