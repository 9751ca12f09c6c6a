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

/// "Foo", "_Foo", "Foo.Bar": the usual form of class names.
bool looksLikeClass(std::string_view name);

/// Python's standard library, NumPy and torch: a name that is not in known_names.h counts as
/// running code once it is called.
bool isClosedWorld(std::string_view module);

/// A name in a package that executes its input, or of a class that starts programs or opens files.
bool executes(GlobalName name);

/// Modules whose import has side effects, whatever is imported from them.
bool runsOnImport(GlobalName name);

} // namespace cairn::pickle
