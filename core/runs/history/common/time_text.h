// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace cairn::history {

/// Seconds since 1970 of the first "2026-01-02 03:04:05" or "2026-01-02T03:04:05" in the text, with
/// a fraction after "." or ",", and less the offset "+01:00" directly after it; else interpreted as
/// UTC.
std::optional<double> timeIn(std::string_view text);

} // namespace cairn::history
