// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/dims.h"
#include "core/model/value.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Reads torch's distributed tensors from the plain values of one rank's file: which part of the
/// tensor the rank has. Source: torch/distributed/tensor (_dtensor_spec.py, placement_types.py,
/// device_mesh.py, _mesh_layout.py) of 2.0 to 2.13, torch/distributed/_shard/sharded_tensor.
namespace cairn::formats::ranks {

/// One rank's part: each local tensor and its box.
struct ShardedObject {
    Shape shape; ///< of the complete tensor
    std::vector<std::pair<TensorIndex, Box>> parts;
};

/// Empty: `value` is not such an object. `rank` is that of the file. A part without elements has an
/// empty box. Fails: Unsupported (a pending sum, a mesh that is not recorded), TorchBadTensor (an
/// invalid layout).
std::optional<Result<ShardedObject>> readShardedObject(const Value& value, std::uint32_t rank);

/// The box of a DTensor on the rank at `coordinate` of a mesh. `order`: the mesh's dimensions in
/// the order in which they cut; `dims`: the tensor dimension that each cuts, negative: none. Each
/// cut is that of torch.chunk: lengths of ceil(length / ranks), the last ones may be empty.
Box localBox(const Shape& shape, const Dims& mesh, const Dims& coordinate,
             const std::vector<std::size_t>& order, const Dims& dims);

} // namespace cairn::formats::ranks
