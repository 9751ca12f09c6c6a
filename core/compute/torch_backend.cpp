// SPDX-License-Identifier: Apache-2.0
#include "core/compute/compute_backend.h"
#include "core/compute/decode.h"
#include "core/compute/torch_elements.h"
#include "core/compute/torch_module.h"
#include "core/model/cast_pair.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

/// The libtorch module as a backend.
///
/// A lane of the module (a device's streams and pinned buffers) serves one thread at a time, so
/// there are several: a caller uses a free one, or waits. For a graphics card there are
/// kDeviceLanes, which limits the pinned memory; for the processor there is one per thread.
namespace cairn {
namespace {

constexpr std::uint64_t kSliceOnDevice = std::uint64_t{4} << 20U;
/// Small enough that temporary float64 stay in the second-level cache.
constexpr std::uint64_t kSliceHere = std::uint64_t{128} << 10U;

class Lanes {
public:
    Lanes(const CairnTorchModule& module, std::string device, std::size_t most)
        : m_module(module), m_device(std::move(device)), m_most(most) {}
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;
    ~Lanes() {
        for (CairnTorchLane* lane : m_free) {
            m_module.closeLane(lane);
        }
    }

    Result<CairnTorchLane*> take() {
        std::unique_lock lock(m_mutex);
        m_freed.wait(lock, [&] { return !m_free.empty() || m_open < m_most; });
        if (!m_free.empty()) {
            CairnTorchLane* lane = m_free.back();
            m_free.pop_back();
            return lane;
        }
        CairnTorchLane* lane = nullptr;
        CairnTorchError error{};
        const std::uint64_t slice = m_device == "cpu" ? kSliceHere : kSliceOnDevice;
        if (m_module.openLane(m_device.c_str(), slice, &lane, &error) != 0) {
            return torchError(error, sentence("The device %1 cannot be used", m_device));
        }
        ++m_open;
        return lane;
    }
    void giveBack(CairnTorchLane* lane) {
        {
            const std::lock_guard lock(m_mutex);
            m_free.push_back(lane);
        }
        m_freed.notify_one();
    }

private:
    const CairnTorchModule& m_module;
    std::string m_device;
    std::size_t m_most;
    std::mutex m_mutex; ///< guards the next three
    std::condition_variable m_freed;
    std::vector<CairnTorchLane*> m_free;
    std::size_t m_open = 0;
};

std::uint64_t countOf(Dtype dtype, std::span<const std::byte> bytes) {
    return bytes.size() / (dtypeInfo(dtype).bits / 8);
}

class TorchBackend final : public ComputeBackend {
public:
    TorchBackend(const CairnTorchModule& module, std::string name, const std::string& device,
                 std::size_t lanes)
        : m_module(module), m_name(std::move(name)), m_lanes(module, device, lanes) {}

    [[nodiscard]] std::string_view device() const override { return m_name; }

    Result<void> cast(Dtype from, std::span<const std::byte> in, Dtype to,
                      std::span<std::byte> out) override {
        if (eightBitFloat(to) != nullptr) {
            return cpuBackend()->cast(from, in, to, out); // the module does not produce this dtype
        }
        const CairnElements elements = torchElements(from, in);
        const CairnTarget target{torchKind(to).value_or(kCairnKinds), out.data()};
        return inLane("Elements could not be cast", [&](CairnTorchLane* lane, auto* error) {
            return m_module.cast(lane, &elements, countOf(from, in), &target, error);
        });
    }

    Result<void> dequantize(Dtype from, std::span<const std::byte> in, const BlockScales& scales,
                            std::uint64_t first, Dtype to, std::span<std::byte> out) override {
        if (eightBitFloat(to) != nullptr) {
            return cpuBackend()->dequantize(from, in, scales, first, to, out);
        }
        const CairnElements elements = torchElements(from, in);
        const CairnTarget target{torchKind(to).value_or(kCairnKinds), out.data()};
        const CairnScales how{scales.values.data(),
                              scales.values.size(),
                              scales.grid.size(),
                              scales.box.origin.span().data(),
                              scales.box.extent.span().data(),
                              scales.block.span().data(),
                              scales.grid.span().data(),
                              first};
        return inLane("Elements could not be dequantised", [&](CairnTorchLane* lane, auto* error) {
            return m_module.dequantize(lane, &elements, countOf(from, in), &how, &target, error);
        });
    }

    Result<void> average(std::span<const AveragePart> parts, Dtype to,
                         std::span<std::byte> out) override {
        if (eightBitFloat(to) != nullptr) {
            return cpuBackend()->average(parts, to, out);
        }
        std::vector<CairnElements> elements;
        std::vector<double> weights;
        for (const AveragePart& part : parts) {
            elements.push_back(torchElements(part.dtype, part.bytes));
            weights.push_back(part.weight);
        }
        const CairnTerms terms{elements.data(), weights.data(), weights.size()};
        const CairnTarget target{torchKind(to).value_or(kCairnKinds), out.data()};
        return inLane("Elements could not be averaged", [&](CairnTorchLane* lane, auto* error) {
            return m_module.average(lane, &terms, countOf(to, out), &target, error);
        });
    }

