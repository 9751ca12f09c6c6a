// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// What names in a DCP folder tell. Private to this folder.
namespace cairn::formats::dcp {

/// The role that an fqn tells, looking through the wrappers that training loops put around their
/// state ("app.optim.…", "state.model.…", "chained_0.optimizer.…").
Role roleOf(std::string_view fqn);

/// Rank in "__3_0.distcp" (also with a prefix before the underscores).
std::optional<std::int64_t> rankInShardName(std::string_view name);

/// Rank in "__3.metadata", the index of one rank that saved without collectives.
std::optional<std::int64_t> rankInMetadataName(std::string_view name);

} // namespace cairn::formats::dcp
