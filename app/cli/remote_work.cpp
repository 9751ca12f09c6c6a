// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote_work.h"

#include "app/cli/common_options.h"
#include "core/base/other_machine.h"
#include "core/store/ssh_store.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace cairn::cli {
namespace {

/// Labels of options whose value may be the path of an input. What names no existing file is none.
constexpr auto kPathLabels =
    std::to_array<std::string_view>({"PATH", "FOLDER", "FILE", "KEY", "CA", "CHAIN", "RUN",
                                     "CHECKPOINT", "A", "RULES", "EARLIER", "PATH[=SCALE]"});

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

bool existsHere(std::string_view path) {
    std::error_code error;
    return std::filesystem::exists(path.substr(0, path.rfind('#')), error) ||
           std::filesystem::exists(path.substr(0, path.rfind('=')), error) ||
           std::filesystem::exists(path, error);
}

/// A word of the command line, and what it may name.
struct Word {
    std::string before; ///< "--output="
    std::string value;
    bool isInput = false;  ///< may be a path that is read
    bool isOutput = false; ///< is a path that is written
};

std::vector<Word> wordsOf(const Verb& verb, const std::vector<std::string>& words) {
    std::vector<Word> all;
    const Option* open = nullptr; ///< whose value is the next word
    for (const std::string& word : words) {
        const Option* option = open;
        Word each{"", word, false, false};
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

std::optional<RemoteWork> remoteWork(const Verb& verb, const std::vector<std::string>& words) {
    if (verb.work != Work::AtData || words.empty()) {
        return std::nullopt;
    }
    std::optional<RemoteWork> work;
    std::vector<std::string> there{words.front()};
    std::vector<std::pair<std::size_t, std::size_t>> homes;
    for (Word& word : wordsOf(verb, {words.begin() + 1, words.end()})) {
        const bool isPath = word.isInput || word.isOutput;
        if (isPath && namesRemote(word.value) && !existsHere(word.value)) {
            const auto name = RemoteName::parse(word.value);
            if (!name || (work && work->host.account() != name->account())) {
                return std::nullopt; // no ssh, or two hosts
            }
            if (!work) {
                work = RemoteWork{*name, {}, {}};
            }
            word.value = name->path;
            if (word.value == "~" || word.value.starts_with("~/")) {
                homes.emplace_back(there.size(), word.before.size());
            }
        } else if (word.isOutput || (word.isInput && existsHere(word.value))) {
            return std::nullopt;
        }
        there.push_back(word.before + word.value);
    }
    if (work) {
        work->host.path = "/";
        work->words = std::move(there);
        work->homes = std::move(homes);
    }
    return work;
}

Result<int> runRemote(const RemoteWork& work, Session& session) {
    if (!session.quiet) {
        session.message("cairn-cli: runs on " + work.host.account());
    }
    const store::HostPtr host = store::hostOf(work.host);
    std::vector<std::string> words = work.words;
    for (const auto& [word, at] : work.homes) {
        CAIRN_TRY(const std::string home, host->home());
        words[word].replace(at, 1, home);
    }
    const bool hasColor = std::ranges::any_of(
        words, [](const std::string& word) { return word.starts_with("--color"); });
    if (session.color && !hasColor) { // a pipe there is a terminal here
        words.insert(words.begin() + 1, "--color=always");
    }
    const auto error = [](std::string_view text) {
        while (!text.empty()) {
            const ssize_t put = ::write(STDERR_FILENO, text.data(), text.size());
            if (put <= 0) {
                return;
            }
            text.remove_prefix(static_cast<std::size_t>(put));
        }
    };
    const auto output = [&](std::string_view text) {
        session.out.write(text);
        (void)session.out.flush(); // the end of the program reports a failure
        if (session.out.broken()) {
            session.cancel.cancel();
        }
    };
    const Result<int> code = host->run(words, output, error, session.cancel);
    return session.out.broken() ? Result<int>(kExitOk) : code;
}

} // namespace cairn::cli
