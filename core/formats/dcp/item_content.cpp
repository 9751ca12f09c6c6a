// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_content.h"

#include "core/base/visible_text.h"
#include "core/codec/zstd/zstd_source.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/formats/dcp/item_archive.h"
#include "core/formats/dcp/item_source.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kMaxPickle = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMaxDecoded = std::uint64_t{1} << 30U;
constexpr int kMaxItemDepth =
    Value::kMaxDepth - 250; ///< leaves room for the depth of the item's path

const FileIndex kShard{std::size_t{0}};

/// Location of an item's storages: in the shard if it is stored unchanged, else in a decoded
/// source.
class ItemStorages final : public TorchStorages {
public:
    /// `archive` may be null (a bare pickle). The item starts at `base` in `outer`.
    ItemStorages(const ItemArchive* archive, const pickle::PickleGraph& graph, FileIndex outer,
                 std::uint64_t base, std::optional<std::uint64_t> pickleStart)
        : m_archive(archive), m_graph(graph), m_outer(outer), m_base(base),
          m_pickleStart(pickleStart) {}

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override {
        CAIRN_TRY(const ZipEntry* entry, entryOf(storage));
        if (entry->stored()) {
            CAIRN_TRY(const ByteRange range, m_archive->zip.dataRange(*entry));
            return std::min(range.length, entry->size);
        }
        return entry->size;
    }

    void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) override {
        piece.bytes = bytes;
        piece.flags.swapBytes = m_archive->bigEndian && dtypeInfo(dtype).componentBits > 8;
        const ZipEntry* entry = *entryOf(storage);
        if (entry->stored()) {
            piece.file = m_outer;
            piece.bytes.offset += m_base + m_archive->zip.dataRange(*entry)->offset;
            return;
        }
        auto inflated = m_archive->zip.openEntry(*entry);
        memory.push_back(inflated ? *inflated : makeMemorySource({}, "unreadable record"));
        piece.file = FileIndex(memory.size());
    }

    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override {
        const auto start = bytes.data() - m_graph.buffer().data();
        if (!m_pickleStart || bytes.empty() || start < 0) {
            return false;
        }
        piece.file = m_outer;
        piece.bytes = {*m_pickleStart + static_cast<std::uint64_t>(start), bytes.size()};
        return true;
    }

    std::vector<ByteSourcePtr> memory;

private:
    Result<const ZipEntry*> entryOf(const TorchStorage& storage) const {
        const ZipEntry* entry =
            m_archive == nullptr ? nullptr : m_archive->storage(std::string(storage.key));
        if (entry == nullptr) {
            return fail(ErrorCode::TorchMissingRecord,
                        "The record of a tensor's elements is missing")
                .butFound(sentence("no data/%1", visibleText(storage.key)));
        }
        return entry;
    }

    const ItemArchive* m_archive;
    const pickle::PickleGraph& m_graph;
    FileIndex m_outer;
    std::uint64_t m_base;
    std::optional<std::uint64_t> m_pickleStart; ///< offset in `outer`
};

/// Number of container levels below `value`; shared containers are examined once.
int depthOf(const Value& value, std::unordered_map<const void*, int>& known) {
    if (!value.isContainer()) {
        return 0;
    }
    if (const auto found = known.find(value.identity()); found != known.end()) {
        return found->second;
    }
    int deepest = 0;
    for (const ValueItem& item : value.items()) {
        deepest = std::max({deepest, depthOf(item.key, known), depthOf(item.value, known)});
    }
    known.emplace(value.identity(), deepest + 1);
    return deepest + 1;
}

Result<ItemContent> fromGraph(const pickle::PickleGraph& graph, ItemStorages& storages,
                              const CancelToken& cancel) {
    CAIRN_TRY(TorchObjects objects, readTorchObjects(graph, storages, cancel));
    std::unordered_map<const void*, int> depths;
    if (depthOf(objects.root, depths) > kMaxItemDepth) {
        return fail(ErrorCode::LimitExceeded, "The value is nested too deeply");
    }
    ItemContent content;
    content.value = std::move(objects.root);
    content.tensors = std::move(objects.tensors);
    content.notices = std::move(objects.notices);
    content.memory = std::move(storages.memory);
    if (!objects.decoded.empty()) {
        content.memory.push_back(makeMemorySource(std::move(objects.decoded), "decoded array"));
    }
    for (TensorEntry& tensor : content.tensors) {
        if (content.value.asTensor() != nullptr) {
            tensor.name.clear(); // the item itself is the tensor
        }
        for (Piece& piece : tensor.pieces) {
            piece.file = piece.file == kDecodedFile ? FileIndex(content.memory.size()) : piece.file;
        }
    }
    return content;
}

