// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/tensor_proto.h"

#include "core/base/endian.h"
#include "core/codec/protobuf/wire.h"
#include "core/model/string_elements.h"

#include <cstring>
#include <limits>

namespace cairn::formats::tensorflow {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

/// Field numbers of TensorProto.
enum class Field : std::uint32_t {
    Content = 4,
    Float = 5,
    Double = 6,
    Int = 7,
    String = 8,
    Complex64 = 9,
    Int64 = 10,
    Bool = 11,
    Complex128 = 12,
    Half = 13,
    Uint32 = 16,
    Uint64 = 17,
};

Field fieldOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Float32:
        return Field::Float;
    case Dtype::Float64:
        return Field::Double;
    case Dtype::String:
        return Field::String;
    case Dtype::Complex64:
        return Field::Complex64;
    case Dtype::Complex128:
        return Field::Complex128;
    case Dtype::Int64:
        return Field::Int64;
    case Dtype::Bool:
        return Field::Bool;
    case Dtype::Float16:
    case Dtype::Bfloat16:
        return Field::Half;
    case Dtype::Uint32:
        return Field::Uint32;
    case Dtype::Uint64:
        return Field::Uint64;
    default:
        return Field::Int;
    }
}

/// Fields whose packed form equals the elements' bytes.
bool isFixed(Field field) {
    return field == Field::Float || field == Field::Double || field == Field::Complex64 ||
           field == Field::Complex128;
}

class Elements {
public:
    Elements(std::span<const std::byte> message, Dtype dtype, std::uint64_t count)
        : m_message(message), m_dtype(dtype), m_field(fieldOf(dtype)), m_count(count),
          m_bytes(hasStrings(dtype) ? 0 : dtypeInfo(dtype).bits / 8),
          m_input(reinterpret_cast<const std::uint8_t*>(message.data()),
                  static_cast<int>(message.size())) {}

    Result<ProtoElements> read() {
        // SavedTensorSlices.data (2) contains SavedSlice.data (3), which is the TensorProto.
        const bool sound = inner(m_input, 2, [this] {
            return inner(m_input, 3, [this] {
                return protobuf::walkFields(m_input, [this](std::uint32_t t) { return take(t); });
            });
        });
        const std::uint64_t found = hasStrings(m_dtype) ? m_strings
                                    : m_out.place       ? m_out.place->length / m_bytes
                                                        : m_out.decoded.size() / m_bytes;
        if (!sound || found != m_count) {
            return fail(ErrorCode::BadEncoding, "The variable's message is damaged")
                .butFound(sentence("%1 elements", found))
                .expecting(verbatim(std::to_string(m_count)));
        }
        return std::move(m_out);
    }

private:
    /// Walks the fields up to the limit and enters those with this number. Recursion has a fixed
    /// depth.
    template <class Into> static bool inner(Input& input, std::uint32_t number, const Into& into) {
        return protobuf::walkFields(input, [&](std::uint32_t field) {
            if (field != tag(number, Wire::Length)) {
                return protobuf::skipField(input, field);
            }
            int length = 0;
            if (!protobuf::readLength(input, length)) {
                return false;
            }
            const Input::Limit outer = input.PushLimit(length);
            const bool sound = into();
            input.PopLimit(outer);
            return sound;
        });
    }

    bool take(std::uint32_t field) {
        const auto number = static_cast<Field>(field >> 3U);
        const Wire wire = protobuf::wireOf(field);
        if (number == Field::Content && wire == Wire::Length && m_bytes > 0) {
            return takeBytes();
        }
        if (number != m_field) {
            return protobuf::skipField(m_input, field);
        }
        if (m_field == Field::String) {
            return wire == Wire::Length && takeString();
        }
        if (isFixed(m_field)) {
            return wire == Wire::Length ? takeBytes() : takeFixed(wire);
        }
        return wire == Wire::Length ? takePacked() : wire == Wire::Varint && takeVarint();
    }

