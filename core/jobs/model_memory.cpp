// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/model_memory.h"

#include "core/base/endian.h"
#include "core/jobs/sidecars.h"

#include <algorithm>
#include <span>
#include <vector>

namespace cairn {

FoundMemory findMemory(const Checkpoint& checkpoint) {
    FoundMemory found;
    const auto search = findSidecars(checkpoint, {}); // without --like it does not fail
    const std::vector<Sidecar> files = search ? search->files : std::vector<Sidecar>();
    const auto file = std::ranges::find(files, "config.json", &Sidecar::name);
    const auto config = file == files.end() ? Result<ModelConfig>(ModelConfig())
                                            : ModelConfig::parse(asText(std::span(file->bytes)));
    const bool known = file != files.end() && config.has_value();
    found.config = known ? file->origin : std::string();
    found.needs = memoryNeeds(checkpoint, known ? &*config : nullptr);
    return found;
}

} // namespace cairn
