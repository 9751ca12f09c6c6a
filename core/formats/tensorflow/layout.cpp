// SPDX-License-Identifier: Apache-2.0
//
// The index of a bundle contains the checksum of every tensor and of its own blocks, so that its
// bytes are known only when all data is written: it is laid out with slots
// (OutputFile::indexSlots). The data has no header, no padding and no order of its own: it is in
// the order of the keys here, as one thread of TensorFlow would write it.
#include "core/formats/tensorflow/layout.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/protobuf/write.h"
#include "core/codec/sstable/table_writer.h"
#include "core/formats/common/members/fill_shards.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/object_graph.h"
#include "core/formats/tensorflow/proto.h"
#include "core/formats/tensorflow/state_file.h"
#include "core/formats/tensorflow/string_codec.h"
#include "core/model/checkpoint.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace cairn::formats::tensorflow {
namespace {

constexpr std::string_view kStateName = "checkpoint";
constexpr std::uint32_t kProducer = 1; ///< kTensorBundleVersion
constexpr std::string_view kIteratorState = "ITERATOR_STATE";

/// One key of the output.
struct Item {
    std::string key;
    const LayoutTensor* tensor = nullptr; ///< null: `content` instead
    std::size_t position = 0;             ///< of the tensor in the request
    EncodedStrings strings;
    Shape shape;
    std::uint32_t dataType = kDtString;
    std::uint64_t bytes = 0;
};

/// The keys of an output, by those that the source has them under.
class OutputKeys {
public:
    explicit OutputKeys(const LayoutRequest& request) {
        const auto storedName = [&](const LayoutTensor& tensor) {
            return request.source != nullptr
                       ? std::string_view(request.source->tensor(tensor.source).name)
                       : tensor.name;
        };
        for (const LayoutTensor& tensor : request.tensors) {
            m_written.emplace(storedName(tensor), tensor.name);
            m_stored.insert(storedName(tensor));
        }
        for (const StringTensor& tensor : request.strings) {
            m_written.emplace(tensor.stored, tensor.name);
            m_stored.insert(tensor.stored);
        }
        if (request.source != nullptr) {
            for (const TensorEntry& tensor : request.source->tensors()) {
                m_stored.insert(tensor.name);
            }
        }
    }

