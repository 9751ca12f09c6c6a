// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_groups.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The table of runs as text for other programs, without rounding. Pure; any thread.
namespace cairn {

struct TextGrid {
    std::vector<std::string> titles;
    std::vector<bool> isNumber; ///< of each column
    std::vector<std::vector<std::string>> rows;
};

/// Numbers with all digits, bytes and steps as integers, times as seconds; missing values are
/// empty, non-finite ones nan, inf, -inf.
TextGrid exactText(const RunGrid& grid, std::span<const std::uint32_t> rows,
                   std::span<const GridColumn> columns);

/// Groups: "group", "n", the settings of the key; of a metric its n, mean and std ("loss.mean"); of
/// another numeric column the mean; of bytes and checkpoints the sum; of other columns the value
/// that all runs have in common.
TextGrid exactText(const RunGrid& grid, const RunGroups& groups,
                   std::span<const GridColumn> columns);

/// RFC 4180: CRLF at the end of each line; cells with a separator, quote or line break are quoted.
/// Cells are not changed: a program that evaluates cells as formulas needs its own protection.
std::string csvText(const TextGrid& grid);
/// The same rules with a tab as separator and LF.
std::string tsvText(const TextGrid& grid);
/// A table of GitHub's Markdown; pipes are escaped and line breaks become spaces.
std::string markdownText(const TextGrid& grid);

/// The shortest text that gives the same number; integers without a fraction.
std::string exactNumber(double number);

} // namespace cairn
