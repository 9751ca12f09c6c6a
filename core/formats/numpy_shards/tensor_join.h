// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/manifest.h"
#include "core/model/tensor_entry.h"

#include <vector>

/// Parts of one tensor merged as a manifest records. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

struct FoundPart {
    ManifestPart listed;
    const TensorEntry* entry = nullptr; ///< borrowed; null: the file is missing or lacks the array
    FileIndex file;
};

/// The complete tensor. Where a part belongs is taken from its origin; from its start along the
/// axis; from the order of the parts along the axis (part_order.h); or from the whole shape, if
/// that leaves one way only. A missing part whose place is known becomes a piece of a file that is
/// missing. Fails: ShardsNotJoined (nothing records how), BadIndex (what is recorded does not fit
/// the files).
Result<TensorEntry> joinParts(const ManifestTensor& tensor, std::vector<FoundPart> parts);

/// Gives the array the dtype that the manifest names, if its bytes can be that: raw bytes and
/// unsigned numbers of the same width. False: they cannot.
bool readAs(TensorEntry& entry, Dtype dtype);

} // namespace cairn::formats::numpy_shards
