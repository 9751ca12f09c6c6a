// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/expected_fold.h"

#include "core/jobs/elements/fold_step.h"
#include "core/jobs/elements/plain_cast.h"
#include "core/jobs/elements/plain_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cairn {
namespace {

std::size_t asSize(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

constexpr std::int64_t kRowsAhead = 64; ///< of a matrix, that are read at a time

bool contains(const Box& outer, const Box& inner) {
    return outer.extent.size() == inner.extent.size() && intersect(outer, inner) == inner;
}

} // namespace

Result<ExpectedFold::Matrix> ExpectedFold::openMatrix(const Checkpoint& checkpoint,
                                                      TensorIndex tensor) {
    const TensorEntry& entry = checkpoint.tensor(tensor);
    CAIRN_TRY(TensorReader reader, TensorReader::open(checkpoint, entry));
    Matrix matrix;
    matrix.reader.emplace(std::move(reader));
    matrix.dtype = entry.dtype;
    matrix.shape = entry.shape;
    return matrix;
}

Result<ExpectedFold> ExpectedFold::open(const ElementRecipe& recipe, const Checkpoint& source,
                                        const TensorEntry& tensor, const Box& box) {
    ExpectedFold made(recipe);
    CAIRN_TRY(made.m_box, asMatrix(tensor.shape, box));
    CAIRN_TRY(TensorReader base, TensorReader::open(source, tensor));
    made.m_base.reader.emplace(std::move(base));
    made.m_base.dtype = tensor.dtype;
    made.m_base.shape = asMatrix(tensor.shape);
    for (const FoldStep& each : recipe.steps) {
        Step step;
        step.operation = &each.operation;
        CAIRN_TRY(step.values, openMatrix(*each.adapter, each.operation.values));
        if (each.operation.kind == AdapterOperation::Kind::LowRank) {
            CAIRN_TRY(step.factor, openMatrix(*each.adapter, each.operation.factor));
        }
        if (each.operation.magnitude) {
            CAIRN_TRY(step.magnitude, openMatrix(*each.adapter, *each.operation.magnitude));
            CAIRN_CHECK(made.load(step.magnitude, Box::whole(step.magnitude.shape)));
        }
        made.m_steps.push_back(std::move(step));
    }
    return made;
}

Result<void> ExpectedFold::load(Matrix& matrix, const Box& box) {
    if (contains(matrix.box, box)) {
        return {};
    }
    const std::size_t count = asSize(static_cast<std::int64_t>(*elementCount(box.extent)));
    m_bytes.resize(count * (dtypeInfo(matrix.dtype).bits / 8));
    CAIRN_CHECK(matrix.reader->readBox(box, m_bytes, m_scratch));
    matrix.floats.resize(count);
    if (matrix.dtype == Dtype::Float32) {
        std::memcpy(matrix.floats.data(), m_bytes.data(), m_bytes.size());
    } else {
        castPlainly(matrix.dtype, m_bytes, Dtype::Float32,
                    std::as_writable_bytes(std::span(matrix.floats)));
    }
    matrix.box = box;
    return {};
}

void ExpectedFold::roundToFolded(std::span<float> values) {
    if (m_recipe->folded == Dtype::Float32) {
        return;
    }
    m_bytes.resize(values.size() * 2);
    roundPlainly(values, m_recipe->folded, m_bytes);
    castPlainly(m_recipe->folded, m_bytes, Dtype::Float32, std::as_writable_bytes(values));
}

Result<void> ExpectedFold::apply(std::uint64_t first, std::span<float> values) {
    if (m_base.shape.size() == 1) {
        for (std::size_t s = 0; s < m_steps.size(); ++s) {
            if (s > 0) {
                roundToFolded(values);
            }
            Step& step = m_steps[s];
            CAIRN_CHECK(load(step.values, Box::whole(step.values.shape)));
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t at =
                    asSize(m_box.origin[0]) + static_cast<std::size_t>(first) + i;
                const float change = step.operation->scale * step.values.floats[at];
                values[i] = values[i] + change;
            }
        }
        return {};
    }
    const std::size_t rank = m_base.shape.size();
    const auto width = static_cast<std::uint64_t>(m_box.extent[rank - 1]);
    const auto height = static_cast<std::uint64_t>(m_box.extent[rank - 2]);
    for (std::size_t done = 0; done < values.size();) {
        const std::uint64_t at = first + done;
        const std::uint64_t column = at % width;
        const std::uint64_t row = at / width % height;
        const std::uint64_t left = values.size() - done;
        const bool whole = column == 0 && left >= width;
        const std::uint64_t count =
            whole ? std::min<std::uint64_t>({left / width, height - row, kRowsAhead}) : 1;
        const Rows rows{rank == 3 ? m_box.origin[0] + static_cast<std::int64_t>(at / width / height)
                                  : 0,
                        m_box.origin[rank - 2] + static_cast<std::int64_t>(row),
                        static_cast<std::int64_t>(count)};
        const auto size =
            static_cast<std::size_t>(whole ? count * width : std::min(width - column, left));
        const auto part = values.subspan(done, size);
        for (std::size_t s = 0; s < m_steps.size(); ++s) {
            if (s > 0) {
                roundToFolded(part);
            }
            CAIRN_CHECK(applyStep(m_steps[s], rows,
                                  m_box.origin[rank - 1] + static_cast<std::int64_t>(column),
                                  part));
        }
        done += size;
    }
    return {};
}

