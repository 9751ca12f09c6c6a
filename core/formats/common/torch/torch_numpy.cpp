// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_numpy.h"

#include "core/base/endian.h"
#include "core/codec/pickle/pickle_text.h"
#include "core/formats/common/numpy/npy_array.h"
#include "core/formats/common/numpy/numpy_dtype.h"
#include "core/formats/common/numpy/numpy_time.h"
#include "core/model/element.h"
#include "core/model/string_elements.h"

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
std::optional<NumpyParts> partsOfState(const PickleGraph& graph, NodeId id) {
    auto state = graph.items(id);
    if (state.size() == 5) {
        state = state.subspan(1);
    }
    if (state.size() != 4) {
        return std::nullopt;
    }
    return NumpyParts{state[0], state[1], state[3], graph.integer(state[2]) != 0};
}

/// What joblib writes instead of an array; the elements follow in the stream.
std::optional<NumpyParts> partsOfWrapper(const PickleGraph& graph, NodeId id) {
    const NodeId state = graph.state(id);
    const auto elements = graph.inlineArray(id);
    const NodeId dtype = graph.find(state, "dtype");
    return elements || graph.find(state, "allow_mmap").present()
               ? std::optional(NumpyParts{graph.find(state, "shape"),
                                          dtype,
                                          {},
                                          graph.text(graph.find(state, "order")) == "F",
                                          elements})
               : std::nullopt;
}

std::optional<NumpyParts> arrayParts(const PickleGraph& graph, NodeId id) {
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
            return NumpyParts{args[2], args[1], args[0], graph.text(args[3]) == "F"};
        }
    }
    if (callee.name == "NumpyArrayWrapper" || graph.inlineArray(id)) {
        return partsOfWrapper(graph, id);
    }
    return std::nullopt;
}

/// Part of a dtype's state: (version, byte order, sub-array, names, fields, size, alignment, flags,
/// metadata).
NodeId dtypeState(const PickleGraph& graph, NodeId id, std::size_t index) {
    const auto state = graph.items(graph.state(id));
    return index < state.size() ? state[index] : NodeId{};
}

/// "[25s]": the unit of dates, from ({…}, (unit, count, 1, 1)).
std::string unitOf(const PickleGraph& graph, NodeId dtype) {
    const auto metadata = graph.items(dtypeState(graph, dtype, 8));
    const auto unit = metadata.size() > 1 ? graph.items(metadata[1]) : std::span<const NodeId>{};
    std::string decoded;
    const auto name = unit.size() > 1 ? readPickledBytes(graph, unit[0], decoded) : std::nullopt;
    if (!name || asText(*name) == "generic") {
        return {};
    }
    const auto count = graph.asInteger(unit[1]).value_or(1);
    return "[" + (count == 1 ? std::string() : std::to_string(count)) + std::string(asText(*name)) +
           "]";
}

/// A dtype as NumPy writes it into headers: "<U3", "<M8[ns]", "[('a', '<i4')]".
std::string descrOf(const PickleGraph& graph, NodeId dtype, int depth) {
    constexpr int kMaxNesting = 4;
    constexpr std::size_t kMaxLength = 200;
    const auto args = graph.items(graph.args(dtype));
    const std::string_view code = args.empty() ? "" : asText(graph.bytes(args[0]));
    const NodeId fields = dtypeState(graph, dtype, 4);
    if (depth < kMaxNesting && fields.present() && !graph.pairs(fields).empty()) {
        std::string all;
        for (const NodeId name : graph.items(dtypeState(graph, dtype, 3))) {
            const auto field = graph.items(graph.find(fields, graph.text(name)));
            all += all.empty() ? "[('" : ", ('";
            all += std::string(graph.text(name)) + "', '";
            all += (field.empty() ? "?" : descrOf(graph, field[0], depth + 1)) + "')";
            if (all.size() > kMaxLength) {
                return all.substr(0, kMaxLength) + "…";
            }
        }
        return all + "]";
    }
    return std::string(asText(graph.bytes(dtypeState(graph, dtype, 1)))) + std::string(code) +
           unitOf(graph, dtype);
}

