// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/proto.h"

#include "core/base/checked.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/protobuf/wire.h"

#include <array>
#include <limits>

namespace cairn::formats::tensorflow {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr std::uint32_t kReference = 100; ///< for DT_FLOAT_REF and other reference types
constexpr std::uint32_t kLastType = 32;   ///< DT_UINT2

Input inputOf(std::span<const std::byte> message) {
    return Input(reinterpret_cast<const std::uint8_t*>(message.data()),
                 static_cast<int>(message.size()));
}

bool fitsMessage(std::span<const std::byte> message) {
    return message.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
}

bool readUint(Input& input, std::uint64_t& value) {
    return input.ReadVarint64(&value);
}

/// Dimensions under construction.
struct Extents {
    std::array<std::int64_t, kMaxRank> values{};
    std::size_t count = 0;
    bool bad = false;

    void add(std::int64_t extent) {
        if (count == values.size()) {
            bad = true;
            return;
        }
        values[count++] = extent;
        bad = bad || extent < 0;
    }
};

bool readDim(Input& input, Extents& extents) {
    std::int64_t size = 0;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(1, Wire::Varint) ? protobuf::readInt64(input, size)
                                             : protobuf::skipField(input, field);
    });
    extents.add(size);
    return sound;
}

bool readShapeFields(Input& input, std::uint32_t field, Extents& extents) {
    if (field == tag(2, Wire::Length)) {
        return readDim(input, extents);
    }
    if (field == tag(3, Wire::Varint)) {
        std::uint64_t unknownRank = 0;
        const bool sound = readUint(input, unknownRank);
        extents.bad = extents.bad || unknownRank != 0;
        return sound;
    }
    return protobuf::skipField(input, field);
}

Shape shapeOf(const Extents& extents) {
    return extents.bad ? Shape{0} : Shape(std::span(extents.values).first(extents.count));
}

bool readExtent(Input& input, Slice& slice) {
    Extent extent;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Varint):
            return protobuf::readInt64(input, extent.start);
        case tag(2, Wire::Varint):
            return protobuf::readInt64(input, extent.length);
        default:
            return protobuf::skipField(input, field);
        }
    });
    slice.push_back(extent);
    return sound && slice.size() <= kMaxRank;
}

bool readSliceFields(Input& input, std::uint32_t field, Slice& slice) {
    return field == tag(1, Wire::Length) ? readExtent(input, slice)
                                         : protobuf::skipField(input, field);
}

bool readSlice(Input& input, std::vector<Slice>& slices) {
    Slice slice;
    const bool sound = protobuf::walkMessage(
        input, [&](std::uint32_t field) { return readSliceFields(input, field, slice); });
    slices.push_back(std::move(slice));
    return sound && slices.size() <= kMaxSlices;
}

/// Decodes the numbers and texts of core/lib/strings/ordered_code.cc from the front of a key.
class OrderedCode {
public:
    explicit OrderedCode(std::string_view key) : m_rest(key) {}
    [[nodiscard]] bool empty() const { return m_rest.empty(); }