    /// As WrittenKey. A lookup table's key stands for several: "…/table" for "…/table-keys" and
    /// "…/table-values", which must all be written, and under the same name.
    [[nodiscard]] std::string of(std::string_view key) const {
        const auto written = m_written.find(key);
        if (written != m_written.end()) {
            return std::string(written->second);
        }
        if (m_stored.contains(key) || key.ends_with(kIteratorState)) {
            return {}; // an iterator's state is not a tensor that can be written
        }
        const std::string start = std::string(key) + "-";
        std::optional<std::string_view> base;
        for (auto part = m_stored.lower_bound(start);
             part != m_stored.end() && part->starts_with(start); ++part) {
            const std::string_view suffix = part->substr(key.size());
            const auto name = m_written.find(*part);
            if (name == m_written.end() || !name->second.ends_with(suffix)) {
                return {};
            }
            const std::string_view rest =
                name->second.substr(0, name->second.size() - suffix.size());
            if (base && *base != rest) {
                return {};
            }
            base = rest;
        }
        return std::string(base.value_or(key)); // stored nowhere: as it is
    }

private:
    std::unordered_map<std::string_view, std::string_view> m_written; ///< by the stored name
    std::set<std::string_view> m_stored;
};

/// Where an item's bytes are.
struct ItemPlace {
    std::uint64_t shard = 0;
    std::uint64_t offset = 0;
    std::uint32_t segment = 0;
};

struct ItemShard {
    std::vector<const Item*> tensors;
    std::uint64_t bytes = 0;
};

Error badName(std::string_view name, Sentence found) {
    return fail(ErrorCode::NameNotRepresentable, "TensorFlow cannot store this tensor's name")
        .inTensor(std::string(name))
        .butFound(std::move(found))
        .withHint("Rename the tensor");
}

Result<Item> itemOf(const LayoutTensor& tensor, std::size_t position) {
    const auto dataType = dataTypeOf(tensor.dtype);
    if (!dataType || hasStrings(tensor.dtype)) {
        return fail(ErrorCode::DtypeNotRepresentable, "TensorFlow cannot store this tensor's dtype")
            .inTensor(std::string(tensor.name))
            .butFound(sentence("%1 of shape %2", dtypeName(tensor.dtype), formatDims(tensor.shape)))
            .withHint("Leave out the tensor, cast it, or write a different format");
    }
    const auto count = elementCount(tensor.shape);
    const auto bytes = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
    if (!bytes) {
        return fail(ErrorCode::LimitExceeded, "This tensor is too large")
            .inTensor(std::string(tensor.name));
    }
    Item item;
    item.key = tensor.name;
    item.tensor = &tensor;
    item.position = position;
    item.shape = tensor.shape;
    item.dataType = *dataType;
    item.bytes = *bytes;
    return item;
}

/// The elements of a tensor of strings; those of an object graph with the output's keys.
Result<Item> itemOf(const StringTensor& tensor, const WrittenKey& writtenKey) {
    Item item;
    item.key = tensor.name;
    item.shape = tensor.shape;
    std::span<const std::byte> elements = *tensor.elements;
    std::vector<std::byte> adapted;
    if (tensor.stored == kObjectGraphKey) {
        const bool isScalar =
            tensor.shape.empty() && elements.size() >= sizeof(std::uint64_t) &&
            loadLittle<std::uint64_t>(elements, 0) == elements.size() - sizeof(std::uint64_t);
        const auto graph = isScalar
                               ? graphWithKeys(elements.subspan(sizeof(std::uint64_t)), writtenKey)
                               : std::nullopt;
        if (!graph) {
            return fail(ErrorCode::BadEncoding, "The object graph is not a valid message")
                .inTensor(tensor.stored)
                .withHint("Leave it out with --only GLOB: the output is then loaded by names");
        }
        appendStringElement(adapted, asBytes(*graph));
        elements = adapted;
    }
    item.strings = encodeStrings(elements);
    item.bytes = item.strings.bytes.size();
    return item;
}

Result<std::vector<Item>> itemsOf(const LayoutRequest& request) {
    const OutputKeys keys(request);
    std::vector<Item> items;
    items.reserve(request.tensors.size() + request.strings.size());
    for (std::size_t i = 0; i < request.tensors.size(); ++i) {
        const LayoutTensor& tensor = request.tensors[i];
        CAIRN_TRY(Item item, itemOf(tensor, i));
        items.push_back(std::move(item));
    }
    const WrittenKey writtenKey = [&](std::string_view key) { return keys.of(key); };
    for (const StringTensor& tensor : request.strings) {
        CAIRN_TRY(Item item, itemOf(tensor, writtenKey));
        items.push_back(std::move(item));
    }
    std::ranges::sort(items, {}, &Item::key);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].key.empty() || isSliceKey(items[i].key)) { // the header's, those of slices
            return badName(items[i].key, items[i].key.empty() ? Sentence("an empty name")
                                                              : "a name that begins with a zero");
        }
        if (i > 0 && items[i].key == items[i - 1].key) {
            return badName(items[i].key, "the same name twice");
        }
    }
    return items;
}

std::string shapeMessage(const Shape& shape) {
    std::string message;
    for (const std::int64_t extent : shape) {
        std::string dim;
        protobuf::appendNonzero(dim, 1, static_cast<std::uint64_t>(extent));
        protobuf::appendText(message, 2, dim);
    }
    return message;
}

/// BundleEntryProto. The checksum of tensors is filled in later.
sstable::Row rowOf(const Item& item, const ItemPlace& place) {
    sstable::Row row{item.key, {}};
    protobuf::appendNumber(row.value, 1, item.dataType);
    protobuf::appendText(row.value, 2, shapeMessage(item.shape));
    protobuf::appendNonzero(row.value, 3, place.shard);
    protobuf::appendNonzero(row.value, 4, place.offset);
    protobuf::appendNonzero(row.value, 5, item.bytes);
    protobuf::appendFixed32(row.value, 6, maskedCrc32c(item.strings.crc32c));
    if (item.tensor != nullptr) {
        row.slot = static_cast<std::uint32_t>(row.value.size() - sizeof(std::uint32_t));
    }
    return row;
}

sstable::Row headerRow(std::size_t shards) {
    std::string version;
    protobuf::appendNumber(version, 1, kProducer);
    sstable::Row row;
    protobuf::appendNumber(row.value, 1, shards);
    protobuf::appendText(row.value, 3, version);
    return row;
}

OutputFile textFile(std::string name, std::string_view text) {
    OutputFile file;
    file.name = std::move(name);
    file.size = text.size();
    const auto bytes = asBytes(text);
    file.addLiteral(0, {bytes.begin(), bytes.end()});
    return file;
}

