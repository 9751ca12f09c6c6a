// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <map>
#include <vector>

/// Tensor subclasses (torchao's quantised weights and optimizer states): the index contains the
/// dtype and shape that they represent, while the item contains several plain tensors (`qdata`,
/// `scale`, …). Private to this folder.
namespace cairn::formats::dcp {

/// New positions of the index's tensors.
struct ExpandedTensors {
    /// New position of each tensor; empty: unchanged.
    std::vector<TensorIndex> places;
    std::map<std::size_t, Value> objects; ///< values for tensors that were replaced by several

    /// The value for the index's tensor at `position`.
    [[nodiscard]] Value valueOf(std::size_t position) const;
};

/// Replaces each such tensor by its parts under its name ("0.weight.qdata"), as for the same object
/// in a torch.save file. The index does not identify these tensors, but the length of their items
/// rarely matches plain elements: items of unexpected length are examined, and all items after one
/// was found. A tensor in several chunks is removed with a notice, and the checkpoint is
/// incomplete, because only the class defines how the parts of its chunks belong together. Reads
/// nothing if all lengths are as expected. REQUIRES: `data` from place().
ExpandedTensors expandSubclasses(CheckpointData& data, const CancelToken& cancel);

} // namespace cairn::formats::dcp
