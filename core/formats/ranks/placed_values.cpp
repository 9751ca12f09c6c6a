// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/placed_values.h"

#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn::formats::ranks {
namespace {

constexpr std::string_view kHolder = "<position of a tensor>";

Value copyWithPlaces(const Value& value, const TensorPlaces& places,
                     std::unordered_map<const ValueNode*, Value>& done) {
    const ValueNode* node = value.asNode();
    if (node == nullptr) {
        return value;
    }
    if (const auto known = done.find(node); known != done.end()) {
        return known->second;
    }
    if (node->className == kHolder) {
        const Value* name = value.find("name");
        const auto place =
            places.find(name == nullptr || name->asString() == nullptr ? "" : *name->asString());
        return place == places.end() ? Value() : Value(place->second);
    }
    ValueNode copy{node->kind, node->className, {}};
    for (const ValueItem& item : node->items) {
        const ValueNode* inner = item.value.asNode();
        Value placed = copyWithPlaces(item.value, places, done);
        const bool gone = inner != nullptr && inner->className == kHolder &&
                          placed.kind() == ValueKind::Null && item.key.kind() != ValueKind::Null;
        if (!gone) {
            copy.items.push_back({item.key, std::move(placed)});
        }
    }
    return done.emplace(node, Value::container(std::move(copy))).first->second;
}

} // namespace

Value placeholder(const std::string& name) {
    return Value::object(std::string(kHolder), {{Value("name"), Value(name)}});
}

Value withPlaces(const Value& value, const TensorPlaces& places) {
    std::unordered_map<const ValueNode*, Value> done;
    return copyWithPlaces(value, places, done);
}

Value withRanks(Value values, std::map<std::uint32_t, std::vector<ValueItem>> ranks) {
    const ValueNode* root = values.asNode();
    if (ranks.empty() || root == nullptr || root->kind != ValueKind::Dict) {
        return values;
    }
    ValueNode copy = *root;
    for (auto& [rank, items] : ranks) {
        copy.items.push_back(
            {Value("rank_" + std::to_string(rank)), Value::dict(std::move(items))});
    }
    return Value::container(std::move(copy));
}

} // namespace cairn::formats::ranks
