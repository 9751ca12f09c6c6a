// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/engine.h"

namespace cairn {

/// What every pass of the engine works with. Borrowed until the job ends.
struct EngineJob {
    const CopyPlan& plan;
    FileOps& fileOps;
    JobContext& context;
    const EngineOptions& options; ///< settled: threads, chunk size and back end are chosen
};

} // namespace cairn
