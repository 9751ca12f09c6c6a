// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/code_scanner.h"

#include <algorithm>

// Folders, and distributed checkpoints in them: their shards hold an archive for each item, at
// places that only the index knows.

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;
using pickle::Verdict;

constexpr int kMaxFolders = 8;
constexpr std::uint64_t kMaxIndex = std::uint64_t{4} << 30;

struct Item {
    std::string_view file;
    ByteRange bytes;
};

/// Every _StorageInfo in the index, wherever it hangs; by state, or by arguments.
std::vector<Item> itemsOf(const PickleGraph& graph) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < graph.storedNodes(); ++i) {
        const NodeId id{static_cast<std::uint32_t>(i)};
        if (graph.kind(id) != NodeKind::Object ||
            !graph.calleeName(id).name.ends_with("StorageInfo")) {
            continue;
        }
        const NodeId state = graph.state(id);
        const auto args = graph.items(graph.args(id));
        const bool byArgs = args.size() >= 3;
        const std::string_view file =
            byArgs ? graph.text(args[0]) : graph.text(graph.find(state, "relative_path"));
        const auto offset = graph.asInteger(byArgs ? args[1] : graph.find(state, "offset"));
        const auto length = graph.asInteger(byArgs ? args[2] : graph.find(state, "length"));
        if (!file.empty() && offset && length && *offset >= 0 && *length > 0) {
            items.push_back(
                {file, {static_cast<std::uint64_t>(*offset), static_cast<std::uint64_t>(*length)}});
        }
    }
    std::ranges::sort(items, [](const Item& a, const Item& b) {
        return std::tie(a.file, a.bytes.offset, a.bytes.length) <
               std::tie(b.file, b.bytes.offset, b.bytes.length);
    });
    const auto equal = [](const Item& a, const Item& b) { return a.file == b.file && a.bytes == b.bytes; };
    items.erase(std::unique(items.begin(), items.end(), equal), items.end());
    return items;
}

} // namespace

Result<void> CodeScanner::scanItems(const FolderPtr& folder, const std::string& index,
                                    const std::string& prefix) {
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(index));
    if (source->size() > kMaxIndex) {
        worsen(Verdict::Ambiguous, prefix + index, "The index is too large to look into");
        return {};
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
    const pickle::PickleRun run =
        pickle::runPickle(std::span<const std::byte>(bytes), {.lenient = true});
    ByteSourcePtr shard;
    std::string open;
    for (const Item& item : itemsOf(run.graph)) {
        CAIRN_CHECK(m_cancel.check());
        if (!shard || open != item.file) {
            open = item.file;
            auto opened = folder->openFile(open);
            shard = opened ? *opened : nullptr; // a missing shard is no verdict on code
        }
        if (!shard || !item.bytes.fitsInto(shard->size())) {
            continue;
        }
        CAIRN_CHECK(scanFile(makeSliceSource(shard, item.bytes), prefix + open, 1));
    }
    return {};
}

Result<void> CodeScanner::scanFolder(const FolderPtr& folder, const std::string& prefix,
                                     int depth) {
    if (depth > kMaxFolders) {
        return {};
    }
    CAIRN_TRY(const auto entries, folder->list());
    for (const FolderEntry& entry : entries) {
        CAIRN_CHECK(m_cancel.check());
        if (entry.kind == EntryKind::Folder) {
            if (const auto inner = folder->openFolder(entry.name)) {
                CAIRN_CHECK(scanFolder(*inner, prefix + entry.name + "/", depth + 1));
            }
            continue;
        }
        if (entry.kind == EntryKind::Other || entry.name.ends_with(".distcp")) {
            continue; // shards are read item by item
        }
        const auto source = folder->openFile(entry.name);
        if (!source) {
            continue; // a link that leads out, or to nothing
        }
        CAIRN_CHECK(scanFile(*source, prefix + entry.name, 0));
        if (entry.name == ".metadata" || entry.name.ends_with(".metadata")) {
            CAIRN_CHECK(scanItems(folder, entry.name, prefix));
        }
    }
    return {};
}

} // namespace cairn::formats
