// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/prefetch.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Private to this folder.
namespace cairn::formats::dcp {

/// An item with its first and last few kilobytes in memory: a nested archive has its pickle at the
/// start and its directory at the end, so that opening it costs two small reads (one for a small
/// item), however large the tensor is. Other reads go to the shard. Threads and lifetime as for any
/// ByteSource.
class ItemSource final : public ByteSource {
public:
    ItemSource(ByteSourcePtr item, std::vector<std::byte> head, std::vector<std::byte> tail)
        : m_item(std::move(item)), m_head(std::move(head)), m_tail(std::move(tail)) {}
    std::uint64_t size() const override { return m_item->size(); }
    const std::string& name() const override { return m_item->name(); }
    FileIdentity identity() const override { return m_item->identity(); }
    Result<void> checkUnchanged() const override { return m_item->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;

    /// These bytes, if they are in memory. Valid as long as the source.
    [[nodiscard]] std::optional<std::span<const std::byte>> held(ByteRange range) const;

private:
    ByteSourcePtr m_item;
    std::vector<std::byte> m_head;
    std::vector<std::byte> m_tail;
};

/// What makeItemSource() will read of an item: for prefetch().
void addItemReads(std::vector<SoonRead>& reads, const ByteSource& shard, ByteRange item);

/// Fails as reading `item`.
Result<std::shared_ptr<const ItemSource>> makeItemSource(ByteSourcePtr item);

} // namespace cairn::formats::dcp
