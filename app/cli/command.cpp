// SPDX-License-Identifier: Apache-2.0
#include "app/cli/opened.h"
#include "app/cli/parse.h"
#include "core/formats/format.h"

#include <filesystem>

namespace cairn::cli {
namespace {

namespace fs = std::filesystem;

/// Makes the path in "run/step-400#model" absolute; other text is unchanged.
std::string whole(const std::string& text, bool isPath) {
    std::error_code error;
    const MemberPath split = splitMember(text);
    if (!isPath && !fs::exists(split.location.path(), error)) {
        return text;
    }
    const fs::path path = fs::absolute(split.location.path(), error).lexically_normal();
    return error ? text : path.string() + (split.member.empty() ? "" : "#" + split.member);
}

} // namespace

std::vector<std::string> commandOf(std::string_view verb, const Arguments& arguments) {
    std::vector<std::string> command{std::string(verb)};
    for (std::size_t i = 0; i < arguments.positionals.size(); ++i) {
        const auto& positional = arguments.positionals[i];
        const bool isWord = verb == "plan" && i == 0; // the name of the job
        if (positional) {
            command.push_back(isWord ? *positional : whole(*positional, false));
        }
    }
    for (const auto& [option, value] : arguments.values) {
        if (value.empty()) {
            command.push_back("--" + option);
        } else { // in one argument, because a value may begin with a dash
            command.push_back("--" + option + "=" + whole(value, option == "output"));
        }
    }
    return command;
}

} // namespace cairn::cli
