// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// For probes, which get only the last bytes of a file.
namespace cairn::formats {

/// Whether a directory row of a zip (APPNOTE 4.3.12) in these last bytes names this member; other
/// occurrences of the name, in a value for example, do not count.
inline bool zipTailNames(std::span<const std::byte> tail, std::string_view member) {
    constexpr std::size_t kRow = 46; // size of the row before the name
    constexpr std::size_t kNameLength = 28;
    const std::string_view text = asText(tail);
    for (std::size_t at = text.find(member); at != std::string_view::npos;
         at = text.find(member, at + 1)) {
        if (at >= kRow && text.substr(at - kRow).starts_with("PK\1\2") &&
            loadLittle<std::uint16_t>(tail, at - kRow + kNameLength) == member.size()) {
            return true;
        }
    }
    return false;
}

} // namespace cairn::formats
