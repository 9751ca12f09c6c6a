// SPDX-License-Identifier: Apache-2.0
#include "core/model/dtype.h"

#include "core/base/checked.h"

#include <array>

namespace cairn {
namespace {

constexpr auto kInfos = std::to_array<DtypeInfo>({
#define CAIRN_ROW(value, name, bits, componentBits, kind, safetensors, torchName)                  \
    {Dtype::value, name, bits, componentBits, DtypeKind::kind, safetensors, torchName},
    CAIRN_DTYPES(CAIRN_ROW)
#undef CAIRN_ROW
});

} // namespace

const DtypeInfo& dtypeInfo(Dtype dtype) { return kInfos.at(static_cast<std::size_t>(dtype)); }

std::span<const DtypeInfo> allDtypes() { return kInfos; }

std::string_view dtypeName(Dtype dtype) { return dtypeInfo(dtype).name; }

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
    const std::uint32_t bits = dtypeInfo(dtype).bits;
    if (bits % 8 == 0) {
        return checkedMul(elements, bits / 8);
    }
    const auto total = checkedMul(elements, bits);
    const auto rounded = total ? checkedAdd(*total, 7) : std::nullopt;
    return rounded ? std::optional(*rounded / 8) : std::nullopt;
}

} // namespace cairn
