// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <hdf5.h>
#include <iterator>

/// What the file drivers of the confined helper have in common. One thread.
namespace cairn::hdf5 {

/// A driver without its functions. `value`: of its own, 600 or more; libraries before 1.13.2 have
/// none.
inline H5FD_class_t driverOf(const char* name, [[maybe_unused]] int value) {
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(value);
#endif
    driver.name = name;
    driver.maxaddr = (haddr_t{1} << 62U) - 1;
    driver.fc_degree = H5F_CLOSE_STRONG;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), driver.fl_map);
    return driver;
}

/// A list of access properties with this driver, for H5Fopen() and H5Fcreate(); the process ends
/// with it. Negative: it failed.
inline hid_t accessThrough(const H5FD_class_t& driver) {
    const hid_t registered = H5FDregister(&driver);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const bool set =
        registered >= 0 && access >= 0 && H5Pset_driver(access, registered, nullptr) >= 0;
    return set ? access : -1;
}

} // namespace cairn::hdf5
