// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/spectrum.h"

#include "core/analysis/dequantized.h"
#include "core/analysis/tensor_pass.h"
#include "core/compute/torch_matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cairn {
namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{16} << 20U;

Result<MatrixShape> checkMatrix(const TensorEntry& tensor) {
    const auto shape = matrixOf(tensor);
    if (!shape) {
        return fail(ErrorCode::Unsupported, "The tensor is not a numeric matrix")
            .inTensor(tensor.name)
            .butFound(sentence("%1 %2", dtypeName(tensor.dtype), formatDims(tensor.shape)))
            .expecting("two or more dimensions of real numbers");
    }
    if (std::min(shape->rows, shape->columns) > kMaxMatrixSide) {
        return fail(ErrorCode::LimitExceeded,
                    "The matrix is too large to compute its singular values")
            .inTensor(tensor.name)
            .butFound(sentence("%1 x %2", shape->rows, shape->columns))
            .expecting(sentence("at most this many rows or columns: %1", kMaxMatrixSide));
    }
    return *shape;
}

/// Reads a tensor as blocks of its matrix.
class MatrixReader {
public:
    static Result<MatrixReader> open(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                     const MatrixShape& shape) {
        CAIRN_TRY(TensorReader reader, TensorReader::open(checkpoint, tensor));
        CAIRN_CHECK(checkExpansion(tensor, reader));
        return MatrixReader(tensor, shape, std::move(reader));
    }

    [[nodiscard]] std::uint64_t elementBytes() const { return m_reader.elementBytes(); }

    /// Complete rows [first, first + count).
    Result<std::span<const std::byte>> rows(std::uint64_t first, std::uint64_t count) {
        const std::uint64_t line = m_shape.columns * elementBytes();
        return read(Box::whole(m_tensor->shape), first * line, count * line, 0);
    }

    /// Complete columns [first, first + count) of a two-dimensional tensor, as [rows, count].
    Result<std::span<const std::byte>> columns(std::uint64_t first, std::uint64_t count) {
        if (m_tensor->shape.size() == 2) {
            Box box = Box::whole(m_tensor->shape);
            box.origin[1] = static_cast<std::int64_t>(first);
            box.extent[1] = static_cast<std::int64_t>(count);
            return read(box, 0, m_shape.rows * count * elementBytes(), 0);
        }
        const std::uint64_t line =
            count * elementBytes(); // part of a row is not a box: read row by row
        std::span<const std::byte> all;
        for (std::uint64_t row = 0; row < m_shape.rows; ++row) {
            CAIRN_TRY(all,
                      read(Box::whole(m_tensor->shape),
                           (row * m_shape.columns + first) * elementBytes(), line, row * line));
        }
        return std::span<const std::byte>(m_buffer.bytes)
            .first(static_cast<std::size_t>(m_shape.rows * line));
    }

    Result<void> checkUnchanged() const { return cairn::checkUnchanged(m_reader); }

private:
    MatrixReader(const TensorEntry& tensor, const MatrixShape& shape, TensorReader reader)
        : m_tensor(&tensor), m_shape(shape), m_reader(std::move(reader)) {}

    Result<std::span<const std::byte>> read(const Box& box, std::uint64_t first,
                                            std::uint64_t length, std::uint64_t to) {
        const auto size = static_cast<std::size_t>(to + length);
        m_buffer.bytes.resize(std::max(m_buffer.bytes.size(), size));
        const auto bytes =
            std::span(m_buffer.bytes)
                .subspan(static_cast<std::size_t>(to), static_cast<std::size_t>(length));
        CAIRN_CHECK(m_reader.readBytes(box, first, bytes, m_buffer.scratch));
        return std::span<const std::byte>(bytes);
    }

    const TensorEntry* m_tensor;
    MatrixShape m_shape;
    TensorReader m_reader;
    PassBuffer m_buffer;
};

/// Calls `work(first, count)` for blocks of complete rows or columns.
template <class Work>
Result<void> eachBlock(const MatrixShape& shape, bool byColumns, std::uint64_t elementBytes,
                       const MatrixOptions& options, const Work& work) {
    const std::uint64_t lines = byColumns ? shape.columns : shape.rows;
    const std::uint64_t line = (byColumns ? shape.rows : shape.columns) * elementBytes;
    const std::uint64_t step = std::max<std::uint64_t>(1, kBlockBytes / line);
    for (std::uint64_t first = 0; first < lines; first += step) {
        CAIRN_CHECK(options.cancel.check());
        const std::uint64_t count = std::min(step, lines - first);
        CAIRN_CHECK(work(first, count));
        if (options.progress != nullptr) {
            options.progress->fetch_add(count * line, std::memory_order_relaxed);
        }
    }
    return options.cancel.check();
}

Error inTensor(Error error, const TensorEntry& tensor) {
    error.where.tensor = error.where.tensor.empty() ? tensor.name : error.where.tensor;
    return error;
}

