// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <vector>

/// Tensors that were flattened and cut at arbitrary elements: ZeRO partitions, flattened ranges of
/// Megatron's distributed optimizer, FSDP1 flat parameters. A run of elements of the flat tensor
/// becomes a few boxes of the logical tensor.
namespace cairn::formats {

/// The boxes that together contain elements [first, first + count), in C order, of a tensor of this
/// shape; in that order, at most 2 * rank - 1, each of them one run. Empty if count is 0. REQUIRES:
/// elementCount(shape) has a value and the run is inside it. Pure.
std::vector<Box> boxesOfRun(const Shape& shape, std::uint64_t first, std::uint64_t count);

/// A run of elements of a one-dimensional tensor.
struct FlatRun {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Cuts runs out of one-dimensional entries and assigns them to logical tensors. The entries' files
/// and codecs belong to `data` (see append()). Not thread-safe; `data` must outlive it.
class FlatCutter {
public:
    explicit FlatCutter(CheckpointData& data) : m_data(data) {}

    /// Elements `run` of `flat` become elements [first, first + run.count) of `target`, in C order:
    /// adds the pieces. Elements without a piece in `flat` leave a hole in the target. Encoded
    /// pieces (a deflated record) are cut, too, with a separate codec for each. On failure nothing
    /// is added. Fails: CoverageHole if a run extends beyond its tensor, Unsupported if `flat` is
    /// not one-dimensional or has a different dtype than the target, LimitExceeded (codecs).
    Result<void> cut(const TensorEntry& flat, FlatRun run, TensorEntry& target,
                     std::uint64_t first);

private:
    Result<void> cutPiece(const TensorEntry& flat, const Piece& piece, FlatRun common,
                          TensorEntry& target, std::uint64_t first);

    CheckpointData& m_data;
};

} // namespace cairn::formats
