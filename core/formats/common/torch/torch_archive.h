// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::formats {

/// The zip archive of torch.save around a pickle: stored records archive/data.pkl, byteorder, one
/// data/<position> for each of `tensors` that is not an alias (elements at multiples of 64 bytes),
/// version. Offsets count from the archive's first byte; the checksums of the tensors' records are
/// slots; empty tensors get a record but no segment; the caller sets the name. `pickle` must name
/// the records as ValuePickler does. There is no `.format_version` record, so readers look offsets
/// up instead of computing them. `atLeast`: a shorter archive is extended by a record of zeros,
/// which torch ignores. Fails as layOutStoredZip().
Result<OutputFile> layOutTorchArchive(std::span<const LayoutTensor> tensors,
                                      std::vector<std::byte> pickle, std::uint64_t atLeast = 0);

} // namespace cairn::formats