    /// A run of packed elements; if it is the only one, it is not copied.
    bool takeBytes() {
        int length = 0;
        if (!protobuf::readLength(m_input, length)) {
            return false;
        }
        const auto at = static_cast<std::uint64_t>(m_input.CurrentPosition());
        const ByteRange range{at, static_cast<std::uint64_t>(length)};
        if (length == 0) {
            return true;
        }
        if (!range.fitsInto(m_message.size()) || range.length % m_bytes != 0) {
            return false;
        }
        if (!m_out.place && m_out.decoded.empty()) {
            m_out.place = range;
            return m_input.Skip(length);
        }
        moveToMemory();
        append(m_message.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length)));
        return m_input.Skip(length);
    }

    bool takeFixed(Wire wire) {
        const bool isDouble = wire == Wire::Fixed64;
        if (!isDouble && wire != Wire::Fixed32) {
            return false;
        }
        const auto at = static_cast<std::size_t>(m_input.CurrentPosition());
        const std::size_t size = isDouble ? 8 : 4;
        if (!m_input.Skip(static_cast<int>(size)) || at + size > m_message.size()) {
            return false;
        }
        moveToMemory();
        append(m_message.subspan(at, size));
        return true;
    }

    bool takePacked() {
        int length = 0;
        if (!protobuf::readLength(m_input, length)) {
            return false;
        }
        const Input::Limit outer = m_input.PushLimit(length);
        bool sound = true;
        while (sound && m_input.BytesUntilLimit() > 0) {
            sound = takeVarint();
        }
        m_input.PopLimit(outer);
        return sound;
    }

    bool takeVarint() {
        std::uint64_t value = 0;
        if (!m_input.ReadVarint64(&value) || m_out.decoded.size() / m_bytes >= m_count) {
            return false;
        }
        const std::size_t at = m_out.decoded.size();
        m_out.decoded.resize(at + m_bytes);
        std::memcpy(m_out.decoded.data() + at, &value, m_bytes); // little-endian: the low bytes
        return true;
    }

    bool takeString() {
        std::string text;
        int length = 0;
        if (!protobuf::readLength(m_input, length) || !m_input.ReadString(&text, length) ||
            ++m_strings > m_count) {
            return false;
        }
        appendStringElement(m_out.decoded, asBytes(text));
        return true;
    }

    void moveToMemory() {
        if (m_out.place) {
            append(m_message.subspan(static_cast<std::size_t>(m_out.place->offset),
                                     static_cast<std::size_t>(m_out.place->length)));
            m_out.place.reset();
        }
    }
    void append(std::span<const std::byte> bytes) {
        m_out.decoded.insert(m_out.decoded.end(), bytes.begin(), bytes.end());
    }

    std::span<const std::byte> m_message;
    Dtype m_dtype;
    Field m_field;
    std::uint64_t m_count;
    std::size_t m_bytes; ///< size of an element; 0 for strings
    Input m_input;
    ProtoElements m_out;
    std::uint64_t m_strings = 0;
};

} // namespace

Result<ProtoElements> readProtoElements(std::span<const std::byte> message, Dtype dtype,
                                        std::uint64_t count) {
    if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return fail(ErrorCode::LimitExceeded,
                    "A variable larger than 2 GiB cannot be a protobuf message");
    }
    return Elements(message, dtype, count).read();
}

Result<LocatedPiece> TensorProtoCodec::locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                              const Piece& piece) const {
    CAIRN_TRY(const std::vector<std::byte> message, readRange(*file, piece.bytes));
    auto elements =
        readProtoElements(message, tensor.dtype, elementCount(piece.box.extent).value_or(0));
    if (!elements) {
        return std::move(elements).error().inFile(file->name()).at(piece.bytes.offset);
    }
    LocatedPiece located;
    if (elements->place) {
        located.source = file;
        located.bytes = {piece.bytes.offset + elements->place->offset, elements->place->length};
    } else {
        located.bytes = {0, elements->decoded.size()};
        located.source = makeMemorySource(std::move(elements->decoded), file->name());
    }
    return located;
}

} // namespace cairn::formats::tensorflow
