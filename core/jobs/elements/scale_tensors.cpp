// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/scale_tensors.h"

#include "core/compute/cast.h"
#include "core/compute/quantization_error.h"
#include "core/jobs/elements/plain_cast.h"
#include "core/jobs/elements/plain_quantize.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <utility>

namespace cairn {
namespace {

constexpr std::int64_t kScanned = std::int64_t{1} << 18U; ///< elements that are read at a time
constexpr std::size_t kKeptScales = 16;                   ///< scales of as many weights

/// The largest magnitude of each group of a matrix, fed with tiles that contain whole rows or whole
/// squares' columns.
class Largest {
public:
    Largest(ScaleGroup scales, const Shape& matrix)
        : m_scales(scales), m_grid(scaleGrid(scales, matrix)),
          m_values(static_cast<std::size_t>(m_grid[0] * m_grid[1]), 0.0F) {}

    /// Elements of one row, from column `first` on.
    void add(std::int64_t row, std::int64_t first, std::span<const float> values) {
        if (m_scales != ScaleGroup::Square) {
            raise(m_scales == ScaleGroup::Row ? row : 0, largestFinite(values));
            return;
        }
        for (std::size_t at = 0; at < values.size();) {
            const std::int64_t column = first + static_cast<std::int64_t>(at);
            const auto left = static_cast<std::size_t>(kSquareSide - column % kSquareSide);
            const std::size_t count = std::min(left, values.size() - at);
            raise(row / kSquareSide * m_grid[1] + column / kSquareSide,
                  largestFinite(values.subspan(at, count)));
            at += count;
        }
    }

    std::vector<float> scales(const Precision& precision) && {
        for (float& value : m_values) {
            value = quantizationScale(precision, value);
        }
        return std::move(m_values);
    }

private:
    void raise(std::int64_t group, float value) {
        float& largest = m_values[static_cast<std::size_t>(group)];
        largest = std::max(largest, value);
    }

    ScaleGroup m_scales;
    Shape m_grid;
    std::vector<float> m_values;
};

/// Passes the elements of a matrix in tiles, as they are stored.
template <class Take>
Result<void> readTiles(const Checkpoint& source, const TensorEntry& weight, const Take& take) {
    CAIRN_TRY(const TensorReader reader, TensorReader::open(source, weight));
    const std::int64_t rows = weight.shape[0];
    const std::int64_t columns = weight.shape[1];
    const std::int64_t width = std::min(columns, kScanned);
    const std::int64_t height = std::max<std::int64_t>(kScanned / width, 1);
    TensorReader::Scratch scratch;
    std::vector<std::byte> bytes;
    for (std::int64_t row = 0; row < rows; row += height) {
        for (std::int64_t column = 0; column < columns; column += width) {
            const Box box{{row, column},
                          {std::min(height, rows - row), std::min(width, columns - column)}};
            const auto count = static_cast<std::size_t>(box.extent[0] * box.extent[1]);
            bytes.resize(count * static_cast<std::size_t>(reader.elementBytes()));
            CAIRN_CHECK(reader.readBox(box, bytes, scratch));
            take(box, std::span<const std::byte>(bytes));
        }
    }
    return {};
}

/// Calls `take` for the part of each row that is in a tile.
template <class Take>
void forRows(const Box& tile, std::span<const float> values, const Take& take) {
    const auto extent = static_cast<std::size_t>(tile.extent[1]);
    for (std::int64_t i = 0; i < tile.extent[0]; ++i) {
        take(tile.origin[0] + i, tile.origin[1],
             values.subspan(static_cast<std::size_t>(i) * extent, extent));
    }
}

using Scales = Result<std::vector<float>>;

Scales computeScales(const Checkpoint& source, const TensorEntry& weight,
                     const Precision& precision) {
    Largest largest(precision.scales, weight.shape);
    std::vector<float> values;
    CAIRN_CHECK(readTiles(source, weight, [&](const Box& tile, std::span<const std::byte> bytes) {
        values.resize(static_cast<std::size_t>(tile.extent[0] * tile.extent[1]));
        if (weight.dtype == Dtype::Float64) {
            castElements(weight.dtype, bytes, Dtype::Float32,
                         std::as_writable_bytes(std::span(values)));
        } else {
            widenElements(weight.dtype, bytes, values);
        }
        forRows(tile, values, [&](std::int64_t row, std::int64_t column, auto part) {
            largest.add(row, column, part);
        });
    }));
    return std::move(largest).scales(precision);
}

Scales computeScalesPlainly(const Checkpoint& source, const TensorEntry& weight,
                            const Precision& precision) {
    const Shape grid = scaleGrid(precision.scales, weight.shape);
    std::vector<std::uint32_t> largest(static_cast<std::size_t>(grid[0] * grid[1]), 0);
    std::vector<float> values;
    CAIRN_CHECK(readTiles(source, weight, [&](const Box& tile, std::span<const std::byte> bytes) {
        values.resize(static_cast<std::size_t>(tile.extent[0] * tile.extent[1]));
        const auto floats = std::as_writable_bytes(std::span(values));
        if (weight.dtype == Dtype::Float32) {
            std::ranges::copy(bytes, floats.begin());
        } else {
            castPlainly(weight.dtype, bytes, Dtype::Float32, floats);
        }
        forRows(tile, values, [&](std::int64_t row, std::int64_t column, auto part) {
            raiseLargest(precision.scales, weight.shape, row, column, part, largest);
        });
    }));
    std::vector<float> scales(largest.size());
    std::ranges::transform(largest, scales.begin(),
                           [&](std::uint32_t most) { return plainScale(precision.largest, most); });
    return scales;
}

using ComputeScales = Scales (*)(const Checkpoint&, const TensorEntry&, const Precision&);

/// Keeps the scales that were computed last.
class RecentScales {
public:
    void keep(ByteSourcePtr scales) {
        const std::scoped_lock lock(m_mutex);
        m_recent.push_back(std::move(scales));
        if (m_recent.size() > kKeptScales) {
            m_recent.pop_front();
        }
    }

private:
    std::mutex m_mutex;
    std::deque<ByteSourcePtr> m_recent;
};

class ScaleCodec final : public PieceCodec {
public:
    ScaleCodec(CheckpointPtr source, const Precision& precision, TensorIndex weight,
               ComputeScales compute, std::shared_ptr<RecentScales> recent)
        : m_source(std::move(source)), m_precision(precision), m_weight(weight), m_compute(compute),
          m_recent(std::move(recent)) {}

