// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/segment_reader.h"

#include "core/compute/cast.h"
#include "core/compute/quantize.h"
#include "core/jobs/elements/fold_step.h"
#include "core/model/precision.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cairn {
namespace {

constexpr std::uint64_t kStepElements = std::uint64_t{1} << 18U; ///< elements
/// Of elements that are quantised, or to which changes are added: several passes go over them, so
/// that their floats should stay in the second cache.
constexpr std::uint64_t kSmallStep = std::uint64_t{1} << 16U;
constexpr std::uint64_t kLeastStep = std::uint64_t{1} << 12U;
constexpr std::uint64_t kStepBytes =
    8 * kStepElements; ///< limit for all members of an average together

std::uint64_t bytesOf(Dtype dtype) {
    return dtypeInfo(dtype).bits / 8;
}

Result<std::vector<float>> readScales(const Checkpoint& source, const TensorEntry& scales) {
    if (scales.elements() > SegmentReader::kMaxScales) {
        return fail(ErrorCode::LimitExceeded, "The weight has too many scales")
            .inTensor(scales.name)
            .butFound(verbatim(std::to_string(scales.elements())));
    }
    CAIRN_TRY(const auto bytes, readComplete(source, scales, SegmentReader::kMaxScales * 8));
    std::vector<float> values(static_cast<std::size_t>(scales.elements()));
    if (scales.dtype == Dtype::Float32) {
        widenElements(scales.dtype, bytes, values);
    } else {
        castElements(scales.dtype, bytes, Dtype::Float32,
                     std::as_writable_bytes(std::span(values)));
    }
    return values;
}

} // namespace

SegmentReader::SegmentReader(const CopyPlan& plan, const TensorSegment& segment,
                             TensorReader reader, ComputeBackend& backend)
    : m_segment(&segment), m_backend(&backend), m_reader(std::move(reader)),
      m_from(plan.source->tensor(segment.source).dtype), m_computed(segment.dtype),
      m_elementBytes(m_reader.elementBytes()), m_sourceBytes(m_reader.elementBytes()) {
    m_stored.emplace(*plan.source, plan.source->tensor(segment.source), m_reader, segment.box);
    if (canQuantize(m_from, segment.dtype)) {
        m_computed = Dtype::Float32;
        m_blockElements = dtypeInfo(segment.dtype).blockElements;
        m_elementBytes = dtypeInfo(segment.dtype).blockBytes;
    } else if (segment.dtype != m_from) {
        m_elementBytes = bytesOf(segment.dtype);
    }
}

Result<SegmentReader> SegmentReader::open(const CopyPlan& plan, const TensorSegment& segment,
                                          ComputeBackend& backend, const LocatedTensors* located) {
    const Checkpoint& source = *plan.source;
    const TensorReader* known =
        located != nullptr ? located->find(source, segment.source) : nullptr;
    CAIRN_TRY(TensorReader reader, known != nullptr
                                       ? Result<TensorReader>(*known)
                                       : TensorReader::open(source, source.tensor(segment.source)));
    SegmentReader made(plan, segment, std::move(reader), backend);
    const auto recipe = plan.recipes.find(segment.source);
    if (recipe == plan.recipes.end()) {
        return made;
    }
    const ElementRecipe& how = recipe->second;
    if (how.divides && segment.dtype == Dtype::Float32) {
        return made; // before they are quantised, for a forecast
    }
    if (how.scales) {
        CAIRN_TRY(made.m_scales, readScales(source, source.tensor(*how.scales)));
        const Shape& shape = source.tensor(segment.source).shape;
        made.m_block = how.block;
        made.m_divides = how.divides;
        made.m_grid = shape;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            made.m_grid[d] = (shape[d] + how.block[d] - 1) / how.block[d];
        }
    }
    made.m_termSum = how.termSum;
    for (const AverageTerm& term : how.terms) {
        const TensorEntry& tensor = term.checkpoint->tensor(term.tensor);
        CAIRN_TRY(TensorReader termReader, TensorReader::open(*term.checkpoint, tensor));
        made.m_terms.push_back({std::move(termReader), tensor.dtype, term.weight});
        made.m_stored.reset();
    }
    if (!how.steps.empty()) {
        CAIRN_TRY(FoldReader fold,
                  FoldReader::open(how, source, source.tensor(segment.source), segment.box));
        made.m_fold.emplace(std::move(fold));
        made.m_folded = how.folded;
    }
    return made;
}

