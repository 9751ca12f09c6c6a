// SPDX-License-Identifier: GPL-3.0-or-later
// The Space page's breadcrumb and the line below its map.
#include "ui/pages/space/crumb_bar.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"

#include <algorithm>

namespace cairn::ui {

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

} // namespace cairn::ui
