// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <set>
#include <span>
#include <string>

/// Private to this folder.
namespace cairn::formats::orbax {

/// Names of the arrays that were typed keys of jax.random, as `array_metadatas` beside them states;
/// saved they are plain integers. Empty without that folder. Fails: what reading and parsing its
/// first file fail with.
Result<std::set<std::string, std::less<>>> randomKeys(const Folder& folder,
                                                      std::span<const FolderEntry> entries);

} // namespace cairn::formats::orbax
