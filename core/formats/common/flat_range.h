// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <vector>

/// Tensors that were flattened and cut at any element: ZeRO partitions, flattened ranges of
/// Megatron's distributed optimizer, FSDP1 flat parameters. What is one run of elements in the flat
/// tensor is a few boxes of the logical one.
namespace cairn::formats {

/// The boxes that together hold elements [first, first + count) in C order of a tensor of this
/// shape, in that order: at most 2 * rank - 1 of them, each itself one run. Empty when there are no
/// elements. REQUIRES: elementCount(shape) has a value and the run is inside it. Pure.
std::vector<Box> boxesOfRun(const Shape& shape, std::uint64_t first, std::uint64_t count);

/// A run of elements of a one-dimensional tensor.
struct FlatRun {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Cuts runs out of one-dimensional entries and gives them to logical tensors. The entries' files
/// and codecs are those of `data` (see append()). One thread; `data` must outlive it.
class FlatCutter {
public:
    explicit FlatCutter(CheckpointData& data) : m_data(data) {}

    /// Elements `run` of `flat` are elements [first, first + run.count) of `target`, in C order:
    /// adds the pieces. Elements that `flat` has no piece for leave a hole in the target. Encoded
    /// pieces (a deflated record) are cut too, with one codec each. Fails: CoverageHole when a run
    /// reaches beyond its tensor, Unsupported when `flat` has not one dimension or another dtype
    /// than the target, LimitExceeded (codecs). Adds nothing then.
    Result<void> cut(const TensorEntry& flat, FlatRun run, TensorEntry& target,
                     std::uint64_t first);

private:
    Result<void> cutPiece(const TensorEntry& flat, const Piece& piece, FlatRun common,
                          TensorEntry& target, std::uint64_t first);

    CheckpointData& m_data;
};

} // namespace cairn::formats