    Result<ElementStatistics> statistics(Dtype dtype, std::span<const std::byte> bytes) override {
        const CairnElements elements = torchElements(dtype, bytes);
        CairnStatistics found{};
        CAIRN_CHECK(
            inLane("Elements could not be measured", [&](CairnTorchLane* lane, auto* error) {
                return m_module.statistics(lane, &elements, countOf(dtype, bytes), &found, error);
            }));
        return ElementStatistics{found.count, found.nan,  found.inf, found.zeros, found.min,
                                 found.max,   found.mean, found.m2,  found.l1,    found.sumSquares};
    }

    Result<ElementComparison> compare(Dtype leftType, std::span<const std::byte> left,
                                      Dtype rightType, std::span<const std::byte> right,
                                      const Tolerance& tolerance) override {
        const bool complex = dtypeInfo(leftType).kind == DtypeKind::Complex;
        if (complex && (tolerance.rtol > 0 || tolerance.atol > 0)) {
            // The modulus may differ in its last bit, which could change `beyond`.
            return cpuBackend()->compare(leftType, left, rightType, right, tolerance);
        }
        const CairnSides sides{torchElements(leftType, left), torchElements(rightType, right),
                               countOf(leftType, left)};
        CairnCompareOptions options{tolerance.rtol, tolerance.atol, leftType == rightType, {}};
        const auto narrow = narrowerFloat(leftType, rightType);
        if (narrow) {
            const FloatForm form = *floatForm(*narrow); // narrowerFloat() only returns such dtypes
            options.narrow = {form.digits, form.lowest, form.largest, form.beyond};
        }
        CairnComparison found{};
        CAIRN_CHECK(
            inLane("Elements could not be compared", [&](CairnTorchLane* lane, auto* error) {
                return m_module.compare(lane, &sides, &options, &found, error);
            }));
        ElementComparison made;
        made.count = found.count;
        made.identical = found.identical != 0;
        made.changed = found.changed;
        made.beyond = found.beyond;
        made.nonfinite = found.nonfinite;
        made.maxAbs = found.maxAbs;
        made.sumAbs = found.sumAbs;
        made.sumSquares = found.sumSquares;
        made.leftSquares = found.leftSquares;
        made.rightSquares = found.rightSquares;
        made.dot = found.dot;
        made.changedAfterCast = narrow ? std::optional(found.changedAfterCast) : std::nullopt;
        return made;
    }

private:
    template <class Work> Result<void> inLane(Sentence what, const Work& work) {
        CAIRN_TRY(CairnTorchLane * lane, m_lanes.take());
        CairnTorchError error{};
        const int code = work(lane, &error);
        m_lanes.giveBack(lane);
        if (code != 0) {
            return torchError(error, std::move(what));
        }
        return {};
    }

    const CairnTorchModule& m_module;
    std::string m_name;
    Lanes m_lanes;
};

/// N of "cuda:N" or "cuda"; empty for other names.
std::optional<int> cudaIndex(std::string_view device) {
    if (device == "cuda") {
        return 0;
    }
    if (!device.starts_with("cuda:")) {
        return std::nullopt;
    }
    device.remove_prefix(5);
    int index = -1;
    const auto [end, error] = std::from_chars(device.data(), device.data() + device.size(), index);
    const bool whole = error == std::errc() && end == device.data() + device.size() && index >= 0;
    return whole ? std::optional(index) : std::nullopt;
}

Error noSuchDevice(std::string_view device, const TorchModuleInfo& module) {
    const Sentence version = sentence("libtorch %1", module.torchVersion);
    return fail(ErrorCode::NotFound, sentence("No device %1", device))
        .butFound(module.cudaDevices == 0
                      ? sentence("%1: %2", version, module.withoutCuda)
                      : sentence("%1 with %2 CUDA devices", version, module.cudaDevices))
        .expecting(module.cudaDevices == 0 ? "cpu"
                                           : sentence("cuda:0 to cuda:%1", module.cudaDevices - 1))
        .withHint("Use --device cpu or auto; CUDA requires a module that was built with a "
                  "CUDA-enabled libtorch, and the NVIDIA driver");
}

} // namespace

Result<ComputeBackendPtr> openBackend(std::string_view device) {
    if (device == "cpu") {
        return cpuBackend();
    }
    const auto cuda = cudaIndex(device);
    if (!cuda && device != "torch-cpu") {
        return fail(ErrorCode::InvalidArgument, "Unknown device")
            .butFound(verbatim(std::string(device)))
            .expecting("auto, cpu or cuda:0");
    }
    CAIRN_TRY(const TorchModuleInfo module, openTorchModule());
    if (cuda && *cuda >= module.cudaDevices) {
        return noSuchDevice(device, module);
    }
    if (!cuda) {
        return ComputeBackendPtr(std::make_shared<TorchBackend>(
            *module.functions, "torch-cpu", "cpu",
            std::max<std::size_t>(1, std::thread::hardware_concurrency())));
    }
    const std::string name = "cuda:" + std::to_string(*cuda);
    return ComputeBackendPtr(
        std::make_shared<TorchBackend>(*module.functions, name, name, kDeviceLanes));
}

} // namespace cairn
