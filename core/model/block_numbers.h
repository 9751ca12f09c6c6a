// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Swaps the byte order of the two- and four-byte numbers inside quantised blocks (scales, packed
/// signs), as in ggml's C structs; single bytes stay. Its own inverse. Pure; any thread. REQUIRES:
/// a block dtype and complete blocks.
void swapBlockNumbers(Dtype dtype, std::span<std::byte> blocks);

/// Whether the scales of these blocks in a big-endian file are big-endian. ggml writes them so on
/// such a machine; gguf's Python writer swaps arrays item by item, and quantised ones are arrays of
/// bytes, so it does not swap scales. Decided by the byte order in which the scales have more
/// similar magnitudes; true if that does not decide. REQUIRES: as above.
bool scalesAreBigEndian(Dtype dtype, std::span<const std::byte> blocks);

} // namespace cairn
