// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/affine_map.h"
#include "core/formats/deepspeed/name_pattern.h"
#include "core/model/checkpoint.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Merges slices of tensor parallelism, if the save records how they were cut. Source: DeepSpeed
/// checkpoint/ds_to_universal.py (merge_tp_slices) and constants.py. Private to this folder.
namespace cairn::formats::deepspeed {

enum class Cut : std::uint8_t { Replicated, Rows, Columns, TwoRows, Unknown };

/// `universal_checkpoint_info`: how parameters were cut, by patterns of their names; parameters
/// without a matching pattern are cut by rows.
class SliceRules {
public:
    /// Empty: missing, or with unsupported patterns. `ranks`: of tensor parallelism.
    static std::optional<SliceRules> read(const Value& info, std::size_t ranks);
    [[nodiscard]] Cut cutOf(std::string_view parameter) const;
    /// Where a parameter's elements are, if that is recorded; null: cutOf() decides.
    [[nodiscard]] const AffineMap* mapOf(std::string_view parameter) const;

private:
    bool add(const Value& pattern, Cut cut);
    bool addMaps(const Value& maps, std::size_t ranks);

    struct Rule {
        NamePattern pattern;
        Cut cut = Cut::Unknown;
    };
    std::vector<Rule> m_rules;
    std::map<std::string, Cut, std::less<>> m_names; ///< patterns that match one name
    std::map<std::string, AffineMap, std::less<>> m_maps;
};

/// Merges `<prefix of rank><name>` of all ranks to `<name>`, for the parameters in `parameters`,
/// their `module.` copies and their states. A tensor that cannot be merged keeps its names with
/// ranks, with a notice. Returns the new position of each tensor. Linear in tensors and pieces.
std::vector<TensorIndex> mergeSlices(CheckpointData& data, const SliceRules& rules,
                                     std::span<const std::string> prefixes,
                                     const std::set<std::string, std::less<>>& parameters);

} // namespace cairn::formats::deepspeed
