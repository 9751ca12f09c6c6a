// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/io/byte_source.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Errors for paths that no format accepts. Private to this folder.
namespace cairn::formats {

/// Files that may be separate checkpoints, by their names. Archives are listed only if there is
/// nothing else: they usually contain data.
std::vector<std::string> filesOfCheckpoints(std::span<const FolderEntry> entries);

/// NotACheckpoint: what was found instead, and a hint where the checkpoint is.
Error unknownFormat(const Candidate& candidate);

/// The error for a truncated ZIP archive, which can be recognised only by its start, whatever its
/// format. ZipNoDirectory.
std::optional<Error> cutArchive(const Candidate& candidate, const ByteSourcePtr& source);

} // namespace cairn::formats
