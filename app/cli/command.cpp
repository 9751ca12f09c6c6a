// SPDX-License-Identifier: Apache-2.0
#include "app/cli/opened.h"
#include "app/cli/parse.h"
#include "app/cli/transform_options.h"
#include "core/formats/format.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>

namespace cairn::cli {
namespace {

namespace fs = std::filesystem;

/// Makes the path in "run/step-400#model" absolute.
std::string absolute(const std::string& text) {
    std::error_code error;
    const MemberPath split = splitMember(text);
    const fs::path path = fs::absolute(split.location.path(), error).lexically_normal();
    return error ? text : path.string() + (split.member.empty() ? "" : "#" + split.member);
}

/// The same if the path exists; other text is unchanged.
std::string absoluteIfFound(const std::string& text) {
    std::error_code error;
    return fs::exists(splitMember(text).location.path(), error) ? absolute(text) : text;
}

/// The same for the paths of --adapter.
std::string absoluteAdapters(const std::string& text) {
    std::string out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string each = text.substr(begin, end - begin);
        const std::string path = splitScale(each).first;
        out += (begin > 0 ? "\n" : "") + absoluteIfFound(path) + each.substr(path.size());
        begin = end + 1;
    }
    return out;
}

/// The value of an option with absolute paths.
std::string absoluteValue(std::string_view option, const std::string& value) {
    return option == "output"    ? absolute(value)
           : option == "adapter" ? absoluteAdapters(value)
                                 : absoluteIfFound(value);
}

Result<int> runCaught(const Parsed& parsed, Session& session) {
    try {
        return parsed.verb->run(parsed.arguments, session);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "Out of memory");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::Internal, "Internal error").butFound(verbatim(exception.what()));
    }
}

} // namespace

Result<int> runVerb(const Parsed& parsed, Session& session) {
    session.command = commandOf(parsed.verb->name, parsed.arguments);
    Result<int> code = runCaught(parsed, session);
    if (!code && session.cancel.cancelled()) {
        return fail(ErrorCode::Cancelled, "Stopped");
    }
    return code;
}

std::vector<std::string> commandOf(std::string_view verb, const Arguments& arguments) {
    std::vector<std::string> command{std::string(verb)};
    for (std::size_t i = 0; i < arguments.positionals.size(); ++i) {
        const auto& positional = arguments.positionals[i];
        const bool isWord = verb == "plan" && i == 0; // the name of the job
        if (positional) {
            command.push_back(isWord ? *positional : absoluteIfFound(*positional));
        }
    }
    for (const auto& [option, value] : arguments.values) {
        if (value.empty()) {
            command.push_back("--" + option);
        } else { // in one argument, because a value may begin with a dash
            command.push_back("--" + option + "=" + absoluteValue(option, value));
        }
    }
    return command;
}

} // namespace cairn::cli
