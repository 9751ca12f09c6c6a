// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote_work.h"

#include "app/cli/common_options.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::cli {
namespace {

/// Labels of options whose value may be the path of an input. What names no existing file is none.
constexpr auto kPathLabels =
    std::to_array<std::string_view>({"PATH", "FOLDER", "FILE", "KEY", "CA", "CHAIN", "RUN",
                                     "CHECKPOINT", "A", "RULES", "EARLIER", "PATH[=SCALE]"});

/// Verbs whose documents name what a program opens next: paths there, without their host.
constexpr auto kListings = std::to_array<std::string_view>({"runs", "history"});

/// "-o,--output" has the flag "-o".
bool hasFlag(const Option& option, std::string_view flag) {
    const std::size_t comma = option.flags.find(',');
    return option.flags.substr(0, comma) == flag ||
           (comma != std::string_view::npos && option.flags.substr(comma + 1) == flag);
}

const Option* findOption(const Verb& verb, std::string_view flag) {
    const auto has = [&](const Option& option) { return hasFlag(option, flag); };
    if (const auto at = std::ranges::find_if(verb.options, has); at != verb.options.end()) {
        return &*at;
    }
    const auto* const common = std::ranges::find_if(kCommonOptions, has);
    return common != kCommonOptions.end() ? common : nullptr;
}

/// Where the flag of a word ends: "--output" of "--output=x", "-o" of "-ox", "-qo" of "-qox".
std::size_t endOfFlag(const Verb& verb, std::string_view word) {
    if (word.starts_with("--")) {
        return std::min(word.find('='), word.size());
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
        const Option* option = findOption(verb, std::string("-") + word[i]);
        if (option != nullptr && !option->value.empty()) {
            return i + 1;
        }
    }
    return word.size();
}

const Option* optionOf(const Verb& verb, std::string_view flags) {
    return flags.starts_with("--") ? findOption(verb, flags)
                                   : findOption(verb, std::string("-") + flags.back());
}

std::vector<FarWord> wordsOf(const Verb& verb, const std::vector<std::string>& words) {
    std::vector<FarWord> all;
    const Option* open = nullptr; ///< whose value is the next word
    for (const std::string& word : words) {
        const Option* option = open;
        FarWord each{"", word, false, false};
        if (open == nullptr && word.size() > 1 && word.front() == '-') {
            const std::size_t end = endOfFlag(verb, word);
            option = optionOf(verb, std::string_view(word).substr(0, end));
            if (end == word.size()) {
                open = option != nullptr && !option->value.empty() ? option : nullptr;
                all.push_back(std::move(each));
                continue;
            }
            const std::size_t begin = end + (word[end] == '=' ? 1 : 0);
            each = {word.substr(0, begin), word.substr(begin), false, false};
        }
        each.isOutput = option != nullptr && hasFlag(*option, "--output");
        each.isInput = !each.isOutput &&
                       (option == nullptr
                            ? each.before.empty()
                            : std::ranges::find(kPathLabels, option->value) != kPathLabels.end());
        open = nullptr;
        all.push_back(std::move(each));
    }
    return all;
}

} // namespace

std::optional<FarWork> remoteWork(const Verb& verb, const std::vector<std::string>& words) {
    if (verb.work != Work::AtData || words.empty()) {
        return std::nullopt;
    }
    return farWork(words.front(), wordsOf(verb, {words.begin() + 1, words.end()}));
}

std::optional<FarWork> remoteWork(const Verb& verb, const std::vector<std::string>& positionals,
                                  const std::vector<std::pair<std::string, std::string>>& options) {
    const auto isFlag = [](const std::string& word) { return word.starts_with('-'); };
    if (std::ranges::find(kListings, verb.name) != kListings.end() ||
        std::ranges::any_of(positionals, isFlag)) {
        return std::nullopt;
    }
    std::vector<std::string> words{std::string(verb.name)};
    words.insert(words.end(), positionals.begin(), positionals.end());
    for (const auto& [name, value] : options) {
        const Option* option = findOption(verb, "--" + name);
        const bool isSwitch = option != nullptr && option->value.empty();
        words.push_back("--" + name + (isSwitch ? "" : "=" + value));
    }
    return remoteWork(verb, words);
}

Result<int> runRemote(const FarWork& work, Session& session) {
    if (!session.quiet) {
        session.message("cairn-cli: runs on " + work.host.account());
    }
    FarWork there = work;
    const bool hasColor = std::ranges::any_of(
        there.words, [](const std::string& word) { return word.starts_with("--color"); });
    if (session.color && !hasColor) { // a pipe there is a terminal here
        there.words.insert(there.words.begin() + 1, "--color=always");
        for (auto& [word, at] : there.homes) {
            ++word;
        }
    }
    FarListener listener;
    listener.message = session.onMessage;
    if (session.onProgress) {
        listener.progress = [&session](const FarProgress& state) {
            session.onProgress({state.phase, state.done, state.total});
        };
    }
    listener.output = [&session](std::string_view text) -> Result<void> {
        session.out.write(text);
        if (session.onMessage) {
            return {};
        }
        (void)session.out.flush(); // the end of the program reports a failure
        if (session.out.broken()) {
            session.cancel.cancel();
        }
        return {};
    };
    const Result<int> code = runFarWork(there, listener, session.cancel);
    return session.out.broken() ? Result<int>(kExitOk) : code;
}

} // namespace cairn::cli
