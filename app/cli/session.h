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

/// State of the complete call: common options, standard output, the stop flag for Ctrl+C.
struct Session {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool color = false; ///< for standard output
    ProgressMode progress = ProgressMode::Auto;
    CancelToken cancel;
    Output out;
    std::vector<std::string> command; ///< the verb and its arguments, for a job's record
    JobPart part;                     ///< the share of a job to do
    std::string digest;               ///< of the expected plan; empty: any
};

} // namespace cairn::cli