    /// A length byte, then that many bytes, big-endian.
    std::optional<std::uint64_t> number() {
        if (m_rest.empty()) {
            return std::nullopt;
        }
        const auto length = static_cast<unsigned char>(m_rest.front());
        if (length > 8 || m_rest.size() - 1 < length) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 1; i <= length; ++i) {
            value = value << 8U | static_cast<unsigned char>(m_rest[i]);
        }
        m_rest.remove_prefix(length + std::size_t{1});
        return value;
    }

    /// 00 FF represents 00, FF 00 represents FF, and 00 01 is the end.
    std::optional<std::string> text() {
        std::string out;
        for (std::size_t i = 0; i + 1 < m_rest.size(); ++i) {
            const char c = m_rest[i];
            if (c != '\0' && c != '\xff') {
                out += c;
                continue;
            }
            const char next = m_rest[++i];
            if (c == '\0' && next == '\x01') {
                m_rest.remove_prefix(i + 1);
                return out;
            }
            if ((c == '\0' && next != '\xff') || (c == '\xff' && next != '\0')) {
                return std::nullopt;
            }
            out += c;
        }
        return std::nullopt;
    }

    /// The sign bit, repeated for each byte after the first, then its inverse, then the number in
    /// two's complement.
    std::optional<std::int64_t> signedNumber() {
        if (m_rest.empty()) {
            return std::nullopt;
        }
        const auto at = [&](std::size_t i) { return static_cast<unsigned char>(m_rest[i]); };
        const bool negative = (at(0) & 0x80U) == 0;
        const auto flipped = [&](std::size_t i) {
            return static_cast<unsigned char>(negative ? at(i) ^ 0xFFU : at(i));
        };
        std::size_t length = 1; // number of leading ones
        while (length <= 7 && (flipped(0) & (0x80U >> length)) != 0) {
            ++length;
        }
        if (length == 8 && m_rest.size() >= 2) {
            length += (flipped(1) & 0x80U) != 0 ? 1U : 0U;
            length += length == 9 && (flipped(1) & 0x40U) != 0 ? 1U : 0U;
        }
        if (m_rest.size() < length || length > 10) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < length; ++i) {
            auto byte = static_cast<unsigned>(flipped(i));
            if (i == 0) {
                byte &= length >= 8 ? 0U : 0xFFU >> (length + 1);
            } else if (i == 1 && length >= 8) {
                byte &= length == 8 ? 0x7FU : length == 9 ? 0x3FU : 0x1FU;
            }
            value = value << 8U | byte;
        }
        m_rest.remove_prefix(length);
        return negative ? static_cast<std::int64_t>(~value) : static_cast<std::int64_t>(value);
    }

private:
    std::string_view m_rest;
};

} // namespace

std::optional<Dtype> dtypeOf(std::uint32_t dataType) {
    constexpr auto kTable = std::to_array<std::optional<Dtype>>({
        std::nullopt,          Dtype::Float32,      Dtype::Float64,        Dtype::Int32,
        Dtype::Uint8,          Dtype::Int16,        Dtype::Int8,           Dtype::String,
        Dtype::Complex64,      Dtype::Int64,        Dtype::Bool,           Dtype::Qint8,
        Dtype::Quint8,         Dtype::Qint32,       Dtype::Bfloat16,       Dtype::Qint16,
        Dtype::Quint16,        Dtype::Uint16,       Dtype::Complex128,     Dtype::Float16,
        std::nullopt,                                              // 20 resource
        std::nullopt,          Dtype::Uint32,       Dtype::Uint64, // 21 variant
        Dtype::Float8E5m2,     Dtype::Float8E4m3fn, Dtype::Float8E4m3fnuz, Dtype::Float8E4m3b11fnuz,
        Dtype::Float8E5m2fnuz, Dtype::Int4,         Dtype::Uint4,          Dtype::Int2,
        Dtype::Uint2,
    });
    static_assert(kTable.size() == kLastType + 1);
    const std::uint32_t plain = dataType > kReference ? dataType - kReference : dataType;
    return plain < kTable.size() ? kTable[plain] : std::nullopt;
}

std::optional<std::uint32_t> dataTypeOf(Dtype dtype) {
    for (std::uint32_t type = 0; type <= kLastType; ++type) {
        if (dtypeOf(type) == dtype) {
            return type;
        }
    }
    return std::nullopt;
}

std::string dataTypeName(std::uint32_t dataType) {
    const std::uint32_t plain = dataType > kReference ? dataType - kReference : dataType;
    if (const auto dtype = dtypeOf(dataType)) {
        return std::string(dtypeName(*dtype));
    }
    return plain == kDtResource  ? "resource"
           : plain == kDtVariant ? "variant"
                                 : "DataType " + std::to_string(dataType);
}

