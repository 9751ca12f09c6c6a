// SPDX-License-Identifier: Apache-2.0
#include "core/codec/json/json_value.h"

#include <array>
#include <limits>

namespace cairn {
namespace {

Error wrongType(const JsonValue& value, std::string_view wanted) {
    return fail(ErrorCode::JsonWrongType, "A JSON value has the wrong type")
        .butFound(fixedText(jsonKindName(value.kind())))
        .expecting(verbatim(std::string(wanted)));
}

} // namespace

JsonValue::JsonValue() : m_storage(nullptr) {}
JsonValue::JsonValue(Storage storage) : m_storage(std::move(storage)) {}
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

std::string_view jsonKindName(JsonKind kind) {
    constexpr auto kNames = std::to_array<std::string_view>({"null", "a boolean", "an integer",
                                                             "an integer", "an integer", "a number",
                                                             "a string", "an array", "an object"});
    return kNames.at(static_cast<std::size_t>(kind));
}

Result<bool> JsonValue::asBool() const {
    const bool* value = std::get_if<bool>(&m_storage);
    if (value == nullptr) {
        return wrongType(*this, "a boolean");
    }
    return *value;
}

Result<std::int64_t> JsonValue::asInteger() const {
    const std::int64_t* value = std::get_if<std::int64_t>(&m_storage);
    if (value == nullptr) {
        return wrongType(*this, "a 64-bit integer");
    }
    return *value;
}

Result<std::uint64_t> JsonValue::asUnsigned() const {
    if (const auto* value = std::get_if<std::uint64_t>(&m_storage)) {
        return *value;
    }
    const std::int64_t* value = std::get_if<std::int64_t>(&m_storage);
    if (value == nullptr || *value < 0) {
        return wrongType(*this, "a non-negative integer");
    }
    return static_cast<std::uint64_t>(*value);
}

Result<double> JsonValue::asReal() const {
    switch (kind()) {
    case JsonKind::Integer:
        return static_cast<double>(std::get<std::int64_t>(m_storage));
    case JsonKind::Unsigned:
        return static_cast<double>(std::get<std::uint64_t>(m_storage));
    case JsonKind::BigInteger: {
        double sum = 0;
        const std::string& digits = std::get<JsonBigInteger>(m_storage).digits;
        for (const char digit : digits) {
            sum = digit == '-' ? sum : sum * 10 + (digit - '0');
        }
        return digits.front() == '-' ? -sum : sum;
    }
    case JsonKind::Real:
        return std::get<double>(m_storage);
    default:
        return wrongType(*this, "a number");
    }
}

Result<Number> JsonValue::asNumber() const {
    if (const auto* whole = std::get_if<std::int64_t>(&m_storage)) {
        return Number(*whole);
    }
    if (const auto* whole = std::get_if<std::uint64_t>(&m_storage)) {
        return Number(*whole);
    }
    CAIRN_TRY(const double real, asReal());
    return Number(real);
}

Result<std::string_view> JsonValue::asString() const {
    const std::string* value = std::get_if<std::string>(&m_storage);
    if (value == nullptr) {
        return wrongType(*this, "a string");
    }
    return std::string_view(*value);
}

Result<std::span<const JsonValue>> JsonValue::asArray() const {
    const JsonArray* value = std::get_if<JsonArray>(&m_storage);
    if (value == nullptr) {
        return wrongType(*this, "an array");
    }
    return std::span<const JsonValue>(*value);
}

Result<std::span<const JsonMember>> JsonValue::asObject() const {
    const JsonObject* value = std::get_if<JsonObject>(&m_storage);
    if (value == nullptr) {
        return wrongType(*this, "an object");
    }
    return std::span<const JsonMember>(*value);
}

std::span<const JsonValue> JsonValue::elements() const {
    const JsonArray* value = std::get_if<JsonArray>(&m_storage);
    return value == nullptr ? std::span<const JsonValue>() : std::span<const JsonValue>(*value);
}

std::span<const JsonMember> JsonValue::members() const {
    const JsonObject* value = std::get_if<JsonObject>(&m_storage);
    return value == nullptr ? std::span<const JsonMember>() : std::span<const JsonMember>(*value);
}

const JsonValue* JsonValue::find(std::string_view key) const {
    const JsonObject* object = std::get_if<JsonObject>(&m_storage);
    if (object == nullptr) {
        return nullptr;
    }
    for (auto member = object->rbegin(); member != object->rend(); ++member) {
        if (member->key == key) {
            return &member->value;
        }
    }
    return nullptr;
}

} // namespace cairn
