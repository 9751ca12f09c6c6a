// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/values.h"

#include "core/formats/dcp/item_content.h"
#include "core/formats/dcp/item_source.h"
#include "core/formats/dcp/item_tensors.h"
#include "core/io/hash.h"
#include "core/model/role_decision.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

/// The parts of the index that the loader needs: plain values and their paths, not the tensors.
struct ValueSource {
    std::vector<CheckpointFile> shards; ///< by FileIndex
    std::vector<BytesItem> items;
    ValueTree nesting;
    ExpandedTensors expanded;
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    std::unordered_map<std::string, Range> itemTensors; ///< by the name of a bytes item
    std::unordered_map<std::string, Error> failed;      ///< items that could not be read at opening
};

std::vector<std::size_t> inFileOrder(const std::vector<BytesItem>& items) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].stored) {
            order.push_back(i);
        }
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return std::pair(items[a].file, items[a].bytes.offset) <
               std::pair(items[b].file, items[b].bytes.offset);
    });
    return order;
}

/// Items are read one after the other: on another machine that would be a round trip for each.
void fetchEnds(ShardOpener& opener, const std::vector<CheckpointFile>& shards,
               const std::vector<BytesItem>& items, const std::vector<std::size_t>& order,
               const CancelToken& cancel) {
    std::vector<ByteSourcePtr> open;
    std::vector<SoonRead> reads;
    for (const std::size_t i : order) {
        const BytesItem& item = items[i];
        const auto shard = opener.open(shards[item.file.position()]);
        if (shard && !isFetched(**shard)) {
            return; // on this machine
        }
        if (!shard || item.lost) {
            continue;
        }
        if (open.empty() || open.back() != *shard) {
            open.push_back(*shard);
        }
        addItemReads(reads, **shard, item.bytes);
    }
    (void)prefetch(reads, cancel);
}

/// Adds an item's tensors to the checkpoint, with its names and file indices.
void adopt(CheckpointData& data, const BytesItem& item, ItemContent content) {
    const std::size_t firstTensor = data.tensors.size();
    for (TensorEntry& tensor : takeTensors(data, item, content)) {
        if (tensor.aliasOf) {
            tensor.aliasOf = TensorIndex(firstTensor + tensor.aliasOf->position());
        }
        data.tensors.push_back(std::move(tensor));
    }
}

/// Adds the checksums of the item's records, so that `check` compares them. REQUIRES: before
/// adopt(), which takes the decoded data.
void addChecksums(CheckpointData& data, const BytesItem& item, ItemContent& content) {
    for (StoredChecksum& checksum : content.checksums) {
        const std::size_t local = checksum.file.position();
        checksum.file = local == 0 ? item.file : FileIndex(data.files.size() + local - 1);
        checksum.what = item.name + "/" + checksum.what;
        if (local == 0 || !content.tensors.empty()) { // otherwise the decoded data is not kept
            data.checksums.push_back(std::move(checksum));
        }
    }
}

class Loader {
public:
    Loader(const ValueSource& source, const CancelToken& cancel)
        : m_source(source), m_cancel(cancel) {}

    Result<LoadedValues> load() {
        CAIRN_CHECK(readItems());
        // Their names and nesting are in the index, which has no checksum.
        m_records.unchecked += m_source.items.empty() ? 0 : 1;
        Value root = m_source.nesting.grow([this](std::uint32_t leaf) {
            const std::size_t position = leaf / 2;
            return leaf == tensorLeaf(position) ? m_source.expanded.valueOf(position)
                                                : m_items[position];
        });
        return LoadedValues(std::move(root), m_records);
    }

private:
    Result<void> readItems() {
        m_items.resize(m_source.items.size());
        ShardOpener opener;
        const std::vector<std::size_t> order = inFileOrder(m_source.items);
        fetchEnds(opener, m_source.shards, m_source.items, order, m_cancel);
        for (const std::size_t i : order) {
            CAIRN_CHECK(m_cancel.check());
            const BytesItem& item = m_source.items[i];
            auto content = readItem(opener, m_source.shards[item.file.position()], item);
            if (!content && content.error().code == ErrorCode::Cancelled) {
                return std::move(content).error();
            }
            if (content) {
                ++(content->compared ? m_records.compared : m_records.unchecked);
            }
            m_items[i] =
                content ? valueOf(item, *content) : unreadable(item, std::move(content).error());
        }
        return {};
    }

    /// An item whose tensors were not found at opening stays unreadable: its value would refer to
    /// them.
    Result<ItemContent> readItem(ShardOpener& opener, const CheckpointFile& shard,
                                 const BytesItem& item) const {
        if (const auto failed = m_source.failed.find(item.name); failed != m_source.failed.end()) {
            return failed->second;
        }
        CAIRN_TRY(const ByteSourcePtr source, opener.open(shard));
        CAIRN_TRY(ItemContent content, readItemContent(source, item, m_cancel));
        const bool listed = m_source.itemTensors.contains(item.name); // `check` compares them
        if (!listed) {
            CAIRN_CHECK(compareRecords(*source, item, content));
        }
        return content;
    }

    /// The records of tensors that are not shown as such: of one of very many small items.
    static Result<void> compareRecords(const ByteSource& shard, const BytesItem& item,
                                       const ItemContent& content) {
        for (const StoredChecksum& stored : content.checksums) {
            if (stored.file.position() != 0 || stored.crc32 == 0 ||
                stored.bytes.length > kLargeItem) {
                continue;
            }
            CAIRN_TRY(const auto bytes, readRange(shard, stored.bytes));
            if (crc32(0, bytes) != stored.crc32) {
                return fail(ErrorCode::BadChecksum, "The stored checksum does not match the data")
                    .at(stored.bytes.offset)
                    .inField(item.name + "/" + stored.what);
            }
        }
        return {};
    }

