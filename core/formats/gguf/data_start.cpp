// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/data_start.h"

#include <algorithm>

namespace cairn::formats::gguf {
namespace {

constexpr std::uint64_t kLeastAlignment = 8;
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 20U;

std::uint64_t padded(std::uint64_t value, std::uint64_t alignment) {
    const std::uint64_t over = value % alignment;
    const std::uint64_t more = over == 0 ? 0 : alignment - over;
    return value + std::min(more, ~std::uint64_t{0} - value);
}

/// Whether the file ends with the last tensor, or with its padding.
bool fits(const DataExtent& extent, std::uint64_t alignment, std::uint64_t size) {
    const std::uint64_t start = padded(extent.infosEnd, alignment);
    if (extent.offsets % alignment != 0 || start > size) {
        return false;
    }
    const std::uint64_t data = size - start;
    return data == extent.end || data == padded(extent.end, alignment);
}

Result<bool> allZero(const ByteSource& file, std::uint64_t from, std::uint64_t to) {
    CAIRN_TRY(const auto bytes, readRange(file, {from, to - from}));
    return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

} // namespace

Result<DataStart> findDataStart(const ByteSource& file, const DataExtent& extent) {
    const std::uint64_t size = file.size();
    DataStart start{std::min(padded(extent.infosEnd, extent.alignment), size), extent.alignment, 0};
    const std::uint64_t data = size - start.offset;
    start.trailing = data - std::min(data, padded(extent.end, extent.alignment));
    const bool sound = data >= extent.end && start.trailing == 0;
    if (extent.end == 0 || (sound && extent.offsets % extent.alignment == 0)) {
        return start;
    }
    std::optional<DataStart> other;
    for (std::uint64_t alignment = kLeastAlignment; alignment <= kMostAlignment; alignment *= 2) {
        const std::uint64_t offset = padded(extent.infosEnd, alignment);
        if (!fits(extent, alignment, size) || (other && other->offset == offset)) {
            continue;
        }
        // There must be zero padding before the data. If the data starts earlier than declared, the
        // bytes between the two starts must not be zero, too; otherwise the file has the declared
        // alignment and is truncated.
        CAIRN_TRY(const bool padding, allZero(file, extent.infosEnd, offset));
        CAIRN_TRY(const bool cut, allZero(file, offset, std::max(offset, start.offset)));
        const bool earlier = offset < start.offset;
        if (!padding || (earlier && cut)) {
            continue;
        }
        if (other) {
            return start; // ambiguous
        }
        other = DataStart{offset, alignment, 0};
    }
    return other && other->offset != start.offset ? *other : start;
}

} // namespace cairn::formats::gguf
