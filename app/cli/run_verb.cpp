// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session.h"
#include "app/cli/verb.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

namespace cairn::cli {
namespace {

Result<int> runCaught(const Verb& verb, const Arguments& arguments, Session& session) {
    try {
        return verb.run(arguments, session);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "Out of memory");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::Internal, "Internal error").butFound(verbatim(exception.what()));
    }
}

/// "output" of "-o,--output".
std::string_view longName(const Option& option) {
    return option.flags.substr(option.flags.rfind("--") + 2);
}

Error wrongArguments(const Verb& verb, Sentence what, std::string_view found) {
    return fail(ErrorCode::InvalidArgument, std::move(what))
        .butFound(verbatim(std::string(found)))
        .withHint(sentence("`cairn-cli %1 --help` shows its usage", verb.name));
}

Result<void> addOption(Arguments& arguments, const Verb& verb, const std::string& name,
                       const std::string& value) {
    const auto option = std::ranges::find(verb.options, name, longName);
    if (option == verb.options.end()) {
        return wrongArguments(verb, "The verb does not have this option", name);
    }
    const auto [place, isNew] = arguments.values.try_emplace(name, value);
    if (!isNew) {
        place->second = option->join != 0 ? place->second + option->join + value : value;
    }
    return {};
}

} // namespace

std::vector<const Verb*> listedVerbs() {
    std::vector<const Verb*> listed;
    std::ranges::copy_if(allVerbs(), std::back_inserter(listed),
                         [](const Verb* verb) { return !verb->hidden; });
    return listed;
}

Result<int> runVerb(const Verb& verb, const Arguments& arguments, Session& session) {
    Result<int> code = runCaught(verb, arguments, session);
    if (!code && session.cancel.cancelled()) {
        return fail(ErrorCode::Cancelled, "Stopped");
    }
    return code;
}

Result<Arguments> namedArguments(const Verb& verb, const std::vector<std::string>& positionals,
                                 const std::vector<std::pair<std::string, std::string>>& options) {
    Arguments arguments;
    const bool takesMore =
        !verb.positionals.empty() && (verb.positionals.back().words == Words::OneOrMore ||
                                      verb.positionals.back().words == Words::Any);
    if (positionals.size() > verb.positionals.size() && !takesMore) {
        return wrongArguments(verb, "Too many arguments", positionals[verb.positionals.size()]);
    }
    for (std::size_t i = 0; i < std::max(positionals.size(), verb.positionals.size()); ++i) {
        if (i < positionals.size()) {
            arguments.positionals.emplace_back(positionals[i]);
        } else if (verb.positionals[i].words == Words::OneOrNone) {
            arguments.positionals.emplace_back();
        } else if (verb.positionals[i].words == Words::Any) {
            break;
        } else {
            return wrongArguments(verb, "An argument is missing", verb.positionals[i].name);
        }
    }
    for (const auto& [name, value] : options) {
        CAIRN_CHECK(addOption(arguments, verb, name, value));
    }
    for (const Option& option : verb.options) {
        if (option.required && !arguments.has(longName(option))) {
            return wrongArguments(verb, "An option is missing", longName(option));
        }
    }
    return arguments;
}

} // namespace cairn::cli
