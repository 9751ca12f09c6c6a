// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/report/report.h"

#include <string>
#include <string_view>

namespace cairn {

/// With control characters made visible.
std::string escapedHtml(std::string_view text);

/// The curves of a chart as an inline SVG with both axes' ends and a legend; at most 1,000 points
/// of each curve are drawn: the lowest and the highest of each part of the axis.
std::string chartSvg(const ReportBlock& chart);

} // namespace cairn
