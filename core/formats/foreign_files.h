// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <optional>

/// Files of other programs that users take for checkpoints. Private to this folder.
namespace cairn::formats {

/// The error that names such a file and what to do instead; empty: it is none of those known.
/// Decides by the first bytes, and by the ending where the format has no signature. NotACheckpoint.
std::optional<Error> foreignFile(const Candidate& candidate);
/// The same for a folder.
std::optional<Error> foreignFolder(const Candidate& candidate);

} // namespace cairn::formats
