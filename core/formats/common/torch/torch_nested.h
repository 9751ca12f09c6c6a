// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_objects.h"

#include <optional>
#include <string_view>

/// Storages inside pickles that torch.save did not write: `pickle.dump` and its users pickle a
/// storage as torch.storage._load_from_bytes(bytes), where the bytes are a complete torch.save file
/// (format before 1.6) with that one storage. Source: torch/storage.py, TypedStorage .__reduce__.
namespace cairn::formats {

/// The first of the five pickles in torch.save files before 1.6, as decimal text.
inline constexpr std::string_view kTorchStreamMagic =
    "119547037146038801333356"; // 0x1950a86a20f9469cfc6c

/// True for a call of torch.storage._load_from_bytes.
bool isNestedStorage(const pickle::PickleGraph& graph, pickle::NodeId id);

/// All elements of the storage as a one-dimensional tensor, with its bytes inline in `graph`'s
/// buffer. Empty: something other than a storage was saved. Fails: Pickle*, TorchBadHeader,
/// TorchBadPersistentId, TorchUnknownDtype, TorchStorageTooSmall. REQUIRES: isNestedStorage().
std::optional<Result<TorchTensor>> readNestedStorage(const pickle::PickleGraph& graph,
                                                     pickle::NodeId id);

} // namespace cairn::formats
