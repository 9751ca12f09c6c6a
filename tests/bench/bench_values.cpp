// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff.h"
#include "core/analysis/statistics.h"
#include "core/formats/format.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

// One measurement for each process, printed as {"seconds": …, "bytes": …}; see bench_values.py.
//   bench_values stats FILE THREADS exact statistics of every tensor
//   bench_values sample FILE THREADS from opening until the first sampled statistic is available
//   bench_values diff LEFT RIGHT THREADS all measures of every pair
//   bench_values dram THREADS FILE… the upper limit: buffers of the files' sizes, read in parallel
//   and summed
//   bench_values read FILE… the upper limit for uncached files: one thread, 8 MiB at a time
//   bench_values direct FILE… the same, bypassing the page cache (O_DIRECT)

namespace {

using namespace cairn;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPiece = std::size_t{64} << 10U; ///< of each stream, in turn
constexpr std::size_t kReadBytes = std::size_t{8} << 20U;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int report(double seconds, std::uint64_t bytes) {
    std::printf("{\"seconds\": %.9f, \"bytes\": %llu}\n", seconds,
                static_cast<unsigned long long>(bytes));
    return 0;
}

int failWith(const std::string& message) {
    std::fprintf(stderr, "bench_values: %s\n", message.c_str());
    return 1;
}

std::vector<TensorIndex> allOf(const Checkpoint& checkpoint) {
    std::vector<TensorIndex> all(checkpoint.tensors().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<TensorIndex>(i);
    }
    return all;
}

int measure(const char* path, std::size_t threads, bool sample) {
    const auto begin = Clock::now();
    const auto checkpoint = openCheckpoint(path);
    if (!checkpoint) {
        return failWith(describe(checkpoint.error()));
    }
    StatisticsOptions options;
    options.threads = threads;
    options.sample = sample;
    std::atomic<std::uint64_t> bytes = 0;
    options.progress = &bytes;
    std::optional<double> first;
    const auto start = sample ? begin : Clock::now();
    const auto results =
        measureTensors(**checkpoint, allOf(**checkpoint), options, [&](std::size_t, const auto&) {
            first = first.value_or(secondsSince(start));
        });
    const double all = secondsSince(start);
    for (const auto& result : results) {
        if (!result) {
            return failWith(describe(result.error()));
        }
    }
    return report(sample ? first.value_or(all) : all, bytes);
}

int compare(const char* leftPath, const char* rightPath, std::size_t threads) {
    auto left = openCheckpoint(leftPath);
    auto right = openCheckpoint(rightPath);
    if (!left || !right) {
        return failWith("cannot open both sides");
    }
    const DiffSide leftSide = DiffSide::whole(*left);
    const DiffSide rightSide = DiffSide::whole(*right);
    const auto start = Clock::now();
    const StructureDiff structure = structureDiff(leftSide, rightSide);
    std::atomic<std::uint64_t> bytes = 0;
    DiffOptions options;
    options.threads = threads;
    options.progress = &bytes;
    const auto result = diffValues(**left, **right, structure.pairs, options);
    const double seconds = secondsSince(start);
    if (!result) {
        return failWith(describe(result.error()));
    }
    const bool allRead = std::ranges::all_of(
        *result, [](const PairDiff& pair) { return pair.by == DiffBy::Values; });
    return allRead ? report(seconds, bytes) : failWith("some pairs were not compared");
}

/// As much memory as the file has bytes, in large pages where available, written once.
std::optional<std::span<std::byte>> memoryLike(const char* path) {
    struct stat status {};
    if (::stat(path, &status) != 0 || status.st_size == 0) {
        return std::nullopt;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return std::nullopt;
    }
    ::madvise(memory, size, MADV_HUGEPAGE);
    std::memset(memory, 1, size);
    return std::span(static_cast<std::byte*>(memory), size);
}

/// Enough sums, vectors of the processor's full width, and prefetching far enough ahead that the
/// loop waits only for memory, not for its own additions or at page boundaries.
__attribute__((target_clones("default", "avx2", "avx512f"))) std::uint64_t
addUp(const std::byte* data, std::size_t bytes) {
    constexpr std::size_t kAhead = std::size_t{16} << 10U;
    std::array<std::uint64_t, 32> sums{};
    for (std::size_t at = 0; at + sizeof(sums) <= bytes; at += sizeof(sums)) {
        for (std::size_t line = 0; line < sizeof(sums); line += 64) {
            __builtin_prefetch(data + at + kAhead + line);
        }
        std::array<std::uint64_t, 32> words; // filled before it is read
        std::memcpy(words.data(), data + at, sizeof(words));
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += words[i];
        }
    }
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

int readMemory(std::size_t threads, const std::vector<const char*>& paths) {
    std::vector<std::span<std::byte>> streams;
    for (const char* path : paths) {
        const auto memory = memoryLike(path);
        if (!memory) {
            return failWith(std::string("no memory for ") + path);
        }
        streams.push_back(*memory);
    }
    std::size_t least = streams.front().size();
    for (const auto& stream : streams) {
        least = std::min(least, stream.size());
    }
    const std::size_t size = least / threads / kPiece * kPiece;
    std::vector<std::uint64_t> sums(threads * 8); // spaced so that threads share no cache line
    const auto start = Clock::now();
    std::vector<std::thread> workers;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        workers.emplace_back([&, thread] {
            std::uint64_t sum = 0;
            for (std::size_t at = thread * size; at < (thread + 1) * size; at += kPiece) {
                for (const auto& stream : streams) {
                    sum += addUp(stream.data() + at, kPiece);
                }
            }
            sums[thread * 8] = sum;
        });
    }
    for (std::thread& worker : workers) {
        worker.join();
    }
    const double seconds = secondsSince(start);
    const auto total = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
    std::fprintf(stderr, "%llx\n", static_cast<unsigned long long>(total)); // uses the sum
    return report(seconds, size * threads * streams.size());
}

int readFiles(const std::vector<const char*>& paths, int flags) {
    const std::unique_ptr<std::byte, decltype(&std::free)> buffer(
        static_cast<std::byte*>(std::aligned_alloc(4096, kReadBytes)), &std::free);
    std::uint64_t bytes = 0;
    const auto start = Clock::now();
    for (const char* path : paths) {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC | flags);
        ssize_t count = 0;
        while (file >= 0 && (count = ::read(file, buffer.get(), kReadBytes)) > 0) {
            bytes += static_cast<std::uint64_t>(count);
        }
        ::close(file);
        if (file < 0 || count < 0) {
            return failWith(std::string("cannot read ") + path);
        }
    }
    return report(secondsSince(start), bytes);
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<const char*> words(arguments + 1, arguments + count);
    const std::string_view mode = words.empty() ? "" : words[0];
    const auto number = [&](std::size_t at) {
        return static_cast<std::size_t>(std::max(1, std::atoi(words[at])));
    };
    if ((mode == "stats" || mode == "sample") && words.size() == 3) {
        return measure(words[1], number(2), mode == "sample");
    }
    if (mode == "diff" && words.size() == 4) {
        return compare(words[1], words[2], number(3));
    }
    if (mode == "dram" && words.size() >= 3) {
        return readMemory(number(1), {words.begin() + 2, words.end()});
    }
    if ((mode == "read" || mode == "direct") && words.size() >= 2) {
        return readFiles({words.begin() + 1, words.end()}, mode == "direct" ? O_DIRECT : 0);
    }
    std::fputs("bench_values stats|sample FILE THREADS, diff LEFT RIGHT THREADS, dram THREADS "
               "FILE…, read|direct FILE…\n",
               stderr);
    return 2;
}
