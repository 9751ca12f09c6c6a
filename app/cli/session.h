// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/base/cancel_token.h"
#include "core/jobs/job_part.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::cli {

enum class ProgressMode : std::uint8_t { Auto, None, Json };
enum class ColorMode : std::uint8_t { Auto, Always, Never };

/// What holds for the whole call: the common options, standard output, the stop flag that Ctrl+C
/// sets.
struct Session {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool color = false; ///< for standard output
    ProgressMode progress = ProgressMode::Auto;
    CancelToken cancel;
    Output out;
    std::vector<std::string> command; ///< the verb and what it was given, for a job's record
    JobPart part;                     ///< which share of a job to do
    std::string digest;               ///< of the plan that is meant; empty: any
};

} // namespace cairn::cli
