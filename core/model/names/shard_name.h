// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

/// The parts of "model-00002-of-00005.safetensors": base "model", index 2, count 5, width 5,
/// suffix ".safetensors". Views into the name.
struct ShardName {
    std::string_view base;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    std::size_t width = 0; ///< number of digits of the index
    std::string_view suffix;
};

/// Empty if the name has no "-<k>-of-<n>" before its extension, or n is 0 or above 100 000, or the
/// word before it is "rank": each rank's file may contain the same tensors (part_name.h).
std::optional<ShardName> splitShardName(std::string_view name);

/// The name of part `index` of the same set.
std::string shardNameOf(const ShardName& like, std::uint32_t index);

} // namespace cairn
