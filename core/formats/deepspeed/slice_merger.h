// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/name_pattern.h"
#include "core/model/checkpoint.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Slices of tensor parallelism, when the save records how they were cut. Source: DeepSpeed
/// checkpoint/ds_to_universal.py (merge_tp_slices) and constants.py. Private to this folder.
namespace cairn::formats::deepspeed {

enum class Cut : std::uint8_t { Replicated, Rows, Columns, TwoRows, Unknown };

/// `universal_checkpoint_info`: which parameters were cut in which way, by patterns of their names;
/// one that no pattern matches is cut by rows.
class SliceRules {
public:
    /// Nothing: it is none, or has patterns or maps that are not understood.
    static std::optional<SliceRules> read(const Value& info);
    [[nodiscard]] Cut cutOf(std::string_view parameter) const;

private:
    struct Rule {
        NamePattern pattern;
        Cut cut = Cut::Unknown;
    };
    std::vector<Rule> m_rules;
};

/// Puts `<prefix of rank><name>` of all ranks together as `<name>`, for the parameters in
/// `parameters`, their `module.` copies and their states. What cannot be merged stays under
/// its ranks, with a notice. Returns where each tensor went. Linear in tensors and pieces.
std::vector<TensorIndex> mergeSlices(CheckpointData& data, const SliceRules& rules,
                                     std::span<const std::string> prefixes,
                                     const std::set<std::string, std::less<>>& parameters);

} // namespace cairn::formats::deepspeed
