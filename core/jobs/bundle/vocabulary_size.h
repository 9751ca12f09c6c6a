// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"

#include <cstdint>
#include <optional>
#include <span>

namespace cairn {

/// The number of ids that a tokenizer among these files uses: one more than its largest id, with
/// those of added tokens. Empty if there is no tokenizer.json or vocab.json, or it cannot be read.
/// Pure.
std::optional<std::int64_t> vocabularySize(std::span<const Sidecar> sidecars);

} // namespace cairn
