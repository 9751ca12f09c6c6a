// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cairn::hdf5 {

/// Makes an HDF5 file of these datasets in memory, without their elements, and writes its bytes and
/// the datasets' offsets to standard output. Input and output: file_layout.cpp. Runs in the
/// sandboxed process. False: the library refused, or the text is invalid.
bool writeLayout(std::string_view text);

} // namespace cairn::hdf5
