// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"

#include <string_view>

namespace cairn::pickle {

/// Written as module and attribute are: parts of letters, digits and underscores between dots.
/// Bytes beyond ASCII are letters.
bool isDottedName(std::string_view text);

/// Both parts of the name are.
bool isImportable(GlobalName name);

/// Modules that do something when they are imported, whatever is looked up in them.
bool runsOnImport(GlobalName name);

} // namespace cairn::pickle
