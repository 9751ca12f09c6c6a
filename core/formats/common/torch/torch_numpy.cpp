// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_numpy.h"

#include "core/base/endian.h"
#include "core/codec/pickle/pickle_text.h"
#include "core/formats/common/numpy/numpy_dtype.h"
#include "core/model/element.h"

#include <algorithm>
#include <cstring>

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

bool inNumpyCore(pickle::GlobalName name, std::string_view leaf) {
    return name.module.starts_with("numpy") && name.name == leaf;
}

/// The parts of an ndarray's state: (version, shape, dtype, fortran, data), without version in very
/// old files. A jax.Array is pickled as a NumPy array.
struct ArrayParts {
    NodeId shape;
    NodeId dtype;
    NodeId data;
    bool fortran = false;
};
std::optional<ArrayParts> partsOfState(const PickleGraph& graph, NodeId id) {
    auto state = graph.items(id);
    if (state.size() == 5) {
        state = state.subspan(1);
    }
    if (state.size() != 4) {
        return std::nullopt;
    }
    return ArrayParts{state[0], state[1], state[3], graph.integer(state[2]) != 0};
}

std::optional<ArrayParts> arrayParts(const PickleGraph& graph, NodeId id) {
    if (graph.kind(id) != NodeKind::Object) {
        return std::nullopt;
    }
    const auto callee = graph.calleeName(id);
    if (inNumpyCore(callee, "_reconstruct")) {
        return partsOfState(graph, graph.state(id));
    }
    if (callee.name == "_reconstruct_array" && callee.module.starts_with("jax")) {
        const auto args = graph.items(graph.args(id)); // (function, its arguments, state, …)
        return args.size() >= 3 ? partsOfState(graph, args[2]) : std::nullopt;
    }
    if (inNumpyCore(callee, "_frombuffer")) {
        const auto args = graph.items(graph.args(id));
        if (args.size() == 4) {
            return ArrayParts{args[2], args[1], args[0], graph.text(args[3]) == "F"};
        }
    }
    return std::nullopt;
}

Value plainValue(Dtype dtype, std::span<const std::byte> bytes) {
    switch (dtypeInfo(dtype).kind) {
    case DtypeKind::Bool:
        return bytes[0] != std::byte{0};
    case DtypeKind::Signed:
    case DtypeKind::Unsigned: {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data(), bytes.size());
        const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
        if (dtypeInfo(dtype).kind == DtypeKind::Signed) {
            return static_cast<std::int64_t>(bits << unused) >> unused;
        }
        if (bits > std::uint64_t{0x7FFF'FFFF'FFFF'FFFF}) {
            return BigInt{std::to_string(bits)};
        }
        return static_cast<std::int64_t>(bits);
    }
    case DtypeKind::Float:
        return elementAsDouble(dtype, bytes);
    default:
        return elementText(dtype, bytes);
    }
}

Strides stridesOf(const Shape& shape, bool fortran) {
    if (!fortran) {
        return denseStrides(shape);
    }
    Strides strides = shape;
    std::int64_t step = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        strides[i] = step;
        step *= std::max<std::int64_t>(shape[i], 1);
    }
    return strides;
}

} // namespace

std::optional<Dims> readDims(const PickleGraph& graph, NodeId id) {
    if (graph.isCallOf(id, {"torch", "Size"})) {
        const auto args = graph.items(graph.args(id));
        id = args.empty() ? id : args[0];
    }
    const NodeKind kind = graph.kind(id);
    const auto items = graph.items(id);
    if ((kind != NodeKind::Tuple && kind != NodeKind::List) || items.size() > kMaxRank) {
        return std::nullopt;
    }
    Dims dims(items.size(), 0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto value = graph.asInteger(items[i]);
        if (!value || *value < 0) {
            return std::nullopt;
        }
        dims[i] = *value;
    }
    return dims;
}

std::optional<std::span<const std::byte>> readPickledBytes(const PickleGraph& graph, NodeId id,
                                                           std::string& decoded) {
    constexpr int kMaxCalls = 4; // bytearray(bytes(…)): Python writes two
    const auto isConversion = [&](NodeId node) {
        return graph.isCallOf(node, {"builtins", "bytes"}) ||
               graph.isCallOf(node, {"builtins", "bytearray"});
    };
    for (int call = 0; call < kMaxCalls && isConversion(id); ++call) {
        const auto args = graph.items(graph.args(id));
        if (args.empty()) {
            return std::span<const std::byte>{};
        }
        id = args[0];
    }
    const NodeKind kind = graph.kind(id);
    if (kind == NodeKind::Bytes || kind == NodeKind::ByteArray || kind == NodeKind::Str) {
        return graph.bytes(id); // Str: Python 2 wrote bytes as text
    }
    const auto callee = graph.calleeName(id);
    const auto args = graph.items(graph.args(id));
    if (callee == pickle::GlobalName{"_codecs", "encode"} && args.size() == 2) {
        auto bytes = pickle::latin1Bytes(graph.text(args[0]));
        if (!bytes) {
            return std::nullopt;
        }
        decoded = std::move(*bytes);
        return asBytes(decoded);
    }
    return std::nullopt;
}

