// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_content.h"

#include "core/codec/zstd/zstd_source.h"
#include "core/formats/dcp/item_archive.h"
#include "core/formats/dcp/item_source.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::formats::dcp {
namespace {
constexpr std::uint64_t kMaxPickle = std::uint64_t{256} << 20U;

Value plain(const pickle::PickleGraph& graph, pickle::NodeId node, int depth) {
    using pickle::NodeKind;
    if (depth > 100) { return {}; }
    std::vector<Value> list;
    switch (graph.kind(node)) {
    case NodeKind::Bool: return graph.boolean(node);
    case NodeKind::Int: return graph.integer(node);
    case NodeKind::Float: return graph.number(node);
    case NodeKind::Str: return graph.text(node);
    case NodeKind::List: case NodeKind::Tuple:
        for (auto item : graph.items(node)) { list.push_back(plain(graph, item, depth + 1)); }
        return Value::list(std::move(list));
    case NodeKind::Dict: {
        std::vector<ValueItem> items;
        for (auto [k, v] : graph.pairs(node)) { items.push_back({plain(graph, k, depth + 1), plain(graph, v, depth + 1)}); }
        return Value::dict(std::move(items));
    }
    default: return {};
    }
}
}

Result<ItemContent> readItemContent(const ByteSourcePtr& shard, const BytesItem& item, const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    CAIRN_TRY(const ByteSourcePtr source, makeItemSource(makeSliceSource(shard, item.bytes)));
    CAIRN_TRY(const ItemArchive archive, openItemArchive(source, kMaxPickle));
    ItemContent content;
    content.value = plain(archive.graph, archive.graph.root(), 0);
    return content;
}

} // namespace cairn::formats::dcp
