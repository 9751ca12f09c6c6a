// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cairn::hdf5 {

/// Exit status of a process that tried a forbidden system call. The call's number is the last line
/// of its output.
inline constexpr int kRefusedCall = 6;

/// From here on the process can only read and write open descriptors, allocate memory and exit. Any
/// other system call (opening, connecting, starting a program) is not executed; it ends the process
/// with kRefusedCall after its number was written to standard output. Also limits processor time,
/// and memory in proportion to the file's size. False: the system refused.
bool confine(std::uint64_t fileBytes);

} // namespace cairn::hdf5
