// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

/// When the files of a checkpoint were written.
struct SavedTimes {
    std::int64_t oldestNs = 0;
    std::int64_t newestNs = 0;
    bool settled = true; ///< they will not change any more
};

/// The checkpoints of a run whose names differ only in their position ("ckpt_#.pt",
/// "generator_#.pt"), and their order. Checkpoints are indices in the run, which is borrowed. Pure.
class CheckpointSeries {
public:
    explicit CheckpointSeries(const ScannedRun& run);

    /// By name: series of at least two checkpoints, the last position first.
    [[nodiscard]] const std::map<std::string, std::vector<std::size_t>>& all() const {
        return m_all;
    }
    /// True if the checkpoint belongs to one of these series.
    [[nodiscard]] bool has(std::size_t checkpoint) const;
    /// REQUIRES: has(checkpoint).
    [[nodiscard]] const std::vector<std::size_t>& of(std::size_t checkpoint) const;
    /// Steps if all members of its series have one, otherwise epochs; empty: not recorded.
    [[nodiscard]] std::optional<Number> position(std::size_t checkpoint) const;

    /// For each checkpoint, how its position, name and times contradict those of another member of
    /// its series; empty: they agree. `times`: of each checkpoint.
    [[nodiscard]] std::vector<Sentence> conflicts(const std::vector<SavedTimes>& times) const;

private:
    const ScannedRun& m_run;
    std::vector<std::string> m_names; ///< of each checkpoint's series
    std::map<std::string, std::vector<std::size_t>> m_all;
    std::map<std::size_t, Number> m_positions; ///< of the members of series
};

} // namespace cairn
