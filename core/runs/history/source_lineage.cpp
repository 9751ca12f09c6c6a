// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/source_lineage.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace cairn {
namespace {

/// Files that differ in a number after these words may be of one training or of several.
constexpr auto kRuns =
    std::to_array<std::string_view>({"exp", "experiment", "run", "v", "version"});
/// Words that distinguish the files of one training.
constexpr auto kAttempts =
    std::to_array<std::string_view>({"version", "v", "run", "exp", "experiment", "attempt", "retry",
                                     "try", "segment", "seg", "session", "part", "job", "pid"});
constexpr auto kLater = std::to_array<std::string_view>(
    {"resume", "resumed", "restart", "restarted", "continue", "continued", "cont", "new"});
constexpr auto kEarlier =
    std::to_array<std::string_view>({"old", "bak", "backup", "prev", "previous", "orig"});
/// Words for what is measured, not when.
constexpr auto kParts = std::to_array<std::string_view>(
    {"train", "training", "val", "valid", "validation", "eval", "evaluation", "test", "dev"});
/// Numbers after these words distinguish parallel writers.
constexpr auto kBeside =
    std::to_array<std::string_view>({"rank", "worker", "node", "gpu", "device", "proc", "process",
                                     "host", "replica", "fold", "seed", "env", "trial"});
constexpr auto kMonths = std::to_array<std::string_view>(
    {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});

template <std::size_t N>
bool isAmong(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::ranges::find(words, word) != words.end();
}

/// Splits into runs of letters and runs of digits, in lower case.
std::vector<std::string> wordsOf(std::string_view name) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!isLetter(c) && !isDigit(c)) {
            continue;
        }
        const bool joins = i > 0 && (isLetter(c) ? isLetter(name[i - 1]) : isDigit(name[i - 1]));
        if (!joins) {
            words.emplace_back();
        }
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

std::uint64_t numberIn(const std::string& digits) {
    std::uint64_t number = 0;
    for (const char digit : digits.substr(0, 18)) {
        number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    return number;
}

/// Removes the distinguishing parts of a name; the rest is common to related names.
std::string shared(std::string_view name, SourceLineage& lineage) {
    std::string rest;
    std::string last;
    for (const std::string& word : wordsOf(name)) {
        const bool isNumber = isDigit(word.front());
        if (isAmong(word, kLater) || isAmong(word, kEarlier)) {
            lineage.age = isAmong(word, kLater) ? 1 : -1;
        } else if (isAmong(word, kParts)) {
            lineage.part = word;
        } else if (isNumber && !isAmong(last, kBeside)) {
            lineage.numbers.push_back(numberIn(word));
        } else if (!isAmong(word, kAttempts) && !isAmong(word, kMonths)) {
            rest += word + " ";
        }
        last = word;
    }
    return rest;
}

/// Adds the folder; to `family` without the numbers in its name.
void takeFolder(const std::filesystem::path& folder, SourceLineage& lineage) {
    for (const std::filesystem::path& each : folder) {
        lineage.stream += each.string() + "/";
        lineage.family += shared(each.string(), lineage) + "/";
    }
}

bool namesRuns(std::string_view stem) {
    return std::ranges::any_of(wordsOf(stem),
                               [](const std::string& word) { return isAmong(word, kRuns); });
}

} // namespace

SourceLineage lineageOf(const HistorySource& source, const std::filesystem::path& run) {
    SourceLineage lineage;
    lineage.stream = lineage.family = source.kind + ":";
    std::filesystem::path place = source.path.lexically_relative(run);
    place = place.empty() ? source.path : place;
    const HistoryReader* reader = findHistoryReader(source.kind);
    if (reader != nullptr && reader->namesRun) {
        lineage.stream += source.path.filename().string();
        lineage.family = lineage.stream;
        return lineage;
    }
    if (reader == nullptr || !reader->continuesOthers) { // no reader: values of checkpoints
        lineage.stream += place.string();
        lineage.family = lineage.stream;
        return lineage;
    }
    lineage.isPlainLog = true;
    takeFolder(place.parent_path(), lineage);
    if (source.kind != "tensorboard" &&
        source.kind != "trainer_state") { // these readers use sets of files
        const std::string stem = place.stem().string();
        const std::string kind = shared(stem, lineage);
        lineage.stream += namesRuns(stem) ? stem : kind;
        lineage.family += kind;
    }
    return lineage;
}

bool namedBefore(const SourceLineage& earlier, const SourceLineage& later) {
    return earlier.age != later.age ? earlier.age < later.age : earlier.numbers < later.numbers;
}

} // namespace cairn
