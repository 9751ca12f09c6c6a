// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"

namespace cairn::cli {

/// `--version`: the program's version; as JSON also the description of the libtorch module, or
/// null.
void printVersion(Session& session);

} // namespace cairn::cli
