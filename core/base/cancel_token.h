// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <memory>

namespace cairn {

/// A request to stop, passed from one thread to the work of others. Copies share one flag; any
/// thread. Work should check it at least once per 16 MiB or 50 ms. A default token is cancelled
/// only by its own cancel().
class CancelToken {
public:
    CancelToken() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}
    void cancel() const { m_flag->store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }
    /// Fails with ErrorCode::Cancelled once cancelled; for CAIRN_CHECK in loops.
    [[nodiscard]] Result<void> check() const {
        if (cancelled()) {
            return fail(ErrorCode::Cancelled, "Stopped");
        }
        return {};
    }

private:
    std::shared_ptr<std::atomic<bool>> m_flag;
};

} // namespace cairn
