// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/metadata.h"

#include <array>
#include <bit>

namespace cairn::formats::gguf {
namespace {

constexpr std::uint64_t kMaxKey = 65535; // limit in the specification
constexpr std::uint64_t kMaxText = std::uint64_t{16} << 20U;
constexpr std::size_t kMaxDepth = 16; // of nested arrays
constexpr std::uint64_t kCheckItems = 65536;

struct TypeInfo {
    std::string_view name;
    std::uint8_t bytes; ///< 0: no fixed size
};

constexpr auto kValueTypes = std::to_array<TypeInfo>({{"uint8", 1},
                                                      {"int8", 1},
                                                      {"uint16", 2},
                                                      {"int16", 2},
                                                      {"uint32", 4},
                                                      {"int32", 4},
                                                      {"float32", 4},
                                                      {"bool", 1},
                                                      {"string", 0},
                                                      {"array", 0},
                                                      {"uint64", 8},
                                                      {"int64", 8},
                                                      {"float64", 8}});

const TypeInfo& infoOf(MetaType type) {
    return kValueTypes.at(static_cast<std::size_t>(type));
}

Error badMetadata(const HeaderCursor& cursor, Sentence message) {
    return fail(ErrorCode::GgufBadMetadata, std::move(message))
        .inFile(cursor.source().name())
        .at(cursor.position());
}

Result<MetaType> typeAt(HeaderCursor& cursor) {
    const std::uint64_t start = cursor.position();
    CAIRN_TRY(const auto type, cursor.number<std::uint32_t>("type of a metadata value"));
    if (type >= kValueTypes.size()) {
        return fail(ErrorCode::GgufBadMetadata, "Unknown type of a metadata value")
            .inFile(cursor.source().name())
            .at(start)
            .butFound(verbatim(std::to_string(type)))
            .expecting("0 to 12");
    }
    return static_cast<MetaType>(type);
}

struct ArrayHead {
    MetaType type{};
    std::uint64_t count = 0;
};

/// Least size of a value of this type.
std::uint64_t leastBytes(const HeaderCursor& cursor, MetaType type) {
    const TypeInfo& info = infoOf(type);
    return info.bytes != 0            ? info.bytes
           : type == MetaType::String ? cursor.countBytes()
                                      : 4 + cursor.countBytes();
}

Result<ArrayHead> arrayHead(HeaderCursor& cursor) {
    CAIRN_TRY(const MetaType type, typeAt(cursor));
    CAIRN_TRY(const std::uint64_t count, cursor.count("length of an array"));
    if (count > cursor.remaining() / leastBytes(cursor, type)) {
        return fail(ErrorCode::Truncated, "A metadata array is longer than the file")
            .inFile(cursor.source().name())
            .at(cursor.position())
            .butFound(sentence("%1 of %2", count, infoOf(type).name));
    }
    return ArrayHead{type, count};
}

Result<void> skipText(HeaderCursor& cursor) {
    CAIRN_TRY(const std::uint64_t length, cursor.count("length of a string"));
    return cursor.skip(length, "text");
}

/// Arrays may be nested; the open ones are in a list instead of on the call stack.
Result<void> skipArray(HeaderCursor& cursor) {
    std::vector<std::uint64_t> open; // for each, the number of inner arrays still to come
    CAIRN_TRY(ArrayHead head, arrayHead(cursor));
    while (true) {
        if (head.type == MetaType::Array) {
            open.push_back(head.count);
            if (open.size() > kMaxDepth) {
                return badMetadata(cursor, "Metadata arrays are nested too deeply");
            }
        } else if (head.type == MetaType::String) {
            for (std::uint64_t i = 0; i < head.count; ++i) {
                CAIRN_CHECK(skipText(cursor));
            }
        } else {
            CAIRN_CHECK(cursor.skip(head.count * infoOf(head.type).bytes, "array"));
        }
        while (!open.empty() && open.back() == 0) {
            open.pop_back();
        }
        if (open.empty()) {
            return {};
        }
        --open.back();
        CAIRN_TRY(head, arrayHead(cursor));
    }
}

Value unsignedValue(std::uint64_t value) {
    return std::bit_cast<std::int64_t>(value) < 0 ? Value(BigInt{std::to_string(value)})
                                                  : Value(static_cast<std::int64_t>(value));
}

Value numberAt(const HeaderCursor& cursor, MetaType type, std::span<const std::byte> bytes,
               std::size_t at) {
    const auto integer = [&]<class T>(T) {
        return Value(static_cast<std::int64_t>(cursor.load<T>(bytes, at)));
    };
    switch (type) {
    case MetaType::Uint8:
        return integer(std::uint8_t{});
    case MetaType::Int8:
        return integer(std::int8_t{});
    case MetaType::Uint16:
        return integer(std::uint16_t{});
    case MetaType::Int16:
        return integer(std::int16_t{});
    case MetaType::Uint32:
        return integer(std::uint32_t{});
    case MetaType::Int32:
        return integer(std::int32_t{});
    case MetaType::Int64:
        return integer(std::int64_t{});
    case MetaType::Uint64:
        return unsignedValue(cursor.load<std::uint64_t>(bytes, at));
    case MetaType::Bool:
        return Value(bytes[at] != std::byte{0});
    case MetaType::Float32:
        return Value(
            static_cast<double>(std::bit_cast<float>(cursor.load<std::uint32_t>(bytes, at))));
    case MetaType::Float64:
        return Value(std::bit_cast<double>(cursor.load<std::uint64_t>(bytes, at)));
    case MetaType::String:
    case MetaType::Array:
        break;
    }
    return {};
}

Result<Value> readText(HeaderCursor& cursor) {
    CAIRN_TRY(const std::uint64_t length, cursor.count("length of a string"));
    if (length > kMaxText) {
        CAIRN_CHECK(cursor.skip(length, "text"));
        return Value("(a string of " + std::to_string(length) + " bytes, too long to be shown)");
    }
    CAIRN_TRY(const auto bytes, cursor.peek(length, "text"));
    Value value{std::string(asText(bytes))};
    CAIRN_CHECK(cursor.skip(length, "text"));
    return value;
}

Result<std::vector<Value>> readNumbers(HeaderCursor& cursor, const ArrayHead& head,
                                       const CancelToken& cancel) {
    const std::size_t size = infoOf(head.type).bytes;
    std::vector<Value> values;
    values.reserve(static_cast<std::size_t>(head.count));
    for (std::uint64_t done = 0; done < head.count;) {
        CAIRN_CHECK(cancel.check());
        const std::uint64_t part =
            std::min<std::uint64_t>(head.count - done, HeaderCursor::kWindow / 16);
        CAIRN_TRY(const auto bytes, cursor.peek(part * size, "array"));
        for (std::size_t i = 0; i < part; ++i) {
            values.push_back(numberAt(cursor, head.type, bytes, i * size));
        }
        CAIRN_CHECK(cursor.skip(part * size, "array"));
        done += part;
    }
    return values;
}

/// Recursion is limited: scanItem() has refused anything deeper than kMaxDepth.
Result<Value> readArray(HeaderCursor& cursor, std::uint64_t& budget, std::size_t depth,
                        const CancelToken& cancel) {
    const std::uint64_t start = cursor.position();
    CAIRN_TRY(const ArrayHead head, arrayHead(cursor));
    if (head.count > budget || depth > kMaxDepth) {
        HeaderCursor& rest = cursor;
        Value placeholder("(an array of " + std::to_string(head.count) + " " +
                          std::string(infoOf(head.type).name) + " at byte " +
                          std::to_string(start) + ", too long to be shown)");
        if (infoOf(head.type).bytes != 0) {
            CAIRN_CHECK(rest.skip(head.count * infoOf(head.type).bytes, "array"));
        } else {
            for (std::uint64_t i = 0; i < head.count; ++i) {
                CAIRN_CHECK(head.type == MetaType::String ? skipText(rest) : skipArray(rest));
            }
        }
        return placeholder;
    }
    budget -= head.count;
    if (infoOf(head.type).bytes != 0) {
        CAIRN_TRY(auto numbers, readNumbers(cursor, head, cancel));
        return Value::list(std::move(numbers));
    }
    std::vector<Value> values;
    values.reserve(static_cast<std::size_t>(head.count));
    for (std::uint64_t i = 0; i < head.count; ++i) {
        if (i % kCheckItems == 0) {
            CAIRN_CHECK(cancel.check());
        }
        auto value = head.type == MetaType::String ? readText(cursor)
                                                   : readArray(cursor, budget, depth + 1, cancel);
        if (!value) {
            return std::move(value).error();
        }
        values.push_back(std::move(*value));
    }
    return Value::list(std::move(values));
}

} // namespace

Result<MetaItem> scanItem(HeaderCursor& cursor) {
    CAIRN_TRY(const std::string_view key, cursor.text(kMaxKey, "metadata key"));
    MetaItem item;
    item.key = std::string(key);
    CAIRN_TRY(item.type, typeAt(cursor));
    item.offset = cursor.position();
    if (item.type == MetaType::Array) {
        CAIRN_CHECK(skipArray(cursor));
    } else if (item.type == MetaType::String) {
        CAIRN_CHECK(skipText(cursor));
    } else {
        CAIRN_CHECK(cursor.skip(infoOf(item.type).bytes, "metadata value"));
    }
    return item;
}

Result<Value> readItem(HeaderCursor& cursor, const MetaItem& item, std::uint64_t& budget,
                       const CancelToken& cancel) {
    if (item.offset < cursor.position()) {
        return fail(ErrorCode::Internal, "Metadata can only be read sequentially");
    }
    CAIRN_CHECK(cursor.skip(item.offset - cursor.position(), "metadata value"));
    if (item.type == MetaType::Array) {
        return readArray(cursor, budget, 1, cancel);
    }
    if (item.type == MetaType::String) {
        return readText(cursor);
    }
    const std::size_t size = infoOf(item.type).bytes;
    CAIRN_TRY(const auto bytes, cursor.peek(size, "metadata value"));
    Value value = numberAt(cursor, item.type, bytes, 0);
    CAIRN_CHECK(cursor.skip(size, "metadata value"));
    return value;
}

std::uint64_t valueBudget(std::uint64_t bytes) {
    constexpr std::uint64_t kAlways = 400'000; // about 32 MiB
    constexpr std::uint64_t kMost = 2'000'000;
    return std::min(kMost, kAlways + bytes / 8);
}

} // namespace cairn::formats::gguf
