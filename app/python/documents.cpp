// SPDX-License-Identifier: Apache-2.0
//
// What the command line and Python have in common is not written twice: a function of this module
// is a verb with --json whose document is collected in memory.
#include "app/python/documents.h"

#include "app/cli/remote_work.h"
#include "app/cli/session.h"
#include "app/cli/verb.h"
#include "app/python/errors.h"
#include "app/python/watched.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace cairn::python {
namespace {

/// What a verb reports while it runs: written by its threads, read by Python's.
class Reports {
public:
    void progress(const cli::ProgressState& state) {
        const std::lock_guard lock(m_mutex);
        m_progress = state;
    }
    void message(std::string_view line) {
        const std::lock_guard lock(m_mutex);
        m_messages.emplace_back(line);
    }
    std::optional<cli::ProgressState> takeProgress() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_progress, std::nullopt);
    }
    std::vector<std::string> takeMessages() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_messages, {});
    }

private:
    std::mutex m_mutex; ///< guards all members
    std::optional<cli::ProgressState> m_progress;
    std::vector<std::string> m_messages;
};

std::string bytesOf(const nb::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

const cli::Verb& verbOf(std::string_view name) {
    const auto verbs = cli::allVerbs();
    const auto found = std::ranges::find(verbs, name, &cli::Verb::name);
    if (found == verbs.end()) {
        throw Failure{
            fail(ErrorCode::InvalidArgument, "No such verb").butFound(verbatim(std::string(name)))};
    }
    return **found;
}

/// Runs the verb and returns its document and messages.
nb::tuple runVerbInMemory(const std::string& name, const std::vector<nb::bytes>& words,
                          const std::vector<std::pair<std::string, nb::bytes>>& options,
                          const nb::object& progress) {
    const cli::Verb& verb = verbOf(name);
    std::vector<std::string> positionals;
    std::ranges::transform(words, std::back_inserter(positionals), bytesOf);
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& [option, value] : options) {
        values.emplace_back(option, bytesOf(value));
    }
    const cli::Arguments arguments = unwrap(cli::namedArguments(verb, positionals, values));
    Reports reports;
    cli::Session session;
    session.json = true;
    session.out.keepInMemory();
    session.onMessage = [&](std::string_view line) { reports.message(line); };
    std::function<void()> poll;
    if (!progress.is_none()) {
        session.onProgress = [&](const cli::ProgressState& state) { reports.progress(state); };
        poll = [&] {
            if (const auto state = reports.takeProgress()) {
                progress(textOf(state->phase), state->done, state->total);
            }
        };
    }
    const auto far = cli::remoteWork(verb, positionals, values);
    const int code = watched(
        session.cancel,
        [&] {
            return unwrap(far ? cli::runRemote(*far, session)
                              : cli::runVerb(verb, arguments, session));
        },
        poll);
    if (poll) {
        poll(); // the last state
    }
    nb::list messages;
    for (const std::string& line : reports.takeMessages()) {
        messages.append(textOf(line));
    }
    return nb::make_tuple(code, textOf(session.out.take()), messages,
                          far ? textOf(far->host.text()) : nb::none());
}

/// {verb: {option: whether it takes a value}}
nb::dict verbOptions() {
    nb::dict verbs;
    for (const cli::Verb* verb : cli::allVerbs()) {
        nb::dict options;
        for (const cli::Option& option : verb->options) {
            const std::size_t name = option.flags.rfind("--");
            options[textOf(option.flags.substr(name + 2))] = !option.value.empty();
        }
        verbs[textOf(verb->name)] = options;
    }
    return verbs;
}

} // namespace

void bindDocuments(nb::module_& module) {
    module.def("run_verb", runVerbInMemory, nb::arg("verb"), nb::arg("words"), nb::arg("options"),
               nb::arg("progress") = nb::none(),
               nb::sig("def run_verb(verb: str, words: list[bytes], options: list[tuple[str, "
                       "bytes]], progress: object | None = None) -> tuple[int, str, list[str], "
                       "str | None]"),
               "Runs a verb; returns its exit code, JSON document and messages, and the root "
               "folder of the host that it ran on. Options are long names with values, empty for "
               "switches. Calls "
               "progress(phase, done, total).");
    module.def("verbs", verbOptions, nb::sig("def verbs() -> dict[str, dict[str, bool]]"),
               "The options of each verb, and whether they take a value.");
}

} // namespace cairn::python
