// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What the name of a log states about which others it belongs to. Pure.
namespace cairn {

/// Two sources of one `stream` and `part` are files of one training that was started again:
/// "metrics.csv" and "metrics_1.csv", event files of one folder, W&B segments of one id. Those of
/// one `family` may be ("version_0", "version_1"): their steps decide.
struct SourceLineage {
    std::string stream;
    std::string family;
    std::string part;                   ///< "train", "validation", as written; empty: not recorded
    std::vector<std::uint64_t> numbers; ///< what the names in a family differ by
    int age = 0; ///< -1: named as an older copy ("metrics_old.csv"), 1: as a resumed one
    bool isPlainLog = false; ///< a log that identifies its run by nothing but its place
};
/// `run`: the folder that was asked for.
SourceLineage lineageOf(const HistorySource& source, const std::filesystem::path& run);

/// Whether `later` was begun after `earlier`, by their names alone: older copies first, then by
/// their numbers.
bool namedBefore(const SourceLineage& earlier, const SourceLineage& later);

} // namespace cairn
