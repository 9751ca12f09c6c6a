// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/base/cancel_token.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

enum class ProgressMode : std::uint8_t { Auto, None, Json };
enum class ColorMode : std::uint8_t { Auto, Always, Never };

/// The state of some work, for one line of progress.
struct ProgressState {
    std::string phase; ///< "reading", "writing", "verifying"
    std::uint64_t done = 0;
    std::uint64_t total = 0; ///< 0: unknown
};

/// State of the complete call: common options, standard output, the stop flag for Ctrl+C.
struct Session {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool color = false; ///< for standard output
    ProgressMode progress = ProgressMode::Auto;
    CancelToken cancel;
    Output out;

    /// For callers other than a terminal: gets the progress ten times a second and at the end, on a
    /// thread of its own, instead of standard error.
    std::function<void(const ProgressState&)> onProgress;
    /// Gets the lines that a verb would write to standard error, without the line end.
    std::function<void(std::string_view)> onMessage;

    /// A line for standard error.
    void message(const std::string& line) const;
};

} // namespace cairn::cli
