// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/io/byte_source.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// What is stated about a path that no format knows. Private to this folder.
namespace cairn::formats {

/// Files that may be checkpoints by themselves, by their names. Archives count where nothing else
/// does: they mostly hold data.
std::vector<std::string> filesOfCheckpoints(std::span<const FolderEntry> entries);

/// NotACheckpoint: what was found instead, and where to look.
Error unknownFormat(const Candidate& candidate);

/// An archive that is truncated is known by its start only, whatever was saved in it.
/// ZipNoDirectory.
std::optional<Error> cutArchive(const Candidate& candidate, const ByteSourcePtr& source);

} // namespace cairn::formats
