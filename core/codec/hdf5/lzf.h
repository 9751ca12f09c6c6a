// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cairn::hdf5 {

/// Decompresses liblzf data, h5py's filter 32000 (lzf_d.c of liblzf 3.6), to at most `most` bytes.
/// Fails: BadEncoding, for a reference before the start, a truncated run, or a larger result.
Result<std::vector<std::byte>> lzfDecoded(std::span<const std::byte> packed, std::size_t most);

} // namespace cairn::hdf5
