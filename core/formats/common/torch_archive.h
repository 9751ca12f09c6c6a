// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::formats {

/// The zip that torch.save writes around a pickle: stored records archive/data.pkl, byteorder, one
/// data/<position> for each of `tensors` that is not an alias (its elements at a multiple of 64
/// from the archive's first byte), version. Offsets count from the archive's first byte; the
/// checksums of the tensors' records are slots; empty tensors get a record and no segment; the name
/// is left to the caller. `pickle` names the records as ValuePickler does. No `.format_version`
/// record: readers then look offsets up instead of computing them. `atLeast`: an archive that would
/// be shorter gets a record of zeros, which torch does not examine. Fails as layOutStoredZip()
/// does.
Result<OutputFile> layOutTorchArchive(std::span<const LayoutTensor> tensors,
                                      std::vector<std::byte> pickle, std::uint64_t atLeast = 0);

} // namespace cairn::formats
