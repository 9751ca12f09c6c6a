// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/page_driver.h"

#include "core/codec/hdf5/driver_class.h"

#include <algorithm>
#include <cstdlib>

namespace cairn::hdf5 {
namespace {

struct OpenPages {
    H5FD_t base; // must be the first member: the library uses a pointer to it
};

std::uint64_t g_written = 0; ///< end of the last written byte

H5FD_t* openPages(const char*, unsigned, hid_t, haddr_t) {
    auto* file = static_cast<OpenPages*>(std::calloc(1, sizeof(OpenPages)));
    return file == nullptr ? nullptr : &file->base;
}

herr_t closePages(H5FD_t* file) {
    std::free(file);
    return 0;
}

herr_t noFeatures(const H5FD_t*, unsigned long* flags) {
    *flags = 0;
    return 0;
}

haddr_t endOfPages(const H5FD_t*, H5FD_mem_t) {
    return pagedFile().size;
}

herr_t setEndOfPages(H5FD_t*, H5FD_mem_t, haddr_t address) {
    pagedFile().size = address;
    return 0;
}

haddr_t endOfWritten(const H5FD_t*, H5FD_mem_t) {
    return std::max<std::uint64_t>(g_written, pagedFile().size);
}

/// Calls `use(page offset, position in the page, position in the buffer, bytes)`.
template <class Use> void eachPage(haddr_t address, std::size_t size, Use&& use) {
    for (std::size_t done = 0; done < size;) {
        const std::uint64_t at = address + done;
        const auto inPage = static_cast<std::size_t>(at % kPageBytes);
        const std::size_t bytes = std::min(size - done, kPageBytes - inPage);
        use(at - inPage, inPage, done, bytes);
        done += bytes;
    }
}

herr_t readPages(H5FD_t*, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
    auto* const target = static_cast<char*>(buffer);
    eachPage(address, size,
             [&](std::uint64_t page, std::size_t at, std::size_t done, std::size_t n) {
                 const auto found = pagedFile().pages.find(page);
                 if (found == pagedFile().pages.end()) {
                     std::fill_n(target + done, n, '\0');
                 } else {
                     std::copy_n(found->second.data() + at, n, target + done);
                 }
             });
    return 0;
}

/// Of raw data only the global heap comes here, which has the texts of attributes.
herr_t writePages(H5FD_t*, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                  const void* buffer) {
    const auto* const bytes = static_cast<const char*>(buffer);
    eachPage(address, size,
             [&](std::uint64_t page, std::size_t at, std::size_t done, std::size_t n) {
                 std::copy_n(bytes + done, n, pagedFile().pages[page].data() + at);
             });
    g_written = std::max<std::uint64_t>(g_written, address + size);
    return 0;
}

H5FD_class_t pageDriver() {
    H5FD_class_t driver = driverOf("cairn-pages", 601);
    driver.open = openPages;
    driver.close = closePages;
    driver.query = noFeatures;
    driver.get_eoa = endOfPages;
    driver.set_eoa = setEndOfPages;
    driver.get_eof = endOfWritten;
    driver.read = readPages;
    driver.write = writePages;
    return driver;
}

} // namespace

PagedFile& pagedFile() {
    static PagedFile file;
    return file;
}

hid_t pageAccess() {
    static const H5FD_class_t driver = pageDriver();
    return accessThrough(driver);
}

} // namespace cairn::hdf5
