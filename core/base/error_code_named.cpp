// SPDX-License-Identifier: Apache-2.0
#include "core/base/error_code_named.h"

#include <algorithm>
#include <array>

namespace cairn {

ErrorCode errorCodeNamed(std::string_view name) {
    static constexpr auto kCodes = std::to_array<ErrorCode>({
#define CAIRN_CODE(value, text, exitClass) ErrorCode::value,
        CAIRN_ERROR_CODES(CAIRN_CODE)
#undef CAIRN_CODE
    });
    const auto* const found = std::ranges::find(kCodes, name, errorName);
    return found != kCodes.end() ? *found : ErrorCode::Io;
}

} // namespace cairn
