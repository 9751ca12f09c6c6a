// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/shard_name.h"

#include "core/model/names/tokens.h"

#include <charconv>

namespace cairn {
namespace {

constexpr std::uint32_t kMaxShards = 100'000;

/// The digits at the end of `text`, removed from it.
std::string_view takeDigits(std::string_view& text) {
    const std::size_t last = text.find_last_not_of("0123456789");
    const std::size_t start = last == std::string_view::npos ? 0 : last + 1;
    const std::string_view digits = text.substr(start);
    text = text.substr(0, start);
    return digits;
}

std::optional<std::uint32_t> number(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value <= kMaxShards
               ? std::optional(value)
               : std::nullopt;
}

} // namespace

std::optional<ShardName> splitShardName(std::string_view name) {
    constexpr std::string_view kOf = "-of-";
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) {
        return std::nullopt;
    }
    ShardName parts;
    parts.suffix = name.substr(dot);
    std::string_view rest = name.substr(0, dot);
    const auto count = number(takeDigits(rest));
    if (!count || *count == 0 || !rest.ends_with(kOf)) {
        return std::nullopt;
    }
    rest.remove_suffix(kOf.size());
    const std::string_view indexDigits = takeDigits(rest);
    const auto index = number(indexDigits);
    if (!index || !rest.ends_with('-') || rest.size() < 2) {
        return std::nullopt;
    }
    rest.remove_suffix(1);
    if (names::wordBefore(rest, rest.size()) == "rank") {
        return std::nullopt;
    }
    parts.base = rest;
    parts.index = *index;
    parts.count = *count;
    parts.width = indexDigits.size();
    return parts;
}

std::string shardNameOf(const ShardName& like, std::uint32_t index) {
    const auto padded = [&](std::uint32_t value) {
        std::string digits = std::to_string(value);
        return std::string(like.width > digits.size() ? like.width - digits.size() : 0, '0') +
               digits;
    };
    return std::string(like.base) + "-" + padded(index) + "-of-" + padded(like.count) +
           std::string(like.suffix);
}

} // namespace cairn
