// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <optional>
#include <string>

namespace cairn::cli {

/// What the command line asks for. Exactly one of these holds: `verb`, `help`, `version`, `error`.
struct Parsed {
    const Verb* verb = nullptr;
    Arguments arguments;
    std::string help; ///< text for standard output
    bool version = false;
    std::optional<Error> error;
};

/// Reads the arguments and fills the session's common options. Never prints.
Parsed parseArguments(int argc, char** argv, Session& session);

/// The same call from anywhere: the verb's name, then positionals and options with whole paths in
/// place of those that exist, and of the output's.
std::vector<std::string> commandOf(std::string_view verb, const Arguments& arguments);

} // namespace cairn::cli
