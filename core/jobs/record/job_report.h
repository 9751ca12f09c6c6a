// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/cast.h"
#include "core/io/content_digest.h"
#include "core/plan/work_rates.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The result of a job: the files and tensors that it wrote, with their digests, and what was
/// measured. Plain values; manifests, reports and the window show it.
namespace cairn {

struct WrittenFile {
    std::string path; ///< relative to the output; the file's own name for a single file
    std::uint64_t bytes = 0;
    std::string sha256; ///< empty: not verified
};

struct WrittenTensor {
    std::string name; ///< in the output
    std::string sourceName;
    std::string dtype;
    std::string shape; ///< "[4096, 1024]"
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::string digest; ///< of the logical elements, C order, little-endian; empty: not
                        ///< verified
    DigestKind digestKind = DigestKind::Sha256;
};

struct JobReport {
    std::filesystem::path output;
    std::vector<WrittenFile> files;
    std::vector<WrittenTensor> written;
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0;
    bool verified = false;
    std::uint64_t castTensors = 0;
    CastTally cast;          ///< of those; counted while verifying, else all 0
    double seconds = 0;      ///< total time
    double writeSeconds = 0; ///< until the data was on the disk, including fdatasync
    double verifySeconds = 0;
    std::filesystem::path manifest;  ///< empty: none was written
    std::filesystem::path signature; ///< the same
    bool doneBefore = false;         ///< an earlier run of the same plan has published the output
    std::uint64_t sharedBytes = 0;   ///< of the output: blocks shared with the source
    double shareSeconds = 0;         ///< time in the calls that share
    std::uint64_t bufferBytes = 0;   ///< all workers' buffers together
    bool directIo = false;           ///< O_DIRECT was in use
    /// A measurement for DiskRates. Empty: the time depends on more than the disks and the
    /// processor (a job in parts, resumed, paused, mostly shared, on another device), or does not
    /// cover all of the work (not verified, not made durable, unnecessarily through the page
    /// cache).
    std::optional<MeasuredWork> measured;
    std::string stamp; ///< of a published output, for undoOutput(); set by runListed()
    bool published =
        true; ///< false: this part is done, but others are not; the whole is not verified yet
};

} // namespace cairn
