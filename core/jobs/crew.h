// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <functional>

namespace cairn {

/// Does one piece of work on several threads at once and joins them before it returns. `work` is
/// given its number and a flag that is set as soon as another one has failed. The first failure is
/// the result; exceptions become failures.
Result<void>
runCrew(std::size_t threads,
        const std::function<Result<void>(std::size_t worker, const std::atomic<bool>& stop)>& work);

} // namespace cairn
