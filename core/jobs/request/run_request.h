// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/jobs/queue/job_registry.h"
#include "core/jobs/record/job_report.h"
#include "core/plan/consolidate.h"
#include "core/plan/request.h"

#include <memory>
#include <optional>
#include <string>

/// The only way to a job: the command line, the window, Python and resumed jobs fill a JobRequest
/// and call these functions. They open what the request names, plan, compare the plan with the
/// expected one, run and report. Any thread but the window's; they block.
namespace cairn {

namespace signing {
class ModelSigner;
}

/// A request whose checkpoints and key are open.
struct OpenedRequest {
    JobRequest request;
    JobInputs inputs;
    std::shared_ptr<const signing::ModelSigner> signer; ///< null: the output is not signed
};

/// Opens the key, the sources, the adapters and the earlier checkpoint of a pack. `shown`: a
/// checkpoint that is open already, used for the source with its path; may be null. Fails:
/// InvalidArgument, and the errors of openNamed() and of opening a key.
Result<OpenedRequest> openRequest(JobRequest request, const CancelToken& cancel = {},
                                  const CheckpointPtr& shown = nullptr);

/// A plan, and the digest by which a job is recognised.
struct PlannedJob {
    CopyPlan plan;
    std::string digest; ///< layoutDigest() of the plan
};

/// The plan of an open request; writes nothing. The plan of a pack is for display: its size is an
/// estimate. Fails with the errors of prepareJob(), planPack() and of the request's kind.
Result<PlannedJob> planRequest(const OpenedRequest& opened, const CancelToken& cancel = {},
                               const DiskRates& rates = DiskRates());

struct RunOptions {
    std::string digest;                   ///< of the expected plan; empty: any
    JobRegistry registry = JobRegistry(); ///< the user's list of jobs
    DiskRates rates = DiskRates();        ///< measured rates are added to this
};

struct FinishedJob {
    JobReport report;
    /// Empty for jobs without a plan of each byte (packing, csv), and for an output that an earlier
    /// run has published (JobReport::doneBefore).
    std::optional<CopyPlan> plan;
};

/// Opens, plans and runs here, whatever machine the sources are on; the job is in the user's list
/// meanwhile. An output that a job with the expected digest has published is reported as it is.
/// Fails with the errors of the functions above and of checkOutputIsHere(), the plan's problems,
/// and those of runListed().
Result<FinishedJob> runRequest(const JobRequest& request, const RunOptions& options,
                               FileOps& fileOps, JobContext& context);

} // namespace cairn
