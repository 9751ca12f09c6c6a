// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/torch/elements.h"
#include "core/compute/torch/module_api.h"

#include <ATen/ATen.h>
#include <array>
#include <c10/core/Stream.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::torch_lane {

/// Transfers elements to a device and results back, a slice at a time.
///
/// On the processor a slice is processed in place. A CUDA device has two slots; each has pinned
/// memory for both directions and its own stream, in which a slice is copied to the device,
/// computed and copied back. So one slot copies while the other computes, and transfers in both
/// directions overlap. Only c10's device-independent interface is used, so that this code needs no
/// CUDA headers and compiles with every libtorch.
///
/// Not thread-safe. Memory: two slots of two pinned buffers of sliceBytes; on the device about ten
/// times a slice of float64 per slot.
class Lane {
public:
    Lane(at::Device device, std::uint64_t sliceBytes);

    [[nodiscard]] at::Device device() const { return m_device; }

    /// Elements [first, first + count) of every input, on the device.
    struct Slice {
        std::vector<DeviceElements> inputs;
        std::int64_t first = 0;
        std::int64_t count = 0;
    };
    /// The computation for one slice; queued, not waited for. Any dtype and shape.
    using Work = std::function<at::Tensor(const Slice&)>;
    /// Called once for each slice, in order, with the result's bytes.
    using Take = std::function<void(std::int64_t first, std::int64_t count, const std::byte* result,
                                    std::size_t bytes)>;

    void run(std::span<const CairnElements> inputs, std::uint64_t count, const Work& work,
             const Take& take);

    /// Rate from pinned memory to the device, in bytes per second.
    double measureLink(std::uint64_t bytes);

private:
    struct Slot {
        std::optional<c10::Stream> stream;
        at::Tensor in;          ///< pinned bytes
        at::Tensor out;         ///< pinned bytes
        std::int64_t first = 0; ///< of the slice in progress, like the next two
        std::int64_t count = 0;
        std::size_t bytes = 0; ///< size of its result
        bool busy = false;
    };

    void runHere(std::span<const CairnElements> inputs, std::int64_t count, std::int64_t step,
                 const Work& work, const Take& take);
    void runThere(std::span<const CairnElements> inputs, std::int64_t count, std::int64_t step,
                  const Work& work, const Take& take);
    void send(Slot& slot, Slice& slice, std::span<const CairnElements> inputs,
              std::span<const at::Tensor> tables);
    static void finish(Slot& slot, const Take& take);
    /// Waits for the work in progress, even if it failed.
    void drain() noexcept;

    at::Device m_device;
    std::int64_t m_sliceBytes;
    std::array<Slot, 2> m_slots;
};

/// "cpu", "cuda:0". Throws c10::Error if the device does not exist.
at::Device deviceNamed(const char* name);

/// Number of usable CUDA devices; `why` gives the reason if there are none.
int cudaDevices(std::string& why);

/// Sets the number of ATen's threads for the calling thread: one in a lane, because there are
/// several lanes; all for linear algebra.
void useOneThread();
void useAllThreads();

} // namespace cairn::torch_lane
