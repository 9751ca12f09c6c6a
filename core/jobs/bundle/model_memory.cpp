// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/model_memory.h"

#include "core/jobs/bundle/sidecars.h"

#include <optional>

namespace cairn {

FoundMemory findMemory(const Checkpoint& checkpoint) {
    FoundMemory found;
    const std::optional<FoundConfig> config = findModelConfig(checkpoint);
    found.config = config ? config->origin : std::string();
    found.needs = memoryNeeds(checkpoint, config ? &config->fields : nullptr);
    return found;
}

} // namespace cairn
