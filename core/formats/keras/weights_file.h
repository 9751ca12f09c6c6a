// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/hdf5/hdf5_index.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

namespace cairn::formats::keras {

/// Adds the contents of an HDF5 file to the checkpoint: `range` of file `index`, which is open as
/// `source`. Datasets become tensors under their paths, Keras' attributes become values. A damaged
/// dataset becomes a notice. Fails with the errors of hdf5::readIndex.
Result<void> addWeightsFile(CheckpointData& data, FileIndex index, const ByteSourcePtr& source,
                            ByteRange range, std::vector<ValueItem>& values,
                            const CancelToken& cancel);

/// The same for an index that was already read; its numbers are not trusted, except locations,
/// which were checked.
void addIndexed(CheckpointData& data, FileIndex file, const ByteSourcePtr& source,
                hdf5::Index index, std::vector<ValueItem>& values);

/// Values with the tensors under their paths, so that a conversion keeps the names.
Value valuesWithTensors(const CheckpointData& data, std::vector<ValueItem> values);

} // namespace cairn::formats::keras
