// SPDX-License-Identifier: Apache-2.0
#include "core/formats/orbax/tree.h"

#include "core/base/position_table.h"

#include <algorithm>
#include <functional>

namespace cairn::formats::orbax {
namespace {

constexpr std::size_t kMaxKeys = 200; ///< depth of the tree
constexpr std::int64_t kSequence = 1; ///< key_type
constexpr std::string_view kMembers = "tree_metadata";

Error bad(std::string field, Sentence found) {
    return fail(ErrorCode::OrbaxBadMetadata, "The tree in _METADATA is invalid")
        .inField(std::move(field))
        .butFound(std::move(found));
}

std::string keyOf(const JsonValue* value) {
    if (value == nullptr) {
        return {};
    }
    if (const auto text = value->asString()) {
        return std::string(*text);
    }
    const auto number = value->asInteger();
    return number ? std::to_string(*number) : std::string();
}

Result<Leaf> readLeaf(const JsonMember& member) {
    const JsonValue* keys = member.value.find("key_metadata");
    if (keys == nullptr || keys->kind() != JsonKind::Array || keys->elements().size() > kMaxKeys) {
        return bad(member.key, "not a list of keys");
    }
    Leaf leaf;
    leaf.keys.reserve(keys->elements().size());
    for (const JsonValue& key : keys->elements()) {
        const JsonValue* type = key.find("key_type");
        TreeKey part{keyOf(key.find("key")),
                     type != nullptr && type->asInteger().value_or(0) == kSequence};
        leaf.name += leaf.keys.empty() ? "" : ".";
        leaf.name += part.text;
        leaf.keys.push_back(std::move(part));
    }
    leaf.name = leaf.name.empty() ? std::string(kRootArray) : std::move(leaf.name);
    if (const JsonValue* value = member.value.find("value_metadata")) {
        leaf.type = keyOf(value->find("value_type"));
        const JsonValue* skip = value->find("skip_deserialize");
        leaf.stored = skip == nullptr || !skip->asBool().value_or(false);
    }
    return leaf;
}

/// The nested containers under construction.
class ContainerBuilder {
public:
    ContainerBuilder() { m_nodes.emplace_back(); }

    void add(const Leaf& leaf, Value value) {
        std::size_t at = 0;
        for (std::size_t i = 0; i + 1 < leaf.keys.size(); ++i) {
            const auto next = child(at, leaf.keys[i]);
            if (!next) {
                return;
            }
            at = *next;
        }
        if (!leaf.keys.empty()) {
            Node& node = m_nodes[at];
            node.isSequence = leaf.keys.back().isPosition;
            if (!node.find(leaf.keys.back().text)) {
                node.add(leaf.keys.back().text, std::move(value), 0);
            }
        }
    }

    /// Recursion is limited to kMaxKeys.
    Value take(std::size_t at = 0) {
        Node& node = m_nodes[at];
        std::vector<ValueItem> items;
        items.reserve(node.items.size());
        if (node.isSequence) {
            std::ranges::stable_sort(node.items, [](const Item& a, const Item& b) {
                return a.key.size() != b.key.size() ? a.key.size() < b.key.size() : a.key < b.key;
            });
        }
        std::vector<Value> values;
        for (Item& item : node.items) {
            Value value = item.node != 0 ? take(item.node) : std::move(item.value);
            if (node.isSequence) {
                values.push_back(std::move(value));
            } else {
                items.push_back({Value(std::move(item.key)), std::move(value)});
            }
        }
        return node.isSequence ? Value::list(std::move(values)) : Value::dict(std::move(items));
    }

private:
    struct Item {
        std::string key;
        Value value;
        std::size_t node = 0; ///< index of a container; 0: `value` is used
    };
    struct Node {
        bool isSequence = false;
        std::vector<Item> items;
        PositionTable names; ///< indexes `items`

        [[nodiscard]] std::optional<std::uint32_t> find(const std::string& key) const {
            const auto same = [&](std::uint32_t position) { return items[position].key == key; };
            return !items.empty() &&
                           items.back().key == key // leaves of one container are consecutive
                       ? std::optional(static_cast<std::uint32_t>(items.size() - 1))
                       : names.find(std::hash<std::string>()(key), same);
        }
        void add(const std::string& key, Value value, std::size_t node) {
            names.add(std::hash<std::string>()(key), static_cast<std::uint32_t>(items.size()),
                      [](std::uint32_t) { return false; });
            items.push_back({key, std::move(value), node});
        }
    };

    /// The container under a key; empty if there is a leaf.
    std::optional<std::size_t> child(std::size_t at, const TreeKey& key) {
        m_nodes[at].isSequence = key.isPosition;
        if (const auto known = m_nodes[at].find(key.text)) {
            const std::size_t node = m_nodes[at].items[*known].node;
            return node != 0 ? std::optional(node) : std::nullopt;
        }
        const std::size_t fresh = m_nodes.size();
        m_nodes.emplace_back();
        m_nodes[at].add(key.text, Value(), fresh);
        return fresh;
    }

    std::vector<Node> m_nodes;
};

} // namespace

JsonMemberSink TreeMetadata::sink() {
    return {kMembers, [this](JsonMember&& member) -> Result<void> {
                CAIRN_TRY(Leaf leaf, readLeaf(member));
                leaves.push_back(std::move(leaf));
                return {};
            }};
}

Result<void> TreeMetadata::finish(const JsonValue& root) {
    const JsonValue* members = root.find(kMembers);
    if (members == nullptr || members->kind() != JsonKind::Object) {
        return bad(std::string(kMembers), "not an object");
    }
    if (const JsonValue* stores = root.find("store_array_data_equal_to_fill_value")) {
        if (const auto flag = stores->asBool()) {
            storesEveryChunk = *flag;
        }
    }
    return {};
}

Value nestedValues(const std::vector<Leaf>& leaves,
                   const std::function<std::optional<Value>(const Leaf&)>& valueOf) {
    if (leaves.size() == 1 && leaves.front().keys.empty()) {
        return valueOf(leaves.front()).value_or(Value());
    }
    ContainerBuilder builder;
    for (const Leaf& leaf : leaves) {
        if (auto value = valueOf(leaf)) {
            builder.add(leaf, std::move(*value));
        }
    }
    return builder.take();
}

std::vector<ValueItem> itemsByKey(const Value& root) {
    if (!root.isContainer()) {
        return {{Value(kRootArray), root}};
    }
    std::vector<ValueItem> items = root.items();
    for (std::size_t i = 0; i < items.size() && root.kind() == ValueKind::List; ++i) {
        items[i].key = Value(std::to_string(i));
    }
    return items;
}

} // namespace cairn::formats::orbax
