// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// What the columns of logs are called that state where a row stands. Source of facts: the writers
/// that are named beside each group in row_roles.cpp.
namespace cairn::history {

enum class ColumnRole : std::uint8_t { Metric, Step, Epoch, Wall };

struct RoleOfName {
    ColumnRole role = ColumnRole::Metric;
    int rank = 0; ///< of several step columns the lowest counts; the others are metrics
};
RoleOfName roleOfName(std::string_view name);

/// Seconds since 1970 when the number can be a time of day of the years 1990 to 2100, in seconds or
/// milliseconds; else nothing (then "time" is a duration, a metric like others).
std::optional<double> wallTime(double number);

} // namespace cairn::history