    Value unreadable(const BytesItem& item, Error error) const {
        error.where.file = m_source.shards[item.file.position()].path;
        error.where.offset = item.bytes.offset;
        error.where.field = item.name;
        return unreadableValue(error);
    }

    Value valueOf(const BytesItem& item, const ItemContent& content) const {
        if (content.tensors.empty()) {
            return content.value;
        }
        const auto known = m_source.itemTensors.find(item.name);
        if (known ==
            m_source.itemTensors
                .end()) { // one of very many small items, whose tensors were not searched for
            return Value::object(
                "cairn.TensorsInside",
                {{Value("count"), Value(static_cast<std::int64_t>(content.tensors.size()))}});
        }
        return shiftTensors(content.value, known->second.first);
    }

    const ValueSource& m_source;
    const CancelToken& m_cancel;
    std::vector<Value> m_items;
    ValueRecords m_records;
};

void collectTensors(const Value& value, std::vector<std::size_t>& out) {
    if (const TensorIndex* index = value.asTensor()) {
        out.push_back(index->position());
    }
    for (const ValueItem& item : value.items()) {
        collectTensors(item.value, out);
    }
}

/// Uses the planner's nesting, so that the key "model.scaler.weight" is not mistaken for state of a
/// training loop.
void decideRolesIn(const ValueSource& source, CheckpointData& data) {
    const auto tensorsOf = [&](std::uint32_t leaf, std::vector<std::size_t>& out) {
        const std::size_t position = leaf / 2;
        if (leaf == tensorLeaf(position)) {
            collectTensors(source.expanded.valueOf(position), out);
        } else if (const auto own = source.itemTensors.find(source.items[position].name);
                   own != source.itemTensors.end()) {
            for (std::uint32_t i = 0; i < own->second.count; ++i) {
                out.push_back(own->second.first + i);
            }
        }
    };
    const PartsBelow below = [&](const RolePart& part) {
        return source.nesting.parts(part.node, tensorsOf);
    };
    decideRoles(source.nesting.parts(0, tensorsOf), below, data.tensors);
}

} // namespace

std::vector<RankStep> prepareValues(CheckpointData& data, DcpIndex index, ExpandedTensors expanded,
                                    std::size_t shardCount, const CancelToken& cancel) {
    auto source = std::make_shared<ValueSource>();
    source->shards.assign(data.files.begin(),
                          data.files.begin() + static_cast<std::ptrdiff_t>(shardCount));
    source->items = std::move(index.items);
    source->nesting = std::move(index.nesting);
    source->expanded = std::move(expanded);
    std::vector<RankStep> steps;
    ShardOpener opener;
    const bool few = source->items.size() <= kFewItems;
    std::size_t ranks = 0;
    std::vector<std::size_t> order = inFileOrder(source->items);
    std::erase_if(order, [&](std::size_t i) {
        const BytesItem& item = source->items[i];
        const bool isRanks = mayRecordRankStep(item.name) && ++ranks <= kMostRankItems;
        return item.lost || !(few || item.bytes.length > kLargeItem || isRanks);
    });
    fetchEnds(opener, source->shards, source->items, order, cancel);
    for (const std::size_t i : order) {
        const BytesItem& item = source->items[i];
        if (cancel.cancelled()) {
            break;
        }
        auto shard = opener.open(source->shards[item.file.position()]);
        auto content =
            shard ? readItemContent(*shard, item, cancel) : Result<ItemContent>(shard.error());
        if (!content) {
            source->failed.emplace(item.name, std::move(content).error());
            continue;
        }
        addRankSteps(item, content->value, steps);
        addChecksums(data, item, *content);
        if (!content->tensors.empty()) {
            const auto first = static_cast<std::uint32_t>(data.tensors.size());
            const auto count = static_cast<std::uint32_t>(content->tensors.size());
            source->itemTensors.emplace(item.name, ValueSource::Range{first, count});
            adopt(data, item, std::move(*content));
        }
    }
    decideRolesIn(*source, data);
    data.loadValues = [source](const CancelToken& token) { return Loader(*source, token).load(); };
    return steps;
}

ValueLoader withCompanion(ValueLoader own, CheckpointPtr companion, std::uint32_t shift) {
    return [own = std::move(own), companion = std::move(companion),
            shift](const CancelToken& cancel) -> Result<LoadedValues> {
        CAIRN_TRY(LoadedValues nested, own(cancel));
        const auto beside = companion->valuesWithRecords(cancel);
        if (!beside && beside.error().code == ErrorCode::Cancelled) {
            return beside.error();
        }
        std::vector<ValueItem> items;
        if (beside) {
            nested.records += beside->records;
            items = shiftTensors(beside->value, shift).items();
        } else {
            items.push_back(
                {Value(companion->path().filename().string()), unreadableValue(beside.error())});
        }
        for (const ValueItem& item : nested.value.items()) {
            const auto same = std::ranges::find_if(items, [&](const ValueItem& other) {
                return keyText(other.key) == keyText(item.key);
            });
            if (same == items.end()) {
                items.push_back(item);
            } else if (!same->value.isContainer() || same->value.items().empty()) {
                same->value = item.value; // an empty placeholder
            }
        }
        return LoadedValues(Value::dict(std::move(items)), nested.records);
    };
}

} // namespace cairn::formats::dcp
