// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_calls.h"

#include <optional>

/// Converts tensors that are more than strided elements: DTensors and other classes, quantised and
/// sparse tensors.
namespace cairn::formats {

/// _rebuild_from_type_v2(function, class, arguments, state): a tensor with a class or attributes.
Value convertSubclass(TorchWalker& walker, const TorchCall& call);

/// (storage, offset, size, stride, (scheme, scale, zero point) or (scheme, scales, zero points,
/// axis), …)
Value convertQuantized(TorchWalker& walker, const TorchCall& call);

/// (layout, data); data is (indices, values, size[, coalesced]) or (compressed, plain, values,
/// size).
std::optional<Value> convertSparse(TorchWalker& walker, const TorchCall& call);

/// numpy.ma.MaskedArray: `data`, `mask`, `fill_value`. Empty: its elements are objects, or fields
/// with masks of their own.
std::optional<Value> convertMasked(TorchWalker& walker, const TorchCall& call);

} // namespace cairn::formats
