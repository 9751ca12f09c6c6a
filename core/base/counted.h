// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn {

/// "1 tensor", "2 tensors"; `many` is an irregular plural: "1 entry", "2 entries".
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {}) {
    std::string text = std::to_string(count);
    text += ' ';
    text += count == 1 || many.empty() ? one : many;
    if (count != 1 && many.empty()) {
        text += 's';
    }
    return text;
}

} // namespace cairn