std::optional<NumpyDtype> readNumpyDtype(const PickleGraph& graph, NodeId id) {
    if (graph.kind(id) == NodeKind::Global) {
        const auto name = pickle::python3Name(graph.global(id));
        const auto dtype = dtypeOfNumpyClass(name.name);
        return dtype ? std::optional(NumpyDtype{*dtype, false}) : std::nullopt;
    }
    const auto args = graph.items(graph.args(id));
    const auto callee = graph.calleeName(id);
    if (callee.module == "numpy.dtypes") {
        const auto dtype = dtypeOfNumpyClass(callee.name);
        return dtype ? std::optional(NumpyDtype{*dtype, false}) : std::nullopt;
    }
    if (callee != pickle::GlobalName{"numpy", "dtype"} || args.empty()) {
        return std::nullopt;
    }
    if (graph.kind(args[0]) == NodeKind::Global) {
        return readNumpyDtype(graph, args[0]); // ml_dtypes: dtype(bfloat16)
    }
    std::string_view code = asText(graph.bytes(args[0]));
    NumpyDtype result;
    if (!code.empty() && std::string_view("<>|=").find(code[0]) != std::string_view::npos) {
        result.bigEndian = code[0] == '>';
        code.remove_prefix(1);
    }
    const auto dtype = dtypeOfNumpyCode(code);
    const auto state = graph.items(graph.state(id));
    if (!dtype || (state.size() > 4 && !graph.isNone(state[2]))) { // a sub-array dtype
        return std::nullopt;
    }
    result.dtype = *dtype;
    if (state.size() > 1) {
        result.bigEndian = asText(graph.bytes(state[1])) == ">";
    }
    result.bigEndian = result.bigEndian && dtypeInfo(*dtype).componentBits > 8;
    return result;
}

bool isNumpyArray(const PickleGraph& graph, NodeId id) {
    return arrayParts(graph, id).has_value();
}

Value describeNumpyArray(const PickleGraph& graph, NodeId id) {
    const auto parts = arrayParts(graph, id);
    std::vector<Value> dims;
    if (const auto shape = parts ? readDims(graph, parts->shape) : std::nullopt) {
        for (const std::int64_t extent : *shape) {
            dims.emplace_back(extent);
        }
    }
    const auto args = parts ? graph.items(graph.args(parts->dtype)) : std::span<const NodeId>{};
    const std::string_view code = args.empty() ? "" : asText(graph.bytes(args[0]));
    return Value::object("numpy.ndarray", {{Value("shape"), Value::list(std::move(dims))},
                                           {Value("dtype"), Value(code)}});
}

std::optional<Result<TorchTensor>> readNumpyArray(const PickleGraph& graph, NodeId id) {
    const auto parts = arrayParts(graph, id);
    const auto dtype = parts ? readNumpyDtype(graph, parts->dtype) : std::nullopt;
    if (!dtype) {
        return std::nullopt;
    }
    TorchTensor tensor;
    const auto shape = readDims(graph, parts->shape);
    const auto bytes = readPickledBytes(graph, parts->data, tensor.decoded);
    if (!shape || !elementCount(*shape)) {
        return fail(ErrorCode::TorchBadTensor, "The shape of a NumPy array is not a list of sizes");
    }
    const auto wanted = dtypeBytes(dtype->dtype, *elementCount(*shape));
    if (!bytes || !wanted || bytes->size() != *wanted) {
        return fail(ErrorCode::TorchStorageTooSmall,
                    "A NumPy array's byte count does not match its shape")
            .butFound(bytes ? sentence("%1 bytes", bytes->size()) : "no bytes")
            .expecting(wanted ? sentence("%1 bytes", *wanted) : "fewer");
    }
    tensor.inlineBytes = tensor.decoded.empty() ? *bytes : std::span<const std::byte>{};
    tensor.decodedBytes = tensor.decoded.size();
    tensor.dtype = dtype->dtype;
    tensor.shape = *shape;
    tensor.strides = stridesOf(*shape, parts->fortran);
    tensor.flags.swapBytes = dtype->bigEndian;
    return tensor;
}

std::optional<Value> readNumpyScalar(const PickleGraph& graph, NodeId id) {
    if (graph.kind(id) != NodeKind::Object || !inNumpyCore(graph.calleeName(id), "scalar")) {
        return std::nullopt;
    }
    const auto args = graph.items(graph.args(id));
    const auto dtype = args.size() == 2 ? readNumpyDtype(graph, args[0]) : std::nullopt;
    std::string decoded;
    const auto raw = dtype ? readPickledBytes(graph, args[1], decoded) : std::nullopt;
    const std::size_t size = dtype ? dtypeInfo(dtype->dtype).bits / 8 : 0;
    if (!raw || raw->size() != size || size == 0) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(raw->begin(), raw->end());
    if (dtype->bigEndian) {
        const std::size_t part = dtypeInfo(dtype->dtype).componentBits / 8;
        for (std::size_t at = 0; at + part <= size; at += part) {
            std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + part));
        }
    }
    return plainValue(dtype->dtype, bytes);
}

} // namespace cairn::formats
