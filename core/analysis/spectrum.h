// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Singular values of a weight, and the similarity of two weights. Needs the libtorch module; takes
/// seconds for large matrices, so it is only computed on request.
namespace cairn {

/// A tensor of two or more dimensions as a matrix of its first dimension by all others.
struct MatrixShape {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

/// Empty for vectors, scalars, empty tensors, and elements that are not real numbers.
std::optional<MatrixShape> matrixOf(const TensorEntry& tensor);

struct Spectrum {
    MatrixShape shape;
    std::vector<double>
        values; ///< singular values in descending order; as many as the smaller side

    [[nodiscard]] double largest() const;
    [[nodiscard]] double smallest() const;
    /// Largest divided by smallest; infinite if the smallest is zero, empty if all are.
    [[nodiscard]] std::optional<double> condition() const;
    /// The exponential of the entropy of the normalized values (Roy and Vetterli 2007): the number
    /// of significant directions. 0 if all values are zero, like the next.
    [[nodiscard]] double effectiveRank() const;
    /// Sum of squares divided by the largest square (Rudelson and Vershynin 2007).
    [[nodiscard]] double stableRank() const;
};

struct MatrixOptions {
    CancelToken cancel;         ///< checked between blocks; the last step cannot be stopped
    std::string device = "cpu"; ///< "cpu" or "cuda:N": where libtorch computes
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes read
};

/// Limit for the smaller side of a matrix, which limits memory (1.6 GiB) and time.
inline constexpr std::uint64_t kMaxMatrixSide = 8192;

/// Reads the tensor once, in blocks of 16 MiB. Any thread except the GUI thread. Fails: Unsupported
/// for a tensor that is not a matrix, or is not finite; LimitExceeded above kMaxMatrixSide;
/// NotFound without the libtorch module; the errors of reading; Cancelled.
Result<Spectrum> tensorSpectrum(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                const MatrixOptions& options = {});

/// Linear CKA (Kornblith, Norouzi, Lee and Hinton 2019) of two weights of the same shape, comparing
/// their rows: 1 if a rotation of the inputs and one factor turn one into the other, about 0 if
/// they are unrelated. Empty if all rows of a side are equal. Fails also with: Unsupported for
/// different shapes.
Result<std::optional<double>> layerSimilarity(const Checkpoint& left, const TensorEntry& leftTensor,
                                              const Checkpoint& right,
                                              const TensorEntry& rightTensor,
                                              const MatrixOptions& options = {});

} // namespace cairn
