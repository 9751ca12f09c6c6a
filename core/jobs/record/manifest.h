// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/record/job_report.h"
#include "core/plan/copy_plan.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// The manifest of an output: its source, the program's version, and the SHA-256 of every file and
/// tensor. JSON, written last, so that its presence proves that the job finished.
namespace cairn {

/// The manifest's path for this plan's output: `<file>.cairn.json`, `<folder>/MANIFEST.json`.
std::filesystem::path manifestPath(const CopyPlan& plan);
/// The same for an output on the disk; a missing one counts as a file.
std::filesystem::path manifestPath(const std::filesystem::path& output);

/// SHA-256 of the source's files, by checkpoint and position in its files().
using SourceDigests = std::map<const Checkpoint*, std::vector<std::string>>;

/// Small: those that cost nothing to hash for every manifest, such as indexes and configs.
enum class SourceFiles : std::uint8_t { Small, All };

/// SHA-256 of files of the plan's sources; empty for the others and for those that are not on the
/// disk. Reads them. Fails: Cancelled, ChangedOnDisk, and the errors of reading a file whose
/// elements are in the output.
Result<SourceDigests> digestSources(const CopyPlan& plan, SourceFiles which, JobContext& context);

/// The manifest's text. Pure. Times are those of the source files, not of the clock: two runs of
/// the same plan give the same text.
std::string manifestText(const CopyPlan& plan, const JobReport& report,
                         const SourceDigests& digests);

/// SHA-256 of a file that a checkpoint was opened from. Reads it. Fails: Cancelled, ChangedOnDisk,
/// and the errors of reading.
Result<std::string> sourceDigest(const Checkpoint& checkpoint, FileIndex index,
                                 JobContext& context);

} // namespace cairn
