// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/byte_source.h"

#include <string_view>
#include <vector>

namespace cairn::history {

/// Reads lines through one window; the file may be larger than the memory. If it grows meanwhile,
/// only the size at opening is read. Not thread-safe.
class LineReader {
public:
    static constexpr std::size_t kWindow = 4U << 20U;
    static constexpr std::size_t kMaxLine = 16U << 20U; ///< longer lines are skipped and counted
    static constexpr std::size_t kPadding = 64;         ///< readable bytes after each line

    /// `from`: the offset of the first line.
    LineReader(ByteSourcePtr source, const CancelToken& cancel, std::uint64_t from = 0);

    /// Moves to the next line. False at the end, after an error, or when cancelled: see status().
    bool next();
    /// Without its line break; valid until next().
    [[nodiscard]] std::string_view line() const { return m_line; }
    /// Offset of the line in the file.
    [[nodiscard]] std::uint64_t offset() const { return m_lineOffset; }
    /// The line ends with a line break; false for a last line, which may be truncated.
    [[nodiscard]] bool ended() const { return m_ended; }
    [[nodiscard]] std::uint64_t bytesRead() const { return m_offset; } ///< with those before `from`
    /// Offset after the line and its line break.
    [[nodiscard]] std::uint64_t end() const { return m_offset - (m_end - m_begin); }
    [[nodiscard]] std::size_t skippedLines() const { return m_skipped; }
    /// Notices about skipped lines and the error that ended the reading.
    [[nodiscard]] std::vector<Notice> notices() const;
    /// Fails with Cancelled or the error of reading; the lines before it are valid.
    [[nodiscard]] const Result<void>& status() const { return m_status; }

private:
    bool fill();
    bool take(std::size_t length, std::size_t lineBreak);

    ByteSourcePtr m_source;
    CancelToken m_cancel;
    std::uint64_t m_size;
    std::uint64_t m_offset = 0; ///< file offset of the window's end
    std::vector<char> m_window;
    std::size_t m_begin = 0; ///< start of the unread part of the window
    std::size_t m_end = 0;
    bool m_skipping = false; ///< inside a line that is too long
    bool m_ended = false;
    std::size_t m_skipped = 0;
    std::string_view m_line;
    std::uint64_t m_lineOffset = 0;
    Result<void> m_status;
};

} // namespace cairn::history
