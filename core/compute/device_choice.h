// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/compute_backend.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn {

/// The work of a job that needs computing, without bytes that are only copied.
struct DeviceWork {
    enum class Kind : std::uint8_t { Cast, Statistics, Comparison };
    Kind kind = Kind::Cast;
    std::uint64_t bytesIn = 0;  ///< input elements
    std::uint64_t bytesOut = 0; ///< results
    double sourceRate = 0;      ///< bytes per second from the disk; 0: the source is memory
};

struct DeviceChoice {
    std::string device; ///< for openBackend()
    Sentence why;       ///< a clause without a full stop
};

/// Selects the device for a job. `asked` is "auto", or a device name for openBackend(). "auto"
/// forecasts the time on the processor and on the first CUDA device, from rates measured now (the
/// work itself, on all threads and all lanes), and selects the faster one. It selects the processor
/// if there is nothing to compute, too little to justify initializing a device, or no device. It
/// loads the libtorch module only if NVIDIA's driver is installed. Call it off the GUI thread.
/// Fails: as openBackend() for a device that was named; "auto" never fails.
Result<DeviceChoice> chooseDevice(std::string_view asked, const DeviceWork& work);

/// The backend for chooseDevice(); null for the processor, whose direct kernels are faster than its
/// backend. Call it off the GUI thread. Fails as chooseDevice() and openBackend().
Result<ComputeBackendPtr> chooseBackend(std::string_view asked, const DeviceWork& work);

/// Whether this machine has NVIDIA's driver: checks for its device files. Any thread.
bool hasCudaDriver();

/// Forecast in seconds: `start`, then the slower of the source and the given rate.
double laneSeconds(const DeviceWork& work, double start, double bytesPerSecond);

} // namespace cairn
