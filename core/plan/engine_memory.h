// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>

/// What the engine (jobs/engine.h) takes by default, whatever the checkpoint's size: forecasts
/// count with it. Pure.
namespace cairn {

/// One worker's buffer while writing; verifying takes two.
inline constexpr std::size_t kEngineChunk = std::size_t{4} << 20U;

/// One more than processors, so that someone reads while others write.
inline std::size_t engineWorkers() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 2, 8);
}

/// What a job's workers do with elements besides copying them.
struct EngineWork {
    bool gathers = false; ///< elements that are not stored in the order in which they are written
    bool casts = false;
    bool computes = false; ///< dequantises or averages
};

/// Anonymous memory at the peak, without the checkpoint's index and the plan.
std::uint64_t engineMemory(const EngineWork& work);

} // namespace cairn
