// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/cluster/array_plan.h"
#include "core/jobs/cluster/kubernetes_manifest.h"
#include "core/jobs/cluster/slurm_script.h"
#include "core/jobs/cluster/submission_registry.h"

#include <filesystem>
#include <string>
#include <vector>

/// Submits arrays with the scheduler's own commands, which are started with lists of arguments; any
/// thread but the window's.
namespace cairn {

struct SubmitOptions {
    bool dryRun = false;              ///< only make the scripts
    std::vector<std::string> options; ///< for sbatch or kubectl, as they are
    std::filesystem::path logs;       ///< Slurm; empty: a new folder in the user's state folder
    std::string program;              ///< cairn-cli on the nodes; empty: this one, "cairn-cli"
    std::string image;                ///< Kubernetes
    std::vector<ClaimedVolume> volumes;
};

struct Submitted {
    /// The commands, in order, and the input of each; "4711" stands for the id of the array if
    /// nothing was submitted.
    struct Call {
        std::vector<std::string> words;
        std::string input;
    };
    std::vector<Call> calls;
    Submission submission; ///< without an id after a dry run
};

/// Fails: InvalidArgument for options that would undo the array, and for those that do not begin
/// with a dash; JobIsRunning if an array that writes one of the outputs is waiting or running;
/// NotFound if the scheduler's command is missing; Io with the command's message if it refuses;
/// the errors of slurmScripts() and kubernetesManifest(). If the last step is refused, the array is
/// cancelled.
Result<Submitted> submitArray(Scheduler scheduler, const ArrayPlan& plan,
                              const SubmitOptions& options, FileOps& fileOps,
                              const SubmissionRegistry& registry = SubmissionRegistry(),
                              const CancelToken& cancel = {});

} // namespace cairn
