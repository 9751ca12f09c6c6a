// SPDX-License-Identifier: Apache-2.0
#include "core/codec/archive/container.h"

#include "core/base/endian.h"
#include "core/codec/buffers/buffers.h"
#include "core/codec/crc32c/crc32c.h"

#include <zstd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::archive {
namespace {

constexpr int kLevel = 3;

// Offsets in the foot.
constexpr std::size_t kValuesOffset = 0;
constexpr std::size_t kValuesStored = 8;
constexpr std::size_t kValuesRaw = 16;
constexpr std::size_t kIndexStored = 24;
constexpr std::size_t kIndexRaw = 32;
constexpr std::size_t kValuesCrc = 40;
constexpr std::size_t kIndexCrc = 44;
constexpr std::size_t kFootVersion = 48;
constexpr std::size_t kFootCrc = 52; ///< CRC-32C of the foot up to here
constexpr std::size_t kFootMagic = 56;

std::uint64_t mostRaw(std::uint64_t stored) {
    return std::min(kMaxSection, stored * kMaxGrowth + kFreeGrowth);
}

Error wrong(const ByteSource& file, std::uint64_t at, Sentence message) {
    return fail(ErrorCode::BadEncoding, std::move(message)).inFile(file.name()).at(at);
}

Error badChecksum(const ByteSource& file, std::uint64_t at) {
    return fail(ErrorCode::BadChecksum, "CRC-32C mismatch")
        .inFile(file.name())
        .at(at)
        .withHint("The file was damaged after it was written; copy it again");
}

Result<void> checkVersion(const ByteSource& file, std::uint64_t at, std::uint32_t version) {
    if (version != kVersion) {
        return fail(ErrorCode::Unsupported, "Unsupported archive version")
            .inFile(file.name())
            .at(at)
            .butFound(verbatim(std::to_string(version)))
            .expecting(verbatim(std::to_string(kVersion)));
    }
    return {};
}

Result<void> checkSection(const ByteSource& file, const Section& section) {
    const std::uint64_t stored = section.stored.length;
    if (section.raw < stored || (section.raw != stored && section.raw > mostRaw(stored)) ||
        section.raw > kMaxSection) {
        return fail(ErrorCode::LimitExceeded,
                    "A section of the archive declares an implausible size")
            .inFile(file.name())
            .at(section.stored.offset)
            .butFound(sentence("%1 bytes for %2", stored, section.raw));
    }
    return {};
}

} // namespace

std::array<std::byte, kHeadBytes> makeHead() {
    std::array<std::byte, kHeadBytes> head{};
    std::ranges::copy(asBytes(kMagic), head.begin());
    storeLittle(std::span(head), 8, kVersion);
    return head;
}

Result<SealedSection> seal(std::vector<std::byte> raw) {
    if (raw.size() > kMaxSection) {
        return fail(ErrorCode::LimitExceeded, "Non-tensor data exceeds the archive's limit")
            .butFound(sentence("%1 bytes", raw.size()))
            .expecting(sentence("at most %1", kMaxSection));
    }
    std::vector<std::byte> packed(ZSTD_compressBound(raw.size()));
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), kLevel);
    if (ZSTD_isError(size)) {
        return fail(ErrorCode::OutOfMemory, "Cannot compress")
            .butFound(verbatim(ZSTD_getErrorName(size)));
    }
    const std::uint64_t length = raw.size();
    if (size < raw.size() && length <= mostRaw(size)) {
        packed.resize(size);
        raw = std::move(packed);
    }
    return SealedSection{std::move(raw), length};
}

std::array<std::byte, kFootBytes> makeFoot(std::uint64_t valuesOffset, const SealedSection& values,
                                           const SealedSection& index) {
    std::array<std::byte, kFootBytes> foot{};
    const std::span<std::byte> out(foot);
    storeLittle(out, kValuesOffset, valuesOffset);
    storeLittle(out, kValuesStored, std::uint64_t{values.bytes.size()});
    storeLittle(out, kValuesRaw, values.raw);
    storeLittle(out, kIndexStored, std::uint64_t{index.bytes.size()});
    storeLittle(out, kIndexRaw, index.raw);
    storeLittle(out, kValuesCrc, crc32c(0, values.bytes));
    storeLittle(out, kIndexCrc, crc32c(0, index.bytes));
    storeLittle(out, kFootVersion, kVersion);
    storeLittle(out, kFootCrc, crc32c(0, out.first(kFootCrc)));
    std::ranges::copy(asBytes(kMagic), out.subspan(kFootMagic).begin());
    return foot;
}

