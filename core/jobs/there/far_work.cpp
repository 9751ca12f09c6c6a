// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/there/far_work.h"

#include "core/base/other_machine.h"
#include "core/codec/json/json_value.h"
#include "core/store/ssh_errors.h"
#include "core/store/ssh_store.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace cairn {
namespace {

bool existsHere(std::string_view path) {
    std::error_code error;
    return std::filesystem::exists(path.substr(0, path.rfind('#')), error) ||
           std::filesystem::exists(path.substr(0, path.rfind('=')), error) ||
           std::filesystem::exists(path, error);
}

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

/// What a verb there writes to standard error: to that of this program, or by lines to the
/// listener.
class FarMessages {
public:
    explicit FarMessages(const FarListener& listener) : m_listener(listener) {}

    Result<void> add(std::string_view text) {
        if (!m_listener.message) {
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
        const auto json = m_listener.progress && line.starts_with('{') ? parseJson(line, "progress")
                                                                       : Result<JsonValue>(Error());
        const JsonValue* phase = json ? json->find("phase") : nullptr;
        const JsonValue* done = json ? json->find("done") : nullptr;
        const JsonValue* total = json ? json->find("total") : nullptr;
        if (phase == nullptr || done == nullptr || total == nullptr) {
            m_bytes += line.size() + sizeof(std::string);
            (m_last += line) += '\n';
            m_last.erase(0, m_last.size() - std::min(m_last.size(), kMostLast));
            m_listener.message(line);
            return;
        }
        const auto text = phase->asString();
        m_listener.progress({text ? std::string(*text) : std::string(),
                             static_cast<std::uint64_t>(done->asInteger().value_or(0)),
                             static_cast<std::uint64_t>(total->asInteger().value_or(0))});
    }

    const FarListener& m_listener;
    std::string m_pending;   ///< a line without its end, cut at kMostLine
    std::string m_last;      ///< the end of all lines
    std::size_t m_bytes = 0; ///< of all lines
};

} // namespace

std::optional<FarWork> farWork(std::string verb, std::vector<FarWord> words) {
    std::optional<FarWork> work;
    std::vector<std::string> there{std::move(verb)};
    std::vector<std::pair<std::size_t, std::size_t>> homes;
    for (FarWord& word : words) {
        const bool mayBePath = word.isInput || word.isOutput || word.isPath;
        if (mayBePath && namesRemote(word.value) && !existsHere(word.value)) {
            const auto name = RemoteName::parse(word.value);
            if (!name || (work && work->host.account() != name->account())) {
                return std::nullopt; // no ssh, or two hosts
            }
            if (!work) {
                work = FarWork{*name, {}, {}};
            }
            word.value = name->path;
            if (word.value == "~" || word.value.starts_with("~/")) {
                homes.emplace_back(there.size(), word.before.size());
            }
        } else if (word.isOutput || word.isPath || (word.isInput && existsHere(word.value))) {
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

Result<int> runFarWork(const FarWork& work, const FarListener& listener,
                       const CancelToken& cancel) {
    const store::HostPtr host = store::hostOf(work.host);
    std::vector<std::string> words = work.words;
    for (const auto& [word, at] : work.homes) { // before words are inserted
        CAIRN_TRY(const std::string home, host->home());
        words[word].replace(at, 1, home);
    }
    if (listener.progress) {
        words.insert(words.begin() + 1, "--progress=json");
    }
    if (listener.message) { // collected in memory
        words.insert(words.begin() + 1, "--json");
    }
    FarMessages messages(listener);
    std::size_t written = 0;
    const auto error = [&](std::string_view text) { return messages.add(text); };
    const auto output = [&](std::string_view text) -> Result<void> {
        written += text.size();
        if (listener.message && written > kMostOutput) {
            return tooMuch(kMostOutput);
        }
        return listener.output(text);
    };
    const Result<int> code = host->run(words, output, error, cancel);
    messages.end();
    if (code && listener.message && !cancel.cancelled() &&
        (written == 0 || (*code > kExitOfSignal && *code != kExitInterrupted))) {
        const std::string last = messages.lastLines();
        return fail(ErrorCode::Io, "The work on the host ended without a result")
            .inFile(work.host.account())
            .butFound(last.empty() ? sentence("exit code %1", *code) : verbatim(last));
    }
    return code;
}

} // namespace cairn
