// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <functional>

namespace cairn {

/// Runs `work` on several threads and joins them before it returns. `work` gets the number of its
/// thread and a flag that is set when another thread has failed. The first failure is the result;
/// exceptions become failures.
Result<void> runOnThreads(
    std::size_t threads,
    const std::function<Result<void>(std::size_t worker, const std::atomic<bool>& stop)>& work);

} // namespace cairn
