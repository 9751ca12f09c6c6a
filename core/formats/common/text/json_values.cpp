// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/text/json_values.h"

#include "core/base/endian.h"
#include "core/formats/content_mismatch.h"

#include <unordered_map>

namespace cairn {
namespace {

Value dictFromJson(const JsonObject& object) {
    std::vector<ValueItem> items;
    items.reserve(object.size());
    std::unordered_map<std::string_view, std::size_t> positions;
    for (const JsonMember& member : object) {
        const auto [known, fresh] = positions.emplace(member.key, items.size());
        if (fresh) {
            items.push_back({Value(member.key), valueFromJson(member.value)});
        } else {
            items[known->second].value = valueFromJson(member.value);
        }
    }
    return Value::dict(std::move(items));
}

} // namespace

Value valueFromJson(const JsonValue& json) {
    const JsonValue::Storage& storage = json.storage();
    switch (json.kind()) {
    case JsonKind::Null:
        return {};
    case JsonKind::Bool:
        return {std::get<bool>(storage)};
    case JsonKind::Integer:
        return {std::get<std::int64_t>(storage)};
    case JsonKind::Unsigned:
        return {BigInt{std::to_string(std::get<std::uint64_t>(storage))}};
    case JsonKind::BigInteger:
        return {BigInt{std::get<JsonBigInteger>(storage).digits}};
    case JsonKind::Real:
        return {std::get<double>(storage)};
    case JsonKind::String:
        return {std::get<std::string>(storage)};
    case JsonKind::Array: {
        std::vector<Value> items;
        for (const JsonValue& item : std::get<JsonArray>(storage)) {
            items.push_back(valueFromJson(item));
        }
        return Value::list(std::move(items));
    }
    case JsonKind::Object:
        return dictFromJson(std::get<JsonObject>(storage));
    }
    return {};
}

Result<JsonValue> readJsonFile(const ByteSource& source, std::uint64_t limit,
                               const JsonMemberSink* sink) {
    if (source.size() > limit) {
        return fail(ErrorCode::LimitExceeded, "The JSON file is too large")
            .inFile(source.name())
            .butFound(sentence("%1 bytes", source.size()))
            .expecting(sentence("at most %1", limit));
    }
    CAIRN_TRY(const auto bytes, readRange(source, {0, source.size()}));
    auto value = sink == nullptr ? parseJson(asText(bytes), source.name())
                                 : parseJson(asText(bytes), source.name(), *sink);
    if (!value) { // the kind of file that it is instead explains more than a syntax error
        if (auto error = formats::contentMismatch(bytes, bytes, bytes.size(), source.name())) {
            return std::move(*error);
        }
    }
    return value;
}

Result<JsonValue> readJsonFile(const Result<ByteSourcePtr>& source, std::uint64_t limit) {
    return source.and_then(
        [&](const ByteSourcePtr& opened) { return readJsonFile(*opened, limit); });
}

} // namespace cairn
