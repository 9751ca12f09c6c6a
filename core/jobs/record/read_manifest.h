// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/record/job_report.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What verification needs of the manifest of an output (manifest.h writes it).
namespace cairn {

inline constexpr std::string_view kManifestSchema = "cairn/manifest/1";

/// A checkpoint that a manifest names beside the source: an adapter, a member of an average.
struct RecordedInput {
    struct File {
        std::string path; ///< as CheckpointFile's
        std::uint64_t bytes = 0;
        std::string sha256; ///< empty: not recorded, for large files
    };
    std::string path; ///< see published_text.h
    std::vector<File> files;
    double number = 1; ///< an adapter's scale, a member's weight
};

/// The parts of a manifest that verification needs.
struct Manifest {
    std::vector<WrittenFile> files;
    std::vector<WrittenTensor> tensors;
    std::string sourcePath; ///< see published_text.h
    std::string format;
    std::string job;
    std::map<std::string, std::string, std::less<>>
        options;                         ///< as requested; repeated ones are joined by ';'
    std::vector<RecordedInput> averaged; ///< in order; the last one is the source
    std::vector<RecordedInput> adapters; ///< in order
    std::string plan; ///< layoutDigest() of the plan; empty in manifests of early versions
};

/// Fails: JsonSyntax, JsonWrongType, LimitExceeded (above 1 GiB), and the errors of opening.
Result<Manifest> readManifest(const std::filesystem::path& path);

} // namespace cairn
