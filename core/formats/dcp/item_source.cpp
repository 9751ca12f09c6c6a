// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_source.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kHead = 4096;
constexpr std::uint64_t kTail = 4096;
constexpr std::uint64_t kWhole = 16384; ///< items up to here are read at once

class ItemSource final : public ByteSource {
public:
    ItemSource(ByteSourcePtr item, std::vector<std::byte> head, std::vector<std::byte> tail)
        : m_item(std::move(item)), m_head(std::move(head)), m_tail(std::move(tail)) {}
    std::uint64_t size() const override { return m_item->size(); }
    const std::string& name() const override { return m_item->name(); }
    FileIdentity identity() const override { return m_item->identity(); }
    Result<void> checkUnchanged() const override { return m_item->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        const ByteRange wanted{offset, out.size()};
        if (wanted.fitsInto(m_head.size())) {
            copy(m_head, offset, out);
            return {};
        }
        const std::uint64_t tailStart = size() - m_tail.size();
        if (wanted.fitsInto(size()) && offset >= tailStart) {
            copy(m_tail, offset - tailStart, out);
            return {};
        }
        return m_item->readAt(offset, out);
    }

private:
    static void copy(const std::vector<std::byte>& from, std::uint64_t offset,
                     std::span<std::byte> out) {
        if (!out.empty()) {
            std::memcpy(out.data(), from.data() + offset, out.size());
        }
    }

    ByteSourcePtr m_item;
    std::vector<std::byte> m_head;
    std::vector<std::byte> m_tail;
};

} // namespace

Result<ByteSourcePtr> makeItemSource(ByteSourcePtr item) {
    const std::uint64_t size = item->size();
    const std::uint64_t headLength = size <= kWhole ? size : kHead;
    CAIRN_TRY(auto head, readRange(*item, {0, headLength}));
    const std::uint64_t tailLength = size <= kWhole ? 0 : kTail;
    CAIRN_TRY(auto tail, readRange(*item, {size - tailLength, tailLength}));
    return ByteSourcePtr(
        std::make_shared<ItemSource>(std::move(item), std::move(head), std::move(tail)));
}

} // namespace cairn::formats::dcp
