// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn {

/// A number with an optional unit: "3e-4", "-1", "10k", "100MB" (decimal), "1.5 GiB" (binary).
/// Empty if the text is anything else.
std::optional<double> parseQuantity(std::string_view text);

/// "5GB", "500 MB", "1GiB", "1000": bytes. Fails: InvalidArgument.
Result<std::uint64_t> parseSize(std::string_view text);

} // namespace cairn
