// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

/// What names in a DCP folder record. Private to this folder.
namespace cairn::formats::dcp {

/// Optimizers by the names of what is in them: a name with a part `param_groups` describes an
/// optimizer above it, whatever that is called, whose `state` is beside. A value type.
class OptimizerPlaces {
public:
    /// Searches for the part; names are those of tensors and of plain values.
    void note(std::string_view name);
    [[nodiscard]] bool empty() const { return m_prefixes.empty(); }
    /// True if the name is in one of the optimizers that were noted.
    [[nodiscard]] bool holds(std::string_view name) const;

private:
    std::unordered_set<std::string> m_prefixes; ///< with their dot
};

/// Rank in "__3_0.distcp" (also with a prefix before the underscores).
std::optional<std::int64_t> rankInShardName(std::string_view name);

/// Rank in "__3.metadata", the index of one rank that saved without collectives.
std::optional<std::int64_t> rankInMetadataName(std::string_view name);

} // namespace cairn::formats::dcp
