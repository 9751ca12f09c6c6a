// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

/// Opens a checkpoint and prints milliseconds, tensors, notices and the process's peak memory in
/// MiB: bench_open PATH
int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("bench_open PATH\n", stderr);
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto checkpoint = cairn::openCheckpoint(arguments[1]);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    if (!checkpoint) {
        std::fprintf(stderr, "%s\n", cairn::describe(checkpoint.error()).c_str());
        return 1;
    }
    long peakKib = 0; // VmHWM: ru_maxrss would be inherited from the process that started this one
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            peakKib = std::stol(line.substr(6));
        }
    }
    std::printf("{\"ms\": %.3f, \"tensors\": %zu, \"notices\": %zu, \"peak_mib\": %ld}\n",
                elapsed.count(), (*checkpoint)->tensors().size(), (*checkpoint)->notices().size(),
                peakKib / 1024);
    return 0;
}
