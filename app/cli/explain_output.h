// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/runs/table/run_explain.h"

/// Which settings separate the runs (`runs --explain`).
namespace cairn::cli {

/// The member "explain": {"metric", "runs", "missing", "settings": [{"key", "statistic", "value",
/// "effect", "n", "values", "p", "permutations", "exact", "alike"}]}.
void writeExplanation(JsonWriter& json, const RunGrid& grid, const MetricExplanation& explanation);

void printExplanation(const RunGrid& grid, const MetricExplanation& explanation, Session& session);

} // namespace cairn::cli
