// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote_work.h"

#include "core/store/ssh_store.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace cairn::cli {
namespace {

/// Labels of options whose value may be the path of an input. What names no existing file is none.
constexpr auto kPathLabels = std::to_array<std::string_view>(
    {"PATH", "FOLDER", "FILE", "KEY", "CA", "CHAIN", "RUN", "CHECKPOINT", "A", "RULES"});

/// "-o,--output" has the flag "-o".
bool hasFlag(const Option& option, std::string_view flag) {
    const std::size_t comma = option.flags.find(',');
    return option.flags.substr(0, comma) == flag ||
           (comma != std::string_view::npos && option.flags.substr(comma + 1) == flag);
}

const Option* findOption(const Verb& verb, std::string_view flag) {
    const auto at = std::ranges::find_if(
        verb.options, [&](const Option& option) { return hasFlag(option, flag); });
    return at != verb.options.end() ? &*at : nullptr;
}

bool existsHere(std::string_view path) {
    std::error_code error;
    return std::filesystem::exists(path.substr(0, path.rfind('#')), error) ||
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
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string flag = word.substr(0, equals);
        const Option* option = open;
        Word each{"", word, false, false};
        if (open == nullptr && word.size() > 1 && word.front() == '-') {
            option = findOption(verb, flag);
            if (equals == std::string::npos) {
                open = option != nullptr && !option->value.empty() ? option : nullptr;
                all.push_back(std::move(each));
                continue;
            }
            each = {word.substr(0, equals + 1), word.substr(equals + 1), false, false};
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
    for (Word& word : wordsOf(verb, {words.begin() + 1, words.end()})) {
        if (namesRemote(word.value) && !existsHere(word.value)) {
            const auto name = RemoteName::parse(word.value);
            if (!name || (work && work->host.account() != name->account())) {
                return std::nullopt; // no ssh, or two hosts
            }
            if (!work) {
                work = RemoteWork{*name, {}};
            }
            word.value = name->path;
        } else if (word.isOutput || (word.isInput && existsHere(word.value))) {
            return std::nullopt;
        }
        there.push_back(word.before + word.value);
    }
    if (work) {
        work->host.path = "/";
        work->words = std::move(there);
    }
    return work;
}

Result<int> runRemote(const RemoteWork& work, Session& session) {
    if (!session.quiet) {
        session.message("cairn-cli: runs on " + work.host.account());
    }
    std::vector<std::string> words = work.words;
    if (session.color) { // a pipe there is a terminal here
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
    const auto output = [&](std::string_view text) { session.out.write(text); };
    return store::hostOf(work.host)->run(words, output, error, session.cancel);
}

} // namespace cairn::cli
