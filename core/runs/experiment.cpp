// SPDX-License-Identifier: Apache-2.0
#include "core/runs/experiment.h"

#include "core/runs/run_counts.h"

#include <algorithm>

namespace cairn {

std::string_view stateName(CheckpointState state) {
    switch (state) {
    case CheckpointState::Unknown:
        return "unknown";
    case CheckpointState::Complete:
        return "complete";
    case CheckpointState::Incomplete:
        return "incomplete";
    case CheckpointState::BeingWritten:
        return "being-written";
    case CheckpointState::Damaged:
        return "damaged";
    }
    return "unknown";
}

std::string_view stepFromName(const ScannedCheckpoint& checkpoint) {
    const auto isValue = [](const Evidence& each) { return each.id.ends_with("-in-values"); };
    return checkpoint.because.empty()                         ? "time"
           : std::ranges::any_of(checkpoint.because, isValue) ? "values"
                                                              : "name";
}

std::uint64_t ScannedRun::bytes() const {
    std::uint64_t sum = 0;
    for (const ScannedCheckpoint& checkpoint : checkpoints) {
        sum += checkpoint.isLink() ? 0 : checkpoint.bytes;
    }
    return sum;
}

std::size_t ScannedRun::links() const {
    return static_cast<std::size_t>(std::ranges::count_if(checkpoints, &ScannedCheckpoint::isLink));
}

std::size_t Experiment::checkpoints() const {
    std::size_t count = 0;
    for (const ScannedRun& run : runs) {
        count += savesOf(run);
    }
    return count;
}

} // namespace cairn
