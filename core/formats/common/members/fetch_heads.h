// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/folder.h"

#include <span>
#include <string>

namespace cairn::formats {

/// Fetches together what opening each of these files reads first, if they are on another machine
/// (prefetch()): their first and last bytes, and the headers of safetensors files. Call it before a
/// loop that opens them one after the other. What is missing is left out.
void fetchHeads(const Folder& folder, std::span<const std::string> names,
                const CancelToken& cancel);

} // namespace cairn::formats
