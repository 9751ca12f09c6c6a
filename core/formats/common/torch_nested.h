// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch_objects.h"

#include <optional>
#include <string_view>

/// Storages inside pickles that torch.save did not write: `pickle.dump`, and what builds on it,
/// pickles a storage as torch.storage._load_from_bytes(bytes), where the bytes are a whole file of
/// torch.save before 1.6 with that one storage in it. Source: torch/storage.py, TypedStorage
/// .__reduce__.
namespace cairn::formats {

/// What torch.save before 1.6 begins with: the first of its five pickles, as decimal text.
inline constexpr std::string_view kTorchStreamMagic =
    "119547037146038801333356"; // 0x1950a86a20f9469cfc6c

/// True for a call of torch.storage._load_from_bytes.
bool isNestedStorage(const pickle::PickleGraph& graph, pickle::NodeId id);

/// All elements of the storage as a tensor of one dimension, its bytes inline in `graph`'s buffer.
/// Nothing: something else than a storage was saved there. Fails: Pickle*, TorchBadHeader,
/// TorchBadPersistentId, TorchUnknownDtype, TorchStorageTooSmall. REQUIRES: isNestedStorage().
std::optional<Result<TorchTensor>> readNestedStorage(const pickle::PickleGraph& graph,
                                                     pickle::NodeId id);

} // namespace cairn::formats
