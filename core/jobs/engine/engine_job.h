// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/engine/engine.h"

namespace cairn {

/// The context of all passes of the engine. Borrowed until the job ends.
struct EngineJob {
    const CopyPlan& plan;
    FileOps& fileOps;
    JobContext& context;
    const EngineOptions& options; ///< with threads, chunk size and back end chosen
};

} // namespace cairn
