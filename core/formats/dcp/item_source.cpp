// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_source.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kHead = 4096;
constexpr std::uint64_t kTail = kHead;
constexpr std::uint64_t kWhole = 16384; ///< smaller items are read at once

} // namespace

std::optional<std::span<const std::byte>> ItemSource::held(ByteRange range) const {
    const auto length = static_cast<std::size_t>(range.length);
    if (range.fitsInto(m_head.size())) {
        return std::span(m_head).subspan(static_cast<std::size_t>(range.offset), length);
    }
    const std::uint64_t tailStart = size() - m_tail.size();
    if (range.fitsInto(size()) && range.offset >= tailStart) {
        return std::span(m_tail).subspan(static_cast<std::size_t>(range.offset - tailStart),
                                         length);
    }
    return std::nullopt;
}

Result<void> ItemSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (const auto bytes = held({offset, out.size()})) {
        std::ranges::copy(*bytes, out.begin());
        return {};
    }
    return m_item->readAt(offset, out);
}

void addItemReads(std::vector<SoonRead>& reads, const ByteSource& shard, ByteRange item) {
    addEnds(reads, shard, item, item.length <= kWhole ? kWhole : kHead);
}

Result<std::shared_ptr<const ItemSource>> makeItemSource(ByteSourcePtr item) {
    const std::uint64_t size = item->size();
    const std::uint64_t headLength = size <= kWhole ? size : kHead;
    CAIRN_TRY(auto head, readRange(*item, {0, headLength}));
    const std::uint64_t tailLength = size <= kWhole ? 0 : kTail;
    CAIRN_TRY(auto tail, readRange(*item, {size - tailLength, tailLength}));
    return std::make_shared<const ItemSource>(std::move(item), std::move(head), std::move(tail));
}

} // namespace cairn::formats::dcp
