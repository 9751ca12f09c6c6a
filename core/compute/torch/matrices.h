// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/torch/elements.h"
#include "core/compute/torch/module_api.h"

#include <cstdint>
#include <vector>

/// Linear algebra, all in float64; module_api.h describes the results and the memory. Throw
/// c10::Error, also if an element is not finite.
namespace cairn::torch_lane {

/// Singular values of a tall matrix whose rows arrive in blocks.
///
/// The triangular factors of the blocks are folded into one (sequential TSQR; Demmel, Grigori,
/// Hoemmen and Langou 2012): [R; block] = Q R', and R' has the singular values of all rows so far.
/// Only orthogonal steps are used, so the small values are as accurate as those of the complete
/// matrix, unlike the square roots of a Gram matrix's eigenvalues.
class Spectrum {
public:
    Spectrum(at::Device device, std::int64_t columns);
    void addRows(const CairnElements& in, std::int64_t rows);
    /// A block of the transpose: [columns, width].
    void addTransposed(const CairnElements& in, std::int64_t width);
    std::vector<double> finish();

private:
    void add(const at::Tensor& rows);
    void fold();

    at::Device m_device;
    std::int64_t m_columns;
    std::vector<at::Tensor> m_waiting; ///< rows that are not folded yet
    std::int64_t m_waitingRows = 0;
    at::Tensor m_triangle; ///< undefined before the first block
};

/// Linear CKA of two matrices with the same number of rows (Kornblith, Norouzi, Lee and Hinton
/// 2019):
/// |Y'X|² / (|X'X| |Y'Y|) in the Frobenius norm, with centred columns. It is 1 if a rotation or
/// reflection of the columns and one factor turn one side into the other.
///
/// For blocks of columns it adds up the products XX' and YY', which give the same number: <XX',
/// YY'> / (|XX'| |YY'|). For blocks of rows it adds up X'X, Y'Y and X'Y, as distances from the
/// first block's mean, which is corrected at the end.
class Similarity {
public:
    Similarity(at::Device device, bool byColumns, std::int64_t rows, std::int64_t leftColumns,
               std::int64_t rightColumns);
    void add(const CairnElements& left, std::int64_t leftCount, const CairnElements& right,
             std::int64_t rightCount);
    double finish();

private:
    void addColumns(at::Tensor left, at::Tensor right);
    void addRows(at::Tensor left, at::Tensor right);

    at::Device m_device;
    bool m_byColumns;
    std::int64_t m_rows;
    std::int64_t m_leftColumns;
    std::int64_t m_rightColumns;
    at::Tensor m_leftProduct;
    at::Tensor m_rightProduct;
    at::Tensor m_crossProduct; ///< for blocks of rows
    at::Tensor m_leftPivot;
    at::Tensor m_rightPivot;
    at::Tensor m_leftSum; ///< sums of distances from the pivots
    at::Tensor m_rightSum;
    std::int64_t m_rowsSoFar = 0;
};

} // namespace cairn::torch_lane
