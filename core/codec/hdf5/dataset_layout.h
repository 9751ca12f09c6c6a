// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/hdf5/element_type.h"

#include <cstdint>
#include <hdf5.h>
#include <optional>
#include <string>
#include <vector>

/// Where the elements of a dataset are, as fields of its line of the index. In the process that
/// reads the file.
namespace cairn::hdf5 {

/// What is known of one file while its datasets are examined.
struct FileLayout {
    std::uint64_t looked = 0; ///< at places of grids of chunks
    std::optional<std::uint64_t>
        chunkBase; ///< what to add to the addresses that it describes chunks
};

struct DatasetShape {
    std::vector<std::uint64_t> extents;
    std::uint64_t count = 1;
    bool none = false; ///< H5S_NULL
};

/// `,"layout":…`; empty: it cannot be read.
std::string layoutOf(FileLayout& file, hid_t dataset, hid_t type, const ElementType& element,
                     const DatasetShape& shape);

} // namespace cairn::hdf5
