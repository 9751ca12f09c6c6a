// SPDX-License-Identifier: Apache-2.0
//
// A virtual file driver (HDF5 User's Guide, "Virtual File Drivers") that never opens anything: the
// process that runs this has no right to.
#include "core/codec/hdf5/range_driver.h"

#include "core/codec/hdf5/driver_class.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace cairn::hdf5 {
namespace {

struct Place {
    int descriptor = -1;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

Place g_place; // one file in this process
bool g_watched = false;
std::optional<std::uint64_t> g_readAt;

struct RangeFile {
    H5FD_t base; // must be the first member: the library uses a pointer to it
    haddr_t eoa = 0;
};

RangeFile* rangeFile(H5FD_t* file) {
    return reinterpret_cast<RangeFile*>(file);
}

H5FD_t* openRange(const char*, unsigned flags, hid_t, haddr_t) {
    if ((flags & H5F_ACC_RDWR) != 0 || (flags & H5F_ACC_CREAT) != 0) {
        return nullptr;
    }
    auto* file = static_cast<RangeFile*>(std::calloc(1, sizeof(RangeFile)));
    return file == nullptr ? nullptr : &file->base;
}

herr_t closeRange(H5FD_t* file) {
    std::free(file);
    return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
    *flags = 0;
    return 0;
}

haddr_t endOfAddresses(const H5FD_t* file, H5FD_mem_t) {
    return reinterpret_cast<const RangeFile*>(file)->eoa;
}

herr_t setEndOfAddresses(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    rangeFile(file)->eoa = address;
    return 0;
}

haddr_t endOfFile(const H5FD_t*, H5FD_mem_t) {
    return g_place.length;
}

herr_t readRange(H5FD_t*, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, void* buffer) {
    if (g_watched && type == H5FD_MEM_DRAW) {
        g_readAt = g_readAt ? g_readAt : address;
        return -1;
    }
    if (address > g_place.length || size > g_place.length - address) {
        return -1;
    }
    auto* target = static_cast<char*>(buffer);
    for (std::size_t done = 0; done < size;) {
        const auto at = static_cast<off_t>(g_place.offset + address + done);
        const ssize_t got = ::pread(g_place.descriptor, target + done, size - done, at);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return -1;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return 0;
}

herr_t refuseWriting(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*) {
    return -1;
}

H5FD_class_t driverClass() {
    H5FD_class_t driver = driverOf("cairn-range", 600);
    driver.open = openRange;
    driver.close = closeRange;
    driver.query = query;
    driver.get_eoa = endOfAddresses;
    driver.set_eoa = setEndOfAddresses;
    driver.get_eof = endOfFile;
    driver.read = readRange;
    driver.write = refuseWriting;
    return driver;
}

} // namespace

std::optional<std::uint64_t> placeOfRead(const std::function<void()>& read) {
    g_readAt.reset();
    g_watched = true;
    read();
    g_watched = false;
    return g_readAt;
}

hid_t rangeAccess(int descriptor, std::uint64_t offset, std::uint64_t length) {
    g_place = {descriptor, offset, length};
    static const H5FD_class_t driver = driverClass();
    return accessThrough(driver);
}

} // namespace cairn::hdf5
