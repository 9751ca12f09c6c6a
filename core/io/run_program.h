// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"

#include <chrono>
#include <string>
#include <vector>

/// Other programs of the system, such as the commands of a scheduler. They are started with a list
/// of arguments, never through a shell, so that no character of an argument has a meaning.
namespace cairn {

struct ProgramCall {
    std::vector<std::string> words; ///< the program, a name in PATH or a path, and its arguments
    std::string input = {};         ///< its standard input
    std::chrono::seconds most{60};  ///< it is killed after this time
};

struct ProgramOutput {
    int code = 0;       ///< exit code; 128 + the number of the signal that ended it
    std::string output; ///< what it wrote to standard output
    std::string errors; ///< and to standard error
};

/// Runs a program to its end, in the environment of this process. Any thread; blocks. Fails:
/// NotFound if there is no such program, LimitExceeded for more than 64 MiB of output, Cancelled,
/// Io if it could not be started or took longer than `most` (it is killed then).
Result<ProgramOutput> runProgram(const ProgramCall& call, const CancelToken& cancel = {});

} // namespace cairn
