// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/rank_folders.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace cairn::formats::megatron {
namespace {

constexpr std::string_view kRank = "mp_rank_";
constexpr std::string_view kIteration = "iter_";
constexpr std::size_t kMostDigits = 6;
constexpr std::size_t kIterationDigits = 7;

/// The number in a text that consists of digits only.
template <class Number> std::optional<Number> numberOfDigits(std::string_view text) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && text.front() != '-' ? std::optional(value) : std::nullopt;
}

std::string padded(std::uint32_t number, std::size_t width) {
    const std::string digits = std::to_string(number);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
}

} // namespace

std::optional<RankFolder> parseRankFolder(std::string_view name) {
    if (!name.starts_with(kRank)) {
        return std::nullopt;
    }
    RankFolder folder;
    folder.name = name;
    std::string_view left = name.substr(kRank.size());
    for (std::size_t part = 0; part < 3; ++part) {
        const std::size_t end = std::min(left.find('_'), left.size());
        const auto number = end == 0 || end > kMostDigits
                                ? std::nullopt
                                : numberOfDigits<std::uint32_t>(left.substr(0, end));
        if (!number) {
            return std::nullopt;
        }
        if (part == 0) {
            folder.tp = *number;
        } else {
            folder.rest.push_back(*number);
        }
        if (end == left.size()) {
            return folder;
        }
        left.remove_prefix(end + 1);
    }
    return std::nullopt;
}

std::vector<RankFolder> rankFolders(std::span<const FolderEntry> entries) {
    std::vector<RankFolder> folders;
    for (const FolderEntry& entry : entries) {
        auto folder = entry.kind == EntryKind::File ? std::nullopt : parseRankFolder(entry.name);
        if (folder) {
            folders.push_back(std::move(*folder));
        }
    }
    std::ranges::sort(folders, [](const RankFolder& a, const RankFolder& b) {
        return std::tie(a.rest, a.tp, a.name) < std::tie(b.rest, b.tp, b.name);
    });
    return folders;
}

std::string rankFolderName(std::uint32_t tp, std::optional<std::uint32_t> pp,
                           std::optional<std::uint32_t> ep) {
    return std::string(kRank) + padded(tp, 2) + (pp ? "_" + padded(*pp, 3) : "") +
           (ep ? "_" + padded(*ep, 3) : "");
}

std::optional<std::int64_t> iterationOfFolder(std::string_view name) {
    if (name == "release") {
        return 0;
    }
    const std::string_view digits =
        name.starts_with(kIteration) ? name.substr(kIteration.size()) : std::string_view();
    return digits.size() < kIterationDigits ? std::nullopt : numberOfDigits<std::int64_t>(digits);
}

std::string folderOfTracker(std::string_view text) {
    const bool digits = !text.empty() && std::ranges::all_of(text, isDigit);
    if (!digits) {
        return std::string(text);
    }
    const std::size_t missing = kIterationDigits - std::min(kIterationDigits, text.size());
    return std::string(kIteration) + std::string(missing, '0') + std::string(text);
}

} // namespace cairn::formats::megatron
