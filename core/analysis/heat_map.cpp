// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/heat_map.h"

#include "core/analysis/dequantized.h"
#include "core/compute/decode.h"
#include "core/compute/element_statistics.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace cairn {
namespace {

constexpr std::int64_t kReadElements = std::int64_t{1}
                                       << 18U; ///< elements read at a time, approximately

std::int64_t ceilDivide(std::int64_t value, std::int64_t by) {
    return (value + by - 1) / by;
}

/// The slice as rows and columns of elements, and the part of it that is read.
struct Plane {
    Box whole; ///< in the tensor; extent 1 in the leading dimensions
    bool isVector = false;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t rowsRead = 1;    ///< in each block
    std::int64_t columnsRead = 1; ///< in each block, its first ones

    /// Rows [row, row + rowCount) by columns [column, column + columnCount).
    [[nodiscard]] Box part(std::int64_t row, std::int64_t rowCount, std::int64_t column,
                           std::int64_t columnCount) const {
        Box box = whole;
        const std::size_t rank = box.extent.size();
        if (!isVector) {
            box.origin[rank - 2] = row;
            box.extent[rank - 2] = rowCount;
        }
        box.origin[rank - 1] = column;
        box.extent[rank - 1] = columnCount;
        return box;
    }
};

Plane planeOf(const TensorEntry& tensor, std::span<const std::int64_t> leading) {
    Plane plane;
    plane.whole = Box::whole(tensor.shape);
    const std::size_t rank = tensor.shape.size();
    plane.isVector = rank == 1;
    plane.columns = tensor.shape[rank - 1];
    plane.rows = plane.isVector ? 1 : tensor.shape[rank - 2];
    for (std::size_t d = 0; d + 2 < rank; ++d) {
        const std::int64_t wanted = d < leading.size() ? leading[d] : 0;
        plane.whole.origin[d] = std::clamp<std::int64_t>(wanted, 0, tensor.shape[d] - 1);
        plane.whole.extent[d] = 1;
    }
    return plane;
}

/// Limits the part of each block that is read, so that the total is near the limit.
void limitReading(Plane& plane, const HeatMap& map, std::int64_t elements) {
    plane.columnsRead = map.blockColumns;
    plane.rowsRead = map.blockRows;
    const auto cellRows = static_cast<std::int64_t>(map.rows);
    const auto cellColumns = static_cast<std::int64_t>(map.columns);
    const std::int64_t rowsAllowed = elements / cellRows / plane.columns;
    if (rowsAllowed >= plane.rowsRead) {
        return;
    }
    plane.rowsRead = std::max<std::int64_t>(rowsAllowed, 1);
    if (rowsAllowed == 0) {
        plane.columnsRead =
            std::clamp<std::int64_t>(elements / cellRows / cellColumns, 64, map.blockColumns);
    }
}

/// Reads a tensor's elements as numbers, box by box.
class NumberReader {
public:
    static Result<NumberReader> open(const Checkpoint& checkpoint, const TensorEntry& tensor) {
        auto numbers = std::make_unique<TensorNumbers>(checkpoint, tensor);
        CAIRN_TRY(TensorReader reader,
                  TensorReader::open(numbers->checkpoint(), numbers->tensor()));
        return NumberReader(std::move(numbers), std::move(reader));
    }

    [[nodiscard]] std::uint64_t elementBytes() const { return m_reader.elementBytes(); }

    /// Valid until the next call.
    Result<std::span<double>> read(const Box& box) {
        const auto count = static_cast<std::size_t>(elementCount(box.extent).value_or(0));
        m_bytes.resize(count * m_reader.elementBytes());
        m_values.resize(count);
        CAIRN_CHECK(m_reader.readBox(box, m_bytes, m_scratch));
        decodeElements(m_numbers->tensor().dtype, m_bytes, m_values);
        return std::span(m_values);
    }

private:
    NumberReader(std::unique_ptr<TensorNumbers> numbers, TensorReader reader)
        : m_numbers(std::move(numbers)), m_reader(std::move(reader)) {}

    std::unique_ptr<TensorNumbers> m_numbers;
    TensorReader m_reader;
    std::vector<std::byte> m_bytes;
    std::vector<double> m_values;
    TensorReader::Scratch m_scratch;
};

/// Fills the cells from one tensor, or from the distance of a second one.
class MapReader {
public:
    MapReader(NumberReader& reader, NumberReader* other, const Plane& plane, HeatMap& map)
        : m_reader(reader), m_other(other), m_plane(plane), m_map(map), m_sums(map.columns),
          m_counts(map.columns) {}

    Result<void> read(const CancelToken& cancel) {
        for (std::size_t cellRow = 0; cellRow < m_map.rows; ++cellRow) {
            std::ranges::fill(m_sums, 0.0);
            std::ranges::fill(m_counts, 0);
            CAIRN_CHECK(readCells(cellRow, cancel));
            for (std::size_t column = 0; column < m_map.columns; ++column) {
                m_map.cells[cellRow * m_map.columns + column] =
                    m_counts[column] == 0 ? std::numeric_limits<double>::quiet_NaN()
                                          : m_sums[column] / static_cast<double>(m_counts[column]);
            }
        }
        return {};
    }

private:
    Result<void> readCells(std::size_t cellRow, const CancelToken& cancel) {
        const std::int64_t first = static_cast<std::int64_t>(cellRow) * m_map.blockRows;
        const std::int64_t rows = std::min(m_map.blockRows, m_plane.rows - first);
        const std::int64_t wanted = std::min(m_plane.rowsRead, rows);
        // Neighbouring rows are read together, unless some between them are skipped.
        const std::int64_t together =
            wanted == rows ? std::max<std::int64_t>(kReadElements / m_plane.columns, 1) : 1;
        for (std::int64_t done = 0; done < wanted; done += together) {
            CAIRN_CHECK(cancel.check());
            const std::int64_t row = first + (wanted == rows ? done : done * rows / wanted);
            CAIRN_CHECK(readRows(row, std::min(together, wanted - done), cellRow, cancel));
        }
        return {};
    }

