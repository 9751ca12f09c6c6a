// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/cluster/array_job.h"

#include <filesystem>
#include <string>
#include <string_view>

/// The two scripts of a submission to Slurm: an array with a task for each part, and a last step
/// that runs when all tasks have ended, verifies what no part has verified, and publishes. Source:
/// sbatch(1) of Slurm 22.05. Pure.
namespace cairn {

struct SlurmSubmission {
    ArrayJob job;
    ArrayNeeds needs;
    std::string name;              ///< of the job in the scheduler's lists
    std::filesystem::path program; ///< cairn-cli, as the nodes name it
    std::filesystem::path logs;    ///< a folder that the nodes can write, absolute
};

struct SlurmScripts {
    std::string array;
    std::string last;
};

/// Scripts for /bin/sh with the options of sbatch as comments. A task that reaches its time limit
/// stops by itself and is put into the queue again, sixteen times at most; what it has written is
/// kept. Fails: InvalidArgument for a path of logs or program that a script cannot name,
/// BadEncoding.
Result<SlurmScripts> slurmScripts(const SlurmSubmission& submission);

/// Log of a task, and of the last step.
std::filesystem::path slurmLog(const std::filesystem::path& logs, std::size_t task);
std::filesystem::path slurmLastLog(const std::filesystem::path& logs);

/// One word for a POSIX shell, whatever it contains.
std::string shellWord(std::string_view text);

} // namespace cairn
