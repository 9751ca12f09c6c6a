// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

namespace cairn::cli {

/// `job run`: executes the plan, the part (`--part`) or the task of an array (`--task`) that the
/// arguments name. Fails with InvalidArgument for what is not a plan, and as runRequest().
Result<int> runJobDocument(const Arguments& arguments, Session& session);

} // namespace cairn::cli
