// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"
#include "core/formats/format.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <string>

namespace {

/// What the allocator has given out and not taken back.
std::size_t allocatedBytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

} // namespace

/// Opens a checkpoint and prints milliseconds, tensors, notices, the bytes that the open checkpoint
/// holds for each tensor (names included; the mean length of a name beside) and the process's peak
/// memory in MiB: bench_open PATH
int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("bench_open PATH\n", stderr);
        return 2;
    }
    cairn::growHeapInLargePages(std::size_t{512} << 20U); // as cairn-cli does
    const std::size_t before = allocatedBytes();
    const auto start = std::chrono::steady_clock::now();
    const auto checkpoint = cairn::openCheckpoint(arguments[1]);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    if (!checkpoint) {
        std::fprintf(stderr, "%s\n", cairn::describe(checkpoint.error()).c_str());
        return 1;
    }
    const std::size_t held = allocatedBytes() - before;
    const auto tensors = (*checkpoint)->tensors();
    std::size_t letters = 0;
    for (const cairn::TensorEntry& tensor : tensors) {
        letters += tensor.name.size();
    }
    const auto each = [&](std::size_t bytes) {
        return static_cast<double>(bytes) /
               static_cast<double>(std::max<std::size_t>(tensors.size(), 1));
    };
    long peakKib = 0; // VmHWM: ru_maxrss would be inherited from the process that started this one
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            peakKib = std::stol(line.substr(6));
        }
    }
    std::printf("{\"ms\": %.3f, \"tensors\": %zu, \"notices\": %zu, \"bytes_per_tensor\": %.0f, "
                "\"letters_per_name\": %.0f, \"peak_mib\": %ld}\n",
                elapsed.count(), tensors.size(), (*checkpoint)->notices().size(), each(held),
                each(letters), peakKib / 1024);
    return 0;
}
