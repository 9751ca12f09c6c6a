// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/context/job_context.h"

#include <chrono>
#include <thread>

namespace cairn::ui::test {

/// A job that writes until it is stopped.
inline Result<void> endless(JobContext& context) {
    context.setTotal(10'000'000'000);
    context.setPhase(JobPhase::Writing);
    while (true) {
        CAIRN_CHECK(context.proceed());
        context.addRead(3'000'000);
        context.addWritten(2'500'000);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

} // namespace cairn::ui::test
