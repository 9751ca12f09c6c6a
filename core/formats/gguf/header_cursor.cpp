// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/header_cursor.h"

#include <string>

namespace cairn::formats::gguf {

Result<std::string_view> HeaderCursor::text(std::uint64_t limit, std::string_view what) {
    const std::uint64_t start = position();
    CAIRN_TRY(const std::uint64_t length, count(what));
    if (length > remaining()) {
        return tooShort(length, what);
    }
    if (length > limit) {
        return fail(ErrorCode::LimitExceeded, "A string in the header is too long")
            .inFile(source().name())
            .inField(std::string(what))
            .at(start)
            .butFound(sentence("%1 bytes", length))
            .expecting(sentence("at most %1", limit));
    }
    CAIRN_TRY(const auto bytes, m_window.peek(static_cast<std::size_t>(length)));
    m_window.skip(length);
    return asText(bytes);
}

Error HeaderCursor::tooShort(std::uint64_t length, std::string_view what) const {
    return fail(ErrorCode::Truncated, "The file ends inside its header")
        .inFile(source().name())
        .inField(std::string(what))
        .at(position())
        .butFound(sentence("%1 bytes", remaining()))
        .expecting(verbatim(std::to_string(length)));
}

} // namespace cairn::formats::gguf
