// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/hash.h"
#include "core/jobs/engine.h"
#include "core/jobs/output_parts.h"
#include "core/jobs/staging.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// What is known of a tensor segment once it was read.
struct TensorDigest {
    Sha256Digest sha256{};
    std::uint32_t crc32 = 0; ///< of files with checksum slots; else 0
};

/// Per output file, per tensor segment.
using Digests = std::vector<std::vector<TensorDigest>>;

/// Fills the staged files from the plan's literals and the source's tensors: every byte once, in
/// parallel, hashing each tensor on the way. Nothing is durable yet. `parts` are those of the
/// plan's files, in order.
Result<Digests> writeOutput(const CopyPlan& plan, std::span<const FileParts> parts,
                            std::span<const StagedFile> files, FileOps& fileOps,
                            JobContext& context, const EngineOptions& options);

} // namespace cairn
