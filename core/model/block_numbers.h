// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Turns the byte order of the numbers of two or four bytes inside quantised blocks (scales, packed
/// signs), as ggml's C structs have them; what is bytes stays. Its own inverse. Pure; any thread.
/// REQUIRES: a block dtype and complete blocks.
void swapBlockNumbers(Dtype dtype, std::span<std::byte> blocks);

/// Whether the scales of these blocks, which are in a big-endian file, are big-endian. Those that
/// ggml wrote on such a machine are; gguf's Python writer swaps arrays item by item, and quantised
/// ones are arrays of bytes, so that theirs are not. Recorded by which order makes the sizes of the
/// scales more alike; true when that does not decide. REQUIRES: as above.
bool scalesAreBigEndian(Dtype dtype, std::span<const std::byte> blocks);

} // namespace cairn