    std::string_view name() const override { return "scales"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& /*piece*/) const override {
        const std::scoped_lock lock(m_mutex);
        LocatedPiece located;
        located.source = m_scales.lock();
        if (located.source == nullptr) {
            CAIRN_TRY(const auto scales,
                      m_compute(*m_source, m_source->tensor(m_weight), m_precision));
            const auto bytes = std::as_bytes(std::span(scales));
            located.source = makeMemorySource({bytes.begin(), bytes.end()}, file->name());
            m_scales = located.source;
            m_recent->keep(located.source);
        }
        located.bytes = {0, tensor.elements() * sizeof(float)};
        return located;
    }

private:
    CheckpointPtr m_source;
    const Precision& m_precision; ///< a row of the table
    TensorIndex m_weight;
    ComputeScales m_compute;
    std::shared_ptr<RecentScales> m_recent;
    mutable std::mutex m_mutex;
    mutable std::weak_ptr<ByteSourcePtr::element_type> m_scales;
};

CheckpointPtr addScales(const CheckpointPtr& source, const Precision& precision,
                        std::span<const ScaledWeight> weights, ComputeScales compute) {
    CheckpointData data = source->data();
    const auto recent = std::make_shared<RecentScales>();
    for (const ScaledWeight& each : weights) {
        const TensorEntry& weight = source->tensor(each.weight);
        TensorEntry scales;
        scales.name = each.scales;
        scales.dtype = Dtype::Float32;
        scales.shape = scaleGrid(precision.scales, weight.shape);
        if (precision.scales == ScaleGroup::Tensor) {
            scales.shape = Shape{1};
        }
        scales.role = Role::Weight;
        Piece piece;
        piece.box = Box::whole(scales.shape);
        piece.file = weight.pieces.begin()->file;
        piece.bytes = weight.pieces.begin()->bytes;
        piece.codec = data.addCodec(
            std::make_shared<ScaleCodec>(source, precision, each.weight, compute, recent));
        scales.pieces = PieceList{std::move(piece)};
        data.tensors.push_back(std::move(scales));
    }
    return Checkpoint::make(std::move(data));
}

} // namespace

CheckpointPtr withScales(const CheckpointPtr& source, const Precision& precision,
                         std::span<const ScaledWeight> weights) {
    return addScales(source, precision, weights, computeScales);
}

CheckpointPtr withPlainScales(const CheckpointPtr& source, const Precision& precision,
                              std::span<const ScaledWeight> weights) {
    return addScales(source, precision, weights, computeScalesPlainly);
}

} // namespace cairn
