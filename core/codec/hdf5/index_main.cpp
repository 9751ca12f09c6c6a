// SPDX-License-Identifier: Apache-2.0
//
// cairn-hdf5-index OFFSET LENGTH, started by index_process.cpp. HDF5's library has had many faults
// with files made to break it, so that it runs here, where nothing is to be had.
#include "core/codec/hdf5/index_program.h"

int main(int argc, char** argv) {
    return cairn::hdf5::runIndexProgram(argc, argv);
}
