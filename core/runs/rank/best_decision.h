// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <string_view>

/// Which checkpoint of a run is the best. Pure.
namespace cairn {

/// Evidence ids.
inline constexpr std::string_view kBestInRecord = "record";
inline constexpr std::string_view kBestInName = "name";
inline constexpr std::string_view kBestByScore = "history";
/// Among ScannedRun::rowsAgainst: a limit kept logs from being read (unread_logs.h). They may
/// contain a better value, so that no score makes a checkpoint the best; the scores that are known
/// remain.
inline constexpr std::string_view kLogsNotRead = "logs-not-read";

/// The index of the best checkpoint; REQUIRES training order. Links, exports and checkpoints that
/// are known to be incomplete, being written or damaged are never the best. In this order:
///   1. "record" (Recorded): the newest record of the trainer names it, exactly, or as the only one
///      that is called so in a folder.
///   2. "name" (Recorded): the trainer wrote it, or a link to it, under a name like "best". Of
///      several names that differ in numbers only, the one with the better value in its name, else
///      the last one in training order, because a trainer writes such a file when its metric has
///      improved. Names of different kinds contradict each other.
///   3. "history": the best score; of equal ones the earliest. Recorded if the direction of the
///      metric is, else Named. Not with kLogsNotRead.
/// A metric is asked only if the trainer named no checkpoint: by which metric the trainer chose is
/// known to the trainer alone. What a later one states of another checkpoint is in `against`.
Decided<std::size_t> decideBest(const ScannedRun& run);

} // namespace cairn
