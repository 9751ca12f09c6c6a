// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/segment_reader.h"

#include "core/compute/decode.h"

#include <algorithm>

namespace cairn {
namespace {

std::uint64_t bytesOf(Dtype dtype) {
    return dtypeInfo(dtype).bits / 8;
}

Result<std::vector<float>> readScales(const Checkpoint& source, const TensorEntry& scales) {
    if (scales.elements() > SegmentReader::kMaxScales) {
        return fail(ErrorCode::LimitExceeded, "The weight has too many scales")
            .inTensor(scales.name)
            .butFound(std::to_string(scales.elements()));
    }
    CAIRN_TRY(const auto bytes, readWhole(source, scales, SegmentReader::kMaxScales * 8));
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
                             TensorReader reader)
    : m_segment(&segment), m_reader(std::move(reader)),
      m_from(plan.source->tensor(segment.source).dtype), m_elementBytes(m_reader.elementBytes()),
      m_sourceBytes(m_reader.elementBytes()) {
    m_stored.emplace(plan.source->tensor(segment.source), m_reader, segment.box);
    if (segment.dtype != m_from) {
        m_elementBytes = bytesOf(segment.dtype);
    }
}

Result<SegmentReader> SegmentReader::open(const CopyPlan& plan, const TensorSegment& segment,
                                          const LocatedTensors* located) {
    const Checkpoint& source = *plan.source;
    const TensorReader* known =
        located != nullptr ? located->find(source, segment.source) : nullptr;
    CAIRN_TRY(TensorReader reader, known != nullptr
                                       ? Result<TensorReader>(*known)
                                       : TensorReader::open(source, source.tensor(segment.source)));
    SegmentReader made(plan, segment, std::move(reader));
    const auto recipe = plan.recipes.find(segment.source);
    if (recipe == plan.recipes.end()) {
        return made;
    }
    const ElementRecipe& how = recipe->second;
    if (how.scales) {
        CAIRN_TRY(made.m_scales, readScales(source, source.tensor(*how.scales)));
        const Shape& shape = source.tensor(segment.source).shape;
        made.m_block = how.block;
        made.m_grid = shape;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            made.m_grid[d] = (shape[d] + how.block[d] - 1) / how.block[d];
        }
    }
    for (const AverageTerm& term : how.terms) {
        const TensorEntry& tensor = term.checkpoint->tensor(term.tensor);
        CAIRN_TRY(TensorReader termReader, TensorReader::open(*term.checkpoint, tensor));
        made.m_terms.push_back({std::move(termReader), tensor.dtype, term.weight});
        made.m_stored.reset();
    }
    return made;
}

Result<void> SegmentReader::read(std::uint64_t first, std::span<std::byte> out, Scratch& scratch) {
    if (m_segment->dtype == m_from && m_terms.empty() && m_scales.empty()) {
        CAIRN_CHECK(m_reader.readBytes(m_segment->box, first, out, scratch.reading));
        return m_stored ? m_stored->add(out) : Result<void>();
    }
    const std::uint64_t begin = first / m_elementBytes;
    const auto count = static_cast<std::size_t>(out.size() / m_elementBytes);
    for (std::size_t done = 0; done < count;) {
        const std::size_t size = std::min(kStep, count - done);
        const auto target = out.subspan(static_cast<std::size_t>(done * m_elementBytes),
                                        static_cast<std::size_t>(size * m_elementBytes));
        CAIRN_CHECK(makeElements(begin + done, size, target, scratch));
        done += size;
    }
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
    CAIRN_TRY(const auto bytes, readSource(first, count, scratch));
    if (m_scales.empty()) {
        castElements(m_from, bytes, m_segment->dtype, out);
        return {};
    }
    std::vector<float> values(count);
    widenElements(m_from, bytes, values);
    multiply(first, values);
    if (m_segment->dtype == Dtype::Float32) {
        std::ranges::copy(std::as_bytes(std::span(values)), out.begin());
    } else {
        castElements(Dtype::Float32, std::as_bytes(std::span(values)), m_segment->dtype, out);
    }
    return {};
}

/// Goes along the last dimension, where one scale serves a run of elements.
void SegmentReader::multiply(std::uint64_t first, std::span<float> values) const {
    const Box& box = m_segment->box;
    const std::size_t rank = box.extent.size();
    for (std::size_t i = 0; i < values.size();) {
        std::uint64_t rest = first + i;
        std::uint64_t scale = 0;
        std::uint64_t stride = 1;
        std::uint64_t run = 1;
        for (std::size_t d = rank; d-- > 0;) {
            const auto extent = static_cast<std::uint64_t>(box.extent[d]);
            const std::uint64_t within = rest % extent;
            const auto at = static_cast<std::uint64_t>(box.origin[d]) + within;
            const auto block = static_cast<std::uint64_t>(m_block[d]);
            scale += at / block * stride;
            stride *= static_cast<std::uint64_t>(m_grid[d]);
            run = d + 1 == rank ? std::min(block - at % block, extent - within) : run;
            rest /= extent;
        }
        const std::size_t end =
            i + static_cast<std::size_t>(std::min<std::uint64_t>(run, values.size() - i));
        for (const float factor = m_scales[static_cast<std::size_t>(scale)]; i < end; ++i) {
            values[i] *= factor;
        }
    }
}

Result<void> SegmentReader::average(std::uint64_t first, std::size_t count,
                                    std::span<std::byte> out, Scratch& scratch) {
    scratch.sums.assign(count, 0.0);
    scratch.term.resize(count);
    double weights = 0;
    for (const Term& term : m_terms) {
        const auto size = static_cast<std::size_t>(count * term.reader.elementBytes());
        scratch.source.resize(std::max(scratch.source.size(), size));
        const auto bytes = std::span(scratch.source).first(size);
        CAIRN_CHECK(term.reader.readBytes(m_segment->box, first * term.reader.elementBytes(), bytes,
                                          scratch.reading));
        decodeElements(term.dtype, bytes, scratch.term);
        for (std::size_t i = 0; i < count; ++i) {
            const double part = scratch.term[i] * term.weight;
            scratch.sums[i] += part;
        }
        weights += term.weight;
    }
    for (double& sum : scratch.sums) {
        sum /= weights;
    }
    const auto sums = std::as_bytes(std::span(scratch.sums));
    if (m_segment->dtype == Dtype::Float64) {
        std::ranges::copy(sums, out.begin());
    } else {
        castElements(Dtype::Float64, sums, m_segment->dtype, out);
    }
    return {};
}

} // namespace cairn
