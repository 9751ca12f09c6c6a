// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace cairn {

/// The sample experiment as it is in the binary: a tar archive (ustar/GNU). Static memory.
std::span<const std::byte> samplePack();

/// Unpacks the sample experiment into `folder`, which is made; an existing folder must be empty.
/// Index files come last in their folders, so that nothing looks older than what it names. Any
/// thread. Fails: OutputExists, and the errors of FileOps.
Result<void> writeSample(const std::filesystem::path& folder, FileOps& fileOps);

} // namespace cairn
