// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

namespace cairn::hdf5 {

/// Writes the contents of the file to standard output, one JSON object a line (README.md); follows
/// only links inside the file. False: standard output failed, or the index is too large.
bool writeIndex(hid_t file);

} // namespace cairn::hdf5
