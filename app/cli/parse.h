// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <optional>
#include <string>

namespace cairn::cli {

/// The parsed command line. Exactly one of these is set: `verb`, `help`, `version`, `error`.
struct Parsed {
    const Verb* verb = nullptr;
    Arguments arguments;
    std::string help; ///< text for standard output
    bool version = false;
    std::optional<Error> error;
};

/// Reads the arguments and fills the session's common options. Never prints.
Parsed parseArguments(int argc, char** argv, Session& session);

/// Runs the verb. Fails with its errors; after a cancellation with Cancelled, whatever the verb
/// reports; exceptions become OutOfMemory and Internal. REQUIRES: parsed.verb.
Result<int> runVerb(const Parsed& parsed, Session& session);

/// The same call independent of the current folder: the verb's name, then positionals and options,
/// with absolute paths for existing ones and for the output.
std::vector<std::string> commandOf(std::string_view verb, const Arguments& arguments);

} // namespace cairn::cli
