// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/part_name.h"

#include "core/base/ascii.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <charconv>

namespace cairn::names {
namespace {

constexpr std::uint32_t kMostParts = 1'000'000;
constexpr std::string_view kRank = "rank";

bool joins(char c) {
    return c == '_' || c == '-' || c == '.';
}

/// A number that is delimited, with the word before it and one separator, at most, between them.
struct Number {
    DigitRun digits;
    std::uint32_t value = 0;
    std::string word;
    std::size_t wordAt = 0;   ///< where the word begins; if there is none, the digits
    bool isDelimited = false; ///< the word, too
};

std::vector<Number> numbersIn(std::string_view stem) {
    std::vector<Number> numbers;
    for (const DigitRun& run : digitRuns(stem)) {
        Number number{run, 0, {}, run.begin, false};
        const auto [end, error] =
            std::from_chars(stem.data() + run.begin, stem.data() + run.end, number.value);
        const bool isFraction =
            run.end + 1 < stem.size() && stem[run.end] == '.' && isDigit(stem[run.end + 1]);
        const bool isWhole = run.end == stem.size() || (joins(stem[run.end]) && !isFraction);
        if (error != std::errc() || number.value > kMostParts || !isWhole) {
            continue;
        }
        const bool separated =
            run.begin > 0 && (stem[run.begin - 1] == '_' || stem[run.begin - 1] == '-');
        const std::size_t wordEnd = run.begin - (separated ? 1 : 0);
        std::string word = wordEnd > 0 && !isSeparator(stem[wordEnd - 1])
                               ? wordBefore(stem, wordEnd)
                               : std::string();
        number.wordAt = word.empty() ? run.begin : wordEnd - word.size();
        number.isDelimited = number.wordAt == 0 || joins(stem[number.wordAt - 1]);
        number.word = std::move(word);
        numbers.push_back(std::move(number));
    }
    return numbers;
}

/// "-of-", "_of_" between two numbers.
bool isOf(std::string_view between) {
    return between == "-of-" || between == "_of_";
}

/// "epoch_3_of_10": the third of the training.
bool countsTraining(std::string_view word) {
    return means(word, Meaning::Epoch) ||
           (means(word, Meaning::Step) && !means(word, Meaning::Save));
}

/// Builds a part from the ranges of the stem that state it.
class PartBuilder {
public:
    explicit PartBuilder(std::string_view stem) : m_stem(stem) {}

    PartName part;

    /// `from`: the beginning of the word, or of the digits.
    void take(std::size_t from, const DigitRun& digits) {
        m_cut.push_back({from > 0 ? from - 1 : 0, digits.end}); // with the separator before it
        part.numbers.push_back(digits);
    }
    void takeWithoutSeparator(const DigitRun& digits) {
        m_cut.push_back(digits);
        part.numbers.push_back(digits);
    }

