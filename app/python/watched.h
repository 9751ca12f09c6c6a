// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"

#include <functional>
#include <optional>
#include <utility>

namespace cairn::python {

/// Runs `work` on a thread of its own without the GIL. Meanwhile the calling thread looks for
/// signals twenty times a second, as Python's own loop would, and calls `poll` with the GIL; if a
/// signal handler or `poll` raises (Ctrl+C: KeyboardInterrupt), `cancel` is set, and the exception
/// is thrown when the work has ended. Throws what `work` throws. REQUIRES: the GIL.
void runWatched(const CancelToken& cancel, const std::function<void()>& work,
                const std::function<void()>& poll = {});

/// The same for work with a value.
template <class Work>
auto watched(const CancelToken& cancel, Work&& work, const std::function<void()>& poll = {})
    -> decltype(work()) {
    std::optional<decltype(work())> value;
    runWatched(
        cancel, [&] { value.emplace(std::forward<Work>(work)()); }, poll);
    return *std::move(value);
}

} // namespace cairn::python
