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

} // namespace cairn::cli
