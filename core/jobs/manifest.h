// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/engine.h"
#include "core/jobs/verify.h"
#include "core/plan/copy_plan.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// The manifest of an output: its source, the program's version, and the SHA-256 of every file and
/// tensor. JSON, written last, so that its presence proves that the job finished.
namespace cairn {

inline constexpr std::string_view kManifestSchema = "cairn/manifest/1";

/// The manifest's path for this plan's output: `<file>.cairn.json`, `<folder>/MANIFEST.json`.
std::filesystem::path manifestPath(const CopyPlan& plan);
/// The same for an output on the disk; a missing one counts as a file.
std::filesystem::path manifestPath(const std::filesystem::path& output);

/// The manifest's text. Pure. Times are those of the source files, not of the clock: two runs of
/// the same plan give the same text.
std::string manifestText(const CopyPlan& plan, const JobReport& report);

/// Fails with OutputExists if the manifest of a single file would replace an existing one; that of
/// a folder is inside it.
Result<void> checkNoManifest(const CopyPlan& plan);

class Staging;

/// The end of a job: writes the report's manifest if requested by `options`, stops if requested,
/// and gives the output its names. Fails with the errors of Staging and JobContext::proceed().
Result<void> publishWithManifest(Staging& staging, const CopyPlan& plan, JobReport& report,
                                 JobContext& context, const EngineOptions& options);

/// The parts of a manifest that verification needs.
struct Manifest {
    std::vector<WrittenFile> files;
    std::vector<WrittenTensor> tensors;
    std::string sourcePath;
    std::string format;
};

/// Fails: JsonSyntax, JsonWrongType, LimitExceeded (above 1 GiB), and the errors of opening.
Result<Manifest> readManifest(const std::filesystem::path& path);

} // namespace cairn
