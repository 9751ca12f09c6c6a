// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/tensor_join.h"

#include <vector>

/// In which order the parts of a tensor follow each other, where no offsets state so. Pure. Private
/// to this folder.
namespace cairn::formats::numpy_shards {

/// Sorts the parts: by their ranks where each has one, else by the numbers in the names of their
/// files (or of their arrays, when these are in one file). A list may have been sorted as text
/// (shard_1, shard_10, shard_2), so that its order counts only where the names have no numbers.
/// Fails with ShardsNotJoined where the evidence contradicts itself: a rank twice, names whose
/// numbers are in another order than a list that is not sorted as text.
Result<void> sortParts(const ManifestTensor& tensor, std::vector<FoundPart>& parts);

} // namespace cairn::formats::numpy_shards
