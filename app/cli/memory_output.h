// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/jobs/bundle/model_memory.h"

/// What a model takes in memory, for `info`.
namespace cairn::cli {

/// "memory": {…}
void writeMemory(JsonWriter& json, const FoundMemory& memory);

/// A few lines; `formulas`: with where each figure comes from.
void printMemory(Session& session, const FoundMemory& memory, bool formulas);

} // namespace cairn::cli
