// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/position.h"

#include "core/base/ascii.h"
#include "core/model/names/part_name.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

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

/// "step_-100", "step=-100": the dash is a sign if a separator precedes it.
bool isNegative(std::string_view name, std::size_t begin) {
    return begin >= 2 && name[begin - 1] == '-' && names::isSeparator(name[begin - 2]);
}

/// Reads the name's numbers, each with the words around it.
class NameReader {
public:
    explicit NameReader(std::string_view name)
        : m_name(name), m_runs(names::digitRuns(name)), m_isDate(m_runs.size(), false) {
        findDates();
        if (auto part = names::splitPartName(name)) {
            m_parts = std::move(part->numbers);
        }
    }

    NamedPosition read() {
        bool stepIsSure = false;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const auto [begin, end] = m_runs[i];
            const std::string word = wordOf(i);
            const std::int64_t scale =
                m_isFollowed ? 1 : scaleOf(m_name.substr(end), countsSteps(word));
            auto number = names::decimal(text(i));
            number = number && scale != 0 && *number <= INT64_MAX / scale
                         ? std::optional(*number * scale)
                         : std::nullopt;
            if (!number || isOfPart(begin) || isPartOfLongerToken(m_name, begin, end) ||
                isNegative(m_name, begin) || isFirstOfTwo(i, word) ||
                (m_isDate[i] && !means(word, Meaning::Counter) && !means(word, Meaning::Epoch))) {
                continue;
            }
            const bool whole = begin == 0 && end == m_name.size();
            const bool sure = means(word, Meaning::Counter);
            if (means(word, Meaning::Epoch)) {
                m_position.epoch = static_cast<double>(*number);
            } else if ((countsSteps(word) || whole || isPadded(i, word)) && (!stepIsSure || sure)) {
                m_position.step = *number;
                m_position.mayCountSaves =
                    means(word, Meaning::Save) || means(word, Meaning::Model);
                stepIsSure = sure;
            }
        }
        return m_position;
    }

private:
    /// "rank3", "0_of_2": which of several files of one save it is.
    [[nodiscard]] bool isOfPart(std::size_t begin) const {
        return std::ranges::find(m_parts, begin, &names::DigitRun::begin) != m_parts.end();
    }

    [[nodiscard]] std::string_view text(std::size_t i) const {
        return m_name.substr(m_runs[i].begin, m_runs[i].end - m_runs[i].begin);
    }

    /// The word that gives the number its meaning: the one before it; without one the one directly
    /// after it, as in "10epoch" and "5000steps".
    std::string wordOf(std::size_t i) {
        const auto [begin, end] = m_runs[i];
        std::string word = names::wordBefore(m_name, begin);
        m_isFollowed = false;
        if (isAfterNetwork(word, begin)) {
            return "step";
        }
        std::size_t last = end;
        while (last < m_name.size() && isLetter(m_name[last])) {
            ++last;
        }
        const std::string after = names::lowered(m_name.substr(end, last - end));
        const bool counts = means(after, Meaning::Epoch) || means(after, Meaning::Counter);
        const bool ends = last == m_name.size() || !isDigit(m_name[last]);
        if (counts && ends && !means(word, Meaning::Counter) && !means(word, Meaning::Epoch)) {
            m_isFollowed = true;
            return after;
        }
        return word;
    }

    /// "checkpoint_1_4": fairseq's epoch and update, or a save and its part. Two numbers after a
    /// word for a save or a model say of neither that it is the step.
    [[nodiscard]] bool isFirstOfTwo(std::size_t i, const std::string& word) const {
        const bool isSave = means(word, Meaning::Save) || means(word, Meaning::Model);
        return isSave && !means(word, Meaning::Counter) && areJoined(i) &&
               names::isSeparator(m_name[m_runs[i].end]) && m_name[m_runs[i].end] != '.' &&
               i + 2 == m_runs.size() && m_runs[i + 1].end == m_name.size() && !m_isDate[i + 1] &&
               !isOfPart(m_runs[i + 1].begin);
    }

    /// BasicSR's "net_g_5000", "net_d_5000": the networks of one step.
    [[nodiscard]] bool isAfterNetwork(const std::string& word, std::size_t begin) const {
        return m_name.starts_with("net_") && word.size() == 1 && begin == word.size() + 5;
    }

    /// "010000" as in guided diffusion's "ema_0.9999_010000" and "opt010000": a count of a loop,
    /// padded to at least six digits, at the name's end.
    [[nodiscard]] bool isPadded(std::size_t i, const std::string& word) const {
        constexpr std::size_t kDigits = 6;
        return (word.empty() || word == "opt" || word == "ema") && i + 1 == m_runs.size() &&
               m_runs[i].end == m_name.size() && text(i)[0] == '0' && text(i).size() >= kDigits;
    }

    [[nodiscard]] std::int64_t part(std::size_t i, std::size_t from, std::size_t length) const {
        return names::decimal(text(i).substr(from, length)).value_or(-1);
    }

    static bool isDate(std::int64_t year, std::int64_t month, std::int64_t day) {
        return year >= 1990 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
    }

    /// Runs i and i + 1 have one separator between them.
    [[nodiscard]] bool areJoined(std::size_t i) const {
        return i + 1 < m_runs.size() && m_runs[i].end + 1 == m_runs[i + 1].begin;
    }

    [[nodiscard]] bool hasLengths(std::size_t i, std::size_t first, std::size_t second,
                                  std::size_t third) const {
        return areJoined(i) && areJoined(i + 1) && text(i).size() == first &&
               text(i + 1).size() == second && text(i + 2).size() == third;
    }

    void findDates() {
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            std::size_t end = i;
            const std::size_t length = text(i).size();
            if (hasLengths(i, 4, 2, 2) &&
                isDate(part(i, 0, 4), part(i + 1, 0, 2), part(i + 2, 0, 2))) {
                end = i + 3;
            } else if (hasLengths(i, 2, 2, 4) &&
                       (isDate(part(i + 2, 0, 4), part(i + 1, 0, 2), part(i, 0, 2)) ||
                        isDate(part(i + 2, 0, 4), part(i, 0, 2), part(i + 1, 0, 2)))) {
                end = i + 3;
            } else if ((length == 8 || length == 12 || length == 14) &&
                       isDate(part(i, 0, 4), part(i, 4, 2), part(i, 6, 2))) {
                end = i + 1;
            } else if (length == 10 && part(i, 0, 10) >= 1'000'000'000 &&
                       part(i, 0, 10) < 2'100'000'000) {
                end = i + 1; // seconds since 1970
            }
            // The time of day after it: "_10-00-59", "_100059", "T10-00".
            for (std::size_t k = 0; k < 3 && end > i && end < m_runs.size() && areJoined(end - 1) &&
                                    (text(end).size() == 2 ||
                                     (k == 0 && (text(end).size() == 4 || text(end).size() == 6)));
                 ++k) {
                ++end;
            }
            for (std::size_t k = i; k < end; ++k) {
                m_isDate[k] = true;
            }
            i = end > i ? end - 1 : i;
        }
    }

    std::string_view m_name;
    std::vector<names::DigitRun> m_runs;
    std::vector<bool> m_isDate;
    std::vector<names::DigitRun> m_parts;
    bool m_isFollowed = false; ///< the word of the current number follows it
    NamedPosition m_position;
};

} // namespace

NamedPosition positionFromName(std::string_view name) {
    return NameReader(withoutEndings(name)).read();
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
