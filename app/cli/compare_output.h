// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "core/runs/compare/compare_summary.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

#include <span>
#include <string>
#include <vector>

/// The result of `compare` as JSON and as text.
namespace cairn::cli {

/// One of the compared runs.
struct Side {
    std::string argument;
    ScannedRun run;
    RunHistory history;
};

std::vector<const ScannedRun*> runsOf(std::span<const Side> sides);

/// `pairs`: each run but the first, compared with the first.
void writeComparison(std::span<const Side> sides, std::span<const RunComparison> pairs,
                     Session& session);
void printComparison(std::span<const Side> sides, std::span<const RunComparison> pairs,
                     Session& session);

} // namespace cairn::cli
