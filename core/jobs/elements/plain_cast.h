// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// Casts of floats as specified in compute/cast.h, in simple code that is independent of its
/// kernels, for verification. Any thread.
namespace cairn {

/// The bits of an element at dtype `to`. REQUIRES: canCast(from, to); `bytes` is one element.
std::uint64_t castBits(Dtype from, std::span<const std::byte> bytes, Dtype to);

/// castBits() for many elements. Caches tables for source or target elements of 8 and 16 bits: up
/// to 512 KiB for a pair of dtypes, built on first use.
void castPlainly(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out);

/// Rounds results of arithmetic to dtype `to`: a computed NaN has different bits than a stored one.
void roundPlainly(std::span<const float> in, Dtype to, std::span<std::byte> out);

} // namespace cairn
