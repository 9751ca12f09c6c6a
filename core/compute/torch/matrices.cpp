// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::torch_lane {
namespace {

/// Fold at least as many rows at once as there are columns; otherwise the triangle is processed
/// more often than the rows.
constexpr std::int64_t kLeastRows = 256;

at::Tensor matrixOn(at::Device device, const CairnElements& in, std::int64_t rows,
                    std::int64_t columns) {
    TORCH_CHECK(!isComplex(in.kind), "complex matrices are not supported");
    auto* bytes = const_cast<void*>(in.data);
    const at::Tensor here = at::from_blob(bytes, {rows * columns}, storedType(in.kind));
    const at::Tensor values = asDoubles({here.to(device), tableOn(in.table, device), in.kind});
    TORCH_CHECK(at::isfinite(values).all().item<bool>(), "the matrix has non-finite elements");
    // Copies even if the elements already are float64 on the processor: the caller reuses its
    // buffer.
    return values.view({rows, columns}).clone();
}

double innerProduct(const at::Tensor& a, const at::Tensor& b) {
    return (a * b).sum().item<double>();
}

} // namespace

Spectrum::Spectrum(at::Device device, std::int64_t columns) : m_device(device), m_columns(columns) {
    TORCH_CHECK(columns > 0, "a matrix without columns");
}

void Spectrum::addRows(const CairnElements& in, std::int64_t rows) {
    add(matrixOn(m_device, in, rows, m_columns));
}

void Spectrum::addTransposed(const CairnElements& in, std::int64_t width) {
    add(matrixOn(m_device, in, m_columns, width).t());
}

void Spectrum::add(const at::Tensor& rows) {
    m_waiting.push_back(rows);
    m_waitingRows += rows.size(0);
    if (m_waitingRows >= std::max(m_columns, kLeastRows)) {
        fold();
    }
}

void Spectrum::fold() {
    if (m_triangle.defined()) {
        m_waiting.insert(m_waiting.begin(), m_triangle);
    }
    const at::Tensor stacked = m_waiting.size() == 1 ? m_waiting[0] : at::cat(m_waiting, 0);
    m_waiting.clear();
    m_waitingRows = 0;
    m_triangle = std::get<1>(at::linalg_qr(stacked, "r"));
}

std::vector<double> Spectrum::finish() {
    if (m_waitingRows > 0) {
        fold();
    }
    TORCH_CHECK(m_triangle.defined(), "a matrix without rows");
    // CUDA's default is Jacobi's method, which is less accurate (an error of 1e-12 of the largest
    // value for 4096 columns, gesvd 4e-15) and takes four times as long (H200, libtorch 2.11).
    const at::Tensor found = m_device.is_cuda() ? at::linalg_svdvals(m_triangle, "gesvd")
                                                : at::linalg_svdvals(m_triangle);
    const at::Tensor values = found.to(at::kCPU).contiguous();
    const auto* first = values.data_ptr<double>();
    return {first, first + values.numel()};
}

Similarity::Similarity(at::Device device, bool byColumns, std::int64_t rows,
                       std::int64_t leftColumns, std::int64_t rightColumns)
    : m_device(device), m_byColumns(byColumns), m_rows(rows), m_leftColumns(leftColumns),
      m_rightColumns(rightColumns) {
    TORCH_CHECK(rows > 0 && leftColumns > 0 && rightColumns > 0, "a matrix without elements");
    const auto options = at::TensorOptions().dtype(at::kDouble).device(device);
    const std::int64_t leftSide = byColumns ? rows : leftColumns;
    const std::int64_t rightSide = byColumns ? rows : rightColumns;
    m_leftProduct = at::zeros({leftSide, leftSide}, options);
    m_rightProduct = at::zeros({rightSide, rightSide}, options);
    if (!byColumns) {
        m_crossProduct = at::zeros({leftColumns, rightColumns}, options);
        m_leftSum = at::zeros({1, leftColumns}, options);
        m_rightSum = at::zeros({1, rightColumns}, options);
    }
}

void Similarity::add(const CairnElements& left, std::int64_t leftCount, const CairnElements& right,
                     std::int64_t rightCount) {
    if (m_byColumns) {
        addColumns(matrixOn(m_device, left, m_rows, leftCount),
                   matrixOn(m_device, right, m_rows, rightCount));
    } else {
        TORCH_CHECK(leftCount == rightCount, "both sides must add the same number of rows");
        addRows(matrixOn(m_device, left, leftCount, m_leftColumns),
                matrixOn(m_device, right, rightCount, m_rightColumns));
    }
}

void Similarity::addColumns(at::Tensor left, at::Tensor right) {
    left -= left.mean(0, true);
    right -= right.mean(0, true);
    m_leftProduct.addmm_(left, left.t());
    m_rightProduct.addmm_(right, right.t());
    m_rowsSoFar = m_rows;
}

void Similarity::addRows(at::Tensor left, at::Tensor right) {
    if (m_rowsSoFar == 0) {
        m_leftPivot = left.mean(0, true);
        m_rightPivot = right.mean(0, true);
    }
    m_rowsSoFar += left.size(0);
    left -= m_leftPivot;
    right -= m_rightPivot;
    m_leftSum += left.sum(0, true);
    m_rightSum += right.sum(0, true);
    m_leftProduct.addmm_(left.t(), left);
    m_rightProduct.addmm_(right.t(), right);
    m_crossProduct.addmm_(left.t(), right);
}

double Similarity::finish() {
    TORCH_CHECK(m_rowsSoFar == m_rows, m_rowsSoFar, " rows of ", m_rows);
    double cross = 0;
    if (m_byColumns) {
        cross = innerProduct(m_leftProduct, m_rightProduct);
    } else {
        const double share = 1.0 / static_cast<double>(m_rows);
        m_leftProduct.addmm_(m_leftSum.t(), m_leftSum, 1, -share);
        m_rightProduct.addmm_(m_rightSum.t(), m_rightSum, 1, -share);
        m_crossProduct.addmm_(m_leftSum.t(), m_rightSum, 1, -share);
        cross = innerProduct(m_crossProduct, m_crossProduct);
    }
    const double left = std::sqrt(innerProduct(m_leftProduct, m_leftProduct));
    const double right = std::sqrt(innerProduct(m_rightProduct, m_rightProduct));
    if (!(left > 0) || !(right > 0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::clamp(cross / left / right, 0.0, 1.0);
}

} // namespace cairn::torch_lane
