// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// Floats at other dtypes, as the notes of compute/cast.h say, in simple code that shares
/// nothing with its kernels, for verification. Any thread.
namespace cairn {

/// The bits that an element has at dtype `to`. REQUIRES: canCast(from, to); `bytes` is one element.
std::uint64_t castBits(Dtype from, std::span<const std::byte> bytes, Dtype to);

/// castBits() of each. Keeps tables of what elements of 8 and 16 bits become, and of what becomes
/// an element of 8 bits: up to 512 KiB for a pair of dtypes, made when it is first met.
void castPlainly(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out);

/// Results of arithmetic at dtype `to`: a NaN among them has other bits than one that was stored.
void roundPlainly(std::span<const float> in, Dtype to, std::span<std::byte> out);

} // namespace cairn
