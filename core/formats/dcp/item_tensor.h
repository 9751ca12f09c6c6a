// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/pickle/pickle.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <string>

/// The one tensor that a chunk's own `torch.save` archive holds. Private to this folder.
namespace cairn::formats::dcp {

struct ItemTensor {
    Dtype dtype{};
    Shape shape;
    Strides strides;              ///< in elements
    std::uint64_t firstElement = 0; ///< storage offset, in elements
    std::string storageKey;       ///< record `data/<key>`
    ElementFlags flags;
};

/// Reads `data.pkl` of an item: _rebuild_tensor(_v2|_v3), a parameter, or a plain subclass around them
/// (_rebuild_from_type_v2). Fails: DcpItemMismatch for anything that is not one strided tensor, TorchUnknownDtype,
/// TorchBadPersistentId, TorchBadTensor. Pure.
Result<ItemTensor> readItemTensor(const pickle::PickleGraph& graph);

} // namespace cairn::formats::dcp
