// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/whole_file.h"

#include <algorithm>

namespace cairn::history {

Result<std::string> readCompleteFile(const Folder& folder, std::string_view name,
                                     std::uint64_t limit, const CancelToken& cancel) {
    constexpr std::uint64_t kChunk = 8U << 20U;
    CAIRN_TRY(const ByteSourcePtr source, folder.openFile(name));
    if (source->size() > limit) {
        return fail(ErrorCode::LimitExceeded, "The file is too large for its type")
            .inFile(source->name())
            .butFound(sentence("%1 bytes", source->size()))
            .expecting(sentence("at most %1", limit));
    }
    std::string text(static_cast<std::size_t>(source->size()), '\0');
    for (std::uint64_t at = 0; at < text.size(); at += kChunk) {
        CAIRN_CHECK(cancel.check());
        const std::span<char> part(text.data() + at,
                                   std::min<std::uint64_t>(kChunk, text.size() - at));
        CAIRN_CHECK(source->readAt(at, std::as_writable_bytes(part)));
    }
    CAIRN_CHECK(source->checkUnchanged());
    return text;
}

} // namespace cairn::history
