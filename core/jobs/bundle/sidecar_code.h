// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The Python files that a model's settings refer to, found by text. Nothing is parsed as code or
/// executed.
namespace cairn {

/// What `auto_map` in a settings file names.
struct AutoMap {
    std::set<std::string> modules; ///< paths without an ending: "modeling_foo"
    std::set<std::string> remote;  ///< modules of another repository: "owner/name--modeling_foo"
};

/// Empty if the text is not JSON or has no auto_map.
AutoMap autoMapOf(std::string_view json);

/// The modules beside a file that its lines import: `from .foo import X`, `import .foo`, `from .
/// import foo`. Only names of letters, digits and underscores, separated by dots (folders).
std::set<std::string> relativeImports(std::string_view code);

} // namespace cairn
