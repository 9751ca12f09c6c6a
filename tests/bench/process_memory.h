// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <string>

namespace cairn::bench {

/// "VmRSS:" or "VmHWM:" of this process, in MiB.
inline double statusMib(const char* field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(field)) {
            return std::stod(line.substr(std::string(field).size())) / 1024;
        }
    }
    return 0;
}

/// The next "VmHWM:" is of what comes after this.
inline void forgetPeak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

} // namespace cairn::bench
