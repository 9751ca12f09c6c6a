// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text_table.h"

#include "core/base/error.h"
#include "core/base/visible_text.h"

#include <algorithm>

namespace cairn::cli {
namespace {

/// Counts characters, not bytes.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t to, Align align) {
    const std::size_t have = width(text);
    if (have >= to) {
        return text;
    }
    const std::string fill(to - have, ' ');
    return align == Align::Left ? text + fill : fill + text;
}

} // namespace

void TextTable::add(std::vector<std::string> cells) {
    for (std::string& cell : cells) {
        cell = visibleText(cell);
    }
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

void TextTable::print(Session& session) const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        std::size_t widest = width(m_columns[c].title);
        for (const auto& row : m_rows) {
            widest = std::max(widest, std::min(kMaxWidth, width(row[c])));
        }
        widths.push_back(widest);
    }
    const auto printRow = [&](const auto& cellOf) {
        std::string line;
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const bool last = c + 1 == m_columns.size();
            const std::string cell = cellOf(c);
            line += last && m_columns[c].align == Align::Left
                        ? cell
                        : padded(cell, widths[c], m_columns[c].align);
            line += last ? "" : "  ";
        }
        return line;
    };
    if (!session.quiet) {
        const std::string head =
            printRow([&](std::size_t c) { return std::string(m_columns[c].title); });
        session.out.line(session.color ? "\x1b[1m" + head + "\x1b[0m" : head);
    }
    for (const auto& row : m_rows) {
        session.out.line(printRow([&](std::size_t c) -> const std::string& { return row[c]; }));
    }
}

void printField(Session& session, std::string_view label, std::string_view text) {
    session.out.line(padded(std::string(label), 14, Align::Left) + visibleText(text));
}

void printNotices(Session& session, std::span<const Notice> notices, std::size_t limit) {
    for (std::size_t i = 0; i < std::min(limit, notices.size()); ++i) {
        session.out.line(std::string(severityName(notices[i].severity)) + ": " +
                         describe(notices[i].error));
    }
    if (notices.size() > limit) {
        session.out.line("… and " + std::to_string(notices.size() - limit) +
                         " more; --json lists all");
    }
}

} // namespace cairn::cli
