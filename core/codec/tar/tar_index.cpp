// SPDX-License-Identifier: Apache-2.0
#include "core/codec/tar/tar_index.h"

#include "core/base/endian.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kBlock = 512;
constexpr std::uint64_t kMaxText = 65536; ///< size of a long name, or of a member's pax records
constexpr std::size_t kMaxMembers = 100'000;

std::string_view field(std::span<const std::byte> block, std::size_t at, std::size_t length) {
    const std::string_view text = asText(block.subspan(at, length));
    return text.substr(0, std::min(text.find('\0'), text.size()));
}

/// Octal text, or base 256 if the first bit is set.
std::optional<std::uint64_t> number(std::span<const std::byte> block, std::size_t at,
                                    std::size_t length) {
    const auto bytes = block.subspan(at, length);
    if ((bytes[0] & std::byte{0x80}) != std::byte{0}) {
        std::uint64_t value = std::to_integer<std::uint64_t>(bytes[0] & std::byte{0x7F});
        for (const std::byte byte : bytes.subspan(1)) {
            if (value >> 56U != 0) {
                return std::nullopt;
            }
            value = value << 8U | std::to_integer<std::uint64_t>(byte);
        }
        return value;
    }
    std::string_view text = field(block, at, length);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
    const bool rest = std::all_of(end, text.data() + text.size(), [](char c) { return c == ' '; });
    return text.empty() || error != std::errc() || !rest ? std::nullopt : std::optional(value);
}

bool sumIsRight(std::span<const std::byte> block) {
    std::uint64_t sum = 8 * ' '; // the checksum field itself counts as spaces
    for (std::size_t i = 0; i < kBlock; ++i) {
        sum += i >= 148 && i < 156 ? 0 : std::to_integer<std::uint64_t>(block[i]);
    }
    return number(block, 148, 8) == sum;
}

bool isZero(std::span<const std::byte> block) {
    return std::ranges::all_of(block, [](std::byte byte) { return byte == std::byte{0}; });
}

/// Fields of the next member from pax records and GNU headers.
struct Extended {
    std::optional<std::string> name;
    std::optional<std::uint64_t> size;
    bool sparse = false;
};

/// "<length> <key>=<value>\n", one after the other.
bool readPax(std::string_view text, Extended& extended) {
    while (!text.empty() && text.front() != '\0') {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(
            text.data(), text.data() + std::min<std::size_t>(text.size(), 20), length);
        const auto digits = static_cast<std::size_t>(end - text.data());
        if (error != std::errc() || length > text.size() || length < digits + 3 ||
            text[digits] != ' ' || text[length - 1] != '\n') {
            return false;
        }
        const std::string_view record = text.substr(digits + 1, length - digits - 2);
        const std::size_t equals = record.find('=');
        if (equals == std::string_view::npos) {
            return false;
        }
        const std::string_view key = record.substr(0, equals);
        const std::string_view value = record.substr(equals + 1);
        if (key == "path") {
            extended.name = value;
        } else if (key == "size") {
            std::uint64_t size = 0;
            const auto parsed = std::from_chars(value.data(), value.data() + value.size(), size);
            if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
                return false;
            }
            extended.size = size;
        }
        extended.sparse = extended.sparse || key.starts_with("GNU.sparse");
        text.remove_prefix(length);
    }
    return true;
}

std::string nameOf(std::span<const std::byte> block) {
    const std::string_view name = field(block, 0, 100);
    const std::string_view prefix = asText(block.subspan(257, 6)) == std::string_view("ustar\0", 6)
                                        ? field(block, 345, 155)
                                        : "";
    return prefix.empty() ? std::string(name) : std::string(prefix) + "/" + std::string(name);
}

Error badHeader(std::uint64_t at, Sentence what) {
    return fail(ErrorCode::BadIndex, "Invalid header in the tar archive")
        .at(at)
        .butFound(std::move(what));
}

} // namespace

bool looksLikeTar(std::span<const std::byte> head) {
    return head.size() >= kBlock && head[0] != std::byte{0} && sumIsRight(head.first(kBlock));
}

Result<TarIndex> indexTar(const ByteSource& source) {
    TarIndex index;
    std::vector<TarMember>& members = index.members;
    Extended extended;
    std::uint64_t at = 0;
    while (at + kBlock <= source.size()) {
        CAIRN_TRY(const auto block, readRange(source, {at, kBlock}));
        if (isZero(block)) {
            index.ended = true;
            return index;
        }
        const auto recorded = number(block, 124, 12);
        if (!sumIsRight(block) || !recorded) {
            return badHeader(at, recorded ? Sentence("a checksum mismatch")
                                          : "a size that is not a number");
        }
        const char type = std::to_integer<char>(block[156]);
        const bool about = type == 'x' || type == 'g' || type == 'L' || type == 'K';
        const std::uint64_t size = about ? *recorded : extended.size.value_or(*recorded);
        const std::uint64_t content = at + kBlock;
        if (size > source.size() - content) {
            return fail(ErrorCode::Truncated, "A member of the tar archive extends beyond its end")
                .at(at)
                .butFound(sentence("%1 bytes", source.size() - content))
                .expecting(verbatim(std::to_string(size)));
        }
        if (about && size > kMaxText) {
            return fail(ErrorCode::LimitExceeded, "A name in the tar archive is too long").at(at);
        }
        if (about) {
            CAIRN_TRY(const auto text, readRange(source, {content, size}));
            if (type == 'L') {
                extended.name = field(text, 0, text.size());
            } else if (type == 'x' && !readPax(asText(text), extended)) {
                return badHeader(content, "malformed pax records");
            }
        } else {
            if (type == 'S' || extended.sparse) {
                return fail(ErrorCode::Unsupported,
                            "Sparse members of tar archives are not supported")
                    .at(at);
            }
            // Links, devices and folders have no content; Python treats unknown types as files.
            if (type < '1' || type > '6') {
                std::string name = extended.name ? *extended.name : nameOf(block);
                name = name.starts_with("./") ? name.substr(2) : name;
                members.push_back({std::move(name), {content, size}});
            }
            if (members.size() > kMaxMembers) {
                return fail(ErrorCode::LimitExceeded, "The tar archive has too many members")
                    .at(at);
            }
            extended = {};
        }
        at = content + (size + kBlock - 1) / kBlock *
                           kBlock; // cannot overflow: the size was checked against the file
    }
    return index;
}

} // namespace cairn
