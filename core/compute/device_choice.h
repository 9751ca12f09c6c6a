// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/compute_backend.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn {

/// What a job has to compute; of bytes that are only copied, nothing.
struct DeviceWork {
    enum class Kind : std::uint8_t { Cast, Statistics, Comparison };
    Kind kind = Kind::Cast;
    std::uint64_t bytesIn = 0;  ///< of the elements that are examined
    std::uint64_t bytesOut = 0; ///< of those that are made of them
    double sourceRate = 0;      ///< bytes a second that come from the disk; 0: from memory
};

struct DeviceChoice {
    std::string device; ///< for openBackend()
    std::string why;    ///< a clause without a full stop
};

/// Which device does the work. `asked` is "auto", or a device's name as openBackend() takes it.
/// Auto forecasts the processor's lane and that of the first CUDA device, by rates that are
/// measured now (the kernels on one thread, the way to the device), and takes the faster one; the
/// processor where there is nothing to compute, too little to be worth waking a device, or no
/// device. It opens the libtorch module only where the machine has NVIDIA's driver. Off the GUI
/// thread. Fails: as openBackend() for a device that was asked for by name; auto never does.
Result<DeviceChoice> chooseDevice(std::string_view asked, const DeviceWork& work);

/// The backend of chooseDevice(); null where that is the processor, whose own passes are faster
/// than its backend. Off the GUI thread. Fails as chooseDevice() and openBackend().
Result<ComputeBackendPtr> chooseBackend(std::string_view asked, const DeviceWork& work);

/// Whether this machine has NVIDIA's driver: a look at two names, on any thread.
bool hasCudaDriver();

/// Seconds of a lane: its start, then what is slower, the source or the lane itself.
double laneSeconds(const DeviceWork& work, double start, double bytesPerSecond);

} // namespace cairn
