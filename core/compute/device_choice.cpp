// SPDX-License-Identifier: Apache-2.0
#include "core/compute/device_choice.h"

#include "core/base/elapsed.h"
#include "core/compute/compute_backend.h"
#include "core/compute/torch/module_api.h"
#include "core/compute/torch_module.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kWorthWaking =
    std::uint64_t{1} << 30U; ///< least work for a device: about 0.1 s on a few cores
constexpr std::size_t kMeasuredBytes = std::size_t{8} << 20U;
constexpr std::uint64_t kLinkBytes = std::uint64_t{64} << 20U;
constexpr double kLoadSeconds = 0.5; ///< time to load libtorch, measured with 1.13 and 2.13
constexpr unsigned kMaxThreads = 16;

unsigned threads() {
    return std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
}

/// Measured rate of one thread's kernels on bfloat16, in bytes per second.
double kernelRate(DeviceWork::Kind kind) {
    const std::vector<std::byte> elements(kMeasuredBytes, std::byte{0x3C});
    std::vector<std::byte> made(2 * kMeasuredBytes);
    const ComputeBackendPtr cpu = cpuBackend();
    const auto once = [&] {
        switch (kind) {
        case DeviceWork::Kind::Cast:
            return cpu->cast(Dtype::Bfloat16, elements, Dtype::Float32, made).has_value();
        case DeviceWork::Kind::Statistics:
            return cpu->statistics(Dtype::Bfloat16, elements).has_value();
        case DeviceWork::Kind::Comparison:
            return cpu->compare(Dtype::Bfloat16, elements, Dtype::Bfloat16, elements, {})
                .has_value();
        }
        return false;
    };
    once(); // warms the caches
    const auto start = Clock::now();
    once();
    return static_cast<double>(kMeasuredBytes) / std::max(secondsSince(start), 1e-6);
}

struct DeviceLane {
    double start = 0; ///< seconds until the first element can be sent
    double link = 0;  ///< bytes per second
};

/// Initializes the first CUDA device; empty if that fails.
std::optional<DeviceLane> measureDevice(const CairnTorchModule& module) {
    const auto start = Clock::now();
    CairnTorchLane* lane = nullptr;
    CairnTorchError error{};
    if (module.openLane("cuda:0", kLinkBytes, &lane, &error) != 0) {
        return std::nullopt;
    }
    DeviceLane measured;
    measured.start = kLoadSeconds + secondsSince(start);
    const bool good = module.measureLink(lane, kLinkBytes, &measured.link, &error) == 0;
    module.closeLane(lane);
    return good ? std::optional(measured) : std::nullopt;
}

std::string forecastText(double cpu, double cpuRate, double device, double link) {
    std::array<char, 160> text{};
    std::snprintf(
        text.data(), text.size(),
        "forecast: cpu %.1f s (%u threads, %.1f GB/s), cuda:0 %.1f s (%.1f GB/s transfer)", cpu,
        threads(), cpuRate / 1e9, device, link / 1e9);
    return text.data();
}

DeviceChoice choose(const DeviceWork& work) {
    if (work.bytesIn < kWorthWaking) {
        return {"cpu", "too little data to be worth starting another device"};
    }
    if (!hasCudaDriver()) {
        return {"cpu", "no CUDA device on this machine"};
    }
    const auto module = openTorchModule();
    if (!module) {
        return {"cpu", "CUDA devices require the libtorch module: " + module.error().message};
    }
    if (module->cudaDevices == 0) {
        return {"cpu",
                "libtorch " + module->torchVersion + " has no CUDA device: " + module->withoutCuda};
    }
    static const auto lane =
        measureDevice(*module->functions); // takes about a second, so once per process
    if (!lane) {
        return {"cpu", "the CUDA device does not respond"};
    }
    const double cpuRate = kernelRate(work.kind) * threads();
    const double cpu = laneSeconds(work, 0, cpuRate);
    const double device = laneSeconds(work, lane->start, lane->link);
    return {device < cpu ? "cuda:0" : "cpu", forecastText(cpu, cpuRate, device, lane->link)};
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
    const std::string_view copied = "data is only copied, which no device accelerates";
    if (asked != "auto") {
        CAIRN_TRY(const ComputeBackendPtr backend, openBackend(asked));
        if (work.bytesIn == 0 && backend->device() != "cpu") {
            return DeviceChoice{"cpu", std::string(copied)};
        }
        return DeviceChoice{std::string(backend->device()), "as requested"};
    }
    return work.bytesIn == 0 ? DeviceChoice{"cpu", std::string(copied)} : choose(work);
}

Result<ComputeBackendPtr> chooseBackend(std::string_view asked, const DeviceWork& work) {
    CAIRN_TRY(const DeviceChoice choice, chooseDevice(asked, work));
    return choice.device == "cpu" ? ComputeBackendPtr() : openBackend(choice.device);
}

} // namespace cairn
