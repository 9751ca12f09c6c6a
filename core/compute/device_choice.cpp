// SPDX-License-Identifier: Apache-2.0
#include "core/compute/device_choice.h"

#include "core/base/elapsed.h"
#include "core/compute/compute_backend.h"
#include "core/compute/torch/module_api.h"
#include "core/compute/torch_module.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMinDeviceWork =
    std::uint64_t{1} << 30U; ///< least work for a device: about 0.1 s on a few cores
/// Elements of one worker while a rate is measured. On a device, as much as a job sends at once.
constexpr std::size_t kMeasuredHere = std::size_t{2} << 20U;
constexpr std::size_t kMeasuredThere = std::size_t{16} << 20U;
constexpr double kLoadSeconds = 0.5; ///< time to load libtorch, measured with 1.13 and 2.13
constexpr unsigned kMaxThreads = 16;

unsigned threads() {
    return std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
}

/// Elements of one worker, and a place for its results.
struct Sample {
    std::vector<std::byte> elements;
    std::vector<std::byte> made;
};

bool compute(ComputeBackend& backend, DeviceWork::Kind kind, Sample& sample) {
    switch (kind) {
    case DeviceWork::Kind::Cast:
        return backend.cast(Dtype::Bfloat16, sample.elements, Dtype::Float32, sample.made)
            .has_value();
    case DeviceWork::Kind::Statistics:
        return backend.statistics(Dtype::Bfloat16, sample.elements).has_value();
    case DeviceWork::Kind::Comparison:
        return backend
            .compare(Dtype::Bfloat16, sample.elements, Dtype::Bfloat16, sample.elements, {})
            .has_value();
    }
    return false;
}

/// Measured rate on bfloat16 with `workers` threads of `size` bytes, in bytes per second of the
/// wider side; 0 if the backend fails.
double measuredRate(ComputeBackend& backend, DeviceWork::Kind kind, unsigned workers,
                    std::size_t size) {
    const bool casts = kind == DeviceWork::Kind::Cast;
    std::vector<Sample> samples(workers);
    for (Sample& sample : samples) {
        sample.elements.assign(size, std::byte{0x3C});
        sample.made.resize(casts ? 2 * size : 0);
    }
    std::atomic<bool> good{true};
    const auto once = [&] {
        std::vector<std::jthread> threads;
        for (Sample& sample : samples) {
            threads.emplace_back([&] {
                if (!compute(backend, kind, sample)) {
                    good = false;
                }
            });
        }
    };
    once(); // warms the caches, and opens the device's lanes
    const auto start = Clock::now();
    once();
    const double seconds = std::max(secondsSince(start), 1e-6);
    const auto bytes = static_cast<double>(workers * size * (casts ? 2 : 1));
    return good ? bytes / seconds : 0;
}

/// Seconds until the first CUDA device can be used; empty if it cannot be initialized.
std::optional<double> startDevice(const CairnTorchModule& module) {
    const auto start = Clock::now();
    CairnTorchLane* lane = nullptr;
    CairnTorchError error{};
    if (module.openLane("cuda:0", kMeasuredThere, &lane, &error) != 0) {
        return std::nullopt;
    }
    module.closeLane(lane);
    return kLoadSeconds + secondsSince(start);
}

Amount tenths(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return amount(text.data());
}

Sentence cpuText(double seconds, double rate) {
    return sentence("forecast: cpu %1 s (%2 threads, %3 GB/s)", tenths(seconds), threads(),
                    tenths(rate / 1e9));
}

Sentence forecastText(double cpu, double cpuRate, double device, double deviceRate) {
    return sentence("%1%2", cpuText(cpu, cpuRate),
                    sentence(", cuda:0 %1 s (%2 GB/s)", tenths(device), tenths(deviceRate / 1e9)));
}

DeviceChoice choose(const DeviceWork& work) {
    if (work.bytesIn < kMinDeviceWork) {
        return {"cpu", "too little data to be worth starting another device"};
    }
    if (!hasCudaDriver()) {
        return {"cpu", "no CUDA device on this machine"};
    }
    const double cpuRate = measuredRate(*cpuBackend(), work.kind, threads(), kMeasuredHere);
    const double cpu = laneSeconds(work, 0, cpuRate);
    if (cpu <= laneSeconds(work, kLoadSeconds, std::numeric_limits<double>::infinity())) {
        return {"cpu", sentence("%1; no device could be faster", cpuText(cpu, cpuRate))};
    }
    const auto module = openTorchModule();
    if (!module) {
        return {"cpu",
                sentence("CUDA devices require the libtorch module: %1", module.error().message)};
    }
    if (module->cudaDevices == 0) {
        return {"cpu", sentence("libtorch %1 has no CUDA device: %2", module->torchVersion,
                                module->withoutCuda)};
    }
    static const auto start =
        startDevice(*module->functions); // takes about a second, so once per process
    const auto backend = openBackend("cuda:0");
    const double deviceRate =
        start && backend ? measuredRate(**backend, work.kind, kDeviceLanes, kMeasuredThere) : 0;
    if (deviceRate <= 0) {
        return {"cpu", "the CUDA device does not respond"};
    }
    const double device = laneSeconds(work, *start, deviceRate);
    return {device < cpu ? "cuda:0" : "cpu", forecastText(cpu, cpuRate, device, deviceRate)};
}

} // namespace

bool hasCudaDriver() {
    std::error_code error;
    return std::ranges::any_of(std::array{"/dev/nvidiactl", "/dev/dxg"}, [&](const char* node) {
        return std::filesystem::exists(node, error);
    });
}

double laneSeconds(const DeviceWork& work, double start, double bytesPerSecond) {
    // Transfers in the two directions overlap, so the larger one decides.
    const auto bytes = static_cast<double>(std::max(work.bytesIn, work.bytesOut));
    const double source =
        work.sourceRate > 0 ? static_cast<double>(work.bytesIn) / work.sourceRate : 0.0;
    return start + std::max(source, bytes / bytesPerSecond);
}

Result<DeviceChoice> chooseDevice(std::string_view asked, const DeviceWork& work) {
    const Sentence copied = "data is only copied, which no device accelerates";
    if (asked != "auto") {
        CAIRN_TRY(const ComputeBackendPtr backend, openBackend(asked));
        if (work.bytesIn == 0 && backend->device() != "cpu") {
            return DeviceChoice{"cpu", copied};
        }
        return DeviceChoice{std::string(backend->device()), "as requested"};
    }
    return work.bytesIn == 0 ? DeviceChoice{"cpu", copied} : choose(work);
}

Result<ComputeBackendPtr> chooseBackend(std::string_view asked, const DeviceWork& work) {
    CAIRN_TRY(const DeviceChoice choice, chooseDevice(asked, work));
    return choice.device == "cpu" ? ComputeBackendPtr() : openBackend(choice.device);
}

} // namespace cairn
