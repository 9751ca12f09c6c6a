// SPDX-License-Identifier: Apache-2.0
//
// Rows are read in bands that share their scales: 128 rows for square blocks, else up to eight. A
// band is read in tiles of at most kTileElements elements, which are complete blocks. If a scale
// needs more than a tile, the largest magnitudes are found in a pass of their own.
#include "core/jobs/prepare/precision_preview.h"

#include "core/jobs/elements/segment_reader.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::int64_t kTileElements = std::int64_t{1} << 20U; ///< elements
constexpr std::int64_t kBandRows = 8;                          ///< rows
constexpr std::int64_t kColumnUnit = 256; ///< columns; a multiple of every block and of kSquareSide

struct RowBand {
    std::int64_t first = 0; ///< row
    std::int64_t rows = 0;
};

/// The bands of a tensor that are read. No band contains rows of two matrices.
struct Sample {
    std::vector<RowBand> bands;
    std::int64_t columns = 0; ///< of each row, from the first
};

Sample sampleOf(const Shape& shape, const Precision& precision, std::uint64_t budget) {
    const std::int64_t columns = shape[shape.size() - 1];
    const std::int64_t inner = shape.size() > 1 ? shape[shape.size() - 2] : 1;
    const auto rows = static_cast<std::int64_t>(elementCount(shape).value_or(0) /
                                                static_cast<std::uint64_t>(columns));
    const bool isSquare = precision.scales == ScaleGroup::Square;
    const auto allowed =
        static_cast<std::int64_t>(std::min<std::uint64_t>(budget, std::uint64_t{1} << 40U));
    Sample sample;
    sample.columns =
        isSquare
            ? std::min(columns,
                       std::max(allowed / kSquareSide / kColumnUnit, std::int64_t{1}) * kColumnUnit)
            : columns;
    const std::int64_t wanted = std::clamp(allowed / sample.columns, std::int64_t{1}, kPreviewRows);
    const std::int64_t height = isSquare ? kSquareSide : std::min({kBandRows, wanted, inner});
    const std::int64_t perMatrix = (inner + height - 1) / height;
    const std::int64_t all = rows / inner * perMatrix;
    const std::int64_t count = std::clamp(wanted / height, std::int64_t{1}, all);
    for (std::int64_t i = 0; i < count; ++i) {
        // i * all / count without overflow
        const std::int64_t band = all / count * i + all % count * i / count;
        const std::int64_t inside = band % perMatrix * height;
        sample.bands.push_back(
            {band / perMatrix * inner + inside, std::min(height, inner - inside)});
    }
    return sample;
}

/// The box of a band's columns [first, first + count).
Box boxOf(const Shape& shape, const RowBand& band, std::int64_t first, std::int64_t count) {
    Box box = Box::whole(shape);
    const std::size_t last = shape.size() - 1;
    box.origin[last] = first;
    box.extent[last] = count;
    std::int64_t row = band.first;
    for (std::size_t d = last; d-- > 0;) {
        box.origin[d] = row % shape[d];
        box.extent[d] = d + 1 == last ? band.rows : 1;
        row /= shape[d];
    }
    return box;
}

class TensorPreview {
public:
    TensorPreview(const CopyPlan& plan, const PlannedPrecision::Tensor& tensor,
                  std::uint64_t budget)
        : m_plan(plan), m_tensor(plan.source->tensor(tensor.source)), m_index(tensor.source),
          m_precision(*plan.precision->precision), m_requantizer(m_precision, tensor.dtype),
          m_sample(sampleOf(m_tensor.shape, m_precision, budget)) {}

    Result<void> run(TensorPrecision& out, const CancelToken& cancel) {
        const Shape& shape = m_tensor.shape;
        out.columns = shape[shape.size() - 1];
        out.rows = static_cast<std::int64_t>(m_tensor.elements()) / out.columns;
        out.columnsSampled = m_sample.columns;
        if (m_precision.scales == ScaleGroup::Tensor) {
            for (const RowBand& band : m_sample.bands) {
                CAIRN_CHECK(cancel.check());
                CAIRN_CHECK(findLargest(band));
                m_largest = std::max(m_largest, *std::ranges::max_element(m_largestOfRow));
            }
        }
        m_worst = -1;
        for (const RowBand& band : m_sample.bands) {
            CAIRN_CHECK(cancel.check());
            CAIRN_CHECK(measure(band, out));
        }
        return {};
    }

private:
    template <class Use> Result<void> eachTile(const RowBand& band, Use use) {
        const std::int64_t fitting =
            std::max(kTileElements / band.rows / kColumnUnit, std::int64_t{1}) * kColumnUnit;
        for (std::int64_t at = 0; at < m_sample.columns; at += fitting) {
            const std::int64_t columns = std::min(fitting, m_sample.columns - at);
            const auto count = static_cast<std::size_t>(columns * band.rows);
            m_values.resize(count);
            TensorSegment segment;
            segment.length = count * sizeof(float);
            segment.source = m_index;
            segment.box = boxOf(m_tensor.shape, band, at, columns);
            segment.dtype = Dtype::Float32;
            CAIRN_TRY(SegmentReader reader, SegmentReader::open(m_plan, segment, *m_backend));
            CAIRN_CHECK(reader.read(0, std::as_writable_bytes(std::span(m_values)), m_scratch));
            use(columns);
        }
        return {};
    }

