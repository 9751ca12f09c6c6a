// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/hdf5/hdf5_index.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

namespace cairn::formats::keras {

/// Adds what an HDF5 file holds to the checkpoint: `range` of file `index`, which is open as
/// `source`. Datasets become tensors under their paths, the attributes of Keras values. Damage to
/// one dataset is a notice. Fails with what hdf5::readIndex states.
Result<void> addWeightsFile(CheckpointData& data, FileIndex index, const ByteSourcePtr& source,
                            ByteRange range, std::vector<ValueItem>& values,
                            const CancelToken& cancel);

/// The same for an index that was read already, every number of which may be wrong but its places
/// in the file.
void addIndexed(CheckpointData& data, FileIndex file, const ByteSourcePtr& source,
                hdf5::Index index, std::vector<ValueItem>& values);

/// The tensors under their paths, beside the given values: what writes them elsewhere keeps the
/// names.
Value valuesWithTensors(const CheckpointData& data, std::vector<ValueItem> values);

} // namespace cairn::formats::keras
