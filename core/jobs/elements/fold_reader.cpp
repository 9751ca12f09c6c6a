// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/fold_reader.h"

#include "core/compute/cast.h"
#include "core/compute/low_rank.h"
#include "core/jobs/elements/fold_step.h"

#include <algorithm>
#include <cmath>

/// A product is computed as it is stored: with the tensor's rows as rows. So, whether the tensor is
/// [out, in] or [in, out], one matrix has a row of factors for each of the tensor's rows ("left"),
/// the other a row of the tensor's length for each of these factors ("wide").
namespace cairn {
namespace {

constexpr std::uint64_t kMostLeft = std::uint64_t{1} << 19U; ///< elements

std::size_t sizeOf(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

} // namespace

Result<FoldReader> FoldReader::open(const ElementRecipe& recipe, const Checkpoint& source,
                                    const TensorEntry& tensor, const Box& box) {
    CAIRN_TRY(TensorReader base, TensorReader::open(source, tensor));
    CAIRN_TRY(Box part, asMatrix(tensor.shape, box));
    FoldReader made(recipe, std::move(base), tensor.dtype, asMatrix(tensor.shape), std::move(part));
    made.m_steps.reserve(recipe.steps.size());
    for (const FoldStep& step : recipe.steps) {
        CAIRN_CHECK(made.addStep(step));
    }
    return made;
}

Result<void> FoldReader::addStep(const FoldStep& step) {
    const AdapterOperation& how = step.operation;
    const Checkpoint& adapter = *step.adapter;
    const TensorEntry& values = adapter.tensor(how.values);
    CAIRN_TRY(TensorReader reader, TensorReader::open(adapter, values));
    Step made{&how, values.dtype, values.dtype, std::move(reader), {}, {}, -1, {}, {}, 0};
    if (how.kind == AdapterOperation::Kind::LowRank) {
        const TensorEntry& factor = adapter.tensor(how.factor);
        made.factorType = factor.dtype;
        CAIRN_TRY(TensorReader second, TensorReader::open(adapter, factor));
        made.factor.emplace(std::move(second));
        if (static_cast<std::uint64_t>(how.rank) >
            kMaxWide / std::max<std::uint64_t>(1, static_cast<std::uint64_t>(columns()))) {
            return fail(ErrorCode::LimitExceeded, "The adapter's matrix is too large")
                .inTensor(factor.name)
                .butFound(sentence("%1 rows for %2 columns", how.rank, columns()));
        }
    }
    if (how.magnitude) {
        const TensorEntry& magnitude = adapter.tensor(*how.magnitude);
        CAIRN_TRY(const TensorReader third, TensorReader::open(adapter, magnitude));
        CAIRN_CHECK(
            readFloats(third, magnitude.dtype, Box::whole(magnitude.shape), made.magnitudes));
    }
    m_steps.push_back(std::move(made));
    Step& added = m_steps.back();
    return how.magnitude && how.transposed ? findColumnNorms(added) : Result<void>();
}

Result<void> FoldReader::readFloats(const TensorReader& reader, Dtype dtype, const Box& box,
                                    std::vector<float>& out) {
    const auto count = static_cast<std::size_t>(elementCount(box.extent).value_or(0));
    const std::span<std::byte> bytes = room(count * (dtypeInfo(dtype).bits / 8));
    out.resize(count);
    CAIRN_CHECK(reader.readBox(box, bytes, m_scratch));
    widenElements(dtype, bytes, out);
    return {};
}

void FoldReader::round(std::span<float> values) {
    if (m_recipe->folded == Dtype::Float32) {
        return;
    }
    const std::span<std::byte> bytes = room(values.size() * (dtypeInfo(m_recipe->folded).bits / 8));
    castElements(Dtype::Float32, std::as_bytes(values), m_recipe->folded, bytes);
    widenElements(m_recipe->folded, bytes, values);
}

std::span<std::byte> FoldReader::room(std::size_t size) {
    if (m_bytes.size() < size) {
        m_bytes.resize(size);
    }
    return std::span(m_bytes).first(size);
}

Result<void> FoldReader::apply(std::uint64_t first, std::span<float> values) {
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        if (i > 0) {
            round(values);
        }
        CAIRN_CHECK(applyStep(m_steps[i], first, values));
    }
    return {};
}

FoldReader::Block FoldReader::blockAt(std::uint64_t element, std::uint64_t count) const {
    const std::size_t rank = m_shape.size();
    const auto width = static_cast<std::uint64_t>(m_box.extent[rank - 1]);
    const auto height = static_cast<std::uint64_t>(m_box.extent[rank - 2]);
    const std::uint64_t row = element / width;
    const std::uint64_t column = element % width;
    Block block;
    block.expert = rank == 3 ? m_box.origin[0] + static_cast<std::int64_t>(row / height) : 0;
    block.row = m_box.origin[rank - 2] + static_cast<std::int64_t>(row % height);
    block.column = m_box.origin[rank - 1] + static_cast<std::int64_t>(column);
    if (column != 0 || count < width) {
        block.columns = static_cast<std::int64_t>(std::min(count, width - column));
        return block;
    }
    block.columns = static_cast<std::int64_t>(width);
    block.rows = static_cast<std::int64_t>(std::min(count / width, height - row % height));
    return block;
}

Result<void> FoldReader::applyStep(Step& step, std::uint64_t first, std::span<float> values) {
    const AdapterOperation& how = *step.operation;
    if (how.kind == AdapterOperation::Kind::Vector) {
        const Box box{{m_box.origin[0] + static_cast<std::int64_t>(first)},
                      {static_cast<std::int64_t>(values.size())}};
        CAIRN_CHECK(readFloats(step.values, step.valuesType, box, m_read));
        addScaled(values, m_read, how.scale);
        return {};
    }
    const auto factors = static_cast<std::uint64_t>(how.rank * how.experts);
    const auto most = static_cast<std::int64_t>(std::max<std::uint64_t>(1, kMostLeft / factors));
    for (std::size_t done = 0; done < values.size();) {
        Block block = blockAt(first + done, values.size() - done);
        block.rows = std::min(block.rows, most);
        const std::size_t size = sizeOf(block.rows * block.columns);
        CAIRN_CHECK(change(step, block, values.subspan(done, size)));
        done += size;
    }
    return {};
}

Result<void> FoldReader::change(Step& step, const Block& block, std::span<float> values) {
    if (step.operation->kind == AdapterOperation::Kind::Rows) {
        return setRows(step, block, values);
    }
    CAIRN_CHECK(addProduct(step, block, values));
    return step.operation->magnitude ? normalise(step, block, values) : Result<void>();
}

Result<void> FoldReader::addProduct(Step& step, const Block& block, std::span<float> values) {
    if (!step.operation->rounds) {
        CAIRN_TRY(const LowRankProduct factors, factorsOf(step, block));
        addLowRank(factors, values);
        return {};
    }
    CAIRN_CHECK(product(step, block));
    round(m_change);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += m_change[i];
    }
    return {};
}

