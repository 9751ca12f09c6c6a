// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch_elements.h"

#include "core/compute/cast.h"
#include "core/compute/element_statistics.h"
#include "core/model/element.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

namespace cairn {
namespace {

using Table = std::array<std::uint32_t, 256>;

/// Each byte's value as float32, which is exact; NaN as in widenElements().
Table makeTable(Dtype dtype) {
    std::array<std::byte, 256> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i);
    }
    std::array<float, 256> values{};
    if (dtypeInfo(dtype).kind == DtypeKind::Float) {
        widenElements(dtype, bytes, values);
    } else {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            values[i] = static_cast<float>(elementAsDouble(dtype, std::span(bytes).subspan(i, 1)));
        }
    }
    Table table{};
    std::memcpy(table.data(), values.data(), sizeof table);
    return table;
}

const Table& tableOf(Dtype dtype) {
    static const std::map<Dtype, Table> tables = [] {
        std::map<Dtype, Table> all;
        for (const DtypeInfo& info : allDtypes()) {
            if (info.bits == 8 && canMeasure(info.dtype)) {
                all.emplace(info.dtype, makeTable(info.dtype));
            }
        }
        return all;
    }();
    return tables.at(dtype);
}

} // namespace

std::optional<int> torchKind(Dtype dtype) {
    if (dtypeInfo(dtype).bits == 8 && canMeasure(dtype)) {
        return kCairnTable8;
    }
    switch (dtype) {
    case Dtype::Int16:
    case Dtype::Qint16:
        return kCairnInt16;
    case Dtype::Uint16:
    case Dtype::Quint16:
        return kCairnUint16;
    case Dtype::Int32:
    case Dtype::Qint32:
        return kCairnInt32;
    case Dtype::Uint32:
        return kCairnUint32;
    case Dtype::Int64:
        return kCairnInt64;
    case Dtype::Uint64:
        return kCairnUint64;
    case Dtype::Float16:
        return kCairnFloat16;
    case Dtype::Bfloat16:
        return kCairnBfloat16;
    case Dtype::Float32:
        return kCairnFloat32;
    case Dtype::Float64:
        return kCairnFloat64;
    case Dtype::Complex32:
        return kCairnComplex32;
    case Dtype::Complex64:
        return kCairnComplex64;
    case Dtype::Complex128:
        return kCairnComplex128;
    default:
        return std::nullopt;
    }
}

CairnElements torchElements(Dtype dtype, std::span<const std::byte> bytes) {
    const int kind = torchKind(dtype).value_or(kCairnKinds);
    return {bytes.data(), kind, kind == kCairnTable8 ? tableOf(dtype).data() : nullptr};
}

Error torchError(const CairnTorchError& error, Sentence what) {
    const bool memory = error.code == kCairnTorchOutOfMemory;
    return fail(memory ? ErrorCode::OutOfMemory : ErrorCode::Unsupported, std::move(what))
        .butFound(verbatim(error.text))
        .withHint(memory ? Sentence("Use --device cpu, or free memory on the device")
                         : "Use --device cpu");
}

} // namespace cairn