    [[nodiscard]] std::span<const float> row(std::int64_t number, std::int64_t columns) const {
        return std::span(m_values).subspan(static_cast<std::size_t>(number * columns),
                                           static_cast<std::size_t>(columns));
    }

    Result<void> findLargest(const RowBand& band) {
        m_largestOfRow.assign(static_cast<std::size_t>(band.rows), 0);
        return eachTile(band, [&](std::int64_t columns) {
            for (std::int64_t i = 0; i < band.rows; ++i) {
                float& largest = m_largestOfRow[static_cast<std::size_t>(i)];
                largest = std::max(largest, largestFinite(row(i, columns)));
            }
        });
    }

    Result<void> measure(const RowBand& band, TensorPrecision& out) {
        if (m_precision.scales == ScaleGroup::Row) {
            CAIRN_CHECK(findLargest(band));
        }
        std::vector<QuantizationError> rows(static_cast<std::size_t>(band.rows));
        CAIRN_CHECK(eachTile(band, [&](std::int64_t columns) { measureTile(columns, rows); }));
        for (std::int64_t i = 0; i < band.rows; ++i) {
            const QuantizationError& error = rows[static_cast<std::size_t>(i)];
            out.error.add(error);
            if (error.rmse() > m_worst) {
                m_worst = error.rmse();
                out.worstRow = band.first + i;
                out.worstRmse = m_worst;
            }
        }
        out.rowsSampled += band.rows;
        return {};
    }

    void measureTile(std::int64_t columns, std::vector<QuantizationError>& rows) {
        const bool isSquare = m_precision.scales == ScaleGroup::Square;
        const std::int64_t width = isSquare ? kSquareSide : columns;
        for (std::int64_t at = 0; at < columns; at += width) {
            const auto first = static_cast<std::size_t>(at);
            const auto count = static_cast<std::size_t>(std::min(width, columns - at));
            float square = 0;
            for (std::size_t i = 0; isSquare && i < rows.size(); ++i) {
                const auto values = row(static_cast<std::int64_t>(i), columns);
                square = std::max(square, largestFinite(values.subspan(first, count)));
            }
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const float largest = isSquare                                ? square
                                      : m_precision.scales == ScaleGroup::Row ? m_largestOfRow[i]
                                                                              : m_largest;
                const float scale =
                    m_precision.inBlocks() ? 1 : quantizationScale(m_precision, largest);
                const auto values = row(static_cast<std::int64_t>(i), columns);
                rows[i].add(m_requantizer.measure(values.subspan(first, count), scale));
            }
        }
    }

    const CopyPlan& m_plan;
    const TensorEntry& m_tensor;
    TensorIndex m_index;
    const Precision& m_precision;
    Requantizer m_requantizer;
    Sample m_sample;
    ComputeBackendPtr m_backend = cpuBackend();
    SegmentReader::Scratch m_scratch;
    std::vector<float> m_values; ///< of the current tile
    std::vector<float> m_largestOfRow;
    float m_largest = 0; ///< of all samples
    double m_worst = -1;
};

} // namespace

Result<PrecisionPreview> previewPrecision(const CopyPlan& plan, const CancelToken& cancel) {
    PrecisionPreview preview;
    const std::vector<PlannedPrecision::Tensor>& tensors = plan.precision->tensors;
    const std::uint64_t budget = kPreviewElements / std::max<std::size_t>(tensors.size(), 1);
    for (const PlannedPrecision::Tensor& tensor : tensors) {
        TensorPrecision& out = preview.tensors.emplace_back();
        out.name = tensor.name;
        out.dtype = tensor.dtype;
        out.bytes = tensor.bytes;
        out.sourceBytes = plan.source->tensor(tensor.source).bytes();
        TensorPreview measured(plan, tensor, budget);
        if (const auto done = measured.run(out, cancel); !done) {
            CAIRN_CHECK(cancel.check());
            out.failure = done.error().message.text();
        }
        preview.error.add(out.error);
    }
    return preview;
}

} // namespace cairn
