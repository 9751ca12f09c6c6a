// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

namespace cairn {

std::optional<double> parseQuantity(std::string_view text) {
    static constexpr auto kUnits = std::to_array<std::pair<std::string_view, double>>({
        {"", 1},
        {"b", 1},
        {"k", 1e3},
        {"kb", 1e3},
        {"m", 1e6},
        {"mb", 1e6},
        {"g", 1e9},
        {"gb", 1e9},
        {"t", 1e12},
        {"tb", 1e12},
        {"kib", 0x1p10},
        {"mib", 0x1p20},
        {"gib", 0x1p30},
        {"tib", 0x1p40},
    });
    double number = 0;
    const char* const last = text.data() + text.size();
    const auto end = std::from_chars(text.data(), last, number);
    std::string unit;
    for (const char* at = end.ptr; at != last; ++at) {
        if (*at != ' ') {
            unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*at)));
        }
    }
    const auto found = std::ranges::find(kUnits, std::string_view(unit),
                                         &std::pair<std::string_view, double>::first);
    if (end.ec != std::errc() || found == kUnits.end()) {
        return std::nullopt;
    }
    return number * found->second;
}

Result<std::uint64_t> parseSize(std::string_view text) {
    if (const auto size = parseQuantity(text); size && *size > 0 && *size < 9e18) {
        return static_cast<std::uint64_t>(*size);
    }
    return fail(ErrorCode::InvalidArgument, "Invalid size")
        .butFound(verbatim(std::string(text)))
        .expecting("5GB, 500MB, 1GiB");
}

} // namespace cairn