Result<void> FoldReader::setRows(Step& step, const Block& block, std::span<float> values) {
    const std::vector<std::int64_t>& rows = step.operation->rows;
    for (std::size_t i = 0; i < rows.size(); ++i) { // of equal ones, the last counts
        const std::int64_t row = rows[i] - block.row;
        if (row < 0 || row >= block.rows) {
            continue;
        }
        const Box box{{static_cast<std::int64_t>(i), block.column}, {1, block.columns}};
        CAIRN_CHECK(readFloats(step.values, step.valuesType, box, m_read));
        round(m_read);
        std::ranges::copy(m_read,
                          values.begin() + static_cast<std::ptrdiff_t>(row * block.columns));
    }
    return {};
}

Result<void> FoldReader::loadWide(Step& step, std::int64_t expert) {
    if (step.expert == expert) {
        return {};
    }
    const AdapterOperation& how = *step.operation;
    const std::int64_t e = how.firstExpert + expert;
    if (!how.transposed) {
        const Box box{{e * how.rank, how.firstIn}, {how.rank, columns()}};
        CAIRN_CHECK(readFloats(*step.factor, step.factorType, box, step.wide));
        roundFactors(how, step.wide);
        step.expert = expert;
        return {};
    }
    step.wide.resize(sizeOf(how.rank * columns()));
    const std::int64_t factors = how.rank * how.experts;
    const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(kMostLeft) / factors);
    for (std::int64_t column = 0; column < columns(); column += most) {
        const std::int64_t count = std::min(most, columns() - column);
        const Box box{{how.firstOut + column, 0}, {count, factors}};
        CAIRN_CHECK(readFloats(step.values, step.valuesType, box, m_read));
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t k = 0; k < how.rank; ++k) {
                step.wide[sizeOf(k * columns() + column + i)] =
                    m_read[sizeOf(i * factors + k * how.experts + e)];
            }
        }
    }
    roundFactors(how, step.wide);
    step.expert = expert;
    return {};
}

