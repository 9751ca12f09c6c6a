// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/manifest.h"
#include "core/model/tensor_entry.h"

#include <vector>

/// Merges the parts of one tensor as recorded by a manifest. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

struct FoundPart {
    ManifestPart listed;
    const TensorEntry* entry = nullptr; ///< borrowed; null: the file is missing or lacks the array
    FileIndex file;
};

/// The complete tensor. The position of a part follows from its origin; from its start along the
/// axis; from the order of the parts along the axis (part_order.h); or from the complete shape, if
/// only one way is possible. A missing part with a known position becomes a piece of a missing
/// file. Fails: ShardsNotJoined (not recorded), BadIndex (the record does not match the files).
Result<TensorEntry> joinParts(const ManifestTensor& tensor, std::vector<FoundPart> parts);

/// Gives the array the dtype that the manifest names, if its bytes allow it: raw bytes and unsigned
/// integers of the same width. False: they do not.
bool readAs(TensorEntry& entry, Dtype dtype);

} // namespace cairn::formats::numpy_shards