Result<Directory> readDirectory(const ByteSource& file) {
    const std::uint64_t size = file.size();
    if (size < kHeadBytes + kFootBytes) {
        return fail(ErrorCode::Truncated, "The archive is truncated").inFile(file.name()).at(size);
    }
    CAIRN_TRY(const auto head, readRange(file, {0, kHeadBytes}));
    if (asText(head).substr(0, kMagic.size()) != kMagic) {
        return wrong(file, 0, "Not a Cairn archive");
    }
    CAIRN_CHECK(checkVersion(file, 8, loadLittle<std::uint32_t>(head, 8)));
    const std::uint64_t at = size - kFootBytes;
    CAIRN_TRY(const auto foot, readRange(file, {at, kFootBytes}));
    if (asText(foot).substr(kFootMagic) != kMagic) {
        return fail(ErrorCode::Truncated,
                    "The archive's footer is missing: the file is truncated, or data was appended")
            .inFile(file.name())
            .at(at + kFootMagic)
            .withHint("Copy the file again");
    }
    CAIRN_CHECK(
        checkVersion(file, at + kFootVersion, loadLittle<std::uint32_t>(foot, kFootVersion)));
    if (loadLittle<std::uint32_t>(foot, kFootCrc) != crc32c(0, std::span(foot).first(kFootCrc))) {
        return badChecksum(file, at);
    }
    Directory directory;
    Section& values = directory.values;
    Section& index = directory.index;
    values = {{loadLittle<std::uint64_t>(foot, kValuesOffset),
               loadLittle<std::uint64_t>(foot, kValuesStored)},
              loadLittle<std::uint64_t>(foot, kValuesRaw),
              loadLittle<std::uint32_t>(foot, kValuesCrc)};
    if (values.stored.offset < kHeadBytes || !values.stored.fitsInto(at)) {
        return wrong(file, at, "The plain values are located outside the archive");
    }
    index = {{values.stored.end(), loadLittle<std::uint64_t>(foot, kIndexStored)},
             loadLittle<std::uint64_t>(foot, kIndexRaw),
             loadLittle<std::uint32_t>(foot, kIndexCrc)};
    if (index.stored.length != at - index.stored.offset) {
        return wrong(file, at, "The index size does not match its location");
    }
    CAIRN_CHECK(checkSection(file, values));
    CAIRN_CHECK(checkSection(file, index));
    return directory;
}

Result<std::vector<std::byte>> readSection(const ByteSource& file, const Section& section) {
    CAIRN_TRY(auto stored, readRange(file, section.stored));
    if (crc32c(0, stored) != section.crc) {
        return badChecksum(file, section.stored.offset);
    }
    if (section.raw == section.stored.length) {
        return stored;
    }
    auto raw = decodeBuffer(Compression::Zstd, stored, section.raw);
    if (!raw) {
        Error error = std::move(raw).error();
        const std::uint64_t at = section.stored.offset + error.where.offset.value_or(0);
        return std::move(error).inFile(file.name()).at(at);
    }
    if (raw->size() != section.raw) {
        return wrong(file, section.stored.offset,
                     "A section's length does not match its declared length");
    }
    return raw;
}

Result<Opened> openArchive(const ByteSource& file) {
    Opened opened;
    CAIRN_TRY(opened.directory, readDirectory(file));
    const Section& section = opened.directory.index;
    CAIRN_TRY(const auto raw, readSection(file, section));
    auto index = decodeIndex(raw);
    if (!index) { // offsets in such an error count within the decompressed index
        Error error = std::move(index).error();
        const std::string within = std::to_string(error.where.offset.value_or(0));
        return std::move(error)
            .inFile(file.name())
            .at(section.stored.offset)
            .inField("byte " + within + " of the unpacked index");
    }
    opened.index = std::move(*index);
    opened.offsets.reserve(opened.index.chunks.size() + 1);
    std::uint64_t at = kHeadBytes;
    opened.offsets.push_back(at);
    for (const ChunkRow& chunk : opened.index.chunks) {
        at += chunk.stored; // cannot overflow: at most 2^32 chunks of less than 2^32 bytes
        opened.offsets.push_back(at);
    }
    if (at != opened.directory.values.stored.offset) {
        return wrong(file, kHeadBytes, "The chunks do not end where the plain values begin")
            .butFound(verbatim(std::to_string(at)))
            .expecting(verbatim(std::to_string(opened.directory.values.stored.offset)));
    }
    return opened;
}

} // namespace cairn::archive
