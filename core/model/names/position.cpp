// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/position.h"

#include "core/base/ascii.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <array>
#include <string>

namespace cairn {
namespace {

using names::Meaning;
using names::means;

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

/// Whether a number after the word counts steps; "model" counts saves if nothing else does.
bool countsSteps(std::string_view word) {
    return means(word, Meaning::Step) || word == "model";
}

/// 1000 for the k of "step_10k", 1'000'000 for an M; 0 if a letter gives the number another meaning
/// ("7b", "3d"), otherwise 1.
std::int64_t scaleOf(std::string_view after, bool isStep) {
    if (after.empty() || !isLetter(after.front())) {
        return 1;
    }
    const bool alone = after.size() == 1 || !isLetter(after[1]);
    const char unit = after.front();
    return !alone || !isStep ? 0 : unit == 'k' || unit == 'K' ? 1000 : unit == 'M' ? 1'000'000 : 0;
}

/// The numbers in "val_loss=0.15" and "00001-of-00003" are not positions.
bool isPartOfLongerToken(std::string_view name, std::size_t begin, std::size_t end) {
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
    for (const auto& [begin, end] : names::digitRuns(name)) {
        auto number = names::decimal(name.substr(begin, end - begin));
        const std::string word = names::wordBefore(name, begin);
        const std::int64_t scale = scaleOf(name.substr(end), countsSteps(word));
        number = number && scale != 0 && *number <= INT64_MAX / scale
                     ? std::optional(*number * scale)
                     : std::nullopt;
        if (!number || isPartOfLongerToken(name, begin, end)) {
            continue;
        }
        const bool whole = begin == 0 && end == name.size();
        const bool sure = means(word, Meaning::Counter);
        if (means(word, Meaning::Epoch)) {
            position.epoch = static_cast<double>(*number);
        } else if ((countsSteps(word) || whole) && (!stepIsSure || sure)) {
            position.step = *number;
            stepIsSure = sure;
        }
    }
    return position;
}

bool isPositionFolder(std::string_view name) {
    std::string word;
    std::size_t at = 0;
    for (; at < name.size() && !isDigit(name[at]); ++at) {
        if (isLetter(name[at])) {
            word += name[at];
        } else if (name[at] != '-' && name[at] != '_' && name[at] != '=') {
            return false;
        }
    }
    if (at == name.size() || !means(names::lowered(word), Meaning::Position)) {
        return false;
    }
    const NamedPosition position = positionFromName(name);
    return position.step || position.epoch;
}

} // namespace cairn
