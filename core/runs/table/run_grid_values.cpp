// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_grid_values.h"

#include "core/base/number.h"
#include "core/runs/compare/compare.h"
#include "core/runs/table/run_row.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn {
namespace {

/// "1e-8" without a dot is text in YAML 1.1, but meant as a number.
std::optional<double> numberInText(const std::string& text) {
    constexpr std::size_t kLongest = 40;
    const bool starts =
        !text.empty() && (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
    double number = 0;
    if (!starts || text.size() > kLongest) {
        return std::nullopt;
    }
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(number)
               ? std::optional(number)
               : std::nullopt;
}

void putNumber(SettingValue& setting) {
    if (const std::int64_t* whole = setting.value.asInt()) {
        setting.number = Number(*whole).nearest;
        setting.rest = Number(*whole).rest;
        return;
    }
    const BigInt* big = setting.value.asBigInt();
    const std::string* text = big != nullptr ? &big->digits : setting.value.asString();
    setting.number = text != nullptr ? numberInText(*text) : numberOf(setting.value);
    setting.rest = text != nullptr && setting.number ? restOfText(*text) : std::int16_t{0};
}

/// Equal for settings that are the same (sameSetting()).
std::string identityOf(const Value& value) {
    const std::int64_t* whole = value.asInt();
    if (whole != nullptr && Number(*whole).rest != 0) {
        return "n" + std::to_string(*whole);
    }
    if (const auto number = numberOf(value)) {
        return "n" + settingText(Value(*number == 0 ? 0.0 : *number)); // also of -0.0
    }
    return (value.asString() != nullptr ? "t" : "o") + settingText(value);
}

bool valueLess(const SettingValue& a, const SettingValue& b) {
    if (a.number.has_value() != b.number.has_value()) {
        return a.number.has_value();
    }
    const Number left{a.number.value_or(0), a.rest};
    const Number right{b.number.value_or(0), b.rest};
    if (a.number && left != right) {
        return std::isnan(right.nearest) ? !std::isnan(left.nearest) : left < right;
    }
    return naturalLess(a.text, b.text) || (!naturalLess(b.text, a.text) && a.text < b.text);
}

/// Gives every row an index into the setting's different values.
void fillValues(GridSetting& setting,
                std::span<const std::pair<std::uint32_t, const RowSetting*>> given) {
    std::unordered_map<std::string, std::uint32_t> known;
    const auto take = [&](std::uint32_t row, const Value& value, const std::string& identity) {
        const auto [at, isNew] =
            known.emplace(identity, static_cast<std::uint32_t>(setting.values.size()));
        if (isNew) {
            setting.values.push_back({value, settingText(value)});
            putNumber(setting.values.back());
        }
        setting.ofRow[row] = at->second;
    };
    for (const auto& [row, each] : given) {
        setting.isDisputed = setting.isDisputed || each->disputed;
        if (each->value.asString() == nullptr) {
            take(row, each->value, identityOf(each->value));
        }
    }
    for (const auto& [row, each] : given) { // text equals a number that occurs as a number
        const std::string* text = each->value.asString();
        if (text == nullptr) {
            continue;
        }
        const auto number = numberInText(*text);
        const bool isLong = restOfText(*text) != 0; // the same digits as an integer's
        const std::string asNumber = isLong   ? "n" + *text
                                     : number ? identityOf(Value(*number))
                                              : std::string();
        take(row, each->value, known.contains(asNumber) ? asNumber : identityOf(each->value));
    }
}

void sortValues(GridSetting& setting) {
    std::vector<std::uint32_t> order(setting.values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return valueLess(setting.values[a], setting.values[b]);
    });
    std::vector<std::uint32_t> rank(order.size());
    std::vector<SettingValue> sorted;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        rank[order[i]] = i;
        sorted.push_back(std::move(setting.values[order[i]]));
    }
    setting.values = std::move(sorted);
    for (std::uint32_t& each : setting.ofRow) {
        each = each != GridSetting::kNoValue ? rank[each] : each;
    }
    setting.isNumeric = std::ranges::all_of(
        setting.values, [](const SettingValue& value) { return value.number.has_value(); });
}

/// "0.000299178" for a learning rate of 0.0002991777241598977.
std::string sixDigits(const SettingValue& value) {
    const auto number = value.value.asFloat();
    std::array<char, 32> text{};
    const int length = number ? std::snprintf(text.data(), text.size(), "%.6g", *number) : 0;
    const auto digits = static_cast<std::size_t>(std::max(length, 0));
    return digits > 0 && digits < value.text.size() ? std::string(text.data(), digits) : value.text;
}

void shortenNumbers(GridSetting& setting) {
    std::unordered_map<std::string, std::size_t> uses;
    for (SettingValue& value : setting.values) {
        value.shown = sixDigits(value);
        ++uses[value.shown];
    }
    for (SettingValue& value : setting.values) {
        if (uses[value.shown] > 1) {
            value.shown = value.text;
        }
    }
}

} // namespace

void collectValues(GridSetting& setting,
                   std::span<const std::pair<std::uint32_t, const RowSetting*>> given) {
    fillValues(setting, given);
    sortValues(setting);
    shortenNumbers(setting);
}

} // namespace cairn
