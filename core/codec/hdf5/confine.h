// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cairn::hdf5 {

/// From here on the process can read and write what is open, get memory, and end; a system call for
/// anything else (opening, connecting, starting a program) ends it. Also bounds memory and
/// processor time. False: the system would not.
bool confine();

} // namespace cairn::hdf5
