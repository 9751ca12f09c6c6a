// SPDX-License-Identifier: Apache-2.0
#include "tests/core/compute/torch/plain_elements.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

/// Rates of the libtorch module on a device, compared with the transfer rate to the device,
/// measured in the same run (R = module rate ÷ transfer rate; jobs that copy as much back use the
/// transfer in both directions).
///   torch_module_bench libcairn_torch.so cuda:0 [MiB of elements] [lanes]
namespace {

using Clock = std::chrono::steady_clock;

struct Run {
    const CairnTorchModule& module;
    std::string device;
    std::size_t bytes;
    std::size_t lanes;
    double link = 0;
};

constexpr std::size_t kCall = std::size_t{16} << 20U; ///< bytes in one call, as in the core

void must(int code, const CairnTorchError& error) {
    if (code != 0) {
        std::fprintf(stderr, "%s\n", error.text);
        std::exit(1);
    }
}

/// Best of three; calls `work(lane, first, bytes)` for every 16 MiB, with one thread for each lane.
template <class Work> void measure(const Run& run, const char* what, const Work& work) {
    double best = 0;
    for (int turn = 0; turn < 3; ++turn) {
        const auto start = Clock::now();
        std::vector<std::thread> threads;
        std::atomic<std::size_t> next{0};
        for (std::size_t i = 0; i < run.lanes; ++i) {
            threads.emplace_back([&] {
                CairnTorchLane* lane = nullptr;
                CairnTorchError error{};
                must(run.module.openLane(run.device.c_str(), std::size_t{4} << 20U, &lane, &error),
                     error);
                for (std::size_t at = next.fetch_add(kCall); at < run.bytes;
                     at = next.fetch_add(kCall)) {
                    work(lane, at, std::min(kCall, run.bytes - at));
                }
                run.module.closeLane(lane);
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        const std::chrono::duration<double> seconds = Clock::now() - start;
        best = std::max(best, static_cast<double>(run.bytes) / seconds.count());
    }
    std::printf("%-28s %8.2f GB/s   R %.2f\n", what, best / 1e9, best / run.link);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "%s libcairn_torch.so cpu|cuda:0 [MiB] [lanes]\n", argv[0]);
        return 2;
    }
    const CairnTorchModule& module = module_access::openModule(argv[1]);
    const std::size_t mebibytes = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1024;
    Run run{module, argv[2], mebibytes << 20U, argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 2};
    CairnTorchLane* lane = nullptr;
    CairnTorchError error{};
    must(module.openLane(argv[2], 1 << 20, &lane, &error), error);
    must(module.measureLink(lane, std::size_t{256} << 20U, &run.link, &error), error);
    module.closeLane(lane);
    std::printf("libtorch %s, %s, %zu MiB, %zu lanes\n%-28s %8.2f GB/s\n", module.torchVersion,
                argv[2], mebibytes, run.lanes, "pinned memory to device", run.link / 1e9);
    const plain::Buffer left = plain::random(kCairnBfloat16, run.bytes / 2, 1, true);
    plain::Buffer right = left;
    right.bytes[run.bytes / 2] ^= std::byte{1};
    std::vector<std::byte> out(run.bytes * 2);
    const auto part = [](const plain::Buffer& buffer, std::size_t at) {
        return CairnElements{buffer.bytes.data() + at, buffer.kind, nullptr};
    };
    measure(run, "statistics bf16", [&](CairnTorchLane* mine, std::size_t at, std::size_t bytes) {
        CairnStatistics found{};
        CairnTorchError failed{};
        const CairnElements in = part(left, at);
        must(module.statistics(mine, &in, bytes / 2, &found, &failed), failed);
    });
    measure(run, "compare bf16 (a side)",
            [&](CairnTorchLane* mine, std::size_t at, std::size_t bytes) {
                CairnComparison found{};
                CairnTorchError failed{};
                const CairnCompareOptions options{0, 0, 1, {}};
                const CairnSides sides{part(left, at), part(right, at), bytes / 2};
                must(module.compare(mine, &sides, &options, &found, &failed), failed);
            });
    measure(run, "cast bf16 to fp32", [&](CairnTorchLane* mine, std::size_t at, std::size_t bytes) {
        CairnTorchError failed{};
        const CairnElements in = part(left, at);
        const CairnTarget target{kCairnFloat32, out.data() + at * 2};
        must(module.cast(mine, &in, bytes / 2, &target, &failed), failed);
    });
    measure(run, "cast fp32 to bf16", [&](CairnTorchLane* mine, std::size_t at, std::size_t bytes) {
        CairnTorchError failed{};
        const CairnElements in{left.bytes.data() + at, kCairnFloat32, nullptr};
        const CairnTarget target{kCairnBfloat16, out.data() + at / 2};
        must(module.cast(mine, &in, bytes / 4, &target, &failed), failed);
    });
    return 0;
}
