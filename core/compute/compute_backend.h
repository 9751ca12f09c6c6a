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

/// The scales of a quantised tensor, one for each block of its elements, and the box of it that is
/// asked for.
struct BlockScales {
    std::span<const float> values; ///< in C order, of the grid of all blocks
    Shape grid;                    ///< blocks of the tensor
    Shape block;                   ///< elements that one scale stands for
    Box box;                       ///< in the tensor
};

/// One member of an average.
struct AveragePart {
    Dtype dtype{};
    std::span<const std::byte> bytes;
    double weight = 1;
};

/// Where elements are computed: the processor's own kernels, or a device that the libtorch module
/// reaches. Every backend gives the same answers: casts, products and means to the last bit, counts
/// exactly, sums within what element_statistics.h states (a backend's own order of adding shows in
/// their last digits).
///
/// Called for many elements at a time, a MiB or more; blocks until the answer is there. Elements
/// are dense and little-endian; buffers are the caller's and must not overlap. Any thread; several
/// at a time work side by side. Fails: OutOfMemory, Unsupported with libtorch's own words; the
/// processor's never.
class ComputeBackend {
public:
    virtual ~ComputeBackend() = default;

    [[nodiscard]] virtual std::string_view device() const = 0; ///< "cpu", "cuda:0", "torch-cpu"

    /// castElements(). REQUIRES: canCast(from, to).
    virtual Result<void> cast(Dtype from, std::span<const std::byte> in, Dtype to,
                              std::span<std::byte> out) = 0;

    /// Elements [first, …) of the scales' box, widened to float32, multiplied there with their
    /// block's scale, and cast. REQUIRES: a float of at most 32 bits, and what castElements() makes
    /// of float32.
    virtual Result<void> dequantize(Dtype from, std::span<const std::byte> in,
                                    const BlockScales& scales, std::uint64_t first, Dtype to,
                                    std::span<std::byte> out) = 0;

    /// The weighted mean, summed in float64 in order, divided by the sum of the weights, and cast.
    /// REQUIRES: equally many elements of each part, with numbers.
    virtual Result<void> average(std::span<const AveragePart> parts, Dtype to,
                                 std::span<std::byte> out) = 0;

    /// Of any number of elements. REQUIRES: canMeasure(dtype).
    virtual Result<ElementStatistics> statistics(Dtype dtype, std::span<const std::byte> bytes) = 0;

    /// Of any number of elements. REQUIRES: canCompare(), canMeasure() of both.
    virtual Result<ElementComparison> compare(Dtype leftType, std::span<const std::byte> left,
                                              Dtype rightType, std::span<const std::byte> right,
                                              const Tolerance& tolerance) = 0;
};

using ComputeBackendPtr = std::shared_ptr<ComputeBackend>;

/// The kernels of this room. Always there; needs no set-up.
ComputeBackendPtr cpuBackend();

/// "cpu"; "cuda:N"; "torch-cpu", libtorch on the processor, which exists to be compared with the
/// other two. Opens the libtorch module for anything but "cpu": off the GUI thread.
/// Fails: InvalidArgument for what is not a device's name; as openTorchModule(); NotFound when
/// there is no such device, with what exists instead.
Result<ComputeBackendPtr> openBackend(std::string_view device);

} // namespace cairn
