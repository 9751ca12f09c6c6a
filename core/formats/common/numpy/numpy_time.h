// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::formats {

/// A NumPy date or duration as NumPy prints it: "2026-11-29T14:45:00", "5 ms", "NaT". `unit`: "ns",
/// "25s"; a unit that is not NumPy's is printed after the number. Dates beyond the years 1 to 9999
/// are printed as numbers, too. Source: numpy/_core/src/multiarray/datetime_strings.c.
std::string npyTimeText(bool isDate, std::int64_t value, std::string_view unit);

} // namespace cairn::formats