Result<std::vector<double>> singularValues(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                           const MatrixShape& shape, const MatrixOptions& options) {
    CAIRN_TRY(TorchSpectrum spectrum,
              TorchSpectrum::open(options.device, shape.rows, shape.columns));
    CAIRN_TRY(MatrixReader reader, MatrixReader::open(checkpoint, tensor, shape));
    CAIRN_CHECK(eachBlock(shape, spectrum.byColumns(), reader.elementBytes(), options,
                          [&](std::uint64_t first, std::uint64_t count) -> Result<void> {
                              CAIRN_TRY(const auto block, spectrum.byColumns()
                                                              ? reader.columns(first, count)
                                                              : reader.rows(first, count));
                              return spectrum.add(tensor.dtype, block);
                          }));
    CAIRN_CHECK(reader.checkUnchanged());
    return spectrum.finish();
}

Result<double> similarityOf(const Checkpoint& left, const TensorEntry& leftTensor,
                            const Checkpoint& right, const TensorEntry& rightTensor,
                            const MatrixShape& shape, const MatrixOptions& options) {
    CAIRN_TRY(TorchSimilarity similarity,
              TorchSimilarity::open(options.device, shape.rows, shape.columns));
    CAIRN_TRY(MatrixReader leftReader, MatrixReader::open(left, leftTensor, shape));
    CAIRN_TRY(MatrixReader rightReader, MatrixReader::open(right, rightTensor, shape));
    const bool byColumns = similarity.byColumns();
    const auto blockOf = [&](MatrixReader& reader, std::uint64_t first, std::uint64_t count) {
        return byColumns ? reader.columns(first, count) : reader.rows(first, count);
    };
    CAIRN_CHECK(eachBlock(shape, byColumns,
                          std::max(leftReader.elementBytes(), rightReader.elementBytes()), options,
                          [&](std::uint64_t first, std::uint64_t count) -> Result<void> {
                              CAIRN_TRY(const auto l, blockOf(leftReader, first, count));
                              CAIRN_TRY(const auto r, blockOf(rightReader, first, count));
                              return similarity.add(leftTensor.dtype, l, rightTensor.dtype, r);
                          }));
    CAIRN_CHECK(leftReader.checkUnchanged());
    CAIRN_CHECK(rightReader.checkUnchanged());
    return similarity.finish();
}

} // namespace

std::optional<MatrixShape> matrixOf(const TensorEntry& tensor) {
    const bool numbers = hasSpectrum(tensor.dtype) || dtypeInfo(tensor.dtype).isBlock();
    if (!numbers || tensor.shape.size() < 2 || tensor.elements() == 0) {
        return std::nullopt;
    }
    const auto rows = static_cast<std::uint64_t>(tensor.shape[0]);
    return MatrixShape{rows, tensor.elements() / rows};
}

double Spectrum::largest() const {
    return values.empty() ? 0.0 : values.front();
}

double Spectrum::smallest() const {
    return values.empty() ? 0.0 : values.back();
}

std::optional<double> Spectrum::condition() const {
    if (!(largest() > 0)) {
        return std::nullopt;
    }
    return smallest() > 0 ? largest() / smallest() : std::numeric_limits<double>::infinity();
}

double Spectrum::effectiveRank() const {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    if (!(sum > 0)) {
        return 0;
    }
    double entropy = 0;
    for (const double value : values) {
        const double share = value / sum;
        entropy -= share > 0 ? share * std::log(share) : 0.0;
    }
    return std::exp(entropy);
}

double Spectrum::stableRank() const {
    if (!(largest() > 0)) {
        return 0;
    }
    double sum = 0;
    for (const double value : values) {
        const double share = value / largest();
        sum += share * share;
    }
    return sum;
}

Result<Spectrum> tensorSpectrum(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                const MatrixOptions& options) {
    CAIRN_TRY(const MatrixShape shape, checkMatrix(tensor));
    const TensorNumbers numbers(checkpoint, tensor);
    auto values = singularValues(numbers.checkpoint(), numbers.tensor(), shape, options);
    if (!values) {
        return inTensor(std::move(values).error(), tensor);
    }
    return Spectrum{shape, std::move(*values)};
}

Result<std::optional<double>> layerSimilarity(const Checkpoint& left, const TensorEntry& leftTensor,
                                              const Checkpoint& right,
                                              const TensorEntry& rightTensor,
                                              const MatrixOptions& options) {
    CAIRN_TRY(const MatrixShape shape, checkMatrix(leftTensor));
    CAIRN_TRY(const MatrixShape other, checkMatrix(rightTensor));
    if (shape.rows != other.rows || shape.columns != other.columns) {
        return fail(ErrorCode::Unsupported, "Only weights of the same shape can be compared")
            .inTensor(leftTensor.name)
            .butFound(
                sentence("%1 and %2", formatDims(leftTensor.shape), formatDims(rightTensor.shape)));
    }
    const TensorNumbers l(left, leftTensor);
    const TensorNumbers r(right, rightTensor);
    auto cka = similarityOf(l.checkpoint(), l.tensor(), r.checkpoint(), r.tensor(), shape, options);
    if (!cka) {
        return inTensor(std::move(cka).error(), leftTensor);
    }
    return std::isnan(*cka) ? std::nullopt : std::optional(*cka);
}

} // namespace cairn
