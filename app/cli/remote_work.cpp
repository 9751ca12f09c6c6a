// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote_work.h"

#include "app/cli/common_options.h"
#include "core/base/other_machine.h"
#include "core/codec/json/json_value.h"
#include "core/store/ssh_errors.h"
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

std::optional<RemoteWork>
remoteWork(const Verb& verb, const std::vector<std::string>& positionals,
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

namespace {

// Of what is collected in memory. A document of a million tensors has a few hundred MiB.
constexpr std::size_t kMostLine = std::size_t{64} << 10U;
constexpr std::size_t kMostLast = 4096;
constexpr std::size_t kMostMessages = std::size_t{64} << 20U;
constexpr std::size_t kMostOutput = std::size_t{2} << 30U;

constexpr int kExitOfSignal = 128; ///< the codes above it
constexpr int kExitInterrupted = 130;

Error tooMuch(std::size_t most) {
    return fail(ErrorCode::LimitExceeded, "The work on the host sent too much")
        .expecting(sentence("at most %1 bytes", most));
}

/// What a verb there writes to standard error: to that of this program, or by lines to the session.
class FarMessages {
public:
    explicit FarMessages(const Session& session) : m_session(session) {}

    Result<void> add(std::string_view text) {
        if (!m_session.onMessage) {
            write(text);
            return {};
        }
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            m_pending.append(text.substr(0, std::min(end, kMostLine - m_pending.size())));
            if (end < text.size()) {
                endLine();
            }
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return m_bytes <= kMostMessages ? Result<void>() : tooMuch(kMostMessages);
    }
    /// After the last one.
    void end() {
        if (!m_pending.empty()) {
            endLine();
        }
    }
    [[nodiscard]] std::string lastLines() const { return store::lastLines(m_last); }

private:
    void endLine() {
        take(m_pending);
        m_pending.clear();
    }

    static void write(std::string_view text) {
        while (!text.empty()) {
            const ssize_t put = ::write(STDERR_FILENO, text.data(), text.size());
            if (put <= 0) {
                return;
            }
            text.remove_prefix(static_cast<std::size_t>(put));
        }
    }

    void take(std::string_view line) {
        const auto json = m_session.onProgress && line.starts_with('{')
                              ? parseJson(line, "progress")
                              : Result<JsonValue>(Error());
        const JsonValue* phase = json ? json->find("phase") : nullptr;
        const JsonValue* done = json ? json->find("done") : nullptr;
        const JsonValue* total = json ? json->find("total") : nullptr;
        if (phase == nullptr || done == nullptr || total == nullptr) {
            m_bytes += line.size() + sizeof(std::string);
            (m_last += line) += '\n';
            m_last.erase(0, m_last.size() - std::min(m_last.size(), kMostLast));
            m_session.onMessage(line);
            return;
        }
        const auto text = phase->asString();
        m_session.onProgress({text ? std::string(*text) : std::string(),
                              static_cast<std::uint64_t>(done->asInteger().value_or(0)),
                              static_cast<std::uint64_t>(total->asInteger().value_or(0))});
    }

    const Session& m_session;
    std::string m_pending;   ///< a line without its end, cut at kMostLine
    std::string m_last;      ///< the end of all lines
    std::size_t m_bytes = 0; ///< of all lines
};

} // namespace

Result<int> runRemote(const RemoteWork& work, Session& session) {
    if (!session.quiet) {
        session.message("cairn-cli: runs on " + work.host.account());
    }
    const store::HostPtr host = store::hostOf(work.host);
    std::vector<std::string> words = work.words;
    for (const auto& [word, at] : work.homes) { // before words are inserted
        CAIRN_TRY(const std::string home, host->home());
        words[word].replace(at, 1, home);
    }
    const bool hasColor = std::ranges::any_of(
        words, [](const std::string& word) { return word.starts_with("--color"); });
    if (session.color && !hasColor) { // a pipe there is a terminal here
        words.insert(words.begin() + 1, "--color=always");
    }
    if (session.onProgress) {
        words.insert(words.begin() + 1, "--progress=json");
    }
    if (session.onMessage) { // collected in memory
        words.insert(words.begin() + 1, "--json");
    }
    FarMessages messages(session);
    std::size_t written = 0;
    const auto error = [&](std::string_view text) { return messages.add(text); };
    const auto output = [&](std::string_view text) -> Result<void> {
        written += text.size();
        if (session.onMessage && written > kMostOutput) {
            return tooMuch(kMostOutput);
        }
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
    const Result<int> code = host->run(words, output, error, session.cancel);
    messages.end();
    if (session.out.broken()) {
        return kExitOk;
    }
    if (code && session.onMessage && !session.cancel.cancelled() &&
        (written == 0 || (*code > kExitOfSignal && *code != kExitInterrupted))) {
        const std::string last = messages.lastLines();
        return fail(ErrorCode::Io, "The work on the host ended without a result")
            .inFile(work.host.account())
            .butFound(last.empty() ? sentence("exit code %1", *code) : verbatim(last));
    }
    return code;
}

} // namespace cairn::cli