    Result<void> readRows(std::int64_t row, std::int64_t count, std::size_t cellRow,
                          const CancelToken& cancel) {
        const bool whole = m_plane.columnsRead == m_map.blockColumns;
        const std::int64_t step =
            whole ? std::max(kReadElements / count, std::int64_t{1}) : m_map.blockColumns;
        for (std::int64_t column = 0; column < m_plane.columns; column += step) {
            CAIRN_CHECK(cancel.check());
            const std::int64_t left = m_plane.columns - column;
            const std::int64_t columns = std::min(whole ? step : m_plane.columnsRead, left);
            CAIRN_CHECK(add(m_plane.part(row, count, column, columns), column, columns, cellRow));
        }
        return {};
    }

    Result<void> add(const Box& box, std::int64_t column, std::int64_t columns,
                     std::size_t cellRow) {
        CAIRN_TRY(const std::span<double> values, m_reader.read(box));
        if (m_other != nullptr) {
            CAIRN_TRY(const std::span<double> others, m_other->read(box));
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = std::fabs(others[i] - values[i]); // not finite if either is infinite
            }
        }
        const auto width = static_cast<std::size_t>(columns);
        for (std::size_t first = 0; first < values.size(); first += width) {
            addRow(values.subspan(first, width), column, cellRow);
        }
        return {};
    }

    /// Values of one row from `column` on.
    void addRow(std::span<const double> values, std::int64_t column, std::size_t cellRow) {
        auto cell = static_cast<std::size_t>(column / m_map.blockColumns);
        auto left = static_cast<std::size_t>(m_map.blockColumns - column % m_map.blockColumns);
        for (std::size_t done = 0; done < values.size(); ++cell) {
            for (const double value : values.subspan(done, std::min(left, values.size() - done))) {
                if (std::isfinite(value)) {
                    m_sums[cell] += value;
                    ++m_counts[cell];
                } else {
                    m_map.broken[cellRow * m_map.columns + cell] = true;
                }
            }
            done += left;
            left = static_cast<std::size_t>(m_map.blockColumns);
        }
    }

    NumberReader& m_reader;
    NumberReader* m_other;
    const Plane& m_plane;
    HeatMap& m_map;
    std::vector<double> m_sums;
    std::vector<std::uint64_t> m_counts;
};

Result<void> checkHasMap(const TensorEntry& tensor) {
    if ((!canMeasure(tensor.dtype) && !dtypeInfo(tensor.dtype).isBlock()) || tensor.shape.empty() ||
        tensor.elements() < 2) {
        return fail(ErrorCode::Unsupported, "A heat map of this tensor is not possible")
            .inField(tensor.name)
            .expecting("at least two numeric elements");
    }
    return {};
}

Result<HeatMap> mapOf(const TensorEntry& tensor, NumberReader& reader, NumberReader* other,
                      const HeatMapOptions& options) {
    Plane plane = planeOf(tensor, options.leading);
    HeatMap map;
    map.blockRows = ceilDivide(plane.rows, static_cast<std::int64_t>(options.maxRows));
    map.blockColumns = ceilDivide(plane.columns, static_cast<std::int64_t>(options.maxColumns));
    map.rows = static_cast<std::size_t>(ceilDivide(plane.rows, map.blockRows));
    map.columns = static_cast<std::size_t>(ceilDivide(plane.columns, map.blockColumns));
    map.cells.resize(map.rows * map.columns);
    map.broken.resize(map.rows * map.columns);
    limitReading(plane, map,
                 static_cast<std::int64_t>(options.maxBytes /
                                           std::max<std::uint64_t>(reader.elementBytes(), 1)));
    map.sampled = plane.rowsRead < map.blockRows || plane.columnsRead < map.blockColumns;
    CAIRN_CHECK(MapReader(reader, other, plane, map).read(options.cancel));
    return map;
}

} // namespace

Result<HeatMap> heatMap(const Checkpoint& checkpoint, const TensorEntry& tensor,
                        const HeatMapOptions& options) {
    CAIRN_CHECK(checkHasMap(tensor));
    CAIRN_TRY(NumberReader reader, NumberReader::open(checkpoint, tensor));
    return mapOf(tensor, reader, nullptr, options);
}

Result<HeatMap> differenceMap(const Checkpoint& left, const TensorEntry& leftTensor,
                              const Checkpoint& right, const TensorEntry& rightTensor,
                              const HeatMapOptions& options) {
    CAIRN_CHECK(checkHasMap(leftTensor));
    CAIRN_CHECK(checkHasMap(rightTensor));
    if (leftTensor.shape != rightTensor.shape) {
        return fail(ErrorCode::InvalidArgument,
                    "Tensors of different shapes cannot share a heat map")
            .inField(leftTensor.name);
    }
    CAIRN_TRY(NumberReader reader, NumberReader::open(left, leftTensor));
    CAIRN_TRY(NumberReader other, NumberReader::open(right, rightTensor));
    return mapOf(leftTensor, reader, &other, options);
}

} // namespace cairn
