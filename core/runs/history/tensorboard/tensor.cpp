// SPDX-License-Identifier: Apache-2.0
//
// A TensorProto holds its elements either as bytes (tensor_content) or in a list that fits its
// dtype; a list that is shorter than the tensor repeats its last element, and an empty one means
// zeros (tensorflow/python/framework/tensor_util.py: MakeNdarray). Only tensors with one element
// are wanted: of any list, the first element is kept and the rest stepped over.
#include "core/model/element.h"
#include "core/runs/history/tensorboard/event.h"

#include <array>
#include <cstring>

namespace cairn::history::tensorboard {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

/// DataType in types.proto; only numeric types are scalars.
std::optional<Dtype> dtypeOf(std::uint64_t number) {
    switch (number) {
    case 1:
        return Dtype::Float32;
    case 2:
        return Dtype::Float64;
    case 3:
        return Dtype::Int32;
    case 4:
        return Dtype::Uint8;
    case 5:
        return Dtype::Int16;
    case 6:
        return Dtype::Int8;
    case 9:
        return Dtype::Int64;
    case 10:
        return Dtype::Bool;
    case 14:
        return Dtype::Bfloat16;
    case 17:
        return Dtype::Uint16;
    case 19:
        return Dtype::Float16;
    case 22:
        return Dtype::Uint32;
    case 23:
        return Dtype::Uint64;
    default:
        return std::nullopt;
    }
}

/// Fields of a TensorProto. The lists differ in the encoding of their elements; `bits` contains the
/// first element of whichever list is used, as bytes of its dtype.
struct TensorFields {
    std::uint64_t dtype = 0;
    bool oneElement = true; ///< every dimension is 1
    int contentLength = 0;
    std::array<std::byte, sizeof(std::uint64_t)> content{}; ///< valid unless it is longer
    bool hasBits = false;
    std::uint64_t bits = 0;
};

bool readDimension(Input& input, TensorFields& tensor) {
    std::int64_t size = 0;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(1, Wire::Varint) ? protobuf::readInt64(input, size)
                                             : protobuf::skipField(input, field);
    });
    tensor.oneElement = tensor.oneElement && size == 1;
    return sound;
}

bool readShape(Input& input, TensorFields& tensor) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(2, Wire::Length) ? readDimension(input, tensor)
                                             : protobuf::skipField(input, field);
    });
}

bool readContent(Input& input, TensorFields& tensor) {
    if (!protobuf::readLength(input, tensor.contentLength)) {
        return false;
    }
    const bool wanted = tensor.contentLength <= static_cast<int>(tensor.content.size());
    return wanted ? input.ReadRaw(tensor.content.data(), tensor.contentLength)
                  : input.Skip(tensor.contentLength);
}

bool readElement(Input& input, Wire wire, TensorFields& tensor) {
    std::uint64_t bits = 0;
    std::uint32_t half = 0;
    bool sound = false;
    if (wire == Wire::Varint) {
        sound = input.ReadVarint64(&bits);
    } else if (wire == Wire::Fixed64) {
        sound = input.ReadLittleEndian64(&bits);
    } else {
        sound = input.ReadLittleEndian32(&half);
        bits = half;
    }
    if (!tensor.hasBits) {
        tensor.bits = bits;
        tensor.hasBits = true;
    }
    return sound;
}

/// A list, packed or not, with elements of that wire type.
bool readList(Input& input, std::uint32_t field, Wire wire, TensorFields& tensor) {
    if (protobuf::wireOf(field) == wire) {
        return readElement(input, wire, tensor);
    }
    int length = 0;
    if (protobuf::wireOf(field) != Wire::Length || !protobuf::readLength(input, length)) {
        return false;
    }
    const Input::Limit outer = input.PushLimit(length);
    const bool sound = length == 0 || readElement(input, wire, tensor);
    const bool skipped = sound && input.Skip(input.BytesUntilLimit());
    input.PopLimit(outer);
    return skipped;
}

bool readTensorField(Input& input, std::uint32_t field, TensorFields& tensor) {
    switch (field >> 3U) {
    case 5: // float_val
        return readList(input, field, Wire::Fixed32, tensor);
    case 6: // double_val
        return readList(input, field, Wire::Fixed64, tensor);
    case 7:  // int_val, for all integers up to 32 bits
    case 10: // int64_val
    case 11: // bool_val
    case 13: // half_val, for float16 and bfloat16: their bits
    case 16: // uint32_val
    case 17: // uint64_val
        return readList(input, field, Wire::Varint, tensor);
    default:
        return protobuf::skipField(input, field);
    }
}

} // namespace

bool readTensor(Input& input, std::optional<double>& value) {
    TensorFields tensor;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Varint):
            return input.ReadVarint64(&tensor.dtype);
        case tag(2, Wire::Length):
            return readShape(input, tensor);
        case tag(4, Wire::Length):
            return readContent(input, tensor);
        default:
            return readTensorField(input, field, tensor);
        }
    });
    const auto dtype = dtypeOf(tensor.dtype);
    if (!sound || !dtype || !tensor.oneElement) {
        return sound;
    }
    const auto size = static_cast<std::size_t>(dtypeInfo(*dtype).bits / 8);
    if (tensor.contentLength == 0) {
        std::memcpy(tensor.content.data(), &tensor.bits, sizeof(tensor.bits));
    } else if (static_cast<std::size_t>(tensor.contentLength) != size) {
        return true; // does not have the size of one element
    }
    value = elementAsDouble(*dtype, std::span(tensor.content).first(size));
    return true;
}

} // namespace cairn::history::tensorboard
