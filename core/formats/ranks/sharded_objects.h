// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/dims.h"
#include "core/model/value.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What torch's distributed tensors state about the part that one rank holds, out of the plain
/// values that its file was read as. Source: torch/distributed/tensor (_dtensor_spec.py,
/// placement_types.py, device_mesh.py, _mesh_layout.py) of 2.0 to 2.13,
/// torch/distributed/_shard/sharded_tensor.
namespace cairn::formats::ranks {

/// One rank's part: each of its local tensors, and where its elements belong.
struct ShardedObject {
    Shape shape; ///< of the complete tensor
    std::vector<std::pair<TensorIndex, Box>> parts;
};

/// Nothing: `value` is none of these objects. `rank` is that of the file. A part without elements
/// has a box without elements. Fails: Unsupported (a sum that was never made, a mesh that is not
/// stated), TorchBadTensor (a layout that is invalid).
std::optional<Result<ShardedObject>> readShardedObject(const Value& value, std::uint32_t rank);

/// The box of a DTensor that the rank at `coordinate` of a mesh holds. `order`: the mesh's
/// dimensions in the order in which they cut; `dims`: the tensor's dimension that each cuts,
/// negative: none. Each cut is torch.chunk's: ceil(length / ranks), the last ones may be empty.
Box localBox(const Shape& shape, const Dims& mesh, const Dims& coordinate,
             const std::vector<std::size_t>& order, const Dims& dims);

} // namespace cairn::formats::ranks
