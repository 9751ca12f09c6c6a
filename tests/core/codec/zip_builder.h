// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/codec/zip/zip_archive.h"
#include "core/codec/zip/zip_write.h"

#include <zlib.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {

using Bytes = std::vector<std::byte>;

inline Bytes toBytes(std::string_view text) {
    const auto bytes = asBytes(text);
    return {bytes.begin(), bytes.end()};
}

inline std::uint32_t crcOf(std::string_view data) {
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
}

/// A raw deflate stream.
inline std::string deflated(std::string_view data) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(compressBound(data.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// One entry of a hand-made archive; the override fields make its headers wrong.
struct RawEntry {
    std::string name;
    std::string data; ///< as stored
    std::uint32_t size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
    std::string centralName; ///< empty: name
    std::string centralExtra;
    std::string localExtra;
    std::int64_t shiftOffset = 0; ///< added to the directory's local header offset
    std::uint16_t disk = 0;
    std::string descriptor; ///< after the data
};

inline RawEntry stored(std::string name, std::string data) {
    RawEntry entry;
    entry.name = std::move(name);
    entry.size = static_cast<std::uint32_t>(data.size());
    entry.crc = crcOf(data);
    entry.data = std::move(data);
    return entry;
}

inline RawEntry deflatedEntry(std::string name, std::string_view data) {
    RawEntry entry = stored(std::move(name), deflated(data));
    entry.size = static_cast<std::uint32_t>(data.size());
    entry.crc = crcOf(data);
    entry.method = 8;
    return entry;
}

/// Values added to the correct numbers in the end record.
struct EndLies {
    std::int64_t entries = 0;
    std::int64_t directorySize = 0;
    std::int64_t directoryOffset = 0;
    std::uint16_t disk = 0;
    std::string comment;
    std::string beforeEnd; ///< between the directory and the end record
};

inline void put(std::string& out, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        out.push_back(static_cast<char>(value >> (8U * i)));
    }
}

inline std::string buildZip(const std::vector<RawEntry>& entries, const EndLies& lies = {}) {
    std::string out;
    std::string directory;
    for (const RawEntry& entry : entries) {
        const auto offset =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(out.size()) + entry.shiftOffset);
        const bool streamed = (entry.flags & 8U) != 0;
        put(out, 0x04034B50, 4);
        put(out, 20, 2);
        put(out, entry.flags, 2);
        put(out, entry.method, 2);
        put(out, 0, 4);
        put(out, streamed ? 0 : entry.crc, 4);
        put(out, streamed ? 0 : entry.data.size(), 4);
        put(out, streamed ? 0 : entry.size, 4);
        put(out, entry.name.size(), 2);
        put(out, entry.localExtra.size(), 2);
        out += entry.name + entry.localExtra + entry.data + entry.descriptor;
        const std::string& name = entry.centralName.empty() ? entry.name : entry.centralName;
        put(directory, 0x02014B50, 4);
        put(directory, 20, 2);
        put(directory, 20, 2);
        put(directory, entry.flags, 2);
        put(directory, entry.method, 2);
        put(directory, 0, 4);
        put(directory, entry.crc, 4);
        put(directory, entry.data.size(), 4);
        put(directory, entry.size, 4);
        put(directory, name.size(), 2);
        put(directory, entry.centralExtra.size(), 2);
        put(directory, 0, 2);
        put(directory, entry.disk, 2);
        put(directory, 0, 6);
        put(directory, offset, 4);
        directory += name + entry.centralExtra;
    }
    const std::uint64_t start = out.size();
    const auto lied = [](std::uint64_t value, std::int64_t lie) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value) + lie);
    };
    out += directory + lies.beforeEnd;
    put(out, 0x06054B50, 4);
    put(out, lies.disk, 2);
    put(out, lies.disk, 2);
    put(out, lied(entries.size(), lies.entries), 2);
    put(out, lied(entries.size(), lies.entries), 2);
    put(out, lied(directory.size(), lies.directorySize), 4);
    put(out, lied(start, lies.directoryOffset), 4);
    put(out, lies.comment.size(), 2);
    return out + lies.comment;
}

/// The archive described by a layout, with these contents and their checksums filled in.
inline Bytes fillLayout(const ZipLayout& layout, const std::vector<std::string>& contents) {
    Bytes out;
    Bytes directory = layout.directory;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        Bytes header = layout.members[i].header;
        storeLittle<std::uint32_t>(header, layout.members[i].headerCrcPosition, crcOf(contents[i]));
        storeLittle<std::uint32_t>(directory, layout.members[i].directoryCrcPosition,
                                   crcOf(contents[i]));
        out.insert(out.end(), header.begin(), header.end());
        const Bytes data = toBytes(contents[i]);
        out.insert(out.end(), data.begin(), data.end());
    }
    out.insert(out.end(), directory.begin(), directory.end());
    return out;
}

/// An archive from text, and one entry's content as text.
inline Result<ZipArchive> openText(const std::string& bytes,
                                   ZipStrictness strictness = ZipStrictness::Strict) {
    return openZip(makeMemorySource(toBytes(bytes), "a.zip"), strictness);
}

inline std::string content(const ZipArchive& archive, std::string_view name) {
    const ZipEntry* entry = archive.find(name);
    if (entry == nullptr) {
        return "(missing)";
    }
    auto bytes = archive.readEntry(*entry, 1U << 24U);
    return bytes ? std::string(asText(*bytes)) : describe(bytes.error());
}

} // namespace cairn::test
