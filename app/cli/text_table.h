// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "core/base/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

enum class Align : std::uint8_t { Left, Right };

struct Column {
    std::string_view title;
    Align align = Align::Left;
};

/// A table for users. Every cell is made safe to print (no escapes, no bidi); columns are aligned
/// by characters, the last one is not padded. Columns wider than kMaxWidth do not shift the others.
class TextTable {
public:
    static constexpr std::size_t kMaxWidth = 72;

    explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    void add(std::vector<std::string> cells);
    void print(Session& session) const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// "  label      text" lines of a summary.
void printField(Session& session, std::string_view label, std::string_view text);

/// Prints findings to standard output, one per line with location and hint.
void printNotices(Session& session, std::span<const Notice> notices, std::size_t limit = 50);

} // namespace cairn::cli