std::vector<StoredChecksum> checksumsOf(const ItemArchive& archive, FileIndex outer,
                                        std::uint64_t base, bool hasTensors) {
    std::vector<StoredChecksum> checksums;
    for (const ZipEntry& entry : archive.zip.entries()) {
        const std::string_view record =
            entry.name.substr(std::min(archive.prefix.size(), entry.name.size()));
        const bool compared = record == "data.pkl" && archive.compared && !hasTensors;
        if (!entry.stored() || entry.size == 0 || compared ||
            (record != "data.pkl" && !record.starts_with("data/"))) {
            continue; // reading a deflated record compares its checksum
        }
        if (const auto range = archive.zip.dataRange(entry)) {
            checksums.push_back(
                {outer, {base + range->offset, range->length}, entry.crc32, std::string(record)});
        }
    }
    return checksums;
}

/// Reads an archive or a bare pickle. `outer` and `base` as in ItemStorages.
Result<ItemContent> readContent(const ByteSourcePtr& item, FileIndex outer, std::uint64_t base,
                                std::vector<ByteSourcePtr> memory, const CancelToken& cancel) {
    if (looksLikeArchive(*item)) {
        CAIRN_TRY(const ItemArchive archive, openItemArchive(item, kMaxPickle));
        std::optional<std::uint64_t> pickleStart;
        if (archive.pickleStart) {
            pickleStart = base + *archive.pickleStart;
        }
        ItemStorages storages(&archive, archive.graph, outer, base, pickleStart);
        storages.memory = std::move(memory);
        CAIRN_TRY(ItemContent content, fromGraph(archive.graph, storages, cancel));
        content.checksums = checksumsOf(archive, outer, base, !content.tensors.empty());
        content.compared = archive.compared;
        return content;
    }
    std::array<std::byte, 1> first{};
    if (item->size() > 0) {
        CAIRN_CHECK(item->readAt(0, first));
    }
    if (first[0] != std::byte{0x80}) {
        return fail(ErrorCode::DcpItemMismatch,
                    "The item is neither a torch.save archive nor a pickle")
            .at(0)
            .withHint("The shard was overwritten or damaged; torch cannot load the item either");
    }
    CAIRN_TRY(auto bytes, readRange(*item, {0, std::min(item->size(), kMaxPickle)}));
    CAIRN_TRY(
        const pickle::PickleGraph graph,
        pickle::parsePickle(std::make_shared<const std::vector<std::byte>>(std::move(bytes))));
    ItemStorages storages(nullptr, graph, outer, base, base);
    storages.memory = std::move(memory);
    return fromGraph(graph, storages, cancel);
}

Result<ItemContent> readDecoded(ByteSourcePtr slice, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr decoded,
              openZstd(std::move(slice), std::nullopt, kMaxDecoded, cancel));
    CAIRN_TRY(const ByteSourcePtr item, makeItemSource(decoded));
    return readContent(item, FileIndex(std::size_t{1}), 0, {decoded}, cancel);
}

} // namespace

Result<ItemContent> readItemContent(const ByteSourcePtr& shard, const BytesItem& item,
                                    const CancelToken& cancel) {
    CAIRN_CHECK(cancel.check());
    if (!item.bytes.fitsInto(shard->size())) {
        return fail(ErrorCode::DcpItemBeyondFile, "The shard ends before the end of this item")
            .inFile(shard->name())
            .at(item.bytes.offset)
            .butFound(sentence("%1 bytes in the file", shard->size()));
    }
    ByteSourcePtr slice = makeSliceSource(shard, item.bytes);
    Result<ItemContent> content = ItemContent{};
    if (item.codec == kZstdCodec) {
        content = readDecoded(std::move(slice), cancel);
    } else if (item.codec == kTorchSaveCodec) {
        CAIRN_TRY(const ByteSourcePtr whole, makeItemSource(std::move(slice)));
        content = readContent(whole, kShard, item.bytes.offset, {}, cancel);
    } else {
        return fail(ErrorCode::DcpUnknownTransform, "The value is stored with an unknown transform")
            .inFile(shard->name())
            .at(item.bytes.offset);
    }
    if (!content && content.error().code != ErrorCode::Cancelled) {
        const std::uint64_t base = item.bytes.offset;
        Error error = std::move(content).error();
        if (item.codec == kZstdCodec) {
            error.where.offset = 0; // an offset in decoded content is not an offset in the file
        }
        return rebased(std::move(error), base, shard->name());
    }
    return content;
}

} // namespace cairn::formats::dcp
