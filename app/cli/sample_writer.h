// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace cairn {

/// The sample experiment in the binary: a tar archive (ustar/GNU). Static memory.
std::span<const std::byte> samplePack();

/// Unpacks the sample experiment into `folder`, which is created; an existing folder must be empty.
/// Index files are written last in their folders, so that they are not older than their shards. Any
/// thread. Fails: OutputExists, and the errors of FileOps.
Result<void> writeSample(const std::filesystem::path& folder, FileOps& fileOps);

} // namespace cairn