Result<void> FoldReader::loadLeft(Step& step, const Block& block) {
    const AdapterOperation& how = *step.operation;
    const std::int64_t e = how.firstExpert + block.expert;
    if (how.transposed) {
        const Box box{{e * how.rank, how.firstIn + block.row}, {how.rank, block.rows}};
        CAIRN_CHECK(readFloats(*step.factor, step.factorType, box, m_read));
        m_left.resize(m_read.size());
        for (std::int64_t i = 0; i < block.rows; ++i) {
            for (std::int64_t k = 0; k < how.rank; ++k) {
                m_left[sizeOf(i * how.rank + k)] = m_read[sizeOf(k * block.rows + i)];
            }
        }
        return {};
    }
    const std::int64_t factors = how.rank * how.experts;
    const Box box{{how.firstOut + block.row, 0}, {block.rows, factors}};
    if (how.experts == 1) {
        return readFloats(step.values, step.valuesType, box, m_left);
    }
    CAIRN_CHECK(readFloats(step.values, step.valuesType, box, m_read));
    m_left.resize(sizeOf(block.rows * how.rank));
    for (std::int64_t i = 0; i < block.rows; ++i) {
        for (std::int64_t k = 0; k < how.rank; ++k) {
            m_left[sizeOf(i * how.rank + k)] = m_read[sizeOf(i * factors + k * how.experts + e)];
        }
    }
    return {};
}

Result<void> FoldReader::product(Step& step, const Block& block) {
    const std::size_t count = sizeOf(block.rows * block.columns);
    m_room.resize(std::max(m_room.size(), count)); // does not shrink: growing fills with zeros
    m_change = std::span(m_room).first(count);
    CAIRN_TRY(const LowRankProduct factors, factorsOf(step, block));
    multiplyLowRank(factors, m_change);
    return {};
}

void FoldReader::roundFactors(const AdapterOperation& how, std::span<float> factors) {
    if (how.roundsFactors) {
        round(factors);
    }
}

Result<LowRankProduct> FoldReader::factorsOf(Step& step, const Block& block) {
    const AdapterOperation& how = *step.operation;
    CAIRN_CHECK(loadWide(step, block.expert));
    CAIRN_CHECK(loadLeft(step, block));
    roundFactors(how, m_left);
    LowRankProduct product;
    product.left = m_left;
    product.right = std::span<const float>(step.wide).subspan(sizeOf(block.column));
    product.stride = sizeOf(columns());
    product.rows = sizeOf(block.rows);
    product.columns = sizeOf(block.columns);
    product.rank = sizeOf(how.rank);
    product.block = sizeOf(lowRankBlock(how.rank));
    product.fused = how.fused;
    product.scale = how.scale;
    return product;
}

Result<void> FoldReader::normalise(Step& step, const Block& block, std::span<float> values) {
    const bool byColumn = step.operation->transposed;
    if (!byColumn) {
        CAIRN_CHECK(findNorms(step, block.row, block.rows));
    }
    for (std::int64_t i = 0; i < block.rows; ++i) {
        for (std::int64_t j = 0; j < block.columns; ++j) {
            const std::int64_t out = byColumn ? block.column + j : block.row + i;
            const float factor =
                step.magnitudes[sizeOf(out)] / step.norms[sizeOf(out - step.normsFrom)];
            float& value = values[sizeOf(i * block.columns + j)];
            value = factor * value;
        }
    }
    return {};
}

Result<void> FoldReader::readBase(std::int64_t row, std::int64_t rows) {
    CAIRN_CHECK(readFloats(m_base, m_baseType, {{row, 0}, {rows, columns()}}, m_whole));
    if (m_baseType != m_recipe->folded) {
        round(m_whole);
    }
    return {};
}

Result<void> FoldReader::findNorms(Step& step, std::int64_t row, std::int64_t rows) {
    const auto known = static_cast<std::int64_t>(step.norms.size());
    if (row >= step.normsFrom && row + rows <= step.normsFrom + known) {
        return {};
    }
    step.norms.assign(sizeOf(rows), 0);
    step.normsFrom = row;
    CAIRN_CHECK(readBase(row, rows));
    CAIRN_CHECK(product(step, {0, row, rows, 0, columns()}));
    for (std::int64_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (std::int64_t j = 0; j < columns(); ++j) {
            const std::size_t at = sizeOf(i * columns() + j);
            const double value = m_whole[at] + m_change[at];
            sum += value * value;
        }
        step.norms[sizeOf(i)] = static_cast<float>(std::sqrt(sum));
    }
    return {};
}

Result<void> FoldReader::findColumnNorms(Step& step) {
    const std::int64_t most =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(kMostLeft) / columns());
    std::vector<double> sums(sizeOf(columns()), 0);
    for (std::int64_t row = 0; row < rowsOf(); row += most) {
        const std::int64_t rows = std::min(most, rowsOf() - row);
        CAIRN_CHECK(readBase(row, rows));
        CAIRN_CHECK(product(step, {0, row, rows, 0, columns()}));
        for (std::size_t at = 0; at < m_whole.size(); ++at) {
            const double value = m_whole[at] + m_change[at];
            sums[at % sums.size()] += value * value;
        }
    }
    step.norms.resize(sums.size());
    std::ranges::transform(sums, step.norms.begin(),
                           [](double sum) { return static_cast<float>(std::sqrt(sum)); });
    return {};
}

} // namespace cairn
