// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cairn {

/// True when a glob of one of the formats matches this file name: it may be a checkpoint. Its
/// content decides. The globs are parsed once a program. Any thread.
bool namesACheckpoint(std::string_view name);

} // namespace cairn
