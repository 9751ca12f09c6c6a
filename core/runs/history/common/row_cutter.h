// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Rows of a table as text: RFC 4180, with any delimiter.
namespace cairn::history {

/// Splits rows into cells. One buffer for all rows; cells are valid until the next cut().
class RowCutter {
public:
    static constexpr std::size_t kMaxCells = 100'000; ///< of one row

    explicit RowCutter(char delimiter) : m_delimiter(delimiter) {}
    /// False if a quoted cell does not end in this text. Cells beyond kMaxCells are ignored.
    bool cut(std::string_view row);
    [[nodiscard]] const std::vector<std::string_view>& cells() const { return m_cells; }
    /// The last row had more cells than kMaxCells.
    [[nodiscard]] bool tooMany() const { return m_tooMany; }

private:
    bool quotedCell(std::string_view row, std::size_t& at);

    char m_delimiter;
    bool m_tooMany = false;
    std::vector<std::string_view> m_cells;
    std::string m_unquoted; ///< cells with doubled quotes; does not grow while a row is split
};

/// Comma, semicolon or tab, whichever is the most frequent outside quotes; comma if there is none.
char delimiterOf(std::string_view header);

} // namespace cairn::history
