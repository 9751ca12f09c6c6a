// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/line_reader.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace cairn::history {

LineReader::LineReader(ByteSourcePtr source, const CancelToken& cancel, std::uint64_t from)
    : m_source(std::move(source)), m_cancel(cancel), m_size(m_source->size()), m_offset(from) {
    const std::uint64_t left = m_size - std::min(m_size, from);
    m_window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, left)) + kPadding);
}

/// Moves the unread bytes to the front and reads more; false at the end of the file.
bool LineReader::fill() {
    m_status = m_cancel.check();
    if (!m_status || m_offset >= m_size) {
        return false;
    }
    const std::size_t left = m_end - m_begin;
    std::memmove(m_window.data(), m_window.data() + m_begin, left);
    m_begin = 0;
    m_end = left;
    if (m_window.size() - kPadding == left) {
        m_window.resize(std::min(left * 2, kMaxLine + kWindow) + kPadding);
    }
    const std::size_t room = m_window.size() - kPadding - left;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>({room, kWindow, m_size - m_offset}));
    const std::span<char> part(m_window.data() + left, count);
    m_status = m_source->readAt(m_offset, std::as_writable_bytes(part));
    if (!m_status) {
        return false;
    }
    m_offset += count;
    m_end += count;
    return true;
}

/// Makes `length` bytes the current line and moves past the line break; false if the line must be
/// skipped.
bool LineReader::take(std::size_t length, std::size_t lineBreak) {
    const bool tooLong = m_skipping || length > kMaxLine;
    m_lineOffset = m_offset - (m_end - m_begin);
    m_line = std::string_view(m_window.data() + m_begin, length);
    if (m_line.ends_with('\r')) {
        m_line.remove_suffix(1);
    }
    m_begin += length + lineBreak;
    m_ended = lineBreak > 0;
    m_skipping = false;
    m_skipped += tooLong ? 1 : 0;
    return !tooLong;
}

std::vector<Notice> LineReader::notices() const {
    std::vector<Notice> notices;
    if (m_skipped > 0) {
        notices.push_back({Severity::Warning,
                           fail(ErrorCode::LimitExceeded, "Lines that are too long were skipped")
                               .butFound(sentence("%1 lines", m_skipped))});
    }
    if (!m_status) {
        notices.push_back({Severity::Warning, m_status.error()});
    }
    return notices;
}

bool LineReader::next() {
    m_line = {};
    std::size_t searched = 0;
    while (m_status) {
        const std::size_t left = m_end - m_begin;
        const char* from = m_window.data() + m_begin;
        const void* found =
            left > searched ? std::memchr(from + searched, '\n', left - searched) : nullptr;
        if (found != nullptr) {
            const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - from);
            searched = 0;
            if (take(length, 1)) {
                return true;
            }
            continue;
        }
        if (left > kMaxLine) { // discard the part that was read
            m_skipping = true;
            m_begin = m_end;
        }
        searched = m_end - m_begin;
        if (!fill()) {
            return m_status && (m_end > m_begin || m_skipping) && take(m_end - m_begin, 0);
        }
    }
    return false;
}

} // namespace cairn::history
