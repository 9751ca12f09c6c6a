// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/expected_elements.h"

#include "core/jobs/elements/fold_step.h"
#include "core/jobs/elements/plain_cast.h"
#include "core/jobs/elements/plain_quantize.h"
#include "core/model/element.h"
#include "core/model/precision.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr std::uint64_t kMaxScaleBytes = std::uint64_t{32} << 20U;

} // namespace

Result<ExpectedElements> ExpectedElements::open(const CopyPlan& plan,
                                                const TensorSegment& segment) {
    const Checkpoint& source = plan.expected ? *plan.expected : *plan.source;
    const TensorEntry& tensor = source.tensor(segment.source);
    ExpectedElements made(segment);
    const auto recipe = plan.recipes.find(segment.source);
    made.m_averages = recipe != plan.recipes.end() && !recipe->second.terms.empty();
    if (made.m_averages) {
        made.m_termSum = recipe->second.termSum;
        for (const AverageTerm& term : recipe->second.terms) {
            const Checkpoint& owner = term.expected ? *term.expected : *term.checkpoint;
            const TensorEntry& member = owner.tensor(term.tensor);
            CAIRN_TRY(TensorReader reader, TensorReader::open(owner, member));
            made.m_inputs.push_back({std::move(reader), member.dtype, term.weight, {}});
        }
    } else {
        CAIRN_TRY(TensorReader reader, TensorReader::open(source, tensor));
        made.m_inputs.push_back({std::move(reader), tensor.dtype, 1, {}});
    }
    const std::uint64_t stored = made.m_inputs.front().reader.elementBytes();
    made.m_elementBytes = segment.dtype == tensor.dtype && !made.m_averages
                              ? stored
                              : dtypeInfo(segment.dtype).bits / 8;
    if (canQuantize(tensor.dtype, segment.dtype)) {
        made.m_blockElements = dtypeInfo(segment.dtype).blockElements;
        made.m_elementBytes = dtypeInfo(segment.dtype).blockBytes;
    }
    if (recipe != plan.recipes.end() && recipe->second.scales) {
        CAIRN_CHECK(made.openScales(source, recipe->second));
    }
    if (recipe != plan.recipes.end() && !recipe->second.steps.empty()) {
        CAIRN_TRY(ExpectedFold fold,
                  ExpectedFold::open(recipe->second, source, tensor, segment.box));
        made.m_fold.emplace(std::move(fold));
        made.m_folded = recipe->second.folded;
    }
    return made;
}

Result<void> ExpectedElements::openScales(const Checkpoint& source, const ElementRecipe& recipe) {
    m_divides = recipe.divides;
    const TensorEntry& scales = source.tensor(*recipe.scales);
    CAIRN_TRY(const auto bytes, readComplete(source, scales, kMaxScaleBytes));
    const std::size_t size = dtypeInfo(scales.dtype).bits / 8;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        const auto element = std::span(bytes).subspan(at, size);
        m_scales.push_back(static_cast<float>(elementAsDouble(scales.dtype, element)));
    }
    const Shape& shape = source.tensor(m_segment->source).shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        m_block.push_back(recipe.block[d]);
        m_grid.push_back((shape[d] + recipe.block[d] - 1) / recipe.block[d]);
    }
    return {};
}

ExpectedElements::ScaleRun ExpectedElements::scaleAt(std::uint64_t element) const {
    std::int64_t stride = 1;
    std::int64_t place = 0;
    std::int64_t alike = 1;
    for (std::size_t d = m_grid.size(); d-- > 0;) {
        const std::int64_t extent = m_segment->box.extent[d];
        const auto inside = static_cast<std::int64_t>(element % static_cast<std::uint64_t>(extent));
        const std::int64_t at = m_segment->box.origin[d] + inside;
        if (d + 1 == m_grid.size()) {
            alike = std::min(extent - inside, m_block[d] - at % m_block[d]);
        }
        place += at / m_block[d] * stride;
        stride *= m_grid[d];
        element /= static_cast<std::uint64_t>(extent);
    }
    return {m_scales[static_cast<std::size_t>(place)], static_cast<std::size_t>(alike)};
}

