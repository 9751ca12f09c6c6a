// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cairn {

/// Whether a glob of one of the formats matches this file name, so that the file may be a
/// checkpoint; only its content decides. The globs are parsed once per process. Any thread.
bool namesACheckpoint(std::string_view name);

} // namespace cairn
