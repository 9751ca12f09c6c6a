// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cairn::hdf5 {

/// Exit status of a process that asked for a system call that it may not make. The call's number is
/// then the last line of what it wrote.
inline constexpr int kRefusedCall = 6;

/// From here on the process can read and write what is open, get memory, and end; a system call for
/// anything else (opening, connecting, starting a program) is not made, and ends it with
/// kRefusedCall after its number was written to standard output. Also bounds processor time, and
/// memory by the bytes that there are to examine. False: the system would not.
bool confine(std::uint64_t fileBytes);

} // namespace cairn::hdf5
