// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/tensor_join.h"

#include <vector>

/// The order of a tensor's parts when no offsets are recorded. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

/// Sorts the parts by rank if each has one, else by the numbers in the names of their files (or of
/// their arrays, if these are in one file). A list may have been sorted as text (shard_1, shard_10,
/// shard_2), so its order is used only if the names contain no numbers. Fails with ShardsNotJoined
/// on contradictions: a repeated rank, or names whose numbers have a different order than a list
/// that is not sorted as text.
Result<void> sortParts(const ManifestTensor& tensor, std::vector<FoundPart>& parts);

} // namespace cairn::formats::numpy_shards
