// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/plan/request.h"

#include <cstddef>
#include <span>

/// The verbs that are jobs: their options are the rows of request_fields.h.
namespace cairn::cli {

/// The options of a job's verb.
std::span<const Option> requestOptions(JobKind kind);

/// Those of all jobs, none required, for `plan`; `parts` is its own.
std::span<const Option> planOptions();
/// The same for `submit`, which has more.
std::span<const Option> submitOptions();

/// The kind of job with this name, or InvalidArgument.
Result<JobKind> jobKindNamed(const std::string& name);

/// The number of parts into which a job is divided, as --parts gives it; 1 without it. Fails with
/// InvalidArgument.
Result<std::size_t> partsOption(const Arguments& arguments);

/// The request in a verb's arguments: sources are the positionals from `first` on. Reads rules
/// files. Fails: InvalidArgument, NotFound and LimitExceeded for a rules file.
Result<JobRequest> requestOf(JobKind kind, const Arguments& arguments, std::size_t first);
/// The same without sources.
Result<JobRequest> requestWithoutSources(JobKind kind, const Arguments& arguments);

/// Runs the request, with progress on standard error, and prints its report. `digest`: as in
/// RunOptions. Fails as runRequest().
Result<int> runRequestVerb(const JobRequest& request, const std::string& digest, Session& session);

template <JobKind kKind> Result<int> runJobVerb(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const JobRequest request, requestOf(kKind, arguments, 0));
    return runRequestVerb(request, {}, session);
}

/// A job's verb. `positionals` has static storage.
template <JobKind kKind>
Verb jobVerb(std::string_view summary, std::span<const Positional> positionals,
             const std::array<std::string_view, 3>& examples) {
    return {jobKindName(kKind),    summary,  positionals,
            requestOptions(kKind), examples, runJobVerb<kKind>};
}

} // namespace cairn::cli
