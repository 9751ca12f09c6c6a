// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/element_work.h"

#include <cstring>
#include <vector>

namespace cairn::torch_lane {
namespace {

Lane::Take intoBuffer(void* out, int to) {
    auto* bytes = static_cast<std::byte*>(out);
    const std::int64_t width = elementBytes(to);
    return [bytes, width](std::int64_t first, std::int64_t, const std::byte* result,
                          std::size_t size) { std::memcpy(bytes + first * width, result, size); };
}

bool isWide(int kind) {
    return kind == kCairnFloat32 || kind == kCairnFloat64;
}

/// A product with x86's NaN: the NaN factor, made quiet; for infinity times zero the negative NaN
/// without payload.
at::Tensor product(const at::Tensor& values, const at::Tensor& factors) {
    const at::Tensor made = values * factors;
    const auto quietBits = [](const at::Tensor& floats) {
        return at::bitwise_or(floats.view(at::kInt), 0x00400000);
    };
    constexpr std::int32_t kInvalid = -0x00400000; // 0xFFC00000
    const at::Tensor none = at::full({1}, kInvalid, made.options().dtype(at::kInt));
    const at::Tensor ofFactor = at::where(at::isnan(factors), quietBits(factors), none);
    const at::Tensor nan = at::where(at::isnan(values), quietBits(values), ofFactor);
    return at::where(at::isnan(made), nan.view(at::kFloat), made);
}

at::Tensor uploaded(const float* values, std::uint64_t count, at::Device device) {
    const at::Tensor here = at::empty({static_cast<std::int64_t>(count)}, at::kFloat);
    std::memcpy(here.data_ptr(), values, count * sizeof(float));
    return here.to(device);
}

/// The index of each element's scale; blocks are counted in C order.
at::Tensor scalePlaces(const CairnScales& scales, std::int64_t first, std::int64_t count,
                       at::Device device) {
    const auto options = at::TensorOptions().dtype(at::kLong).device(device);
    const auto begin = static_cast<std::int64_t>(scales.first) + first;
    at::Tensor rest = at::arange(begin, begin + count, options);
    at::Tensor place = at::zeros({count}, options);
    std::int64_t stride = 1;
    for (std::size_t d = scales.rank; d-- > 0;) {
        const at::Tensor within = at::remainder(rest, scales.extent[d]);
        const at::Tensor block = at::div(within + scales.origin[d], scales.block[d],
                                         "floor"); // operands are not negative
        place = place + block * stride;
        stride *= scales.grid[d];
        rest = at::div(rest, scales.extent[d], "floor");
    }
    return place;
}

void checkScales(const CairnScales& scales) {
    std::uint64_t blocks = 1;
    for (std::size_t d = 0; d < scales.rank; ++d) {
        TORCH_CHECK(scales.extent[d] > 0 && scales.block[d] > 0 && scales.grid[d] > 0 &&
                        scales.origin[d] >= 0 &&
                        (scales.origin[d] + scales.extent[d] - 1) / scales.block[d] <
                            scales.grid[d],
                    "the scales' blocks do not cover dimension ", d);
        blocks *= static_cast<std::uint64_t>(scales.grid[d]);
    }
    TORCH_CHECK(blocks <= scales.count, "found ", blocks, " blocks, and ", scales.count, " scales");
}

} // namespace

void castThere(Lane& lane, const CairnElements& in, std::uint64_t count, int to, void* out) {
    lane.run(
        {&in, 1}, count,
        [&](const Lane::Slice& slice) {
            return narrowed(asFloats(slice.inputs[0]), to, isWide(in.kind));
        },
        intoBuffer(out, to));
}

void dequantizeThere(Lane& lane, const CairnElements& in, std::uint64_t count,
                     const CairnScales& scales, int to, void* out) {
    checkScales(scales);
    const at::Tensor factors = uploaded(scales.values, scales.count, lane.device());
    lane.run(
        {&in, 1}, count,
        [&](const Lane::Slice& slice) {
            const at::Tensor places = scalePlaces(scales, slice.first, slice.count, lane.device());
            const at::Tensor made =
                product(asFloats(slice.inputs[0]), factors.index_select(0, places));
            return narrowed(made, to, true);
        },
        intoBuffer(out, to));
}

void averageThere(Lane& lane, std::span<const CairnElements> terms, std::span<const double> weights,
                  std::uint64_t count, int to, void* out) {
    double sum = 0;
    for (const double weight : weights) {
        sum += weight;
    }
    // On the device: CUDA kernels multiply by the reciprocal of a number on the processor.
    const at::Tensor total =
        at::full({1}, sum, at::TensorOptions().dtype(at::kDouble)).to(lane.device());
    lane.run(
        terms, count,
        [&](const Lane::Slice& slice) {
            at::Tensor made;
            for (std::size_t i = 0; i < terms.size(); ++i) {
                // Two roundings: product and sum must not be fused.
                const at::Tensor part = asDoubles(slice.inputs[i]) * weights[i];
                made = i == 0 ? part + 0.0 : made + part;
            }
            const at::Tensor mean = made / total;
            if (to == kCairnFloat64) {
                return mean;
            }
            return narrowed(asFloats({mean, {}, kCairnFloat64}), to, true);
        },
        intoBuffer(out, to));
}

} // namespace cairn::torch_lane
