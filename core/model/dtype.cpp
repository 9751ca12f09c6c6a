// SPDX-License-Identifier: Apache-2.0
#include "core/model/dtype.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr auto kInfos = std::to_array<DtypeInfo>({
#define CAIRN_ROW(value, name, bits, componentBits, kind, safetensors, torchName)                  \
    {Dtype::value, name, bits, componentBits, DtypeKind::kind, safetensors, torchName, 1, 0},
    CAIRN_DTYPES(CAIRN_ROW)
#undef CAIRN_ROW
#define CAIRN_ROW(value, name, elements, bytes)                                                    \
    {Dtype::value, name, ((bytes)*8 + (elements)-1) / (elements), 8, DtypeKind::Packed, "", "",    \
     elements,     bytes},
        CAIRN_BLOCK_DTYPES(CAIRN_ROW)
#undef CAIRN_ROW
});

// Callers that test `bits % 8` treat block dtypes as packed, which are carried unchanged.
static_assert(std::ranges::all_of(kInfos, [](const DtypeInfo& info) {
    return !info.isBlock() || info.bits % 8 != 0;
}));

} // namespace

const DtypeInfo& dtypeInfo(Dtype dtype) {
    return kInfos.at(static_cast<std::size_t>(dtype));
}

std::span<const DtypeInfo> allDtypes() {
    return kInfos;
}

std::string_view dtypeName(Dtype dtype) {
    return dtypeInfo(dtype).name;
}

std::optional<Dtype> dtypeFromName(std::string_view name) {
    for (const DtypeInfo& info : kInfos) {
        if (info.name == name) {
            return info.dtype;
        }
    }
    return std::nullopt;
}

std::optional<Dtype> dtypeFromSafetensors(std::string_view name) {
    for (const DtypeInfo& info : kInfos) {
        if (!name.empty() && info.safetensors == name) {
            return info.dtype;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> dtypeBytes(Dtype dtype, std::uint64_t elements) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const std::uint32_t bits = info.bits;
    if (info.isBlock()) {
        return checkedMul(elements / info.blockElements +
                              (elements % info.blockElements != 0 ? 1 : 0),
                          info.blockBytes);
    }
    if (bits % 8 == 0) {
        return checkedMul(elements, bits / 8);
    }
    const auto total = checkedMul(elements, bits);
    const auto rounded = total ? checkedAdd(*total, 7) : std::nullopt;
    return rounded ? std::optional(*rounded / 8) : std::nullopt;
}

std::uint64_t dtypeElements(Dtype dtype, std::uint64_t bytes) {
    const DtypeInfo& info = dtypeInfo(dtype);
    if (info.isBlock()) {
        return bytes / info.blockBytes * info.blockElements;
    }
    const std::uint64_t whole = bytes / info.bits; // groups of `bits` bytes contain 8 elements each
    return whole * 8 + bytes % info.bits * 8 / info.bits;
}

} // namespace cairn
