// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/values.h"

#include "core/formats/dcp/item_content.h"
#include "core/formats/dcp/names.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

namespace cairn::formats::dcp {
namespace {

/// What the loader keeps of the index: the plain values and where they belong, not the tensors.
struct ValueSource {
    std::vector<CheckpointFile> shards; ///< by FileIndex
    std::vector<BytesItem> items;
    ValueTree nesting;
    std::unordered_map<std::string, std::uint32_t>
        itemTensors; ///< name of a bytes item -> its first tensor
};

/// Opens shards one after another; items are visited in file order.
class ShardOpener {
public:
    Result<ByteSourcePtr> open(const CheckpointFile& file) {
        if (m_last != &file) {
            m_last = nullptr;
            if (file.missing) {
                return fail(ErrorCode::MissingShard, "A shard is missing").inFile(file.path);
            }
            CAIRN_TRY(m_source, file.folder->openFile(file.path));
            if (m_source->identity() != file.identity) {
                return fail(ErrorCode::ChangedOnDisk,
                            "The shard was changed since the checkpoint was opened")
                    .inFile(file.path)
                    .withHint("Refresh once the writer has finished");
            }
            m_last = &file;
        }
        return m_source;
    }

private:
    const CheckpointFile* m_last = nullptr;
    ByteSourcePtr m_source;
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

/// Stands where an item cannot be read: one bad item does not hide the rest.
Value unreadable(const Error& error) {
    return Value::object("cairn.Unreadable", {{Value("code"), Value(errorName(error.code))},
                                              {Value("message"), Value(describe(error))}});
}

/// Adds an item's tensors to the checkpoint, with names and places of the whole.
void adopt(CheckpointData& data, const BytesItem& item, ItemContent content) {
    const std::size_t memory = data.files.size();
    const std::size_t firstTensor = data.tensors.size();
    for (std::size_t i = 0; i < content.memory.size(); ++i) {
        CheckpointFile file;
        file.path = data.files[item.file.position()].path;
        file.identity.size = content.memory[i]->size();
        file.source = std::move(content.memory[i]);
        data.addFile(std::move(file));
    }
    for (TensorEntry& tensor : content.tensors) {
        tensor.name = tensor.name.empty() ? item.name : item.name + "." + tensor.name;
        for (Piece& piece : tensor.pieces) {
            const std::size_t local = piece.file.position();
            piece.file = local == 0 ? item.file : FileIndex(memory + local - 1);
        }
        if (tensor.aliasOf) {
            tensor.aliasOf = TensorIndex(firstTensor + tensor.aliasOf->position());
        }
        if (const Role named = roleOf(tensor.name); named != Role::Weight) {
            tensor.role = named; // else as the item's own values tell
        }
        data.tensors.push_back(std::move(tensor));
    }
    for (Notice& notice : content.notices) {
        notice.error.where.file = data.files[item.file.position()].path;
        notice.error.where.offset = item.bytes.offset;
        notice.error.where.tensor = item.name;
        data.notices.push_back(std::move(notice));
    }
}

class Loader {
public:
    Loader(const ValueSource& source, const CancelToken& cancel)
        : m_source(source), m_cancel(cancel) {}

    Result<Value> load() {
        CAIRN_CHECK(readItems());
        return m_source.nesting.grow([this](std::uint32_t leaf) {
            const std::size_t position = leaf / 2;
            return leaf == tensorLeaf(position) ? Value(TensorIndex(position)) : m_items[position];
        });
    }

private:
    Result<void> readItems() {
        m_items.resize(m_source.items.size());
        ShardOpener opener;
        for (const std::size_t i : inFileOrder(m_source.items)) {
            CAIRN_CHECK(m_cancel.check());
            const BytesItem& item = m_source.items[i];
            auto content = readItem(opener, m_source.shards[item.file.position()], item);
            if (!content && content.error().code == ErrorCode::Cancelled) {
                return std::move(content).error();
            }
            m_items[i] = content ? valueOf(item, *content) : unreadable(content.error());
        }
        return {};
    }

    Result<ItemContent> readItem(ShardOpener& opener, const CheckpointFile& shard,
                                 const BytesItem& item) const {
        CAIRN_TRY(const ByteSourcePtr source, opener.open(shard));
        return readItemContent(source, item, m_cancel);
    }

    Value valueOf(const BytesItem& item, const ItemContent& content) const {
        if (content.tensors.empty()) {
            return content.value;
        }
        const auto known = m_source.itemTensors.find(item.name);
        if (known ==
            m_source.itemTensors.end()) { // small, among very many: its tensors were not looked for
            return Value::object(
                "cairn.TensorsInside",
                {{Value("count"), Value(static_cast<std::int64_t>(content.tensors.size()))}});
        }
        return shiftTensors(content.value, known->second);
    }

    const ValueSource& m_source;
    const CancelToken& m_cancel;
    std::vector<Value> m_items;
};

} // namespace

void prepareValues(CheckpointData& data, DcpIndex index, std::size_t shardCount,
                   const CancelToken& cancel) {
    auto source = std::make_shared<ValueSource>();
    source->shards.assign(data.files.begin(),
                          data.files.begin() + static_cast<std::ptrdiff_t>(shardCount));
    source->items = std::move(index.items);
    source->nesting = std::move(index.nesting);
    ShardOpener opener;
    const bool few = source->items.size() <= kFewItems;
    for (const std::size_t i : inFileOrder(source->items)) {
        const BytesItem& item = source->items[i];
        if (item.lost || (!few && item.bytes.length <= kLargeItem) || cancel.cancelled()) {
            continue;
        }
        auto shard = opener.open(source->shards[item.file.position()]);
        auto content =
            shard ? readItemContent(*shard, item, cancel) : Result<ItemContent>(shard.error());
        if (content && !content->tensors.empty()) {
            source->itemTensors.emplace(item.name, static_cast<std::uint32_t>(data.tensors.size()));
            adopt(data, item, std::move(*content));
        }
    }
    data.loadValues = [source](const CancelToken& token) { return Loader(*source, token).load(); };
}

ValueLoader withCompanion(ValueLoader own, CheckpointPtr companion, std::uint32_t shift) {
    return [own = std::move(own), companion = std::move(companion),
            shift](const CancelToken& cancel) -> Result<Value> {
        CAIRN_TRY(const Value nested, own(cancel));
        auto beside = companion->values(cancel);
        if (!beside) {
            return beside;
        }
        std::vector<ValueItem> items = shiftTensors(*beside, shift).items();
        for (const ValueItem& item : nested.items()) {
            const auto same = std::ranges::find_if(items, [&](const ValueItem& other) {
                return keyText(other.key) == keyText(item.key);
            });
            if (same == items.end()) {
                items.push_back(item);
            } else if (!same->value.isContainer() || same->value.items().empty()) {
                same->value = item.value; // an empty place holder
            }
        }
        return Value::dict(std::move(items));
    };
}

} // namespace cairn::formats::dcp
