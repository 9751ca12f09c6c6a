// SPDX-License-Identifier: Apache-2.0
#include "core/compute/cast.h"
#include "core/compute/compute_backend.h"
#include "core/compute/decode.h"
#include "core/compute/scale_runs.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kStep = 2048; // fit in the first-level cache

std::size_t sizeOf(Dtype dtype) {
    return dtypeInfo(dtype).bits / 8;
}

void castOrCopy(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    if (from == to) {
        std::ranges::copy(in, out.begin());
    } else {
        castElements(from, in, to, out);
    }
}

void multiply(const BlockScales& scales, std::uint64_t first, std::span<float> values) {
    eachScaleRun(scales, first, values.size(), [&](std::size_t i, std::size_t end, float factor) {
        for (; i < end; ++i) {
            values[i] *= factor;
        }
    });
}

class CpuBackend final : public ComputeBackend {
public:
    [[nodiscard]] std::string_view device() const override { return "cpu"; }

    Result<void> cast(Dtype from, std::span<const std::byte> in, Dtype to,
                      std::span<std::byte> out) override {
        castElements(from, in, to, out);
        return {};
    }

    Result<void> dequantize(Dtype from, std::span<const std::byte> in, const BlockScales& scales,
                            std::uint64_t first, Dtype to, std::span<std::byte> out) override {
        const std::size_t count = in.size() / sizeOf(from);
        std::array<float, kStep> values; // not initialized: filled before it is read
        for (std::size_t i = 0; i < count; i += kStep) {
            const auto part = std::span(values).first(std::min(kStep, count - i));
            widenElements(from, in.subspan(i * sizeOf(from), part.size() * sizeOf(from)), part);
            multiply(scales, first + i, part);
            castOrCopy(Dtype::Float32, std::as_bytes(part), to,
                       out.subspan(i * sizeOf(to), part.size() * sizeOf(to)));
        }
        return {};
    }

    Result<void> average(std::span<const AveragePart> parts, Dtype to,
                         std::span<std::byte> out) override {
        double weights = 0;
        for (const AveragePart& part : parts) {
            weights += part.weight;
        }
        const std::size_t count = out.size() / sizeOf(to);
        std::array<double, kStep> sums;
        std::array<double, kStep> term; // not initialized: filled before it is read
        for (std::size_t i = 0; i < count; i += kStep) {
            const auto sum = std::span(sums).first(std::min(kStep, count - i));
            std::ranges::fill(sum, 0.0);
            for (const AveragePart& part : parts) {
                const std::size_t size = sizeOf(part.dtype);
                decodeElements(part.dtype, part.bytes.subspan(i * size, sum.size() * size),
                               std::span(term).first(sum.size()));
                for (std::size_t j = 0; j < sum.size(); ++j) {
                    const double product = term[j] * part.weight;
                    sum[j] += product;
                }
            }
            for (double& each : sum) {
                each /= weights;
            }
            castOrCopy(Dtype::Float64, std::as_bytes(sum), to,
                       out.subspan(i * sizeOf(to), sum.size() * sizeOf(to)));
        }
        return {};
    }

    Result<ElementStatistics> statistics(Dtype dtype, std::span<const std::byte> bytes) override {
        const std::size_t block = kBlockElements * sizeOf(dtype);
        ElementStatistics sums;
        for (std::size_t at = 0; at < bytes.size(); at += block) {
            merge(sums,
                  blockStatistics(dtype, bytes.subspan(at, std::min(block, bytes.size() - at))));
        }
        return sums;
    }

    Result<ElementComparison> compare(Dtype leftType, std::span<const std::byte> left,
                                      Dtype rightType, std::span<const std::byte> right,
                                      const Tolerance& tolerance) override {
        const std::size_t count = left.size() / sizeOf(leftType);
        const auto part = [](std::span<const std::byte> bytes, Dtype dtype, std::size_t first,
                             std::size_t length) {
            return bytes.subspan(first * sizeOf(dtype), length * sizeOf(dtype));
        };
        ElementComparison sums;
        for (std::size_t at = 0; at < count; at += kBlockElements) {
            const std::size_t length = std::min(kBlockElements, count - at);
            merge(sums, compareBlock(leftType, part(left, leftType, at, length), rightType,
                                     part(right, rightType, at, length), tolerance));
        }
        return sums;
    }
};

} // namespace

ComputeBackendPtr cpuBackend() {
    static const auto backend = std::make_shared<CpuBackend>();
    return backend;
}

} // namespace cairn
