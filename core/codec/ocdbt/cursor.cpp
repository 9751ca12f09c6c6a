// SPDX-License-Identifier: Apache-2.0
#include "core/codec/ocdbt/cursor.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/buffers/buffers.h"
#include "core/codec/crc32c/crc32c.h"

#include <algorithm>
#include <array>

namespace cairn::ocdbt {
namespace {

constexpr std::size_t kMaxPath = 65535;
constexpr std::size_t kHead = 4 + 8; ///< magic and length
constexpr std::size_t kTail = 4;     ///< CRC-32C
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20U;

ErrorCode codeFor(std::uint32_t magic) {
    return magic == kManifestMagic ? ErrorCode::OcdbtBadManifest : ErrorCode::OcdbtBadNode;
}

std::uint32_t loadBig(std::span<const std::byte> bytes) {
    return __builtin_bswap32(loadLittle<std::uint32_t>(bytes));
}

} // namespace

std::uint8_t Cursor::byte() {
    const auto bytes = take(1);
    return bytes.empty() ? std::uint8_t{0} : std::to_integer<std::uint8_t>(bytes[0]);
}

std::uint64_t Cursor::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
        const auto part = std::to_integer<std::uint64_t>(m_bytes[m_at++]);
        if (shift == 63 && part > 1) {
            break;
        }
        value |= (part & 0x7FU) << shift;
        if (part < 0x80) {
            return m_failed ? 0 : value;
        }
    }
    m_failed = true;
    return 0;
}

std::uint64_t Cursor::fixed64() {
    const auto bytes = take(8);
    return bytes.empty() ? 0 : loadLittle<std::uint64_t>(bytes);
}

std::span<const std::byte> Cursor::take(std::uint64_t length) {
    if (m_failed || length > remaining()) {
        m_failed = true;
        return {};
    }
    const auto bytes = m_bytes.subspan(m_at, static_cast<std::size_t>(length));
    m_at += bytes.size();
    return bytes;
}

std::vector<std::uint64_t> Cursor::varints(std::uint64_t count) {
    if (m_failed || count > remaining()) {
        m_failed = true;
        return {};
    }
    std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
    for (std::uint64_t& value : values) {
        value = varint();
    }
    return m_failed ? std::vector<std::uint64_t>() : values;
}

bool readFileTable(Cursor& cursor, std::string_view base, std::vector<TableFile>& files) {
    const std::uint64_t count = cursor.varint();
    const auto prefixes = cursor.varints(count == 0 ? 0 : count - 1);
    const auto suffixes = cursor.varints(count);
    const auto bases = cursor.varints(count);
    if (cursor.failed()) {
        return false;
    }
    std::string path;
    std::uint64_t total = 0;
    constexpr std::uint64_t kMaxTotal = std::uint64_t{32}
                                        << 20U; // prefix compression could expand to more
    files.reserve(suffixes.size());
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
        const std::uint64_t kept = i == 0 ? 0 : prefixes[i - 1];
        const auto suffix = asText(cursor.take(suffixes[i]));
        if (cursor.failed() || kept > path.size() || kept + suffix.size() > kMaxPath ||
            bases[i] > kept + suffix.size()) {
            return false;
        }
        path.resize(static_cast<std::size_t>(kept));
        path += suffix;
        total += path.size() + 2 * base.size();
        if (total > kMaxTotal || base.size() + path.size() > kMaxPath) {
            return false;
        }
        const auto baseLength = static_cast<std::size_t>(bases[i]);
        files.push_back({std::string(base) + path, std::string(base) + path.substr(0, baseLength)});
    }
    return true;
}

Result<std::vector<std::byte>> openEnvelope(std::span<const std::byte> stored, std::uint32_t magic,
                                            const Limits& limits) {
    const ErrorCode code = codeFor(magic);
    if (stored.size() < kHead + 2 + kTail || loadBig(stored) != magic) {
        const auto head = stored.first(std::min<std::size_t>(stored.size(), 4));
        return fail(code, "Not a file of an OCDBT store")
            .at(0)
            .butFound(sentence("\"%1\"", visibleText(asText(head))))
            .expecting(magic == kManifestMagic ? Sentence("0c db 3a 2a") : "0c db 20 de");
    }
    const auto length = loadLittle<std::uint64_t>(stored, 4);
    if (length != stored.size()) {
        return fail(length > stored.size() ? ErrorCode::Truncated : code,
                    "The length field does not match the data")
            .at(4)
            .butFound(verbatim(std::to_string(length)))
            .expecting(verbatim(std::to_string(stored.size())));
    }
    const std::size_t bodyEnd = stored.size() - kTail;
    if (crc32c(0, stored.first(bodyEnd)) != loadLittle<std::uint32_t>(stored, bodyEnd)) {
        return fail(ErrorCode::BadChecksum, "CRC-32C mismatch")
            .at(bodyEnd)
            .withHint("The file was damaged after it was written; copy it again");
    }
    Cursor cursor(stored.first(bodyEnd).subspan(kHead));
    const std::uint64_t version = cursor.varint();
    const std::uint64_t compression = cursor.varint();
    if (cursor.failed() || version != 0 || compression > 1) {
        return fail(ErrorCode::Unsupported, "Unsupported OCDBT version")
            .at(kHead)
            .butFound(sentence("version %1, compression %2", version, compression))
            .expecting("version 0, compression 0 or 1");
    }
    const auto body = cursor.take(cursor.remaining());
    const std::uint64_t limit =
        std::min(limits.maxNodeBytes, kFreeBytes + body.size() * limits.maxRatio);
    return decodeBuffer(compression == 1 ? Compression::Zstd : Compression::None, body, limit);
}

} // namespace cairn::ocdbt
