// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// JSON as a plain tree, for the small documents around a checkpoint (configurations, indexes,
/// trainer states). Source: RFC 8259; Python's json module for the bare NaN, Infinity, -Infinity.
namespace cairn {

class JsonValue;
struct JsonMember;
using JsonArray = std::vector<JsonValue>;
/// In file order, with repeated keys.
using JsonObject = std::vector<JsonMember>;

/// An integer outside [-2^63, 2^64), kept as its decimal text.
struct JsonBigInteger {
    std::string digits;
    friend bool operator==(const JsonBigInteger&, const JsonBigInteger&) = default;
};

enum class JsonKind : std::uint8_t {
    Null,
    Bool,
    Integer,    ///< fits int64_t
    Unsigned,   ///< above int64_t, fits uint64_t
    BigInteger, ///< outside both
    Real,       ///< may be NaN or infinite when read tolerantly
    String,
    Array,
    Object,
};

/// A value type; a tree without sharing. Its destructor does not recurse deeper than the parser's
/// depth limit. The as…() accessors fail with JsonWrongType, which names the actual type.
class JsonValue {
public:
    using Storage = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, JsonBigInteger,
                                 double, std::string, JsonArray, JsonObject>;
    JsonValue();
    explicit JsonValue(Storage storage);
    JsonValue(const JsonValue&);
    JsonValue(JsonValue&&) noexcept;
    JsonValue& operator=(const JsonValue&);
    JsonValue& operator=(JsonValue&&) noexcept;
    ~JsonValue();

    [[nodiscard]] JsonKind kind() const { return static_cast<JsonKind>(m_storage.index()); }
    [[nodiscard]] bool isNull() const { return kind() == JsonKind::Null; }
    [[nodiscard]] const Storage& storage() const { return m_storage; }

    [[nodiscard]] Result<bool> asBool() const;
    [[nodiscard]] Result<std::int64_t> asInteger() const;
    [[nodiscard]] Result<std::uint64_t> asUnsigned() const;
    /// Any number; integers are rounded to the nearest double.
    [[nodiscard]] Result<double> asReal() const;
    /// Any number; integers of 64 bits exactly, longer ones rounded.
    [[nodiscard]] Result<Number> asNumber() const;
    [[nodiscard]] Result<std::string_view> asString() const;
    [[nodiscard]] Result<std::span<const JsonValue>> asArray() const;
    [[nodiscard]] Result<std::span<const JsonMember>> asObject() const;

    /// All elements or members; empty if this is of another kind.
    [[nodiscard]] std::span<const JsonValue> elements() const;
    [[nodiscard]] std::span<const JsonMember> members() const;

    /// The last member of that name (as in Python's json), or null; null also if this is not an
    /// object. O(members).
    [[nodiscard]] const JsonValue* find(std::string_view key) const;

private:
    Storage m_storage;
};

struct JsonMember {
    std::string key;
    JsonValue value;
};

std::string_view jsonKindName(JsonKind kind);

struct JsonOptions {
    bool allowNonFinite = true; ///< bare NaN, Infinity, -Infinity as Python writes them
    bool refuseDuplicateKeys = false;
    std::size_t maxDepth = 1000;       ///< nested containers
    std::size_t maxValues = 4'000'000; ///< bounds memory: a value takes more space than its text
};

/// Parses one document; a UTF-8 byte order mark is skipped. `name` is for messages. Memory: about 5
/// times the text. Fails: JsonSyntax (with the offset where known), JsonTooDeep, JsonDuplicateKey,
/// BadEncoding (not UTF-8), LimitExceeded (too many values).
Result<JsonValue> parseJson(std::string_view text, std::string_view name,
                            const JsonOptions& options = {});

/// Receives the members of one large object, so that they need not be kept as a tree. `take` gets
/// each member of the object under `key` in the root object, in file order. An error from it ends
/// the parsing and is reported for the file called `name`. In the returned tree that object is
/// empty. JsonOptions::maxValues applies to each member separately.
struct JsonMemberSink {
    std::string_view key;
    std::function<Result<void>(JsonMember&&)> take;
};
Result<JsonValue> parseJson(std::string_view text, std::string_view name,
                            const JsonMemberSink& sink, const JsonOptions& options = {});

} // namespace cairn
