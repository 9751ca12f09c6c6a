// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/difference.h"
#include "app/cli/session.h"

namespace cairn::cli {

/// Writes the JSON document described in cli.md.
void writeDifference(const Difference& diff, Session& session);

/// Prints text for users.
void printDifference(const Difference& diff, Session& session);

} // namespace cairn::cli
