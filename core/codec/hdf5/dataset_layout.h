// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/hdf5/element_type.h"

#include <cstdint>
#include <hdf5.h>
#include <optional>
#include <string>
#include <vector>

/// Location of a dataset's elements, as fields of its line in the index. Runs in the process that
/// reads the file.
namespace cairn::hdf5 {

/// State of one file while its datasets are examined.
struct FileLayout {
    std::uint64_t looked = 0; ///< chunk positions examined so far
    std::optional<std::uint64_t>
        chunkBase; ///< added to the chunk addresses that the library reports
};

struct DatasetShape {
    std::vector<std::uint64_t> extents;
    std::uint64_t count = 1;
    bool none = false; ///< H5S_NULL
};

/// `,"layout":…`; "" if it cannot be read.
std::string layoutOf(FileLayout& file, hid_t dataset, hid_t type, const ElementType& element,
                     const DatasetShape& shape);

} // namespace cairn::hdf5
