// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/lane.h"

#include <ATen/Parallel.h>
#include <algorithm>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

namespace cairn::torch_lane {
namespace {

at::Tensor pinnedBytes(std::int64_t bytes) {
    return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
}

/// A tensor over the caller's bytes: [n], or [n, 2] for complex elements.
at::Tensor overBytes(void* bytes, int kind, std::int64_t count) {
    const auto options = at::TensorOptions().dtype(storedType(kind));
    return isComplex(kind) ? at::from_blob(bytes, {count, 2}, options)
                           : at::from_blob(bytes, {count}, options);
}

void* elementAt(const CairnElements& elements, std::int64_t first) {
    // from_blob takes no const pointer; inputs are never written.
    auto* bytes = static_cast<std::byte*>(const_cast<void*>(elements.data));
    return bytes + first * elementBytes(elements.kind);
}

} // namespace

Lane::Lane(at::Device device, std::uint64_t sliceBytes)
    : m_device(device),
      m_sliceBytes(static_cast<std::int64_t>(std::max<std::uint64_t>(sliceBytes, 4096))) {
    if (m_device.is_cpu()) {
        return;
    }
    at::empty({1}, at::TensorOptions().device(m_device)); // initializes the device's runtime
    const c10::impl::VirtualGuardImpl guard(m_device.type());
    for (Slot& slot : m_slots) {
        slot.stream = guard.getStreamFromGlobalPool(m_device, false);
        slot.in = pinnedBytes(m_sliceBytes);
        slot.out = pinnedBytes(m_sliceBytes);
    }
}

void Lane::run(std::span<const CairnElements> inputs, std::uint64_t count, const Work& work,
               const Take& take) {
    std::int64_t width = 0;
    for (const CairnElements& input : inputs) {
        width += elementBytes(input.kind);
    }
    const std::int64_t step =
        std::max<std::int64_t>(1, m_sliceBytes / std::max<std::int64_t>(1, width));
    const auto all = static_cast<std::int64_t>(count);
    if (m_device.is_cpu()) {
        return runHere(inputs, all, step, work, take);
    }
    try {
        runThere(inputs, all, step, work, take);
    } catch (...) {
        drain();
        throw;
    }
}

void Lane::runHere(std::span<const CairnElements> inputs, std::int64_t count, std::int64_t step,
                   const Work& work, const Take& take) {
    Slice slice;
    for (const CairnElements& input : inputs) {
        slice.inputs.push_back({{}, tableOn(input.table, m_device), input.kind});
    }
    for (std::int64_t first = 0; first < count; first += step) {
        slice.first = first;
        slice.count = std::min(step, count - first);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            slice.inputs[i].raw =
                overBytes(elementAt(inputs[i], first), inputs[i].kind, slice.count);
        }
        const at::Tensor result = work(slice).contiguous();
        take(first, slice.count, static_cast<const std::byte*>(result.data_ptr()), result.nbytes());
    }
}

void Lane::runThere(std::span<const CairnElements> inputs, std::int64_t count, std::int64_t step,
                    const Work& work, const Take& take) {
    const c10::DeviceGuard device(m_device);
    std::vector<at::Tensor> tables;
    for (const CairnElements& input : inputs) {
        tables.push_back(tableOn(input.table, m_device));
    }
    std::size_t turn = 0;
    for (std::int64_t first = 0; first < count; first += step, ++turn) {
        Slot& slot = m_slots[turn % m_slots.size()];
        finish(slot, take);
        const c10::StreamGuard stream(*slot.stream);
        Slice slice;
        slice.first = first;
        slice.count = std::min(step, count - first);
        send(slot, slice, inputs, tables);
        const at::Tensor result = work(slice).contiguous();
        slot.first = first;
        slot.count = slice.count;
        slot.bytes = result.nbytes();
        if (slot.out.numel() < static_cast<std::int64_t>(slot.bytes)) {
            slot.out = pinnedBytes(static_cast<std::int64_t>(slot.bytes));
        }
        slot.busy = true;
        slot.out.narrow(0, 0, static_cast<std::int64_t>(slot.bytes))
            .view(result.scalar_type())
            .copy_(result.view({-1}), true);
    }
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        finish(m_slots[(turn + i) % m_slots.size()], take);
    }
}

/// Queues the copy of a slice's elements on the current stream.
void Lane::send(Slot& slot, Slice& slice, std::span<const CairnElements> inputs,
                std::span<const at::Tensor> tables) {
    auto* pinned = static_cast<std::byte*>(slot.in.data_ptr());
    std::int64_t at = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const CairnElements& input = inputs[i];
        const std::int64_t bytes = slice.count * elementBytes(input.kind);
        std::memcpy(pinned + at, elementAt(input, slice.first), static_cast<std::size_t>(bytes));
        const at::Tensor there = slot.in.narrow(0, at, bytes).to(m_device, true);
        at::Tensor raw = there.view(storedType(input.kind));
        if (isComplex(input.kind)) {
            raw = raw.view({slice.count, 2});
        }
        slice.inputs.push_back({raw, tables[i], input.kind});
        at += bytes;
    }
}

void Lane::finish(Slot& slot, const Take& take) {
    if (!slot.busy) {
        return;
    }
    slot.stream->synchronize();
    slot.busy = false;
    take(slot.first, slot.count, static_cast<const std::byte*>(slot.out.data_ptr()), slot.bytes);
}

void Lane::drain() noexcept {
    for (Slot& slot : m_slots) {
        try {
            if (slot.stream) {
                slot.stream->synchronize();
            }
        } catch (const std::exception&) { // the original error is reported instead
        }
        slot.busy = false;
    }
}

double Lane::measureLink(std::uint64_t bytes) {
    const auto wanted = static_cast<std::int64_t>(bytes);
    const at::Tensor from =
        m_device.is_cpu() ? at::zeros({wanted}, at::kByte) : pinnedBytes(wanted).zero_();
    at::Tensor there = at::empty({wanted}, at::TensorOptions().dtype(at::kByte).device(m_device));
    const auto copy = [&] {
        there.copy_(from, true);
        if (!m_device.is_cpu()) {
            const c10::impl::VirtualGuardImpl guard(m_device.type());
            guard.getStream(m_device).synchronize();
        }
    };
    copy(); // the first copy is slower
    const auto start = std::chrono::steady_clock::now();
    copy();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return static_cast<double>(bytes) / std::max(seconds.count(), 1e-9);
}

int cudaDevices(std::string& why) {
    try {
        if (!c10::impl::hasDeviceGuardImpl(at::kCUDA)) {
            why = "this libtorch was built without CUDA";
            return 0;
        }
        const int count = c10::impl::getDeviceGuardImpl(at::kCUDA)->deviceCount();
        if (count == 0) {
            why = "libtorch finds no CUDA device";
        }
        return count;
    } catch (const std::exception& error) { // for example a driver of the wrong version
        why = error.what();
        return 0;
    }
}

at::Device deviceNamed(const char* name) {
    const std::string text = name;
    if (text == "cpu") {
        return at::Device(at::kCPU);
    }
    const at::Device device(text); // throws for an invalid device name
    TORCH_CHECK(device.is_cuda(), "unknown device \"", text, "\"");
    std::string why;
    const int count = cudaDevices(why);
    const int index = device.has_index() ? device.index() : 0;
    TORCH_CHECK(index < count, "no device ", text, ": ",
                count == 0 ? why : std::to_string(count) + " CUDA devices");
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index));
}

void useOneThread() {
    if (at::get_num_threads() != 1) {
        at::set_num_threads(1);
    }
}

void useAllThreads() {
    at::set_num_threads(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

} // namespace cairn::torch_lane
