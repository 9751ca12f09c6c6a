// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <map>
#include <vector>

/// Tensors of a class of their own (torchao's quantised weights and optimizer states): the index
/// gives the dtype and shape that they stand for, while the item holds several plain tensors
/// (`qdata`, `scale`, …). Private to this folder.
namespace cairn::formats::dcp {

/// What became of the index's tensors.
struct ExpandedTensors {
    /// Where each of them is now; empty: where it was.
    std::vector<TensorIndex> places;
    std::map<std::size_t, Value> objects; ///< what stands among the values for one that is no
                                          ///< single tensor any more

    /// What stands among the values for the index's tensor at `position`.
    [[nodiscard]] Value valueOf(std::size_t position) const;
};

/// Puts the parts in the place of each such tensor, under its name ("0.weight.qdata"), as the same
/// object in a file of torch.save is shown. The index does not record which tensors they are, but
/// their items are seldom as long as plain elements need: items of an odd length are examined,
/// and all once one was found. One that is in several chunks leaves the list, with a notice, and
/// the checkpoint is incomplete: how the parts of the chunks belong together is the class's own
/// matter. Reads nothing where all lengths are as they should be. REQUIRES: `data` is what place()
/// made.
ExpandedTensors expandSubclasses(CheckpointData& data, const CancelToken& cancel);

} // namespace cairn::formats::dcp
