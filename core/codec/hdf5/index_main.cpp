// SPDX-License-Identifier: Apache-2.0
//
// cairn-hdf5-index OFFSET LENGTH: writes what is in the HDF5 file that is open as descriptor 3,
// in that range of it, to standard output. Started by index_process.cpp. HDF5's library has had
// many faults with files made to break it, so that it runs here, where nothing is to be had.
#include "core/codec/hdf5/confine.h"
#include "core/codec/hdf5/index_writer.h"
#include "core/codec/hdf5/range_driver.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    constexpr int kFile = 3;
    if (argc != 3) {
        std::fputs("This program is part of Cairn, which starts it.\n", stderr);
        return 2;
    }
    const auto offset = std::strtoull(argv[1], nullptr, 10);
    const auto length = std::strtoull(argv[2], nullptr, 10);
    H5dont_atexit(); // must come first
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (H5open() < 0 ||
        !cairn::hdf5::confine(length)) { // H5open() needs calls that confine() forbids
        return 3;
    }
    const hid_t access = cairn::hdf5::rangeAccess(kFile, offset, length);
    const hid_t file = access < 0 ? -1 : H5Fopen("file", H5F_ACC_RDONLY, access);
    if (file < 0) {
        return 4;
    }
    const bool written = cairn::hdf5::writeIndex(file) && std::fflush(stdout) == 0;
    std::_Exit(written ? 0 : 5); // skips HDF5's cleanup
}
