// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/index_program.h"

#include "core/codec/hdf5/confine.h"
#include "core/codec/hdf5/index_writer.h"
#include "core/codec/hdf5/layout_writer.h"
#include "core/codec/hdf5/range_driver.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>

namespace cairn::hdf5 {

namespace {

/// Shorter if it cannot be read.
std::string readText(int descriptor, std::uint64_t offset, std::uint64_t length) {
    std::string text(static_cast<std::size_t>(length), '\0');
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t got = ::pread(descriptor, text.data() + done, text.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got <= 0) {
            text.resize(done);
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return text;
}

} // namespace

bool isIndexProgram(int argc, char** argv) {
    const std::string_view name = argc > 0 ? argv[0] : "";
    return name.substr(name.rfind('/') + 1) == kIndexProgram;
}

int runIndexProgram(int argc, char** argv) {
    constexpr int kFile = 3;
    const bool isLayout = argc == 4 && std::string_view(argv[3]) == kLayoutRole;
    if (argc != 3 && !isLayout) {
        std::fputs("This program is part of Cairn, which starts it.\n", stderr);
        return 2;
    }
    const auto offset = std::strtoull(argv[1], nullptr, 10);
    const auto length = std::strtoull(argv[2], nullptr, 10);
    H5dont_atexit(); // must come first
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (H5open() < 0 || !confine(length)) { // H5open() needs calls that confine() forbids
        return 3;
    }
    if (isLayout) {
        const std::string text = readText(kFile, offset, length);
        const bool written = text.size() == length && writeLayout(text) && std::fflush(stdout) == 0;
        std::_Exit(written ? 0 : 5);
    }
    const hid_t access = rangeAccess(kFile, offset, length);
    const hid_t file = access < 0 ? -1 : H5Fopen("file", H5F_ACC_RDONLY, access);
    if (file < 0) {
        return 4;
    }
    const bool written = writeIndex(file) && std::fflush(stdout) == 0;
    std::_Exit(written ? 0 : 5); // skips HDF5's cleanup
}

} // namespace cairn::hdf5