/// Text, dates, records, long doubles, raw bytes. Empty: objects, or unknown.
std::optional<NpyElement> otherElement(const PickleGraph& graph, NodeId id) {
    const auto args = graph.items(graph.args(id));
    if (graph.calleeName(id) != pickle::GlobalName{"numpy", "dtype"} || args.empty() ||
        (dtypeState(graph, id, 2).present() && !graph.isNone(dtypeState(graph, id, 2)))) {
        return std::nullopt;
    }
    PythonLiteral descr;
    descr.kind = LiteralKind::Text;
    descr.text = asText(graph.bytes(dtypeState(graph, id, 1)));
    std::string code(asText(graph.bytes(args[0])));
    if (graph.kind(args[0]) == NodeKind::Global &&
        graph.global(args[0]) == pickle::GlobalName{"numpy", "record"}) { // of a recarray
        code = "V" + std::to_string(graph.integer(dtypeState(graph, id, 5)));
    }
    descr.text = code.starts_with('V') ? "|" : descr.text; // ml_dtypes are classes in pickles
    descr.text += code;
    const auto element = readNpyDescr(descr);
    return element && element->kind != NpyKind::Objects && element->itemBytes > 0
               ? std::optional(*element)
               : std::nullopt;
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

/// One element as a plain value. Empty: of another size.
std::optional<Value> numberOf(const NumpyDtype& dtype, std::span<const std::byte> raw) {
    const std::size_t size = dtypeInfo(dtype.dtype).bits / 8;
    if (raw.size() != size || size == 0) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(raw.begin(), raw.end());
    if (dtype.bigEndian) {
        const std::size_t part = dtypeInfo(dtype.dtype).componentBits / 8;
        for (std::size_t at = 0; at + part <= size; at += part) {
            std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + part));
        }
    }
    return plainValue(dtype.dtype, bytes);
}

/// Text and dates. Empty: anything else.
std::optional<Value> otherScalar(const PickleGraph& graph, NodeId dtype, NodeId data) {
    const auto element = otherElement(graph, dtype);
    std::string decoded;
    const auto raw = element ? readPickledBytes(graph, data, decoded) : std::nullopt;
    if (!raw || raw->size() != element->itemBytes) {
        return std::nullopt;
    }
    if (element->dtype == Dtype::String) {
        auto text = npyText(*element, *raw);
        return text ? std::optional(Value(std::move(*text))) : std::nullopt;
    }
    const auto code = asText(graph.bytes(graph.items(graph.args(dtype))[0]));
    if (code != "M8" && code != "m8") {
        return std::nullopt;
    }
    const std::string unit = unitOf(graph, dtype); // in brackets; NaT may have none
    auto bits = loadLittle<std::uint64_t>(*raw, 0);
    bits = element->bigEndian ? __builtin_bswap64(bits) : bits;
    return Value(npyTimeText(code == "M8", static_cast<std::int64_t>(bits),
                             unit.empty() ? std::string_view()
                                          : std::string_view(unit).substr(1, unit.size() - 2)));
}

/// The class of a dtype that another package defines; empty: it is one of NumPy's.
std::string foreignDtype(const PickleGraph& graph, NodeId id) {
    const auto args = graph.items(graph.args(id));
    if (graph.calleeName(id) != pickle::GlobalName{"numpy", "dtype"} || args.empty() ||
        graph.kind(args[0]) != NodeKind::Global) {
        return {};
    }
    const auto name = pickle::python3Name(graph.global(args[0]));
    return name.module == "builtins" || name.module == "numpy"
               ? std::string()
               : std::string(name.module) + "." + std::string(name.name);
}

} // namespace

Strides stridesOfArray(const Shape& shape, bool fortran) {
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
    return Value::object("numpy.ndarray",
                         {{Value("shape"), Value::list(std::move(dims))},
                          {Value("dtype"), Value(parts ? descrOf(graph, parts->dtype, 0) : "")}});
}

