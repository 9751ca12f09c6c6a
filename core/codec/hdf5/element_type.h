// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hdf5.h>
#include <string>
#include <vector>

/// The element type of a dataset, as the index names it. Runs in the process that reads the file.
namespace cairn::hdf5 {

struct ElementType {
    std::string name;        ///< "float32", "opaque2", "string" … (README.md); "" if unknown
    std::uint64_t bytes = 0; ///< size of an element
    bool bigEndian = false;
    std::vector<std::uint64_t> inner; ///< dimensions of an array type whose base is `name`
    bool inHeap = false; ///< the dataset stores references to its elements, not the elements
};
ElementType elementTypeOf(hid_t type);

} // namespace cairn::hdf5