Result<void> SegmentReader::read(std::uint64_t first, std::span<std::byte> out, Scratch& scratch) {
    if (m_segment->dtype == m_from && m_terms.empty() && m_scales.empty() && !m_fold) {
        CAIRN_CHECK(m_reader.readBytes(m_segment->box, first, out, scratch.reading));
        return m_stored ? m_stored->add(out) : Result<void>();
    }
    const std::uint64_t begin = first / m_elementBytes * m_blockElements;
    const auto count = static_cast<std::size_t>(out.size() / m_elementBytes * m_blockElements);
    for (std::size_t done = 0; done < count;) {
        std::size_t size = std::min(step(), count - done);
        if (m_fold && m_blockElements == 1) {
            size = static_cast<std::size_t>(foldStep(m_segment->box, begin + done, size));
        }
        const auto target =
            out.subspan(static_cast<std::size_t>(done / m_blockElements * m_elementBytes),
                        static_cast<std::size_t>(size / m_blockElements * m_elementBytes));
        CAIRN_CHECK(m_blockElements > 1 ? makeBlocks(begin + done, size, target, scratch)
                                        : makeElements(begin + done, size, target, scratch));
        done += size;
    }
    return {};
}

Result<void> SegmentReader::makeBlocks(std::uint64_t first, std::size_t count,
                                       std::span<std::byte> out, Scratch& scratch) {
    scratch.values.resize(std::max(scratch.values.size(), count));
    const auto values = std::span(scratch.values).first(count);
    CAIRN_CHECK(makeElements(first, count, std::as_writable_bytes(values), scratch));
    quantizeBlocks(m_segment->dtype, values, out);
    return {};
}

Result<std::span<const std::byte>> SegmentReader::readSource(std::uint64_t first, std::size_t count,
                                                             Scratch& scratch) {
    const auto size = static_cast<std::size_t>(count * m_sourceBytes);
    scratch.source.resize(std::max(scratch.source.size(), size));
    const auto bytes = std::span(scratch.source).first(size);
    CAIRN_CHECK(m_reader.readBytes(m_segment->box, first * m_sourceBytes, bytes, scratch.reading));
    if (m_stored) {
        CAIRN_CHECK(m_stored->add(bytes));
    }
    return std::span<const std::byte>(bytes);
}

Result<void> SegmentReader::makeElements(std::uint64_t first, std::size_t count,
                                         std::span<std::byte> out, Scratch& scratch) {
    if (!m_terms.empty()) {
        return average(first, count, out, scratch);
    }
    if (m_fold) {
        return fold(first, count, out, scratch);
    }
    CAIRN_TRY(const auto bytes, readSource(first, count, scratch));
    if (m_scales.empty() && m_from == m_computed) {
        std::ranges::copy(bytes, out.begin());
        return {};
    }
    if (m_scales.empty()) {
        return m_backend->cast(m_from, bytes, m_computed, out);
    }
    if (m_divides) {
        return divide(first, bytes, out, scratch);
    }
    const BlockScales scales{m_scales, m_grid, m_block, m_segment->box};
    return m_backend->dequantize(m_from, bytes, scales, first, m_computed, out);
}

Result<void> SegmentReader::divide(std::uint64_t first, std::span<const std::byte> bytes,
                                   std::span<std::byte> out, Scratch& scratch) {
    const auto count = static_cast<std::size_t>(bytes.size() / m_sourceBytes);
    scratch.values.resize(std::max(scratch.values.size(), count));
    const auto values = std::span(scratch.values).first(count);
    if (m_from == Dtype::Float64) {
        castElements(m_from, bytes, Dtype::Float32, std::as_writable_bytes(values));
    } else {
        widenElements(m_from, bytes, values);
    }
    divideByScales({m_scales, m_grid, m_block, m_segment->box}, first, values);
    castElements(Dtype::Float32, std::as_bytes(values), m_computed, out);
    return {};
}

