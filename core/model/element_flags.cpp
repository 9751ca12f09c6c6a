// SPDX-License-Identifier: Apache-2.0
#include "core/model/element_flags.h"

#include "core/model/block_numbers.h"

#include <algorithm>

namespace cairn {

void applyFlags(std::span<std::byte> bytes, Dtype dtype, ElementFlags flags) {
    const DtypeInfo& info = dtypeInfo(dtype);
    if (info.isBlock()) {
        return flags.swapBytes ? swapBlockNumbers(dtype, bytes) : void();
    }
    const std::size_t component = info.componentBits / 8;
    const bool complex = info.kind == DtypeKind::Complex;
    for (std::size_t at = 0, index = 0; at + component <= bytes.size(); at += component, ++index) {
        const auto element = bytes.subspan(at, component);
        if (flags.swapBytes) {
            std::ranges::reverse(element);
        }
        const bool flip = flags.negate != (flags.conjugate && complex && index % 2 == 1);
        if (!flip) {
            continue;
        }
        if (complex || info.kind == DtypeKind::Float) {
            element.back() ^= std::byte{0x80};
        } else {
            unsigned carry = 1; // two's complement
            for (std::byte& byte : element) {
                const unsigned sum = (~std::to_integer<unsigned>(byte) & 0xFFU) + carry;
                byte = static_cast<std::byte>(sum & 0xFFU);
                carry = sum >> 8U;
            }
        }
    }
}

} // namespace cairn
