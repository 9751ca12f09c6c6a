// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cairn::hdf5 {

/// The name under which the index process is started: a program of its own, or, in a statically
/// linked cairn-cli, another role of the same program.
inline constexpr const char* kIndexProgram = "cairn-hdf5-index";

/// Third argument: the range is the text of layout_writer.h, for a new file.
inline constexpr const char* kLayoutRole = "layout";

/// Whether argv[0] names the index process.
bool isIndexProgram(int argc, char** argv);

/// The index process: writes what the HDF5 file that is open as descriptor 3 contains, in the range
/// argv[1] (offset), argv[2] (length), to standard output, and ends; with argv[3] kLayoutRole, a
/// new file of the datasets that the range describes. Call it at the start of main(); it gives up
/// all rights of the process. Returns the exit status: 2 usage, 3 no sandbox, 4 the library cannot
/// open the file; does not return after it opened one.
int runIndexProgram(int argc, char** argv);

} // namespace cairn::hdf5
