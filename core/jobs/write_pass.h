// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/engine.h"
#include "core/jobs/output_parts.h"
#include "core/jobs/staging.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// CRC-32 per output file, per tensor segment; 0 in files without checksum slots.
using Checksums = std::vector<std::vector<std::uint32_t>>;

/// Fills the staged files from the plan's literals and the source's tensors: every byte once, in
/// parallel, with the checksums that the files' headers ask for. Nothing is durable yet. `parts`
/// are those of the plan's files, in order.
Result<Checksums> writeOutput(const CopyPlan& plan, std::span<const FileParts> parts,
                              std::span<const StagedFile> files, FileOps& fileOps,
                              JobContext& context, const EngineOptions& options);

} // namespace cairn
