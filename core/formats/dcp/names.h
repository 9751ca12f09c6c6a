// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

/// Facts from names in a DCP folder. Private to this folder.
namespace cairn::formats::dcp {

/// Finds optimizers by the names of their contents: a name with a component `param_groups` belongs
/// to an optimizer with the prefix before it, whatever that is, whose `state` has the same prefix.
/// A value type.
class OptimizerPlaces {
public:
    /// Adds the optimizer in this name of a tensor or plain value, if any.
    void note(std::string_view name);
    [[nodiscard]] bool empty() const { return m_prefixes.empty(); }
    /// True if the name belongs to one of these optimizers.
    [[nodiscard]] bool holds(std::string_view name) const;

private:
    std::unordered_set<std::string> m_prefixes; ///< with a trailing dot
};

/// Rank in "__3_0.distcp" (also with a prefix before the underscores).
std::optional<std::int64_t> rankInShardName(std::string_view name);

/// Rank in "__3.metadata", the index of a rank that saved without collectives.
std::optional<std::int64_t> rankInMetadataName(std::string_view name);

} // namespace cairn::formats::dcp