Result<void> ExpectedFold::applyStep(Step& step, Rows rows, std::int64_t column,
                                     std::span<float> values) {
    const std::size_t width = values.size() / asSize(rows.count);
    const bool replaces = step.operation->kind == AdapterOperation::Kind::Rows;
    if (!replaces && !step.operation->rounds) {
        CAIRN_TRY(const PlainProduct product, productOf(step, rows, column));
        addPlainly(product, values);
    } else if (!replaces) {
        m_change.resize(std::max(m_change.size(), values.size()));
        const auto change = std::span(m_change).first(values.size());
        CAIRN_CHECK(changeOf(step, rows, column, change));
        roundToFolded(change);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = values[i] + change[i];
        }
    }
    for (std::int64_t i = 0; i < rows.count && (replaces || step.operation->magnitude); ++i) {
        const auto row = values.subspan(asSize(i) * width, width);
        CAIRN_CHECK(replaces ? setRow(step, rows.row + i, column, row)
                             : scaleToMagnitude(step, rows.row + i, column, row));
    }
    return {};
}

Result<void> ExpectedFold::setRow(Step& step, std::int64_t row, std::int64_t column,
                                  std::span<float> values) {
    const std::vector<std::int64_t>& rows = step.operation->rows;
    const auto last = std::find(rows.rbegin(), rows.rend(), row);
    if (last == rows.rend()) {
        return {};
    }
    const auto at = static_cast<std::int64_t>(rows.rend() - last) - 1;
    CAIRN_CHECK(load(step.values, {{at, 0}, {1, step.values.shape[1]}}));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = step.values.at(at, column + static_cast<std::int64_t>(i));
    }
    roundToFolded(values);
    return {};
}

/// The matrix of which a row of the tensor is a combination: element [k, y] of it belongs to the
/// k-th factor and the tensor's column y.
Result<void> ExpectedFold::wideFor(Step& step, std::int64_t expert) {
    const AdapterOperation& how = *step.operation;
    if (step.expert == expert) {
        return {};
    }
    const std::int64_t e = how.firstExpert + expert;
    step.wide.assign(asSize(how.rank * columns()), 0);
    if (how.transposed) {
        for (std::int64_t y = 0; y < columns(); ++y) {
            const std::int64_t row = how.firstOut + y;
            if (!contains(step.values.box, {{row, 0}, {1, step.values.shape[1]}})) {
                const std::int64_t rows = std::min(kRowsAhead, step.values.shape[0] - row);
                CAIRN_CHECK(load(step.values, {{row, 0}, {rows, step.values.shape[1]}}));
            }
            for (std::int64_t k = 0; k < how.rank; ++k) {
                step.wide[asSize(k * columns() + y)] = step.values.at(row, k * how.experts + e);
            }
        }
    } else {
        CAIRN_CHECK(load(step.factor, {{e * how.rank, 0}, {how.rank, step.factor.shape[1]}}));
        for (std::int64_t k = 0; k < how.rank; ++k) {
            for (std::int64_t y = 0; y < columns(); ++y) {
                step.wide[asSize(k * columns() + y)] =
                    step.factor.at(e * how.rank + k, how.firstIn + y);
            }
        }
    }
    if (how.roundsFactors) {
        roundToFolded(step.wide);
    }
    step.expert = expert;
    return {};
}

