// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <set>
#include <span>
#include <string>

/// Private to this folder.
namespace cairn::formats::orbax {

/// Names of the arrays that were typed keys of jax.random, which are saved as plain integers; from
/// the `array_metadatas` folder. Empty without that folder. Fails: the errors of reading and
/// parsing its first file.
Result<std::set<std::string, std::less<>>> randomKeys(const Folder& folder,
                                                      std::span<const FolderEntry> entries);

} // namespace cairn::formats::orbax
