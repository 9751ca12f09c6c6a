// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <google/protobuf/io/coded_stream.h>
#include <string>

/// Protocol Buffers without generated classes: walk the fields of a message, read the few that are
/// wanted and skip the others, so that an embedded image is never loaded. Wire format:
/// protobuf.dev/programming-guides/encoding. Decoding uses libprotobuf's CodedInputStream, whose
/// reads stop at the innermost limit; every function here returns false on damage, and the caller
/// then abandons the message. Groups, which no known writer uses, count as damage, so that nothing
/// recurses on the input.
namespace cairn::protobuf {

using Input = google::protobuf::io::CodedInputStream;

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

/// A field's number and wire type in one number, for switch statements.
constexpr std::uint32_t tag(std::uint32_t number, Wire wire) {
    return number << 3U | static_cast<std::uint32_t>(wire);
}

constexpr Wire wireOf(std::uint32_t tagValue) {
    return static_cast<Wire>(tagValue & 7U);
}

/// The length of a length-delimited field, checked to end within the enclosing message. REQUIRES: a
/// limit is set, as the array constructor of Input and walkMessage() do.
inline bool readLength(Input& input, int& length) {
    return input.ReadVarintSizeAsInt(&length) && length <= input.BytesUntilLimit();
}

inline bool skipField(Input& input, std::uint32_t tagValue) {
    std::uint64_t number = 0;
    int length = 0;
    switch (wireOf(tagValue)) {
    case Wire::Varint:
        return input.ReadVarint64(&number);
    case Wire::Fixed64:
        return input.Skip(8);
    case Wire::Length:
        return readLength(input, length) && input.Skip(length);
    case Wire::Fixed32:
        return input.Skip(4);
    }
    return false;
}

/// Calls visit(tag) for every field up to the limit; `visit` reads the field or calls skipField().
template <class Visit> bool walkFields(Input& input, Visit&& visit) {
    while (true) {
        const std::uint32_t tagValue = input.ReadTag();
        if (tagValue == 0) {
            return input.ConsumedEntireMessage() && input.BytesUntilLimit() <= 0;
        }
        if (!visit(tagValue)) {
            return false;
        }
    }
}

/// Walks a message that is preceded by its length.
template <class Visit> bool walkMessage(Input& input, Visit&& visit) {
    int length = 0;
    if (!readLength(input, length)) {
        return false;
    }
    const Input::Limit outer = input.PushLimit(length);
    const bool sound = walkFields(input, visit);
    input.PopLimit(outer);
    return sound;
}

/// Text or bytes of at most `limit`; longer ones are skipped and leave `text` empty.
inline bool readText(Input& input, std::string& text, int limit) {
    int length = 0;
    if (!readLength(input, length)) {
        return false;
    }
    if (length > limit) {
        text.clear();
        return input.Skip(length);
    }
    return input.ReadString(&text, length);
}

/// A name, which is useless if incomplete: longer than `limit` counts as damage.
inline bool readName(Input& input, std::string& name, int limit) {
    int length = 0;
    return readLength(input, length) && length <= limit && input.ReadString(&name, length);
}

inline bool readInt64(Input& input, std::int64_t& value) {
    std::uint64_t bits = 0;
    const bool sound = input.ReadVarint64(&bits);
    value = static_cast<std::int64_t>(bits);
    return sound;
}

inline bool readDouble(Input& input, double& value) {
    std::uint64_t bits = 0;
    const bool sound = input.ReadLittleEndian64(&bits);
    value = std::bit_cast<double>(bits);
    return sound;
}

inline bool readFloat(Input& input, float& value) {
    std::uint32_t bits = 0;
    const bool sound = input.ReadLittleEndian32(&bits);
    value = std::bit_cast<float>(bits);
    return sound;
}

} // namespace cairn::protobuf