std::size_t SegmentReader::step() const {
    if (m_terms.empty()) {
        return m_blockElements > 1 || m_fold ? kSmallStep : kStepElements;
    }
    std::uint64_t width = 0;
    for (const Term& term : m_terms) {
        width += term.reader.elementBytes();
    }
    return std::clamp(kStepBytes / width, kLeastStep, kStepElements);
}

Result<void> SegmentReader::fold(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                                 Scratch& scratch) {
    CAIRN_TRY(const auto bytes, readSource(first, count, scratch));
    scratch.floats.resize(std::max(scratch.floats.size(), count));
    const auto floats = std::span(scratch.floats).first(count);
    widenElements(m_from, bytes, floats);
    if (m_from != m_folded && m_folded != Dtype::Float32) {
        std::vector<std::byte> rounded(count * bytesOf(m_folded));
        castElements(m_from, bytes, m_folded, rounded);
        widenElements(m_folded, rounded, floats);
    }
    CAIRN_CHECK(m_fold->apply(first, floats));
    if (m_computed == Dtype::Float32) {
        std::ranges::copy(std::as_bytes(floats), out.begin());
    } else {
        castElements(Dtype::Float32, std::as_bytes(floats), m_computed, out);
    }
    return {};
}

Result<void> SegmentReader::average(std::uint64_t first, std::size_t count,
                                    std::span<std::byte> out, Scratch& scratch) {
    std::size_t size = 0;
    for (const Term& term : m_terms) {
        size += static_cast<std::size_t>(count * term.reader.elementBytes());
    }
    scratch.source.resize(std::max(scratch.source.size(), size));
    scratch.parts.clear();
    std::size_t at = 0;
    for (const Term& term : m_terms) {
        const auto length = static_cast<std::size_t>(count * term.reader.elementBytes());
        const auto bytes = std::span(scratch.source).subspan(at, length);
        CAIRN_CHECK(term.reader.readBytes(m_segment->box, first * term.reader.elementBytes(), bytes,
                                          scratch.reading));
        scratch.parts.push_back({term.dtype, bytes, term.weight});
        at += length;
    }
    if (m_termSum != TermSum::WeightedMean) {
        addUp(count, out, scratch);
        return {};
    }
    return m_backend->average(scratch.parts, m_computed, out);
}

void SegmentReader::addUp(std::size_t count, std::span<std::byte> out, Scratch& scratch) const {
    scratch.floats.assign(count, 0);
    scratch.values.resize(std::max(scratch.values.size(), count));
    const auto sums = std::span(scratch.floats).first(count);
    const auto values = std::span(scratch.values).first(count);
    std::vector<std::byte> rounded(count * bytesOf(m_from));
    const auto round = [&] { // a sum of two in float32, rounded again, is their rounded sum
        castElements(Dtype::Float32, std::as_bytes(sums), m_from, rounded);
        widenElements(m_from, rounded, sums);
    };
    for (const AveragePart& part : scratch.parts) {
        widenElements(part.dtype, part.bytes, values);
        std::ranges::transform(sums, values, sums.begin(), std::plus<float>());
        if (m_from != Dtype::Float32) {
            round();
        }
    }
    if (m_termSum == TermSum::StepwiseMean) {
        const auto terms = static_cast<float>(scratch.parts.size());
        std::ranges::transform(sums, sums.begin(), [terms](float sum) { return sum / terms; });
        if (m_from != Dtype::Float32) {
            round();
        }
    }
    std::ranges::replace_if(
        sums, [](float sum) { return std::isnan(sum); }, kSumNan);
    if (m_computed == Dtype::Float32) {
        std::ranges::copy(std::as_bytes(sums), out.begin());
    } else {
        castElements(Dtype::Float32, std::as_bytes(sums), m_computed, out);
    }
}

} // namespace cairn
