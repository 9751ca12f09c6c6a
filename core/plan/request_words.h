// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/request.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Requests as text: the options in a manifest, and the command that is recorded of a job. Pure.
namespace cairn {

/// The options that a manifest records, in order; repeated ones several times. `request`: settled.
std::vector<std::pair<std::string, std::string>> recordedOptions(const JobRequest& request);

/// Sets an option as recordedOptions() gave it; false: its value is not recorded completely, or the
/// option is unknown.
bool setRecorded(JobRequest& request, std::string_view name, std::string_view text);

/// The request as arguments of cairn-cli: the job's name, the sources, `--name=value` for each
/// option that is not the default. With absolute paths (absoluteRequest()) it means the same
/// everywhere.
std::vector<std::string> requestWords(const JobRequest& request);

/// Inverse of requestWords(); also reads `--name value` and `-o value`. Fails with InvalidArgument
/// for words that are not the command of a job.
Result<JobRequest> requestOfWords(std::span<const std::string> words);

} // namespace cairn