    PartName finish() && {
        std::ranges::sort(m_cut, {}, &DigitRun::begin);
        std::size_t kept = 0;
        for (const DigitRun& range : m_cut) {
            part.base += m_stem.substr(kept, std::max(range.begin, kept) - kept);
            kept = range.end;
        }
        part.base += m_stem.substr(kept);
        return std::move(part);
    }

private:
    std::string_view m_stem;
    std::vector<DigitRun> m_cut;
};

/// Meta's Llama: one file for each model parallel rank.
std::optional<PartName> llamaPart(std::string_view stem, const std::vector<Number>& numbers) {
    constexpr std::string_view kStart = "consolidated.";
    if (!stem.starts_with(kStart) || numbers.size() != 1 ||
        numbers.front().digits.begin != kStart.size() ||
        numbers.front().digits.end != stem.size()) {
        return std::nullopt;
    }
    PartBuilder made(stem);
    made.part.index = numbers.front().value;
    made.part.word = kRank; // of model parallelism
    made.part.digits = numbers.front().digits;
    made.take(kStart.size(), numbers.front().digits);
    return std::move(made).finish();
}

/// "model0-mp2": inference/convert.py of DeepSeek-V3.
std::optional<PartName> deepSeekPart(std::string_view stem, const std::vector<Number>& numbers) {
    if (numbers.size() < 2) {
        return std::nullopt;
    }
    const Number& index = numbers[numbers.size() - 2];
    const Number& count = numbers.back();
    const bool is = index.word == "model" && index.wordAt + 5 == index.digits.begin &&
                    count.digits.end == stem.size() && count.word == "mp" &&
                    stem.substr(index.digits.end, count.digits.begin - index.digits.end) == "-mp" &&
                    index.value < count.value;
    if (!is) {
        return std::nullopt;
    }
    PartBuilder made(stem);
    made.part.index = index.value;
    made.part.digits = index.digits;
    made.part.count = count.value;
    made.takeWithoutSeparator(index.digits);
    made.take(count.wordAt, count.digits);
    return std::move(made).finish();
}

/// The numbers behind words of parts, and "1-of-4".
std::optional<PartName> statedPart(std::string_view stem, const std::vector<Number>& numbers) {
    const auto isRank = [](const Number& each) { return each.isDelimited && each.word == kRank; };
    const auto ranks = std::ranges::count_if(numbers, isRank);
    PartBuilder made(stem);
    std::vector<const Number*> stated;
    std::optional<std::uint32_t> ofCount;
    std::optional<std::uint32_t> worldSize;
    const Number* ofIndex = nullptr;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Number& each = numbers[i];
        const Number* next = i + 1 < numbers.size() ? &numbers[i + 1] : nullptr;
        const bool counted =
            next != nullptr && !countsTraining(each.word) &&
            isOf(stem.substr(each.digits.end, next->digits.begin - each.digits.end));
        // Beside a rank, "tp2" and "pp_0" distinguish sets, but "part-0" numbers its files.
        const bool isPart = ranks > 0 ? isRank(each) || (each.isDelimited && each.word == "part")
                                      : each.isDelimited && means(each.word, Meaning::Rank);
        constexpr std::string_view kWorld = "world_";
        const bool isWorld =
            each.word == "size" && stem.substr(0, each.wordAt).ends_with(kWorld) &&
            (each.wordAt == kWorld.size() || joins(stem[each.wordAt - kWorld.size() - 1]));
        if (isWorld) {
            worldSize = each.value;
            made.take(each.wordAt - kWorld.size(), each.digits);
            continue;
        }
        if (!isPart && !counted) {
            continue;
        }
        made.take(isPart ? each.wordAt : each.digits.begin, each.digits);
        stated.push_back(&each);
        if (counted) {
            ofIndex = &each;
            ofCount = next->value;
            made.take(each.digits.end + 1, next->digits);
            ++i;
        }
    }
    if (stated.empty()) {
        return std::nullopt;
    }
    const auto rank =
        std::ranges::find_if(stated, [&](const Number* each) { return isRank(*each); });
    const Number* index = rank != stated.end() ? *rank
                          : ofIndex != nullptr ? ofIndex
                                               : stated.front();
    PartName& part = made.part;
    part.index = index->value;
    part.digits = index->digits;
    part.word = index->isDelimited && means(index->word, Meaning::Rank) ? index->word : "";
    part.hasWorldSize = worldSize.has_value();
    part.count = worldSize ? worldSize : index == ofIndex ? ofCount : std::nullopt;
    for (const Number* other : stated) {
        if (ranks > 0 && other->word == "part") {
            part.piece = other->value;
            part.pieceDigits = other->digits;
        } else if (ranks > 1 || (ranks == 0 && ofIndex == nullptr && stated.size() > 1)) {
            part.grid.push_back(other->value);
        }
    }
    const bool contradicts = worldSize && ofCount && *worldSize != *ofCount;
    const bool tooHigh =
        worldSize ? part.index >= *worldSize : part.count && part.index > *part.count;
    return contradicts || tooHigh || part.count == 0U ? std::nullopt
                                                      : std::optional(std::move(made).finish());
}

} // namespace

std::optional<PartName> splitPartName(std::string_view stem) {
    const std::vector<Number> numbers = numbersIn(stem);
    if (auto part = deepSeekPart(stem, numbers)) {
        return part;
    }
    if (auto part = llamaPart(stem, numbers)) {
        return part;
    }
    return statedPart(stem, numbers);
}

} // namespace cairn::names
