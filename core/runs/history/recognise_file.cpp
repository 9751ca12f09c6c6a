// SPDX-License-Identifier: Apache-2.0
//
// Which reader takes a file, and the names under which runs in a file are listed.
#include "core/runs/history/history.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kHeadBytes = 65536;

} // namespace

std::string heldRunName(std::string_view id) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string name;
    for (std::size_t i = 0; i < id.size(); ++i) {
        const auto byte = static_cast<unsigned char>(id[i]);
        if (byte == '/' || byte == '%' || byte < 0x20 || (i == 0 && byte == '.')) {
            name += '%';
            name += kDigits[byte >> 4U];
            name += kDigits[byte & 15U];
        } else {
            name += id[i];
        }
    }
    return name;
}

std::string heldRunId(std::string_view name) {
    std::string id;
    for (std::size_t i = 0; i < name.size(); ++i) {
        unsigned byte = 0;
        const char* digits = name.data() + i + 1;
        if (name[i] == '%' && i + 2 < name.size() &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            id += static_cast<char>(byte);
            i += 2;
        } else {
            id += name[i];
        }
    }
    return id;
}

Result<std::optional<FoundHistory>> recogniseFile(const FolderPtr& folder,
                                                  const std::filesystem::path& parent,
                                                  const FolderEntry& entry,
                                                  std::span<const HistoryReader* const> except) {
    const auto asks = [&](const HistoryReader* reader) {
        return std::ranges::find(except, reader) == except.end() && reader->mayBe(entry.name);
    };
    if (std::ranges::none_of(historyReaders(), asks)) {
        return std::optional<FoundHistory>();
    }
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(entry.name));
    FoundHistory found;
    found.candidate = {.folder = folder,
                       .name = entry.name,
                       .path = parent / entry.name,
                       .size = source->size(),
                       .head = {},
                       .entries = {}};
    found.head.resize(
        static_cast<std::size_t>(std::min<std::uint64_t>(source->size(), kHeadBytes)));
    CAIRN_CHECK(source->readAt(0, found.head));
    found.candidate.head = found.head;
    found.candidate.modifiedNs = source->identity().mtimeNs;
    for (const HistoryReader* reader : historyReaders()) {
        if (asks(reader) && reader->recognises(found.candidate)) {
            found.reader = reader;
            return std::optional<FoundHistory>(std::move(found));
        }
    }
    return std::optional<FoundHistory>();
}

} // namespace cairn
