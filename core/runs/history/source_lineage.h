// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// How the name of a log relates it to other logs. Pure.
namespace cairn {

/// Sources with the same `stream` and `part` are files of one training that was restarted:
/// "metrics.csv" and "metrics_1.csv", event files of one folder, W&B segments of one id. Sources of
/// the same `family` may be ("version_0", "version_1"): their steps decide.
struct SourceLineage {
    std::string stream;
    std::string family;
    std::string part;                   ///< "train", "validation", as recorded; empty: not recorded
    std::vector<std::uint64_t> numbers; ///< the numbers in which the names of a family differ
    int age = 0; ///< -1: named as an older copy ("metrics_old.csv"), 1: as a resumed one
    bool isPlainLog = false; ///< a log without a run id: only its location identifies the run
};
/// `run`: the requested folder.
SourceLineage lineageOf(const HistorySource& source, const std::filesystem::path& run);

/// Whether `later` was started after `earlier`, by their names: older copies first, then by number.
bool namedBefore(const SourceLineage& earlier, const SourceLineage& later);

} // namespace cairn
