// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/typed_index.h"
#include "core/model/dims.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn {

/// What an adapter does to one tensor of its base, in the words of PEFT. Tensor indices are those
/// of the adapter's checkpoint. With x and y as the tensor's last two indices, and e as its first
/// one if it has three:
///     LowRank  change[x, y] = scale × sum over k of B[firstOut + x, k] × A[k, firstIn + y]
///              where k counts the `rank` rows of A, and columns of B, of expert firstExpert + e;
///              `transposed` exchanges x and y
///     Vector   change[x] = scale × values[x]
///     Rows     the tensor's rows `rows` become those of `values`
///     Replace  the tensor becomes `values`
/// Elements are computed in float32. The products are added in the order of k, starting at zero:
/// fused (one rounding for each product and its addition) in blocks of lowRankBlock() that are then
/// added in order, or, for very thin matrices, with separately rounded products. That is what MKL
/// does, with which PEFT merges on a processor. The sum is rounded, then multiplied by `scale`,
/// then added to the tensor's element.
struct AdapterOperation {
    enum class Kind : std::uint8_t { LowRank, Vector, Rows, Replace };
    Kind kind = Kind::Replace;
    TensorIndex values; ///< LowRank: B [out, rank × experts]
    float scale = 1;

    TensorIndex factor; ///< A [experts × rank, in]; like all that follows for LowRank only
    std::int64_t rank = 1;
    std::int64_t experts = 1;     ///< products whose factors are joined in A and B
    std::int64_t firstExpert = 0; ///< of the tensor
    std::int64_t firstOut = 0;
    std::int64_t firstIn = 0;
    bool transposed = false;
    bool fused = true;
    bool rounds = false;        ///< the change is rounded to the tensor's dtype before it is added
    bool roundsFactors = false; ///< and A and B before they are multiplied
    /// DoRA: with V as the tensor before all adapters plus the change, the tensor is multiplied by
    /// magnitude[out] / |V[out, :]| after the addition.
    std::optional<TensorIndex> magnitude;

    std::vector<std::int64_t> rows; ///< of Rows
};

/// The weight of a convolution [out, in, height, width] counts as a matrix [out, in × height ×
/// width]: PEFT's product of its kernels is one of these matrices. Other shapes stay.
inline Shape asMatrix(const Shape& shape) {
    if (shape.size() < 4) {
        return shape;
    }
    std::int64_t inputs = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) {
        inputs *= shape[d];
    }
    return Shape{shape[0], inputs};
}

/// Up to this rank MKL has the same order of additions on AMD's and Intel's processors, with AVX2
/// and AVX-512; above, AVX-512 takes up to 384 products at a time.
inline constexpr std::int64_t kLongestChain = 192;

/// Products that are added in one chain. Found by comparison with MKL for ranks from 1 to 600.
inline std::int64_t lowRankBlock(std::int64_t rank) {
    return rank <= kLongestChain ? rank : rank <= 2 * kLongestChain ? rank / 2 : kLongestChain;
}

/// Whether MKL fuses the products of a matrix of this size.
inline bool fusesProducts(std::int64_t out, std::int64_t in) {
    return out >= 4 && in >= 11;
}

/// Whether oneDNN, with which torch multiplies the kernels of a convolution, fuses the products:
/// also above lowRankBlock() in one chain, up to rank 256.
inline bool fusesKernels(std::int64_t in) {
    return in >= 2;
}

/// The adapter's tensors that an operation reads.
inline std::vector<TensorIndex> operandsOf(const AdapterOperation& operation) {
    std::vector<TensorIndex> operands = {operation.values};
    if (operation.kind == AdapterOperation::Kind::LowRank) {
        operands.push_back(operation.factor);
    }
    if (operation.magnitude) {
        operands.push_back(*operation.magnitude);
    }
    return operands;
}

} // namespace cairn