std::optional<Result<TorchTensor>> readNumpyParts(const PickleGraph& graph,
                                                  const NumpyParts& parts) {
    const auto number = readNumpyDtype(graph, parts.dtype);
    const auto other = number ? std::nullopt : otherElement(graph, parts.dtype);
    if (!number && !other) {
        if (const std::string type = foreignDtype(graph, parts.dtype); !type.empty()) {
            return fail(ErrorCode::NpyUnknownDtype, "The elements of this type are not read")
                .butFound(verbatim(type));
        }
        return std::nullopt;
    }
    TorchTensor tensor;
    const auto shape = readDims(graph, parts.shape);
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    if (!count) {
        return fail(ErrorCode::TorchBadTensor, "The shape of a NumPy array is not a list of sizes");
    }
    const auto bytes =
        parts.after ? parts.after : readPickledBytes(graph, parts.data, tensor.decoded);
    const auto wanted =
        number ? dtypeBytes(number->dtype, *count) : checkedMul(*count, other->itemBytes);
    if (!bytes || !wanted || bytes->size() != *wanted) {
        return fail(ErrorCode::TorchStorageTooSmall,
                    "A NumPy array's byte count does not match its shape")
            .butFound(bytes ? sentence("%1 bytes", bytes->size()) : "no bytes")
            .expecting(wanted ? sentence("%1 bytes", *wanted) : "fewer");
    }
    if (other && other->dtype == Dtype::String && *wanted + 8 * *count > kMaxStringMemory) {
        return std::nullopt;
    }
    tensor.inlineBytes = tensor.decoded.empty() ? *bytes : std::span<const std::byte>{};
    tensor.decodedBytes = tensor.decoded.size();
    tensor.dtype = number ? number->dtype : other->dtype;
    tensor.element = other;
    if (number) {
        tensor.shape = *shape;
        tensor.strides = stridesOfArray(*shape, parts.fortran);
        tensor.flags.swapBytes = number->bigEndian;
        return tensor;
    }
    NpyTensor placed = npyTensor(*other, *shape, parts.fortran);
    tensor.shape = std::move(placed.shape);
    tensor.strides = placed.strides.empty() ? denseStrides(tensor.shape) : placed.strides;
    tensor.descr = descrOf(graph, parts.dtype, 0);
    tensor.decodedBytes += other->dtype == Dtype::String ? *wanted + 8 * *count : 0;
    return tensor;
}

std::optional<Result<TorchTensor>> readNumpyArray(const PickleGraph& graph, NodeId id) {
    const auto parts = arrayParts(graph, id);
    return parts ? readNumpyParts(graph, *parts) : std::nullopt;
}

std::optional<MaskedParts> readMaskedParts(const PickleGraph& graph, NodeId id) {
    const auto state = graph.items(graph.state(id)); // (1, shape, dtype, fortran, data, mask, fill)
    if (!inNumpyCore(graph.calleeName(id), "_mareconstruct") || state.size() != 7) {
        return std::nullopt;
    }
    return MaskedParts{
        {state[1], state[2], state[4], graph.integer(state[3]) != 0}, state[5], state[6]};
}

std::optional<Value> readNumpyScalar(const PickleGraph& graph, NodeId id) {
    if (graph.kind(id) != NodeKind::Object || !inNumpyCore(graph.calleeName(id), "scalar")) {
        return std::nullopt;
    }
    const auto args = graph.items(graph.args(id));
    const auto dtype = args.size() == 2 ? readNumpyDtype(graph, args[0]) : std::nullopt;
    if (args.size() == 2 && !dtype) {
        return otherScalar(graph, args[0], args[1]);
    }
    std::string decoded;
    const auto raw = dtype ? readPickledBytes(graph, args[1], decoded) : std::nullopt;
    return dtype && raw ? numberOf(*dtype, *raw) : std::nullopt;
}

std::optional<Value> readZeroDimensional(const PickleGraph& graph, NodeId id) {
    const auto parts = arrayParts(graph, id);
    const auto dtype = parts ? readNumpyDtype(graph, parts->dtype) : std::nullopt;
    const auto shape = dtype ? readDims(graph, parts->shape) : std::nullopt;
    std::string decoded;
    const auto raw = shape && shape->empty() && !parts->after
                         ? readPickledBytes(graph, parts->data, decoded)
                         : std::nullopt;
    return raw ? numberOf(*dtype, *raw) : std::nullopt;
}

} // namespace cairn::formats
