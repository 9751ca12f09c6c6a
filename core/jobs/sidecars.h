// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <vector>

namespace cairn {

/// The small files that a model's own code wants beside its weights: config.json,
/// generation_config.json, tokenizer and processor files. Searched for in the checkpoint's folder
/// and up to two folders above; a folder above counts only when it shows that it is a model's (a
/// config.json with "model_type" or "architectures", or a tokenizer's configuration), and the
/// nearest file of a name wins. Regular files of at most 64 MiB.
std::vector<Sidecar> findSidecars(const Checkpoint& source);

} // namespace cairn
