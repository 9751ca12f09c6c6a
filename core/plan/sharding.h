// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How an output is distributed over ranks or files. Pure.
namespace cairn {

/// A value type. By default, the layout decides.
struct Sharding {
    std::vector<ShardAxis> axes; ///< the grid of ranks
    bool perLayer = false;       ///< one file for each layer, and one for the rest

    [[nodiscard]] bool empty() const { return axes.empty() && !perLayer; }
    /// The product of the axes, at most kMaxRanks; 1 without axes.
    [[nodiscard]] std::uint64_t ranks() const;
    /// "8 along dimension 0", "4 along dimension 0 x 2 along dimension 1".
    [[nodiscard]] Sentence words() const;

    static constexpr std::uint64_t kMaxRanks = 65536;
    friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// Parses the user's options; empty texts were not given. `ranks`: "8". `grid`: "4x2". `dim`: "0",
/// "-1", or "0,1" for the two axes of a grid (the default for grids). Fails: InvalidArgument.
Result<std::vector<ShardAxis>> parseShardAxes(std::string_view ranks, std::string_view grid,
                                              std::string_view dim);

/// LayoutRequest::fileOf for formats that do not split tensors. With axes: as many files as ranks,
/// or as tensors if those are fewer, in the tensors' order and of similar size. Linear.
std::vector<std::uint32_t> filesOf(std::span<const LayoutTensor> tensors, const Sharding& sharding);

} // namespace cairn
