// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

namespace cairn::hdf5 {

/// Writes what is in the file to standard output, one JSON object a line, as README.md states; only
/// links that stay in the file are followed. False: standard output is gone, or it is too much.
bool writeIndex(hid_t file);

} // namespace cairn::hdf5
