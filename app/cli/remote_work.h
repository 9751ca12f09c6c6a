// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/jobs/there/far_work.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::cli {

/// Where a command runs (farWork()), by what its words name: on the host, if it reads values.
/// Nothing: here. `words`: the verb, then all other words of the command line.
std::optional<FarWork> remoteWork(const Verb& verb, const std::vector<std::string>& words);
/// The same for a program that opens what the document names, by arguments as namedArguments() gets
/// them.
std::optional<FarWork> remoteWork(const Verb& verb, const std::vector<std::string>& positionals,
                                  const std::vector<std::pair<std::string, std::string>>& options);

/// Runs it: its output becomes that of the session, as it comes, and so do its messages and its
/// progress. Returns its exit code. With Session::onMessage it fails if the work ended without a
/// document: Io; LimitExceeded for too much of one.
Result<int> runRemote(const FarWork& work, Session& session);

} // namespace cairn::cli
