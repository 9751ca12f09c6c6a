// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/run_program.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Commands of schedulers, and the sentences for what can go wrong with them.
namespace cairn {

/// Fails: NotFound with a hint if the command is missing, Cancelled, and the errors of
/// runProgram().
Result<ProgramOutput> callScheduler(const std::vector<std::string>& words,
                                    const std::string& input = {}, const CancelToken& cancel = {});

/// Fails with Io and the command's own message, if it ended with an error.
Result<void> checkAccepted(const std::vector<std::string>& words, const ProgramOutput& done);

/// For output in an unknown form.
Error notUnderstood(const std::string& program, const ProgramOutput& done);

/// cairn-cli beside this program, or this program, as the nodes of a cluster with shared folders
/// name it; empty: unknown.
std::filesystem::path ownProgram();

} // namespace cairn
