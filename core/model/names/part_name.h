// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/names/tokens.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The one grammar of names of files that each contain a part of one save: "rank 1", "1 of 4". Such
/// a number is never a step. Whether the parts are shards (other tensors in each), slices of
/// tensors, or copies is decided by their content. Pure. Any thread.
namespace cairn::names {

/// "model_world_size_4_rank_1": base "model", index 1, count 4; "pt_model_0_of_2": base "pt_model";
/// "model0-mp2" (DeepSeek): base "model", index 0, count 2; "model-rank-1-part-3" (vLLM): base
/// "model", index 1, piece 3; "consolidated.01" (Meta's Llama): base "consolidated".
struct PartName {
    std::string base;                   ///< the rest, equal in all names of a set; may be empty
    std::uint32_t index = 0;            ///< may equal the count: some count from 1
    std::optional<std::uint32_t> count; ///< number of parts
    /// Several files of one rank are numbered, too.
    std::optional<std::uint32_t> piece;
    /// "dp0_tp1_pp0": the numbers of a grid, of which none is the index; else empty.
    std::vector<std::uint32_t> grid;
    DigitRun digits; ///< those of the index
    DigitRun pieceDigits;
    bool hasWorldSize = false;     ///< contains the words "world_size"
    std::string word;              ///< before the index, if it means a part: "rank"; else empty
    std::vector<DigitRun> numbers; ///< every number that is of the part
};

/// `stem`: a file name without its ending. Empty: the name states no part ("epoch_3_of_10"
/// neither), or contradicts itself ("rank-5-of-4").
std::optional<PartName> splitPartName(std::string_view stem);

} // namespace cairn::names
