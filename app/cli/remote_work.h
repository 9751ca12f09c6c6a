// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/io/remote_name.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::cli {

/// Work that runs where its data is.
struct RemoteWork {
    RemoteName host;
    std::vector<std::string> words; ///< the command line there, from the verb on
    /// Words and positions in them of each "~" that stands for the home folder there.
    std::vector<std::pair<std::size_t, std::size_t>> homes;
};

/// The one place that decides where a command runs: on the host, if it reads values and all its
/// paths are there, its output included. Nothing: here; what is elsewhere is then read from there.
/// `words`: the verb, then all other words of the command line.
std::optional<RemoteWork> remoteWork(const Verb& verb, const std::vector<std::string>& words);
/// The same for a program that opens what the document names, by arguments as namedArguments() gets
/// them.
std::optional<RemoteWork>
remoteWork(const Verb& verb, const std::vector<std::string>& positionals,
           const std::vector<std::pair<std::string, std::string>>& options);

/// Runs it: its output becomes that of the session, as it comes, and so do its messages and its
/// progress. Returns its exit code. With Session::onMessage it fails if the work ended without a
/// document: Io; LimitExceeded for too much of one.
Result<int> runRemote(const RemoteWork& work, Session& session);

} // namespace cairn::cli