std::optional<BundleHeader> parseHeader(std::span<const std::byte> message) {
    if (!fitsMessage(message)) {
        return std::nullopt;
    }
    BundleHeader header;
    Input input = inputOf(message);
    const auto version = [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Varint):
            return readUint(input, header.producer);
        case tag(2, Wire::Varint):
            return readUint(input, header.minConsumer);
        default:
            return protobuf::skipField(input, field);
        }
    };
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        std::uint64_t endianness = 0;
        switch (field) {
        case tag(1, Wire::Varint):
            return readUint(input, header.shards);
        case tag(2, Wire::Varint): {
            const bool read = readUint(input, endianness);
            header.bigEndian = endianness == 1;
            return read && endianness <= 1;
        }
        case tag(3, Wire::Length):
            return protobuf::walkMessage(input, version);
        default: // any other field under the key "": not a bundle
            return (field >> 3U) > 3 && protobuf::skipField(input, field);
        }
    });
    return sound ? std::optional(header) : std::nullopt;
}

std::optional<BundleEntry> parseEntry(std::span<const std::byte> message) {
    if (!fitsMessage(message)) {
        return std::nullopt;
    }
    BundleEntry entry;
    Extents extents;
    Input input = inputOf(message);
    const auto shapeField = [&](std::uint32_t field) {
        return readShapeFields(input, field, extents);
    };
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        std::uint32_t masked = 0;
        switch (field) {
        case tag(1, Wire::Varint):
            return input.ReadVarint32(&entry.dataType);
        case tag(2, Wire::Length):
            return protobuf::walkMessage(input, shapeField);
        case tag(3, Wire::Varint):
            return readUint(input, entry.shard);
        case tag(4, Wire::Varint):
            return readUint(input, entry.offset);
        case tag(5, Wire::Varint):
            return readUint(input, entry.size);
        case tag(6, Wire::Fixed32): {
            const bool read = input.ReadLittleEndian32(&masked);
            entry.crc32c = unmaskedCrc32c(masked);
            return read;
        }
        case tag(7, Wire::Length):
            return readSlice(input, entry.slices);
        default:
            return protobuf::skipField(input, field);
        }
    });
    entry.shape = shapeOf(extents);
    entry.shapeIsBad = extents.bad;
    return sound ? std::optional(std::move(entry)) : std::nullopt;
}

std::optional<ParsedShape> parseShape(std::span<const std::byte> message) {
    if (!fitsMessage(message)) {
        return std::nullopt;
    }
    Extents extents;
    Input input = inputOf(message);
    const bool sound = protobuf::walkFields(
        input, [&](std::uint32_t field) { return readShapeFields(input, field, extents); });
    return sound ? std::optional(ParsedShape{shapeOf(extents), extents.bad}) : std::nullopt;
}

std::optional<Slice> parseSlice(std::span<const std::byte> message) {
    if (!fitsMessage(message)) {
        return std::nullopt;
    }
    Slice slice;
    Input input = inputOf(message);
    const bool sound = protobuf::walkFields(
        input, [&](std::uint32_t field) { return readSliceFields(input, field, slice); });
    return sound ? std::optional(std::move(slice)) : std::nullopt;
}

std::optional<Box> boxOf(const Slice& slice, const Shape& shape) {
    if (slice.size() != shape.size()) {
        return std::nullopt;
    }
    Box box = Box::whole(shape);
    for (std::size_t d = 0; d < slice.size(); ++d) {
        if (slice[d].length >= 0) {
            box.origin[d] = slice[d].start;
            box.extent[d] = slice[d].length;
        }
    }
    return fitsInto(box, shape) ? std::optional(std::move(box)) : std::nullopt;
}

std::optional<SliceKey> parseSliceKey(std::string_view key) {
    OrderedCode code(key);
    const auto zero = code.number();
    auto name = zero && *zero == 0 ? code.text() : std::nullopt;
    const auto rank = name ? code.number() : std::nullopt;
    if (!rank || *rank > kMaxRank) {
        return std::nullopt;
    }
    SliceKey parsed{std::move(*name), {}};
    for (std::uint64_t d = 0; d < *rank; ++d) {
        const auto start = code.signedNumber();
        const auto length = start ? code.signedNumber() : std::nullopt;
        if (!length) {
            return std::nullopt;
        }
        parsed.slice.push_back({*start, *length});
    }
    return code.empty() ? std::optional(std::move(parsed)) : std::nullopt;
}

} // namespace cairn::formats::tensorflow