void ExpectedElements::scale(std::uint64_t first, Dtype dtype, std::span<std::byte> out) {
    const Input& input = m_inputs.front();
    m_floats.resize(input.bytes.size() / static_cast<std::size_t>(input.reader.elementBytes()));
    const auto floats = std::as_writable_bytes(std::span(m_floats));
    if (input.dtype == Dtype::Float32) {
        std::ranges::copy(input.bytes, floats.begin());
    } else {
        castPlainly(input.dtype, input.bytes, Dtype::Float32, floats);
    }
    for (std::size_t i = 0; i < m_floats.size();) {
        const ScaleRun run = scaleAt(first + i);
        for (const std::size_t end = std::min(i + run.alike, m_floats.size()); i < end; ++i) {
            m_floats[i] = m_divides ? m_floats[i] / run.scale : m_floats[i] * run.scale;
        }
    }
    roundPlainly(m_floats, dtype, out);
}

void ExpectedElements::tallyScaled(std::uint64_t first, std::span<const std::byte> out,
                                   CastTally& tally) {
    m_values.resize(m_floats.size());
    castPlainly(m_segment->dtype, out, Dtype::Float32, std::as_writable_bytes(std::span(m_values)));
    for (std::size_t i = 0; i < m_floats.size();) {
        const ScaleRun run = scaleAt(first + i);
        const std::size_t count = std::min(run.alike, m_floats.size() - i);
        tallyNumbers(std::span(m_floats).subspan(i, count), std::span(m_values).subspan(i, count),
                     run.scale, tally);
        i += count;
    }
}

void ExpectedElements::average(Dtype dtype, std::span<std::byte> out) {
    const std::size_t count = out.size() / (dtypeInfo(dtype).bits / 8);
    m_sums.assign(count, 0);
    m_doubles.resize(count);
    double weights = 0;
    for (const Input& term : m_inputs) {
        elementsAsDoubles(term.dtype, term.bytes, m_doubles);
        for (std::size_t i = 0; i < count; ++i) {
            m_sums[i] += m_doubles[i] * term.weight;
        }
        weights += term.weight;
    }
    for (double& sum : m_sums) {
        sum /= weights;
    }
    if (dtype == Dtype::Float64) {
        std::ranges::copy(std::as_bytes(std::span(m_sums)), out.begin());
        return;
    }
    m_floats.resize(count);
    std::ranges::transform(m_sums, m_floats.begin(),
                           [](double sum) { return static_cast<float>(sum); });
    roundPlainly(m_floats, dtype, out);
}

void ExpectedElements::addUp(Dtype dtype, std::span<std::byte> out) {
    const Dtype own = m_inputs.front().dtype;
    const std::size_t count = out.size() / (dtypeInfo(dtype).bits / 8);
    std::vector<std::byte> rounded(count * (dtypeInfo(own).bits / 8));
    m_sums.assign(count, 0);
    m_doubles.resize(count);
    m_floats.resize(count);
    const auto round = [&] { // float64 contains the exact sum of two
        std::ranges::transform(m_sums, m_floats.begin(),
                               [](double sum) { return static_cast<float>(sum); });
        roundPlainly(m_floats, own, rounded);
        elementsAsDoubles(own, rounded, m_sums);
    };
    for (const Input& term : m_inputs) {
        elementsAsDoubles(term.dtype, term.bytes, m_doubles);
        for (std::size_t i = 0; i < count; ++i) {
            m_sums[i] += m_doubles[i];
        }
        round();
    }
    if (m_termSum == TermSum::StepwiseMean) {
        for (double& sum : m_sums) {
            sum /= static_cast<double>(m_inputs.size());
        }
        round();
    }
    std::ranges::transform(m_sums, m_floats.begin(), [](double sum) {
        return std::isnan(sum) ? kSumNan : static_cast<float>(sum);
    });
    castPlainly(Dtype::Float32, std::as_bytes(std::span(m_floats)), dtype, out);
}

