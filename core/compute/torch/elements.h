// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/torch/module_api.h"

#include <ATen/ATen.h>
#include <cstdint>

/// Stored elements as tensors, on whatever device they are. Internal to core/compute/torch.
///
/// Processors and graphics cards disagree about the bits of NaN, and older libtorch lacks some
/// dtypes: so NaN are made as integers, and libtorch sees nothing but plain integers and floats.
namespace cairn::torch_lane {

std::int64_t elementBytes(int kind); ///< of a CairnTorchKind
at::ScalarType storedType(int kind); ///< what the bytes are held as; complex: of one component
bool isComplex(int kind);

/// Elements on a device. `raw` is of storedType(), [n], or [n, 2] of complex ones; `table` is int32
/// [256] of kCairnTable8.
struct DeviceElements {
    at::Tensor raw;
    at::Tensor table;
    int kind = 0;
};

/// The values as float64, [n] or [n, 2]; 64-bit integers rounded to the nearest.
at::Tensor asDoubles(const DeviceElements& elements);

/// Real floats of at most 64 bits as float32, as core/compute/cast.h widens or rounds them, NaN
/// included.
at::Tensor asFloats(const DeviceElements& elements);

/// float32 at another kind, as cast.h has it. `wide`: the elements come from float32 or float64,
/// which shows in the NaN of bfloat16.
at::Tensor narrowed(const at::Tensor& floats, int to, bool wide);

/// The table of kCairnTable8 on a device; undefined without one.
at::Tensor tableOn(const std::uint32_t* table, at::Device device);

/// A tensor's bits as integers of the same width, and back.
at::Tensor bitsOf(const at::Tensor& floats);

} // namespace cairn::torch_lane
