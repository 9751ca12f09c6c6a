// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <string>

namespace cairn::hdf5 {

enum class IndexRole : std::uint8_t {
    Index, ///< prints what an HDF5 file contains: readIndex()
    Layout ///< prints the bytes of a new one, without elements: layOutFile()
};

/// Runs cairn-hdf5-index on a range of an open file; returns its output.
Result<std::string> runIndexProcess(int descriptor, ByteRange range, const std::string& name,
                                    const CancelToken& cancel, IndexRole role = IndexRole::Index);

} // namespace cairn::hdf5
