// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/time_text.h"

#include "core/base/ascii.h"

#include <charconv>
#include <chrono>
#include <cstdint>

namespace cairn::history {
namespace {

std::optional<int> digitsAt(std::string_view text, std::size_t at, std::size_t count) {
    int value = 0;
    const char* begin = text.data() + at;
    const auto parsed = std::from_chars(begin, begin + count, value);
    return parsed.ec == std::errc() && parsed.ptr == begin + count && isDigit(*begin)
               ? std::optional(value)
               : std::nullopt;
}

/// Seconds of "+01:00"; 0 if there is none.
std::int64_t offsetAt(std::string_view text, std::size_t at) {
    constexpr std::size_t kLength = 6;
    if (at + kLength > text.size() || (text[at] != '+' && text[at] != '-') || text[at + 3] != ':') {
        return 0;
    }
    const auto hours = digitsAt(text, at + 1, 2);
    const auto minutes = digitsAt(text, at + 4, 2);
    const std::int64_t seconds = hours && minutes ? *hours * 3600 + *minutes * 60 : 0;
    return text[at] == '-' ? -seconds : seconds;
}

std::optional<double> timeAt(std::string_view text) {
    constexpr std::string_view kForm = "0000-00-00 00:00:00";
    for (std::size_t i = 0; i < kForm.size(); ++i) {
        if (isDigit(kForm[i]) ? !isDigit(text[i])
                              : text[i] != kForm[i] && !(kForm[i] == ' ' && text[i] == 'T')) {
            return std::nullopt;
        }
    }
    const std::chrono::year_month_day day{
        std::chrono::year(*digitsAt(text, 0, 4)),
        std::chrono::month(static_cast<unsigned>(*digitsAt(text, 5, 2))),
        std::chrono::day(static_cast<unsigned>(*digitsAt(text, 8, 2)))};
    const int hour = *digitsAt(text, 11, 2);
    const int minute = *digitsAt(text, 14, 2);
    const int second = *digitsAt(text, 17, 2);
    if (!day.ok() || hour > 23 || minute > 59 || second > 60) {
        return std::nullopt;
    }
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    std::int64_t wall = std::int64_t{days} * 86400 + hour * 3600 + minute * 60 + second;
    std::int64_t scale = 1; // as Python's timestamp(): one rounding, of the whole
    std::size_t at = kForm.size();
    const bool fraction = text.size() > at && (text[at] == '.' || text[at] == ',');
    for (at += fraction ? 1U : 0U; fraction && at < text.size() && isDigit(text[at]); ++at) {
        constexpr std::int64_t kMicroseconds = 1'000'000;
        if (scale < kMicroseconds) {
            wall = wall * 10 + (text[at] - '0');
            scale *= 10;
        }
    }
    wall -= offsetAt(text, at) * scale;
    return static_cast<double>(wall) / static_cast<double>(scale);
}

} // namespace

std::optional<double> timeIn(std::string_view text) {
    constexpr std::size_t kLength = 19;
    for (std::size_t at = 0; at + kLength <= text.size(); ++at) {
        if (isDigit(text[at]) && text[at + 4] == '-') {
            if (const auto time = timeAt(text.substr(at))) {
                return time;
            }
        }
    }
    return std::nullopt;
}

} // namespace cairn::history
