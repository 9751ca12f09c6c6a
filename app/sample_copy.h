// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace cairn::app {

/// Copies the sample experiment that comes with Cairn to `target`, so that consolidating has a place to write beside.
/// A copy that is there already is kept as it is. Returns `target`. Fails: NotFound (this installation has no sample),
/// WriteFailed. Any thread.
Result<std::filesystem::path> copySample(const std::filesystem::path& target);

} // namespace cairn::app
