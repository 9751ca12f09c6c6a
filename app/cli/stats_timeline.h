// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "app/cli/verb.h"
#include "core/base/result.h"

namespace cairn::cli {

/// `stats RUN --timeline`: the selected tensors together in every checkpoint of one run.
Result<int> runStatsTimeline(const Arguments& arguments, Session& session);

} // namespace cairn::cli
