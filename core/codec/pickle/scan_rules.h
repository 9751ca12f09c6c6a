// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"

#include <string_view>

namespace cairn::pickle {

/// Has the form of a module or attribute name: parts of letters, digits and underscores between
/// dots. Non-ASCII bytes count as letters.
bool isDottedName(std::string_view text);

/// Both parts have that form.
bool isImportable(GlobalName name);

/// Modules whose import has side effects, whatever is imported from them.
bool runsOnImport(GlobalName name);

} // namespace cairn::pickle
