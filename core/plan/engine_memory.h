// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>

/// Default resources of the engine (jobs/engine.h), independent of the checkpoint's size; used by
/// forecasts. Pure.
namespace cairn {

/// The minimum that a worker takes at once, and the unit of resuming.
inline constexpr std::uint64_t kEngineRun = std::uint64_t{16} << 20U;

/// One worker's buffer for writing; verification uses two.
inline constexpr std::size_t kEngineChunk = std::size_t{4} << 20U;

inline constexpr std::size_t kMostEngineWorkers = 8;
/// One more than processors, so that one reads while the others write.
inline std::size_t engineWorkers() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 2, kMostEngineWorkers);
}

/// Readers of computed tensors (CopyPlan::computed) that are kept; as many for verification.
inline constexpr std::size_t kComputedReaders = 6;

/// Work of a job besides copying.
struct EngineWork {
    bool gathers = false; ///< elements are not stored in the order in which they are written
    bool casts = false;
    bool computes = false; ///< dequantises or averages
};

/// Peak of anonymous memory, without the checkpoint's index and the plan.
std::uint64_t engineMemory(const EngineWork& work);

} // namespace cairn
