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

/// The way of elements to a device and of results back, a slice at a time.
///
/// On the processor a slice is examined where it is. On a CUDA device there are two slots; each
/// has pinned memory for both ways and a stream of its own, in which a slice is copied there,
/// computed and copied back. So while one slot computes, the other one copies, and the copy engines
/// of the two directions work side by side. Only the device-independent interface of c10 is used:
/// this code needs no CUDA headers and is compiled by every libtorch.
///
/// One thread at a time. Memory: two slots of two buffers of sliceBytes, pinned; on the device
/// about ten times a slice of float64 a slot.
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
    /// What is to be computed of a slice; queued, not waited for. Any dtype and shape.
    using Work = std::function<at::Tensor(const Slice&)>;
    /// Called once for each slice, in order, with the result's bytes.
    using Take = std::function<void(std::int64_t first, std::int64_t count, const std::byte* result,
                                    std::size_t bytes)>;

    void run(std::span<const CairnElements> inputs, std::uint64_t count, const Work& work,
             const Take& take);

    /// Bytes a second from pinned memory to the device.
    double measureLink(std::uint64_t bytes);

private:
    struct Slot {
        std::optional<c10::Stream> stream;
        at::Tensor in;          ///< pinned bytes
        at::Tensor out;         ///< pinned bytes
        std::int64_t first = 0; ///< of the slice that is under way, like the next two
        std::int64_t count = 0;
        std::size_t bytes = 0; ///< of its result
        bool busy = false;
    };

    void runHere(std::span<const CairnElements> inputs, std::int64_t count, std::int64_t step,
                 const Work& work, const Take& take);
    void runThere(std::span<const CairnElements> inputs, std::int64_t count, std::int64_t step,
                  const Work& work, const Take& take);
    void send(Slot& slot, Slice& slice, std::span<const CairnElements> inputs,
              std::span<const at::Tensor> tables);
    static void finish(Slot& slot, const Take& take);
    /// Waits for what is under way, whatever became of it.
    void drain() noexcept;

    at::Device m_device;
    std::int64_t m_sliceBytes;
    std::array<Slot, 2> m_slots;
};

/// "cpu", "cuda:0". Fails (c10::Error) when there is no such device.
at::Device deviceNamed(const char* name);

/// CUDA devices that can be used; `why` states what stands against it.
int cudaDevices(std::string& why);

/// ATen's own threads for what this thread does: one in a lane, of which there are several; all for
/// linear algebra.
void useOneThread();
void useAllThreads();

} // namespace cairn::torch_lane
