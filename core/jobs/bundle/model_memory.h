// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/memory_needs.h"
#include "core/model/checkpoint.h"

#include <string>

namespace cairn {

struct FoundMemory {
    MemoryNeeds needs;
    std::string config; ///< path of the config.json that was read; empty: none
};

/// What a model takes in memory, with the config.json in the checkpoint's folder or above it
/// (jobs/bundle/sidecars.h). For complete checkpoints. Reads small files; any thread except the
/// window's.
FoundMemory findMemory(const Checkpoint& checkpoint);

} // namespace cairn
