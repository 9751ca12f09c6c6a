// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/torch/torch_objects.h"

#include <array>

namespace cairn::formats {
namespace {

struct StorageName {
    std::string_view prefix; ///< before "Storage" or "Tensor"
    Dtype dtype;
};

constexpr auto kStorages = std::to_array<StorageName>({
    {"Double", Dtype::Float64},
    {"Float", Dtype::Float32},
    {"Half", Dtype::Float16},
    {"Long", Dtype::Int64},
    {"Int", Dtype::Int32},
    {"Short", Dtype::Int16},
    {"Char", Dtype::Int8},
    {"Byte", Dtype::Uint8},
    {"Bool", Dtype::Bool},
    {"BFloat16", Dtype::Bfloat16},
    {"ComplexDouble", Dtype::Complex128},
    {"ComplexFloat", Dtype::Complex64},
    {"QInt8", Dtype::Qint8},
    {"QInt32", Dtype::Qint32},
    {"QUInt8", Dtype::Quint8},
    {"QUInt4x2", Dtype::Quint4x2},
    {"QUInt2x4", Dtype::Quint2x4},
});

struct Other {
    std::string_view name;
    Dtype dtype;
};

// Aliases of dtypes, and dtypes whose elements Cairn carries as bytes.
constexpr auto kOtherDtypes = std::to_array<Other>({
    {"double", Dtype::Float64},   {"float", Dtype::Float32},      {"half", Dtype::Float16},
    {"long", Dtype::Int64},       {"int", Dtype::Int32},          {"short", Dtype::Int16},
    {"cfloat", Dtype::Complex64}, {"cdouble", Dtype::Complex128}, {"chalf", Dtype::Complex32},
    {"uint1", Dtype::Uint8},      {"uint2", Dtype::Uint8},        {"uint3", Dtype::Uint8},
    {"uint4", Dtype::Uint8},      {"uint5", Dtype::Uint8},        {"uint6", Dtype::Uint8},
    {"uint7", Dtype::Uint8},      {"int1", Dtype::Int8},          {"int2", Dtype::Int8},
    {"int3", Dtype::Int8},        {"int4", Dtype::Int8},          {"int5", Dtype::Int8},
    {"int6", Dtype::Int8},        {"int7", Dtype::Int8},
});

} // namespace

std::optional<std::optional<Dtype>> torchStorageDtype(pickle::GlobalName name) {
    using Inner = std::optional<Dtype>;
    if (name.module == "torch.storage" && name.name.ends_with("Storage")) {
        return Inner{}; // UntypedStorage, _UntypedStorage, TypedStorage, _TypedStorage
    }
    if ((name.module != "torch" && name.module != "torch.cuda") ||
        !name.name.ends_with("Storage")) {
        return std::nullopt;
    }
    const std::string_view prefix = name.name.substr(0, name.name.size() - 7);
    for (const StorageName& row : kStorages) {
        if (row.prefix == prefix) {
            return Inner{row.dtype};
        }
    }
    if (prefix == "Untyped" || prefix == "Typed") {
        return Inner{};
    }
    return std::nullopt;
}

std::optional<Dtype> torchDtype(pickle::GlobalName name) {
    if (name.module != "torch") {
        return std::nullopt;
    }
    for (const DtypeInfo& info : allDtypes()) {
        if (!info.torchName.empty() && info.torchName == name.name) {
            return info.dtype;
        }
    }
    for (const Other& row : kOtherDtypes) {
        if (row.name == name.name) {
            return row.dtype;
        }
    }
    return std::nullopt;
}

bool isTorchStorage(const pickle::PickleGraph& graph, pickle::NodeId id) {
    const auto items = graph.items(id);
    return items.size() >= 5 && asText(graph.bytes(items[0])) == "storage";
}

Result<TorchStorage> readTorchStorage(const pickle::PickleGraph& graph, pickle::NodeId id) {
    const auto items = graph.items(id);
    if (graph.kind(id) != pickle::NodeKind::Tuple || items.size() < 5 || items.size() > 6 ||
        asText(graph.bytes(items[0])) != "storage") {
        return fail(ErrorCode::TorchBadPersistentId, "A persistent id does not name a storage")
            .expecting("(\"storage\", class, key, location, count)");
    }
    const auto className = pickle::python3Name(graph.global(items[1]));
    const auto dtype = torchStorageDtype(className);
    if (!dtype) {
        return fail(ErrorCode::TorchUnknownDtype, "Unknown storage class")
            .butFound(sentence("%1.%2", className.module, className.name));
    }
    TorchStorage storage;
    storage.dtype = *dtype;
    storage.key = asText(graph.bytes(items[2]));
    storage.location = asText(graph.bytes(items[3]));
    const auto numel = graph.asInteger(items[4]);
    if (storage.key.empty() || !numel || *numel < 0) {
        return fail(ErrorCode::TorchBadPersistentId, "A storage has no key or no element count");
    }
    storage.numel = static_cast<std::uint64_t>(*numel);
    if (!storage.bytes()) {
        return fail(ErrorCode::TorchBadPersistentId, "The size of a storage overflows")
            .butFound(sentence("%1 elements", *numel));
    }
    const auto view = items.size() == 6 ? graph.items(items[5]) : std::span<const pickle::NodeId>{};
    if (view.size() == 3) {
        const auto offset = graph.asInteger(view[1]);
        const auto count = graph.asInteger(view[2]);
        if (!offset || !count || *offset < 0 || *count < 0) {
            return fail(ErrorCode::TorchBadPersistentId,
                        "The view of a storage does not consist of numbers");
        }
        storage.view = {asText(graph.bytes(view[0])), static_cast<std::uint64_t>(*offset),
                        static_cast<std::uint64_t>(*count)};
    }
    return storage;
}

} // namespace cairn::formats
