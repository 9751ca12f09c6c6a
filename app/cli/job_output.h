// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/opened.h"
#include "app/cli/transform_options.h"
#include "app/cli/verb.h"
#include "core/jobs/engine.h"
#include "core/jobs/pack_archive.h"
#include "core/plan/consolidate.h"

#include <filesystem>
#include <functional>
#include <string_view>

/// What the verbs that make plans and run them share.
namespace cairn::cli {

/// The options of `consolidate` and `export`, read from the arguments.
/// Fails: InvalidArgument for sizes and for what this version cannot do.
Result<ConsolidateOptions> consolidateOptions(const Arguments& arguments, const Opened& source);
/// The sources are the words from `first` on; `options.source` is the last of them.
struct AverageJob {
    CheckpointPtr source;
    ConsolidateOptions options;
};
Result<AverageJob> averageJob(const Arguments& arguments, std::size_t first, Session& session);
/// Of `cast` and `rename`: everything, in the source's own format where that can be written. Fails
/// besides when --dtype or --rename is missing.
Result<ConsolidateOptions> conversionOptions(const Arguments& arguments, const Opened& source,
                                             const std::string& job);
/// Of `pack`: --level and --delta, and that the source is a complete checkpoint.
Result<PackOptions> packOptions(const Arguments& arguments, const Opened& source, Session& session);
Result<ExportOptions> exportOptions(const Arguments& arguments, const Opened& source);

/// "5GB", "500 MB", "1GiB", "1000": bytes.
Result<std::uint64_t> parseSize(std::string_view text);

/// `plan`'s document or table.
void printPlan(const CopyPlan& plan, Session& session);

/// Runs the plan, or the session's part of it, with progress on standard error and prints its
/// report. While it runs it stands in the user's list of jobs.
/// Fails besides runPlan(): the plan's problems, ChangedOnDisk when another plan was meant.
Result<int> runPlanned(const CopyPlan& plan, Session& session);

/// Opens the first word's checkpoint, takes the options for it and runs what they plan.
Result<int> runConversion(const Arguments& arguments, Session& session,
                          Result<ConsolidateOptions> (*options)(const Arguments& arguments,
                                                                const Opened& source));

/// The same as runPlanned() for work without a plan.
Result<int> runJob(Session& session,
                   const std::function<Result<JobReport>(FileOps&, JobContext&)>& work);

inline constexpr Option kLevelOption{"--level", "N",
                                     "Compression level: 1 (default, fast) to 19 (slow)"};
inline constexpr Option kDeltaOption{
    "--delta", "EARLIER",
    "Store only the difference to this checkpoint, which must remain in place"};
inline constexpr Option kOutputOption{"-o,--output", "OUT",
                                      "Output file or folder; must not exist"};
inline constexpr Option kToOption{
    "--to", "FORMAT", "safetensors (default), torch or dcp; `cairn-cli formats` lists them"};
inline constexpr Option kOnlyOption{"--only", "WHAT",
                                    "weights (default), all, or a GLOB of full names"};
inline constexpr Option kStripOption{
    "--strip", "ROLES", "Roles to leave out: optimizer,ema,scheduler,rng,training_state"};
inline constexpr Option kShardOption{"--max-shard-size", "SIZE",
                                     "Maximum size of a shard: 5GB, 500MB"};
inline constexpr Option kBundleOption{
    "--bundle", "", "Write a folder with config and tokenizer files beside the weights"};
inline constexpr Option kForceOption{
    "--force", "",
    "Write even if refused as doubtful: parts of different saves, shards that could not be merged. "
    "Never replaces an existing file"};

} // namespace cairn::cli
