// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/context/job_context.h"
#include "core/jobs/record/job_report.h"
#include "core/jobs/there/far_work.h"
#include "core/plan/request.h"

#include <optional>
#include <string>

/// Jobs that run on another machine, where their sources and their output are.
namespace cairn {

/// The command of the request there; nothing: it runs here. Looks up paths on this disk, no host is
/// asked.
std::optional<FarWork> farJob(const JobRequest& request);

/// The host on which the job of a request runs, "user@host:port" with the known parts; empty: here.
std::string hostOfJob(const JobRequest& request);

/// Runs it there, with its progress and log in `context`, until it ends or is cancelled; a pause
/// does not reach it. The host plans it anew. Fails with the job's error, as it was reported there,
/// and as runFarWork().
Result<JobReport> runFarJob(const FarWork& work, JobContext& context);

} // namespace cairn
