// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/own_numbers.h"

#include "core/base/ascii.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace cairn {
namespace {

constexpr auto kModelEndings =
    std::to_array<std::string_view>({".keras", ".h5", ".hdf5", ".weights", ".pt", ".pth", ".bin",
                                     ".ckpt", ".safetensors", ".npz", ".zip"});

std::string_view withoutModelEndings(std::string_view name) {
    const auto ends = [&](std::string_view ending) {
        return name.size() > ending.size() && name.ends_with(ending);
    };
    for (auto at = std::ranges::find_if(kModelEndings, ends); at != kModelEndings.end();
         at = std::ranges::find_if(kModelEndings, ends)) {
        name.remove_suffix(at->size());
    }
    return name;
}

std::size_t endOfDigits(std::string_view name, std::size_t at) {
    while (at < name.size() && isDigit(name[at])) {
        ++at;
    }
    return at;
}

/// Whether a word directly before `at` shows that the number counts steps.
bool countsSteps(std::string_view name, std::size_t at) {
    while (at > 0 && !isLetter(name[at - 1]) && !isDigit(name[at - 1])) {
        --at;
    }
    const std::string word = names::wordBefore(name, at);
    return names::means(word, names::Meaning::Step) && !names::means(word, names::Meaning::Save);
}

double numberAt(std::string_view name, std::size_t begin, std::size_t end) {
    double value = std::nan("");
    std::from_chars(name.data() + begin, name.data() + end, value);
    return value;
}

} // namespace

bool NamedDecimal::isRoundingOf(double exact) const {
    // The log may contain a 32-bit number, while the name was made from a 64-bit one.
    const double half = 0.5 * std::pow(10.0, -digits) + std::abs(exact) * 1e-6;
    return std::abs(exact - value) <= half || (afterDash && std::abs(exact + value) <= half);
}

OwnNumbers ownNumbers(std::string_view name) {
    name = withoutModelEndings(name);
    OwnNumbers numbers;
    std::size_t wholes = 0;
    for (std::size_t begin = 0; begin < name.size();) {
        if (!isDigit(name[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = endOfDigits(name, begin);
        const std::size_t point = end;
        if (point + 1 < name.size() && name[point] == '.' && isDigit(name[point + 1])) {
            end = endOfDigits(name, point + 1);
            numbers.decimals.push_back({numberAt(name, begin, end),
                                        static_cast<int>(end - point - 1),
                                        begin > 0 && name[begin - 1] == '-'});
        } else {
            ++wholes;
            const bool isUnit = end < name.size() && isLetter(name[end]); // "7b"
            const bool other = isUnit || countsSteps(name, begin);
            numbers.count = other ? std::nullopt : std::optional(numberAt(name, begin, end));
        }
        begin = end;
    }
    numbers.count = wholes == 1 ? numbers.count : std::nullopt;
    return numbers;
}

} // namespace cairn
