// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/json_settings.h"

#include <map>

namespace cairn::history {
namespace {

Value dictOf(std::span<const JsonMember> members) {
    std::vector<ValueItem> items;
    std::map<std::string_view, std::size_t> places;
    for (const JsonMember& member : members) {
        const auto [place, fresh] = places.emplace(member.key, items.size());
        if (fresh) {
            items.push_back({Value(member.key), valueOf(member.value)});
        } else {
            items[place->second].value = valueOf(member.value);
        }
    }
    return Value::dict(std::move(items));
}

} // namespace

Value valueOf(const JsonValue& json) {
    switch (json.kind()) {
    case JsonKind::Null:
        return {};
    case JsonKind::Bool:
        return std::get<bool>(json.storage());
    case JsonKind::Integer:
        return std::get<std::int64_t>(json.storage());
    case JsonKind::Unsigned:
        return BigInt{std::to_string(std::get<std::uint64_t>(json.storage()))};
    case JsonKind::BigInteger:
        return BigInt{std::get<JsonBigInteger>(json.storage()).digits};
    case JsonKind::Real:
        return std::get<double>(json.storage());
    case JsonKind::String:
        return std::get<std::string>(json.storage());
    case JsonKind::Array: {
        std::vector<Value> values;
        for (const JsonValue& element : json.elements()) {
            values.push_back(valueOf(element));
        }
        return Value::list(std::move(values));
    }
    case JsonKind::Object:
        return dictOf(json.members());
    }
    return {};
}

std::string textIn(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    const auto text = value != nullptr ? value->asString() : Result<std::string_view>(Error());
    return text ? std::string(*text) : std::string();
}

} // namespace cairn::history
