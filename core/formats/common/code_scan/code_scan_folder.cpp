// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/code_scan/code_scanner.h"
#include "core/formats/common/torch/pickle_image.h"
#include "core/io/prefetch.h"

#include <algorithm>

// Folders, and distributed checkpoints in them, whose shards contain an archive for each item, at
// offsets that only the index records.

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;
using pickle::Verdict;

constexpr int kMaxFolders = 500;
constexpr std::uint64_t kMaxIndex = std::uint64_t{4} << 30;

struct Item {
    std::string_view file;
    ByteRange bytes;
};

/// Every _StorageInfo in the index, wherever it is; from its state or its arguments.
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
    const auto equal = [](const Item& a, const Item& b) {
        return a.file == b.file && a.bytes == b.bytes;
    };
    items.erase(std::unique(items.begin(), items.end(), equal), items.end());
    return items;
}

/// Items are examined one after the other: on another machine that would be several round trips for
/// each. Small items are read as a whole; of a large one the headers and the start of its first
/// record, and its end with the directory of an archive.
void fetchEnds(const FolderPtr& root, const std::string& relative, const std::vector<Item>& items) {
    constexpr std::uint64_t kFirst = 12 << 10U;
    constexpr std::uint64_t kLast = 16 << 10U;
    constexpr std::uint64_t kWhole = 72 << 10U;
    constexpr std::uint64_t kMost = 8 << 20U; // a scan has little time
    std::vector<ByteSourcePtr> shards;
    std::string_view open;
    std::vector<SoonRead> reads;
    std::uint64_t bytes = 0;
    for (const Item& item : items) {
        if (open != item.file || shards.empty()) {
            const auto opened = root->openFile(relative + std::string(item.file));
            if (!opened) {
                continue;
            }
            shards.push_back(*opened);
            open = item.file;
        }
        const bool isSmall = item.bytes.length <= kWhole;
        const std::uint64_t last = isSmall ? item.bytes.length : kLast;
        bytes += isSmall ? last : kFirst + last;
        if (bytes > kMost || !isFetched(*shards.back())) {
            break;
        }
        if (!isSmall) {
            reads.push_back({shards.back().get(), {item.bytes.offset, kFirst}});
        }
        reads.push_back({shards.back().get(), {item.bytes.end() - last, last}});
    }
    prefetch(reads);
}

/// The place of a file in a folder or an archive.
CodePlace placeOf(const CodePlace& outer, const std::string& path) {
    if (!outer.file.empty()) {
        return outer.inside(path);
    }
    CodePlace place;
    place.file = path;
    return place;
}

} // namespace

/// Examines all bytes of a shard: each item, and the gaps between them.
Result<void> CodeScanner::scanItems(const FolderPtr& root, const std::string& relative,
                                    const std::string& index, const CodePlace& outer,
                                    std::set<std::string>& shards) {
    const CodePlace place = placeOf(outer, relative + index);
    const auto source = root->openFile(relative + index);
    if (!source) {
        return {}; // reported when the file itself is examined
    }
    const auto image = PickleImage::readPart(*source, {0, (*source)->size()}, kMaxIndex, m_cancel);
    CAIRN_CHECK(m_cancel.check());
    if (!image.image) {
        notExamined(place, image.error->message);
        return {};
    }
    const pickle::PickleRun run =
        pickle::runPickle(image.image->bytes(), {.lenient = true, .onBuilt = {}});
    fetchEnds(root, relative, itemsOf(run.graph));
    ByteSourcePtr shard;
    std::string open;
    CodePlace inner;
    std::uint64_t end = 0;
    const auto rest = [&](std::uint64_t until) -> Result<void> {
        if (!shard || end >= until) {
            return {};
        }
        return scanContent(makeSliceSource(shard, {end, until - end}), inner.at(end));
    };
    for (const Item& item : itemsOf(run.graph)) {
        CAIRN_CHECK(m_cancel.check());
        const std::string path = relative + std::string(item.file);
        if (open != path) {
            CAIRN_CHECK(rest(shard ? shard->size() : 0));
            auto opened = root->openFile(path);
            shard = opened ? *opened : nullptr; // a missing shard is not a finding about code
            if (shard && outer.file.empty()) {
                startFile(shard->size());
            }
            open = path;
            inner = placeOf(outer, path);
            end = 0;
            if (shard && path.ends_with(".distcp")) {
                shards.insert(path);
            }
        }
        if (!shard || !item.bytes.fitsInto(shard->size())) {
            continue;
        }
        CAIRN_CHECK(rest(item.bytes.offset));
        CAIRN_CHECK(scanContent(makeSliceSource(shard, item.bytes), inner.at(item.bytes.offset)));
        end = std::max(end, item.bytes.end());
    }
    return rest(shard ? shard->size() : 0);
}

/// Follows a link only inside the scanned folder or into the Hugging Face cache; a loader would
/// follow it anywhere.
Result<void> CodeScanner::scanFile(const FolderPtr& root, const std::string& path) {
    CodePlace place;
    place.file = path;
    const auto source = root->openFile(path);
    if (source) {
        startFile((*source)->size());
        return scanContent(*source, place);
    }
    const ErrorCode code = source.error().code;
    if (code == ErrorCode::NotFound || root->openFolder(path)) {
        return {}; // broken, or leads to a folder that is examined anyway
    }
    notExamined(place, code == ErrorCode::OutsideFolder
                           ? "the link points outside the folder, and a loader would follow it"
                           : source.error().message);
    return {};
}

Result<void> CodeScanner::scanFiles(const FolderPtr& root, const std::string& relative,
                                    std::span<const std::string> names) {
    std::set<std::string> shards;
    for (const std::string& name : names) {
        if (name.ends_with(".metadata")) {
            CAIRN_CHECK(scanItems(root, relative, name, {}, shards));
        }
    }
    for (const std::string& name : names) {
        CAIRN_CHECK(m_cancel.check());
        const std::string path = relative + name;
        if (!shards.contains(path)) {
            CAIRN_CHECK(scanFile(root, path));
        }
    }
    return {};
}

Result<void> CodeScanner::scanFolder(const FolderPtr& root, const std::string& relative,
                                     int depth) {
    CodePlace place;
    place.file = relative;
    const auto folder = relative.empty() ? Result<FolderPtr>(root) : root->openFolder(relative);
    const auto entries = folder && depth > kMaxFolders
                             ? Result<std::vector<FolderEntry>>(
                                   fail(ErrorCode::LimitExceeded, "folders are nested too deeply"))
                             : entriesOf(folder);
    if (!entries) {
        if (relative.empty()) {
            return entries.error();
        }
        notExamined(place, entries.error().message);
        return {};
    }
    std::vector<std::string> files;
    for (const FolderEntry& entry : *entries) {
        if (entry.kind == EntryKind::File || entry.kind == EntryKind::Link) {
            files.push_back(entry.name);
        } else if (entry.kind == EntryKind::Other) {
            place.file = relative + entry.name;
            notExamined(place, "not a file or folder");
        }
    }
    CAIRN_CHECK(scanFiles(root, relative, files));
    for (const FolderEntry& entry : *entries) {
        if (entry.kind == EntryKind::Folder) {
            CAIRN_CHECK(scanFolder(root, relative + entry.name + "/", depth + 1));
        }
    }
    return {};
}

} // namespace cairn::formats
