// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/torch/module_api.h"

#include <ATen/ATen.h>
#include <cstdint>

/// Stored elements as tensors, on any device. Internal to core/compute/torch.
///
/// Processors and graphics cards differ in the bits of NaN, and older libtorch lacks some dtypes.
/// So NaN are made with integer arithmetic, and libtorch only gets plain integers and floats.
namespace cairn::torch_lane {

std::int64_t elementBytes(int kind); ///< of a CairnTorchKind
at::ScalarType
storedType(int kind); ///< storage type of the bytes; for complex numbers of one component
bool isComplex(int kind);

/// Elements on a device. `raw` is of storedType(), [n], or [n, 2] for complex numbers; `table` is
/// int32 [256] for kCairnTable8.
struct DeviceElements {
    at::Tensor raw;
    at::Tensor table;
    int kind = 0;
};

/// The values as float64, [n] or [n, 2]; 64-bit integers are rounded to nearest.
at::Tensor asDoubles(const DeviceElements& elements);

/// Real floats of at most 64 bits as float32, widened or rounded as in core/compute/cast.h, NaN
/// included.
at::Tensor asFloats(const DeviceElements& elements);

/// Casts float32 to another kind, as in cast.h. `wide`: the elements come from float32 or float64,
/// which selects the NaN of bfloat16.
at::Tensor narrowed(const at::Tensor& floats, int to, bool wide);

/// The table of kCairnTable8 on a device; undefined if null.
at::Tensor tableOn(const std::uint32_t* table, at::Device device);

/// A tensor's bits as integers of the same width, and back.
at::Tensor bitsOf(const at::Tensor& floats);

} // namespace cairn::torch_lane
