// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/element_comparison.h"
#include "core/compute/element_statistics.h"
#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The scales of a block-quantised tensor, and the box of the tensor that is requested.
struct BlockScales {
    std::span<const float> values; ///< one for each block of the tensor, in C order
    Shape grid;                    ///< blocks of the tensor along each dimension
    Shape block;                   ///< elements that share one scale
    Box box;                       ///< in the tensor
};

/// One operand of an average.
struct AveragePart {
    Dtype dtype{};
    std::span<const std::byte> bytes;
    double weight = 1;
};

/// Where elements are computed: the processor's own kernels, or a device accessed through the
/// libtorch module. Every backend gives the same results: casts, products and means to the last
/// bit, exact counts, sums within the accuracy in element_statistics.h (a backend's order of
/// addition can change the last digits).
///
/// Call it for many elements at a time, a MiB or more; calls block until the result is available.
/// Elements are dense and little-endian; buffers belong to the caller and must not overlap. Any
/// thread; several calls may run in parallel. Fails: OutOfMemory, or Unsupported with libtorch's
/// message; the processor's backend never fails.
class ComputeBackend {
public:
    virtual ~ComputeBackend() = default;

    [[nodiscard]] virtual std::string_view device() const = 0; ///< "cpu", "cuda:0", "torch-cpu"

    /// See castElements(). REQUIRES: canCast(from, to).
    virtual Result<void> cast(Dtype from, std::span<const std::byte> in, Dtype to,
                              std::span<std::byte> out) = 0;

    /// Converts elements [first, …) of the scales' box to float32, multiplies each with its block's
    /// scale, and casts the product. REQUIRES: `from` is a float of at most 32 bits, and
    /// castElements() supports float32 to `to`.
    virtual Result<void> dequantize(Dtype from, std::span<const std::byte> in,
                                    const BlockScales& scales, std::uint64_t first, Dtype to,
                                    std::span<std::byte> out) = 0;

    /// The weighted mean: summed in float64, in order, divided by the sum of the weights, and cast.
    /// REQUIRES: the same number of elements in each part; numeric dtypes.
    virtual Result<void> average(std::span<const AveragePart> parts, Dtype to,
                                 std::span<std::byte> out) = 0;

    /// Any number of elements. REQUIRES: canMeasure(dtype).
    virtual Result<ElementStatistics> statistics(Dtype dtype, std::span<const std::byte> bytes) = 0;

    /// Any number of elements. REQUIRES: canCompare(); canMeasure() of both.
    virtual Result<ElementComparison> compare(Dtype leftType, std::span<const std::byte> left,
                                              Dtype rightType, std::span<const std::byte> right,
                                              const Tolerance& tolerance) = 0;
};

using ComputeBackendPtr = std::shared_ptr<ComputeBackend>;

/// The processor's kernels. Always available.
ComputeBackendPtr cpuBackend();

/// Opens "cpu", "cuda:N", or "torch-cpu" (libtorch on the processor, for comparison). Loads the
/// libtorch module for anything but "cpu", so call it off the GUI thread. Fails: InvalidArgument
/// for an invalid device name; as openTorchModule(); NotFound for a missing device, with the
/// devices that exist.
Result<ComputeBackendPtr> openBackend(std::string_view device);

} // namespace cairn
