// SPDX-License-Identifier: Apache-2.0
#include "core/runs/run_counts.h"

#include <algorithm>

namespace cairn {
namespace {

/// An output, or what else is beside the run's saves; not the final model in its own folder.
bool isMadeOfOthers(const ScannedRun& run, const ScannedCheckpoint& checkpoint) {
    return checkpoint.isExport && checkpoint.path != run.path;
}

} // namespace

RunSaves::RunSaves(const ScannedRun& run) : m_run(run) {
    m_all = std::ranges::none_of(run.checkpoints, [&run](const ScannedCheckpoint& each) {
        return !each.isLink() && !isMadeOfOthers(run, each);
    });
}

bool RunSaves::has(const ScannedCheckpoint& checkpoint) const {
    return !checkpoint.isLink() && (m_all || !isMadeOfOthers(m_run, checkpoint));
}

std::size_t savesOf(const ScannedRun& run) {
    const RunSaves saves(run);
    return static_cast<std::size_t>(std::ranges::count_if(
        run.checkpoints, [&saves](const ScannedCheckpoint& each) { return saves.has(each); }));
}

std::vector<const ScannedCheckpoint*> newestFirst(const ScannedRun& run) {
    std::vector<const ScannedCheckpoint*> order;
    std::vector<const ScannedCheckpoint*> beside;
    auto end = run.checkpoints.size();
    while (end > 0) {
        auto begin = end - 1;
        while (begin > 0 && run.checkpoints[begin].isLink()) {
            --begin;
        }
        const ScannedCheckpoint& target = run.checkpoints[begin];
        const bool isBeside = isMadeOfOthers(run, target) && !target.step && !target.epoch;
        for (auto i = begin; i < end; ++i) {
            (isBeside ? beside : order).push_back(&run.checkpoints[i]);
        }
        end = begin;
    }
    order.insert(order.end(), beside.begin(), beside.end());
    return order;
}

} // namespace cairn
