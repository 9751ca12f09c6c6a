// SPDX-License-Identifier: Apache-2.0
#include "core/base/visible_text.h"
#include "core/formats/common/jax/flax_tree.h"

#include <optional>
#include <string_view>

// Detection from the first bytes of a file.

namespace cairn {
namespace {

/// The key at `at` in the head; empty: not a printable text. It is truncated where the view ends.
std::optional<std::string_view> keyAt(std::span<const std::byte> head, std::size_t at) {
    const auto byte = [&](std::size_t index) {
        return index < head.size() ? std::to_integer<std::size_t>(head[index]) : 0;
    };
    const std::size_t kind = byte(at);
    const bool isFixed = kind > 0xA0 && kind < 0xC0;
    if (!isFixed && (kind < 0xD9 || kind > 0xDB)) {
        return std::nullopt;
    }
    const std::size_t width = isFixed ? 0 : std::size_t{1} << (kind - 0xD9);
    std::size_t length = isFixed ? kind & 0x1FU : 0;
    for (std::size_t i = 0; i < width; ++i) {
        length = length << 8U | byte(at + 1 + i);
    }
    const std::size_t start = at + 1 + width;
    if (length == 0 || start > head.size() || length > head.size() - start) {
        return std::nullopt;
    }
    const std::string_view text(reinterpret_cast<const char*>(head.data()) + start, length);
    return isValidUtf8(text) && visibleText(text) == text ? std::optional(text) : std::nullopt;
}

/// An extension of type 1 or 3 that starts with an array of three items.
bool hasArray(std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + 4 < bytes.size(); ++at) {
        const auto kind = std::to_integer<std::size_t>(bytes[at]);
        if (kind < 0xC7 || kind > 0xC9) {
            continue;
        }
        const std::size_t type = at + 1 + (std::size_t{1} << (kind - 0xC7));
        if (type + 1 < bytes.size() &&
            (bytes[type] == std::byte{1} || bytes[type] == std::byte{3}) &&
            bytes[type + 1] == std::byte{0x93}) {
            return true;
        }
    }
    return false;
}

/// The first record of an EasyLM stream: (("params", "head", "kernel"), bytes). Returns the offset
/// of the bytes; 0: not such a record.
std::size_t leafOfRecord(std::span<const std::byte> head) {
    const auto byte = [&](std::size_t index) {
        return index < head.size() ? std::to_integer<unsigned>(head[index]) : 0U;
    };
    if (byte(0) != 0x92 || byte(1) <= 0x90 || byte(1) > 0x9F) {
        return 0;
    }
    std::size_t at = 2;
    for (unsigned i = 0; i < (byte(1) & 0x0FU); ++i) {
        const auto key = keyAt(head, at);
        if (!key) {
            return 0;
        }
        at = static_cast<std::size_t>(key->data() - reinterpret_cast<const char*>(head.data())) +
             key->size();
    }
    return byte(at) >= 0xC4 && byte(at) <= 0xC6 ? at : 0;
}

} // namespace

bool beginsFlaxTree(std::span<const std::byte> head, bool& sure) {
    if (const std::size_t leaf = leafOfRecord(head); leaf > 0) {
        sure = hasArray(head.subspan(leaf));
        return true;
    }
    const unsigned first = head.empty() ? 0 : std::to_integer<unsigned>(head[0]);
    const std::size_t start = first > 0x80 && first < 0x90 ? 1
                              : first == 0xDE              ? 3
                              : first == 0xDF              ? 5
                                                           : 0;
    const auto key = start == 0 ? std::nullopt : keyAt(head, start);
    sure = key && hasArray(head.subspan(start));
    return key.has_value();
}

} // namespace cairn
