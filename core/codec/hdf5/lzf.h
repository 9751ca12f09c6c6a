// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cairn::hdf5 {

/// What liblzf packed: h5py's own filter 32000 (lzf_d.c of liblzf 3.6). Never gives more than
/// `most` bytes. Fails: BadEncoding, for what refers outside of itself, ends within a run, or is
/// larger.
Result<std::vector<std::byte>> lzfDecoded(std::span<const std::byte> packed, std::size_t most);

} // namespace cairn::hdf5