OutputFile indexFile(std::string name, const std::vector<sstable::Row>& rows,
                     const std::vector<ItemPlace>& places) {
    sstable::Table table = sstable::writeTable(rows);
    OutputFile file;
    file.name = std::move(name);
    file.size = table.bytes.size();
    file.addLiteral(0, std::move(table.bytes));
    for (std::size_t i = 1; i < rows.size(); ++i) { // the first is the header
        if (table.slots[i]) {
            const ItemPlace& place = places[i - 1];
            file.indexSlots.push_back(
                {*table.slots[i], static_cast<std::uint32_t>(place.shard), place.segment});
        }
    }
    for (const sstable::Table::Checksum& checksum : table.checksums) {
        file.blockSlots.push_back({checksum.offset, checksum.bytes});
    }
    return file;
}

/// The items that have bytes of their own, in the shards that the request asks for.
std::vector<ItemShard> distribute(const std::vector<Item>& items, const LayoutRequest& request) {
    std::vector<const Item*> own;
    for (const Item& item : items) {
        if (item.tensor == nullptr || !item.tensor->aliasOf) {
            own.push_back(&item);
        }
    }
    if (request.fileOf.empty()) {
        struct Sized {
            const Item* item;
            std::uint64_t bytes;
        };
        struct SizedShard {
            std::vector<Sized> tensors;
            std::uint64_t bytes = 0;
        };
        std::vector<Sized> sized;
        for (const Item* item : own) {
            sized.push_back({item, item->bytes});
        }
        std::vector<ItemShard> shards;
        for (SizedShard& shard : fillShards<SizedShard>(std::move(sized), request.maxShardBytes)) {
            shards.emplace_back().bytes = shard.bytes;
            for (const Sized& each : shard.tensors) {
                shards.back().tensors.push_back(each.item);
            }
        }
        return shards;
    }
    std::vector<ItemShard> shards(1);
    for (const Item* item : own) {
        const std::size_t number =
            item->tensor != nullptr ? request.fileOf[item->position] : std::size_t{0};
        shards.resize(std::max(shards.size(), number + 1));
        shards[number].tensors.push_back(item);
    }
    return shards;
}

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    CAIRN_TRY(const std::vector<Item> items, itemsOf(request));
    const std::vector<ItemShard> shards = distribute(items, request);
    OutputLayout layout;
    layout.folder = true;
    std::unordered_map<const Item*, ItemPlace> placeOf;
    std::vector<const Item*> byPosition(request.tensors.size(), nullptr);
    for (std::size_t i = 0; i < shards.size(); ++i) {
        OutputFile file;
        file.name = shardFileName(request.baseName, i, shards.size());
        file.sumsSegments = true;
        std::uint64_t offset = 0;
        for (const Item* item : shards[i].tensors) {
            placeOf[item] = {i, offset, static_cast<std::uint32_t>(file.tensors.size())};
            if (item->tensor != nullptr) {
                byPosition[item->position] = item;
                file.tensors.push_back({offset, item->bytes, item->tensor->source,
                                        item->tensor->name, Box::whole(item->shape),
                                        item->tensor->dtype});
            } else if (item->bytes > 0) {
                file.addLiteral(offset, item->strings.bytes);
            }
            const auto end = checkedAdd(offset, item->bytes);
            if (!end || *end > (std::uint64_t{1} << 62U)) {
                return fail(ErrorCode::LimitExceeded, "The tensors are too large for one file")
                    .inTensor(item->key);
            }
            offset = *end;
        }
        file.size = offset;
        layout.files.push_back(std::move(file));
    }
    std::vector<sstable::Row> rows = {headerRow(shards.size())};
    std::vector<ItemPlace> places;
    for (const Item& item : items) {
        const bool isAlias = item.tensor != nullptr && item.tensor->aliasOf.has_value();
        places.push_back(placeOf.at(isAlias ? byPosition[*item.tensor->aliasOf] : &item));
        rows.push_back(rowOf(item, places.back()));
        if (item.tensor == nullptr) {
            layout.stringTensors.push_back(item.key);
        }
    }
    layout.files.push_back(textFile(std::string(kStateName), stateFileText(request.baseName)));
    layout.files.push_back(indexFile(request.baseName + std::string(kIndexSuffix), rows, places));
    return layout;
}

} // namespace cairn::formats::tensorflow
