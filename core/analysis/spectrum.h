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

/// What the singular values of a weight show, and how similar two weights are. Needs the libtorch
/// module; takes seconds for large matrices: shown on demand, never by itself.
namespace cairn {

/// A tensor of two dimensions or more is a matrix of its first dimension by all others.
struct MatrixShape {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

/// Nothing for vectors, scalars, empty tensors, and elements that are not real numbers.
std::optional<MatrixShape> matrixOf(const TensorEntry& tensor);

struct Spectrum {
    MatrixShape shape;
    std::vector<double> values; ///< singular values, falling; as many as the smaller side has

    [[nodiscard]] double largest() const;
    [[nodiscard]] double smallest() const;
    /// Largest by smallest; infinite when the smallest is zero, nothing when all are.
    [[nodiscard]] std::optional<double> condition() const;
    /// The exponential of the entropy of the values' shares of their sum (Roy and Vetterli 2007):
    /// how many directions count. 0 when all values are zero, like the next.
    [[nodiscard]] double effectiveRank() const;
    /// Sum of squares by the largest square (Rudelson and Vershynin 2007).
    [[nodiscard]] double stableRank() const;
};

struct MatrixOptions {
    CancelToken cancel;         ///< examined between blocks; the last step cannot be stopped
    std::string device = "cpu"; ///< "cpu" or "cuda:N", where libtorch computes
    std::atomic<std::uint64_t>* progress = nullptr; ///< bytes read so far are added to it
};

/// The smaller side of a matrix is at most this, which bounds memory (1.6 GiB) and time.
inline constexpr std::uint64_t kMaxMatrixSide = 8192;

/// Reads the tensor once, in blocks of 16 MiB. Any thread but the window's.
/// Fails: Unsupported for what is not a matrix, or is not finite; LimitExceeded above
/// kMaxMatrixSide; NotFound without the libtorch module; the errors of reading; Cancelled.
Result<Spectrum> tensorSpectrum(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                const MatrixOptions& options = {});

/// Linear CKA (Kornblith, Norouzi, Lee and Hinton 2019) of two weights of one shape, rows being
/// what is compared: 1 when a rotation of the inputs and one factor turn one into the other, about
/// 0 when they have nothing in common. Nothing when the rows of a side are all the same.
/// Fails besides: Unsupported for two shapes.
Result<std::optional<double>> layerSimilarity(const Checkpoint& left, const TensorEntry& leftTensor,
                                              const Checkpoint& right,
                                              const TensorEntry& rightTensor,
                                              const MatrixOptions& options = {});

} // namespace cairn
