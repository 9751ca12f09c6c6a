// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/analysis/memory_needs.h"
#include "core/model/checkpoint.h"

#include <string>

/// What a model takes in memory, for `info`.
namespace cairn::cli {

struct FoundMemory {
    MemoryNeeds needs;
    std::string config; ///< path of the config.json that was read; empty: none
};

/// With the config.json in the checkpoint's folder or above it (core/jobs/sidecars.h).
FoundMemory findMemory(const Checkpoint& checkpoint);

/// "memory": {…}
void writeMemory(JsonWriter& json, const FoundMemory& memory);

/// A few lines; `formulas`: with where each figure comes from.
void printMemory(Session& session, const FoundMemory& memory, bool formulas);

} // namespace cairn::cli
