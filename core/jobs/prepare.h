// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/format.h"
#include "core/jobs/disk_rates.h"
#include "core/plan/consolidate.h"

#include <filesystem>

/// From a request to a plan: gathers the facts of the disk for the pure
/// planner. Reads (statfs, the rates that earlier jobs measured, the checkpoint's values, config
/// and tokenizer files for a bundle), writes nothing. Any thread but the window's.
namespace cairn {

/// The plan that `plan consolidate` and the window's panel show, and that runPlan() executes.
/// Fails: InvalidArgument, Unsupported, Cancelled; all else is in the plan's problems.
Result<CopyPlan> prepareConsolidate(CheckpointPtr source, const ConsolidateOptions& options,
                                    const CancelToken& cancel = {},
                                    const DiskRates& rates = DiskRates());

/// The output's extension selects the format: .npy, .safetensors, else a format id. See exportCsv
/// for .csv.
Result<CopyPlan> prepareExport(CheckpointPtr source, const ExportOptions& options,
                               const CancelToken& cancel = {},
                               const DiskRates& rates = DiskRates());

/// The planner's view of a format.
LayoutTarget layoutTarget(const FormatInfo& format);

/// The format in which a file of that name's ending is written; null: none.
const FormatInfo* formatForEnding(const std::filesystem::path& output);

/// The nearest folder above the output that exists: the output's own may have to be made.
std::filesystem::path existingFolder(const std::filesystem::path& output);

/// Without sharing and rates, which a plan has from the start. Sidecars: files of these names
/// beside or above the checkpoint (never from outside its run: at most two folders up), regular
/// files only, at most 64 MiB each: config.json, generation_config.json, tokenizer*,
/// special_tokens_map.json, …
PlanFacts gatherFacts(const Checkpoint& source, const std::filesystem::path& output, bool bundle,
                      const CancelToken& cancel = {});

} // namespace cairn
