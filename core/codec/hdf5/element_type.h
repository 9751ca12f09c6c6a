// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hdf5.h>
#include <string>
#include <vector>

/// What the elements of a dataset are, as the index names it. In the process that reads the file.
namespace cairn::hdf5 {

struct ElementType {
    std::string name; ///< "float32", "opaque2", "string": README.md; "" for what is not known
    std::uint64_t bytes = 0; ///< of an element
    bool bigEndian = false;
    std::vector<std::uint64_t>
        inner;           ///< an array type's own dimensions, of which `name` is the base
    bool inHeap = false; ///< the dataset holds references to its elements, not the elements
};
ElementType elementTypeOf(hid_t type);

} // namespace cairn::hdf5
