// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Names of log columns that contain the position of a row. Source: the writers named beside each
/// group in row_roles.cpp.
namespace cairn::history {

enum class ColumnRole : std::uint8_t { Metric, Step, Epoch, Wall };

struct RoleOfName {
    ColumnRole role = ColumnRole::Metric;
    int rank =
        0; ///< of several step columns the one with the lowest rank is used; the others are metrics
    /// Of a step column: Named if it counts something else, as calls of a log function or tokens.
    Strength strength = Strength::Recorded;
    std::string_view key = {}; ///< of a step column: its name in lower case, a literal
};
RoleOfName roleOfName(std::string_view name);

/// Seconds since 1970 if the number is plausible as a time between 1990 and 2100, in seconds or
/// milliseconds; else empty (then "time" is a duration, a metric like others).
std::optional<double> wallTime(double number);

} // namespace cairn::history