Result<void> ExpectedFold::changeOf(Step& step, Rows rows, std::int64_t column,
                                    std::span<float> change) {
    CAIRN_TRY(const PlainProduct product, productOf(step, rows, column));
    multiplyPlainly(product, change);
    return {};
}

Result<PlainProduct> ExpectedFold::productOf(Step& step, Rows rows, std::int64_t column) {
    const AdapterOperation& how = *step.operation;
    CAIRN_CHECK(wideFor(step, rows.expert));
    const std::int64_t e = how.firstExpert + rows.expert;
    m_left.resize(asSize(how.rank * rows.count));
    const std::int64_t first = (how.transposed ? how.firstIn : how.firstOut) + rows.row;
    Matrix& matrix = how.transposed ? step.factor : step.values;
    const Box box = how.transposed ? Box{{e * how.rank, first}, {how.rank, rows.count}}
                                   : Box{{first, 0}, {rows.count, matrix.shape[1]}};
    CAIRN_CHECK(load(matrix, box));
    for (std::int64_t i = 0; i < rows.count; ++i) {
        for (std::int64_t k = 0; k < how.rank; ++k) {
            m_left[asSize(i * how.rank + k)] = how.transposed
                                                   ? matrix.at(e * how.rank + k, first + i)
                                                   : matrix.at(first + i, k * how.experts + e);
        }
    }
    if (how.roundsFactors) {
        roundToFolded(m_left);
    }
    PlainProduct product;
    product.left = m_left;
    product.wide = std::span<const float>(step.wide).subspan(asSize(column));
    product.stride = asSize(columns());
    product.rank = asSize(how.rank);
    product.block = asSize(lowRankBlock(how.rank));
    product.fused = how.fused;
    product.scale = how.scale;
    return product;
}

/// A row of the tensor before all steps, plus the step's change.
Result<void> ExpectedFold::plusChange(Step& step, std::int64_t row, std::vector<float>& sum) {
    CAIRN_CHECK(load(m_base, {{row, 0}, {1, columns()}}));
    sum = m_base.floats;
    if (m_base.dtype != m_recipe->folded) {
        roundToFolded(sum);
    }
    std::vector<float> change(sum.size());
    CAIRN_CHECK(changeOf(step, {0, row, 1}, 0, change));
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = sum[i] + change[i];
    }
    return {};
}

Result<void> ExpectedFold::scaleToMagnitude(Step& step, std::int64_t row, std::int64_t column,
                                            std::span<float> values) {
    if (!step.operation->transposed) {
        CAIRN_CHECK(plusChange(step, row, m_sum));
        double squares = 0;
        for (const float each : m_sum) {
            squares += double{each} * each;
        }
        const float factor =
            step.magnitude.floats[asSize(row)] / static_cast<float>(std::sqrt(squares));
        for (float& value : values) {
            value = factor * value;
        }
        return {};
    }
    if (step.columnNorms.empty()) {
        std::vector<double> squares(asSize(columns()), 0);
        for (std::int64_t each = 0; each < m_base.shape[0]; ++each) {
            CAIRN_CHECK(plusChange(step, each, m_sum));
            for (std::size_t i = 0; i < m_sum.size(); ++i) {
                squares[i] += double{m_sum[i]} * m_sum[i];
            }
        }
        for (const double each : squares) {
            step.columnNorms.push_back(static_cast<float>(std::sqrt(each)));
        }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t out = asSize(column) + i;
        const float factor = step.magnitude.floats[out] / step.columnNorms[out];
        values[i] = factor * values[i];
    }
    return {};
}

} // namespace cairn
