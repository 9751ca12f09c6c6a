// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <vector>

namespace cairn {

/// Finds the small files that a model's library needs beside its weights: config.json,
/// generation_config.json, tokenizer and processor files. Searches the checkpoint's folder and up
/// to two parent folders; a parent folder is used only if it is evidently that of a model (a
/// config.json with "model_type" or "architectures", or a tokenizer's configuration), and the
/// nearest file of a name is used. Regular files of at most 64 MiB.
std::vector<Sidecar> findSidecars(const Checkpoint& source);

} // namespace cairn
