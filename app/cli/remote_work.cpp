// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote_work.h"

#include "app/cli/common_options.h"
#include "app/cli/json_writer.h"
#include "core/codec/json/json_value.h"
#include "core/plan/request_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::cli {
namespace {

/// Labels of options whose value may be the path of an input. What names no existing file is none.
constexpr auto kPathLabels =
    std::to_array<std::string_view>({"PATH", "FOLDER", "FILE", "KEY", "CA", "CHAIN", "RUN",
                                     "CHECKPOINT", "A", "RULES", "EARLIER", "PATH[=SCALE]"});

/// Of these labels, and of positionals, those whose value is a path in any case. The rest may be
/// rules, a key of metadata, a file within the checkpoint.
constexpr auto kPathOptions = std::to_array<std::string_view>(
    {"--key", "--public-key", "--cert", "--signature", "--with", "--root", "--each-checkpoint"});
constexpr auto kPathPositionals = std::to_array<std::string_view>(
    {"A", "ARCHIVE", "B", "BASE", "FILE", "FOLDER", "PATH", "RUN", "SRC"});

/// Verbs whose documents name what a program opens next: paths there, without their host.
constexpr auto kListings = std::to_array<std::string_view>({"runs", "history"});

constexpr std::size_t kMostPlan = std::size_t{256} << 20U;

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

bool isPathOption(const Option& option) {
    const std::string_view name = option.flags.substr(option.flags.rfind("--"));
    const RequestField* field = findRequestField(name.substr(2));
    return (field != nullptr && field->value == FieldValue::Place) ||
           std::ranges::find(kPathOptions, name) != kPathOptions.end();
}

bool isPathPositional(const Verb& verb, std::size_t position) {
    return !verb.positionals.empty() &&
           std::ranges::find(
               kPathPositionals,
               verb.positionals[std::min(position, verb.positionals.size() - 1)].name) !=
               kPathPositionals.end();
}

std::vector<FarWord> wordsOf(const Verb& verb, const std::vector<std::string>& words) {
    std::vector<FarWord> all;
    const Option* open = nullptr; ///< whose value is the next word
    std::size_t positionals = 0;
    bool isRest = false; ///< after `--`, for another program
    for (const std::string& word : words) {
        const Option* option = open;
        FarWord each{"", word, false, false};
        if (open == nullptr && word.size() > 1 && word.front() == '-') {
            const std::size_t end = endOfFlag(verb, word);
            option = optionOf(verb, std::string_view(word).substr(0, end));
            if (end == word.size()) {
                isRest = isRest || (word == "--" && !verb.rest.empty());
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
        const bool isPositional = option == nullptr && each.before.empty();
        each.isPath = option != nullptr
                          ? !each.isOutput && isPathOption(*option)
                          : isPositional && !isRest && isPathPositional(verb, positionals);
        positionals += isPositional ? 1 : 0;
        open = nullptr;
        all.push_back(std::move(each));
    }
    return all;
}

/// Where the text of the array `command` of a plan's document begins and ends; an empty range:
/// nowhere. Within a string each quote has a backslash before it, so this is the key.
std::pair<std::size_t, std::size_t> commandIn(std::string_view document) {
    constexpr std::string_view kKey = "\"command\":";
    const std::size_t key = document.find(kKey);
    const std::size_t begin =
        key == std::string_view::npos ? key : document.find('[', key + kKey.size());
    if (begin == std::string_view::npos) {
        return {0, 0};
    }
    bool isText = false;
    for (std::size_t at = begin; at < document.size(); ++at) {
        if (isText && document[at] == '\\') {
            ++at;
        } else if (document[at] == '"') {
            isText = !isText;
        } else if (!isText && document[at] == ']') {
            return {begin, at + 1};
        }
    }
    return {0, 0};
}

/// A word of a job's recorded command with the host in front of the path that it is or contains.
std::string wordThere(const std::string& word, const RemoteName& host) {
    std::size_t begin = 0;
    if (word.starts_with("--")) {
        const std::size_t equal = std::min(word.find('='), word.size());
        const RequestField* field = findRequestField(word.substr(2, equal - 2));
        begin = field != nullptr && field->value == FieldValue::Place ? equal + 1 : word.size();
    }
    const std::string path = begin < word.size() ? word.substr(begin) : "";
    return path.starts_with('/') ? word.substr(0, begin) + host.withPath(path) : word;
}

/// A plan of the host as `job run` of this machine must read it: the paths of its command are
/// there.
Result<std::string> planThere(std::string document, const RemoteName& host) {
    const auto [begin, end] = commandIn(document);
    if (begin == end) {
        return document; // an error
    }
    CAIRN_TRY(const JsonValue command,
              parseJson(std::string_view(document).substr(begin, end - begin), host.account()));
    Output out;
    out.keepInMemory();
    JsonDocument written(out);
    written->key("command"); // as deep as there
    written->beginArray();
    for (const JsonValue& each : command.elements()) {
        CAIRN_TRY(const std::string_view word, each.asString());
        written->string(wordThere(std::string(word), host));
    }
    written->endArray();
    written.finish();
    const std::string text = out.take();
    const auto [first, last] = commandIn(text);
    document.replace(begin, end - begin, text, first, last - first);
    return document;
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
    std::string plan; ///< the document of `plan`, which is changed
    const bool isPlan = session.json && work.words.front() == "plan";
    listener.output = [&](std::string_view text) -> Result<void> {
        if (isPlan) {
            plan += text;
            return plan.size() <= kMostPlan
                       ? Result<void>()
                       : fail(ErrorCode::LimitExceeded, "The work on the host sent too much")
                             .expecting(sentence("at most %1 bytes", kMostPlan));
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
    const Result<int> code = runFarWork(there, listener, session.cancel);
    if (code && isPlan) {
        CAIRN_TRY(const std::string changed, planThere(std::move(plan), work.host));
        session.out.write(changed);
    }
    return session.out.broken() ? Result<int>(kExitOk) : code;
}

} // namespace cairn::cli
