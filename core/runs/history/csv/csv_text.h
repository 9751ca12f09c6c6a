// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::csv {

/// Comma, semicolon or tab: what the line has most of outside quotes; a comma when none.
char delimiterOf(std::string_view header);

/// Cuts rows into cells. One buffer for all rows; cells live until the next cut().
class RowCutter {
public:
    static constexpr std::size_t kMaxCells = 100'000; ///< of one row

    explicit RowCutter(char delimiter) : m_delimiter(delimiter) {}
    /// False when a quoted cell does not end in this text. Cells beyond kMaxCells are left out.
    bool cut(std::string_view row);
    [[nodiscard]] const std::vector<std::string_view>& cells() const { return m_cells; }
    /// The last row had more cells than were taken.
    [[nodiscard]] bool tooMany() const { return m_tooMany; }

private:
    bool quotedCell(std::string_view row, std::size_t& at);

    char m_delimiter;
    bool m_tooMany = false;
    std::vector<std::string_view> m_cells;
    std::string m_unquoted; ///< of cells with doubled quotes; never grows while a row is cut
};

} // namespace cairn::history::csv
