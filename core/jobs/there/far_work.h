// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/remote_name.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The one place that decides where a command runs, and runs it on another machine: for the command
/// line and Python. Any thread but the window's: runFarWork() blocks.
namespace cairn {

/// A word of a command line, and what it may name.
struct FarWord {
    std::string before; ///< "--output="
    std::string value;
    bool isInput = false;  ///< may be a path that is read
    bool isOutput = false; ///< is a path that is written
    bool isPath = false;   ///< is a path in any case: without a host it is here, even if missing
};

/// Work that runs where its data is.
struct FarWork {
    RemoteName host;
    std::vector<std::string> words; ///< the command line there, from the verb on
    /// Words and positions in them of each "~" that stands for the home folder there.
    std::vector<std::pair<std::size_t, std::size_t>> homes;
};

/// Work runs on the host on which all its paths are, its output included. Nothing: it runs here;
/// what is elsewhere is then read from there. An input that exists here is here, and so is each
/// path that names no host; what may be something else, such as a pattern, goes along as it is.
std::optional<FarWork> farWork(std::string verb, std::vector<FarWord> words);

struct FarProgress {
    std::string phase;
    std::uint64_t done = 0;
    std::uint64_t total = 0; ///< 0: unknown
};

/// Who gets what a verb there reports, on the thread that called runFarWork().
struct FarListener {
    std::function<Result<void>(std::string_view)> output; ///< its failure stops the work
    std::function<void(const FarProgress&)> progress;     ///< empty: not wanted
    /// Gets the lines of standard error without their ends, and the verb writes a document. Empty:
    /// all of standard error goes to that of this program, as it comes.
    std::function<void(std::string_view)> message;
};

/// Runs it: returns its exit code. Cancelling ends the work there, too. Fails as the connection;
/// with a `message` also: Io if it ended without a document, LimitExceeded for too much of one.
Result<int> runFarWork(const FarWork& work, const FarListener& listener, const CancelToken& cancel);

} // namespace cairn
