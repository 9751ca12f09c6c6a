// SPDX-License-Identifier: Apache-2.0
#include "core/plan/npy_layout.h"

#include "core/base/endian.h"

#include <string>

namespace cairn {
namespace {

/// NumPy's type string; empty where NumPy has no such type.
std::string typeString(Dtype dtype) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const std::string bytes = std::to_string(info.bits / 8);
    switch (info.kind) {
    case DtypeKind::Bool:
        return "|b1";
    case DtypeKind::Unsigned:
        return (info.bits == 8 ? "|u" : "<u") + bytes;
    case DtypeKind::Signed:
        return (info.bits == 8 ? "|i" : "<i") + bytes;
    case DtypeKind::Float:
        return dtype == Dtype::Float16 || dtype == Dtype::Float32 || dtype == Dtype::Float64
                   ? "<f" + bytes
                   : "";
    case DtypeKind::Complex:
        return dtype == Dtype::Complex32 ? "" : "<c" + bytes;
    default:
        return "";
    }
}

std::string shapeText(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : " ") + std::to_string(shape[i]) +
                (i + 1 < shape.size() || i == 0 ? "," : "");
    }
    return text + ")";
}

} // namespace

Result<OutputLayout> layoutNpy(const LayoutRequest& request) {
    if (request.tensors.size() != 1) {
        return fail(ErrorCode::InvalidArgument, "A NumPy file holds one tensor")
            .butFound(std::to_string(request.tensors.size()) + " tensors")
            .withHint("Name one tensor, or choose .safetensors");
    }
    const LayoutTensor& tensor = request.tensors.front();
    const std::string type = typeString(tensor.dtype);
    if (type.empty()) {
        return fail(ErrorCode::DtypeNotRepresentable, "NumPy has no such element type")
            .inTensor(tensor.name)
            .butFound(std::string(dtypeName(tensor.dtype)))
            .withHint("Choose .safetensors");
    }
    std::string header = "{'descr': '" + type +
                         "', 'fortran_order': False, 'shape': " + shapeText(tensor.shape) + ", }";
    constexpr std::size_t kPreamble = 10; // magic, version, length of the header
    header.append((64 - (kPreamble + header.size() + 1) % 64) % 64, ' ');
    header += '\n'; // at most kMaxRank numbers: far below the 65535 that version 1.0 allows

    std::string start("\x93NUMPY\x01\x00", 8);
    start.push_back(static_cast<char>(header.size() & 0xffU));
    start.push_back(static_cast<char>(header.size() >> 8U));
    start += header;

    const std::uint64_t length =
        dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0)).value_or(0);
    OutputFile file;
    file.name = request.baseName + ".npy";
    const auto bytes = asBytes(start);
    file.literals.push_back({0, {bytes.begin(), bytes.end()}});
    file.tensors.push_back(
        {start.size(), length, tensor.source, tensor.name, Box::whole(tensor.shape), tensor.dtype});
    file.size = start.size() + length;
    OutputLayout layout;
    layout.files.push_back(std::move(file));
    return layout;
}

} // namespace cairn
