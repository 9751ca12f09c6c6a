// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/row_cutter.h"

#include <cstring>

namespace cairn::history {

char delimiterOf(std::string_view header) {
    char best = ',';
    std::size_t most = 0;
    for (const char candidate : {',', ';', '\t'}) {
        std::size_t count = 0;
        bool quoted = false;
        for (const char c : header) {
            quoted = c == '"' ? !quoted : quoted;
            count += c == candidate && !quoted ? 1 : 0;
        }
        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    return best;
}

bool RowCutter::quotedCell(std::string_view row, std::size_t& at) {
    const std::size_t begin = m_unquoted.size();
    for (++at; at < row.size(); ++at) {
        if (row[at] != '"') {
            m_unquoted += row[at];
        } else if (at + 1 < row.size() && row[at + 1] == '"') {
            m_unquoted += '"';
            ++at;
        } else {
            break;
        }
    }
    if (at >= row.size()) {
        return false;
    }
    m_cells.push_back(std::string_view(m_unquoted).substr(begin));
    const std::size_t next = row.find(m_delimiter, at);
    at = next == std::string_view::npos ? row.size() : next;
    return true;
}

bool RowCutter::cut(std::string_view row) {
    m_cells.clear();
    m_tooMany = false;
    m_unquoted.clear();
    m_unquoted.reserve(row.size()); // so that views into it stay valid
    for (std::size_t at = 0;; ++at) {
        if (m_cells.size() >= kMaxCells) {
            m_tooMany = true;
            return true;
        }
        if (at < row.size() && row[at] == '"') {
            if (!quotedCell(row, at)) {
                return false;
            }
        } else {
            const void* found = at < row.size()
                                    ? std::memchr(row.data() + at, m_delimiter, row.size() - at)
                                    : nullptr;
            const std::size_t end =
                found == nullptr
                    ? row.size()
                    : static_cast<std::size_t>(static_cast<const char*>(found) - row.data());
            m_cells.push_back(row.substr(at, end - at));
            at = end;
        }
        if (at >= row.size()) {
            return true;
        }
    }
}

} // namespace cairn::history