Result<void> ExpectedElements::fold(std::uint64_t first, Dtype dtype, std::span<std::byte> out) {
    const Input& input = m_inputs.front();
    const std::size_t count =
        input.bytes.size() / static_cast<std::size_t>(input.reader.elementBytes());
    m_floats.resize(count);
    const auto floats = std::as_writable_bytes(std::span(m_floats));
    if (input.dtype == Dtype::Float32) {
        std::ranges::copy(input.bytes, floats.begin());
    } else {
        castPlainly(input.dtype, input.bytes, Dtype::Float32, floats);
    }
    if (m_folded != input.dtype && m_folded != Dtype::Float32) {
        std::vector<std::byte> rounded(count * (dtypeInfo(m_folded).bits / 8));
        castPlainly(input.dtype, input.bytes, m_folded, rounded);
        castPlainly(m_folded, rounded, Dtype::Float32, floats);
    }
    CAIRN_CHECK(m_fold->apply(first, m_floats));
    roundPlainly(m_floats, dtype, out);
    return {};
}

Result<void> ExpectedElements::make(std::uint64_t first, Dtype dtype, std::span<std::byte> out) {
    const Input& only = m_inputs.front();
    if (m_averages && m_termSum != TermSum::WeightedMean) {
        addUp(dtype, out);
    } else if (m_averages) {
        average(dtype, out);
    } else if (m_fold) {
        return fold(first, dtype, out);
    } else if (!m_scales.empty()) {
        scale(first, dtype, out);
    } else if (only.dtype == dtype) {
        std::ranges::copy(only.bytes, out.begin());
    } else {
        castPlainly(only.dtype, only.bytes, dtype, out);
    }
    return {};
}

void ExpectedElements::quantize(std::size_t skip, std::span<std::byte> out, CastTally& tally) {
    quantizePlainly(m_segment->dtype, m_values, out);
    const std::size_t blocks = std::min(skip, out.size() / m_elementBytes);
    tallyBlocks(m_segment->dtype, std::span(m_values).subspan(blocks * m_blockElements),
                out.subspan(blocks * m_elementBytes), tally);
}

Result<void> ExpectedElements::read(std::uint64_t first, std::span<std::byte> out, std::size_t skip,
                                    CastTally& tally, TensorReader::Scratch& scratch) {
    Input& only = m_inputs.front();
    if (!m_averages && !m_fold && m_scales.empty() && only.dtype == m_segment->dtype) {
        return only.reader.readBytes(m_segment->box, first, out, scratch);
    }
    constexpr std::size_t kStep = std::size_t{1} << 16U;
    const auto count = static_cast<std::size_t>(out.size() / m_elementBytes * m_blockElements);
    const std::uint64_t start = first / m_elementBytes * m_blockElements;
    std::size_t size = 0;
    for (std::size_t done = 0; done < count; done += size) {
        size = std::min(kStep, count - done);
        if (m_fold && m_blockElements == 1) {
            size = static_cast<std::size_t>(foldStep(m_segment->box, start + done, size));
        }
        for (Input& input : m_inputs) {
            const std::uint64_t bytes = input.reader.elementBytes();
            input.bytes.resize(static_cast<std::size_t>(size * bytes));
            CAIRN_CHECK(input.reader.readBytes(m_segment->box, (start + done) * bytes, input.bytes,
                                               scratch));
        }
        const auto made = out.subspan(done / m_blockElements * m_elementBytes,
                                      size / m_blockElements * m_elementBytes);
        const std::size_t from = done == 0 ? std::min(skip, size) : 0;
        if (m_blockElements > 1) {
            m_values.resize(size);
            CAIRN_CHECK(
                make(start + done, Dtype::Float32, std::as_writable_bytes(std::span(m_values))));
            quantize(from, made, tally);
            continue;
        }
        CAIRN_CHECK(make(start + done, m_segment->dtype, made));
        if (m_divides) {
            tallyScaled(start + done, made, tally);
        } else if (isCast()) {
            const std::size_t wide = only.bytes.size() / size;
            tallyCast(only.dtype, std::span(only.bytes).subspan(from * wide), m_segment->dtype,
                      made.subspan(from * m_elementBytes), tally);
        }
    }
    return {};
}

} // namespace cairn
