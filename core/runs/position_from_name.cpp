// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/runs/experiment_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace cairn {
namespace {

constexpr auto kStepWords = std::to_array<std::string_view>({
    "step",
    "steps",
    "globalstep",
    "iter",
    "iteration",
    "it",
    "checkpoint",
    "ckpt",
    "model",
    "update",
    "batch",
});
constexpr auto kEpochWords = std::to_array<std::string_view>({"epoch", "epochs", "ep"});
constexpr auto kEndings = std::to_array<std::string_view>({
    ".pt",
    ".pth",
    ".bin",
    ".ckpt",
    ".safetensors",
    ".tar",
    ".tmp",
    ".incomplete",
    ".distcp",
    ".pkl",
    ".npz",
    ".npy",
    ".cairnz",
    ".zip",
});

std::string_view withoutEndings(std::string_view name) {
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view ending : kEndings) {
            if (name.size() > ending.size() && name.ends_with(ending)) {
                name.remove_suffix(ending.size());
                again = true;
            }
        }
    }
    return name;
}

/// The word right before position `at`, without the signs between them, in lower case, with
/// "global_" joined to it.
std::string wordBefore(std::string_view name, std::size_t at) {
    while (at > 0 && (name[at - 1] == '-' || name[at - 1] == '_' || name[at - 1] == '=' ||
                      name[at - 1] == ' ')) {
        --at;
    }
    std::string word;
    while (at > 0 && isLetter(name[at - 1])) {
        word.insert(word.begin(),
                    static_cast<char>(std::tolower(static_cast<unsigned char>(name[--at]))));
    }
    return word;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

std::optional<std::int64_t> decimal(std::string_view digits) {
    std::int64_t value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
    return whole ? std::optional(value) : std::nullopt;
}

/// 1000 for the k of "step_10k", 1'000'000 for an M; 0 when a letter makes it something else ("7b",
/// "3d"), 1 when nothing follows that belongs to the number.
std::int64_t scaleOf(std::string_view after, bool isStep) {
    if (after.empty() || !isLetter(after.front())) {
        return 1;
    }
    const bool alone = after.size() == 1 || !isLetter(after[1]);
    const char unit = after.front();
    return !alone || !isStep ? 0 : unit == 'k' || unit == 'K' ? 1000 : unit == 'M' ? 1'000'000 : 0;
}

/// "0.15" in "val_loss=0.15" and "00001-of-00003" are no positions.
bool isPartOfSomethingElse(std::string_view name, std::size_t begin, std::size_t end) {
    const bool fraction = (end + 1 < name.size() && name[end] == '.' && isDigit(name[end + 1])) ||
                          (begin >= 2 && name[begin - 1] == '.' && isDigit(name[begin - 2]));
    const bool shard =
        name.substr(end).starts_with("-of-") || name.substr(0, begin).ends_with("-of-");
    return fraction || shard;
}

} // namespace

NamedPosition positionFromName(std::string_view name) {
    name = withoutEndings(name);
    NamedPosition position;
    bool stepIsSure = false;
    for (std::size_t begin = 0; begin < name.size();) {
        if (!isDigit(name[begin])) {
            ++begin;
            continue;
        }
        const auto after = std::ranges::find_if_not(name.substr(begin), isDigit);
        const auto end = static_cast<std::size_t>(after - name.begin());
        auto number = decimal(name.substr(begin, end - begin));
        const std::string word = wordBefore(name, begin);
        const std::int64_t scale = scaleOf(name.substr(end), contains(kStepWords, word));
        number = number && scale != 0 && *number <= INT64_MAX / scale
                     ? std::optional(*number * scale)
                     : std::nullopt;
        const bool whole = begin == 0 && end == name.size();
        if (number && !isPartOfSomethingElse(name, begin, end)) {
            const bool sure =
                word == "step" || word == "steps" || word == "iter" || word == "iteration";
            if (contains(kEpochWords, word)) {
                position.epoch = static_cast<double>(*number);
            } else if ((contains(kStepWords, word) || whole) && (!stepIsSure || sure)) {
                position.step = *number;
                stepIsSure = sure;
            }
        }
        begin = end;
    }
    return position;
}

} // namespace cairn
