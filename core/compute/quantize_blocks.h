// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Encoders of one block each, private to this folder: `values` and `block` have the sizes in the
/// dtype table.
namespace cairn::blocks {

/// IEEE half precision, rounded to nearest, ties to even; 0x7E00 for NaN.
std::uint16_t halfOf(float value);

void quantizeQ8_0(const float* values, std::uint8_t* block);
void quantizeQ4_0(const float* values, std::uint8_t* block);
void quantizeQ4K(const float* values, std::uint8_t* block);

} // namespace cairn::blocks
