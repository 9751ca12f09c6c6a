// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <string>

namespace cairn::store {

struct ServeOptions {
    std::string version;                     ///< of this program
    std::string program = "/proc/self/exe";  ///< runs the verbs
    std::chrono::nanoseconds clockOffset{0}; ///< of the clock that is reported: for tests
};

/// The far end: answers requests from `in` on `out` until `in` ends, then stops the verbs that it
/// started. Reads files; writes none, listens nowhere. Blocks. Fails with Io if a stream breaks or
/// the near end sends what is not a request.
Result<void> serve(int in, int out, const ServeOptions& options);

} // namespace cairn::store
