// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/explain_values.h"

#include "core/compute/cast.h"
#include "core/compute/compute_backend.h"
#include "core/jobs/elements/segment_reader.h"
#include "core/model/cast_pair.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// A merge rounds its result once. It may also round the change before that, and the base, if the
/// result has a shorter dtype. So the merged element is at most half a step from the folded one,
/// plus a few steps at the size of the change. Many elements together tell more than each of them:
/// the best multiple of the change must be 1 up to six standard deviations of these roundings,
/// which also finds an alpha that is wrong by less than a step.
namespace cairn {
namespace {

constexpr std::size_t kCompared = std::size_t{1} << 18U; ///< elements
constexpr double kDeviations = 6;
constexpr double kExactFactor = 1e-5;  ///< as near to 1 as sums in another order leave it
constexpr double kMostResidual = 0.02; ///< of a difference that is a multiple of the change
constexpr double kDoraSteps = 3;       ///< the order of additions in a norm

std::size_t sizeOf(Dtype dtype) {
    return dtypeInfo(dtype).bits / 8;
}

/// Bits of the fraction, and the exponent of the smallest normal number.
struct FloatRange {
    int fraction = 52;
    int exponent = -1022;
};

FloatRange precisionOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Float32:
        return {23, -126};
    case Dtype::Bfloat16:
        return {7, -126};
    case Dtype::Float16:
        return {10, -14};
    default:
        return {};
    }
}

/// The distance of neighbouring numbers of that size.
double stepAt(const FloatRange& precision, double value) {
    if (value == 0 || !std::isfinite(value)) {
        return std::ldexp(1.0, precision.exponent - precision.fraction);
    }
    return std::ldexp(1.0, std::max(std::ilogb(value), precision.exponent) - precision.fraction);
}

bool isCoarser(Dtype a, Dtype b) {
    return precisionOf(a).fraction < precisionOf(b).fraction;
}

/// The elements that a plan gives a tensor, in order, at a dtype.
class PlannedElements {
public:
    static Result<std::unique_ptr<PlannedElements>> open(const CopyPlan& plan, TensorIndex index,
                                                         Dtype dtype) {
        const TensorEntry& tensor = plan.source->tensor(index);
        if (tensor.dtype != dtype && !canCast(tensor.dtype, dtype)) {
            return fail(ErrorCode::Unsupported, "The dtypes cannot be compared")
                .inTensor(tensor.name)
                .butFound(sentence("%1 and %2", dtypeName(tensor.dtype), dtypeName(dtype)));
        }
        std::unique_ptr<PlannedElements> made(new PlannedElements);
        made->m_segment.source = index;
        made->m_segment.box = Box::whole(tensor.shape);
        made->m_segment.dtype = dtype;
        CAIRN_TRY(SegmentReader reader,
                  SegmentReader::open(plan, made->m_segment, *made->m_backend));
        made->m_reader.emplace(std::move(reader));
        return made;
    }
    [[nodiscard]] std::size_t elementBytes() const {
        return static_cast<std::size_t>(m_reader->elementBytes());
    }
    Result<void> read(std::uint64_t first, std::size_t count, std::vector<std::byte>& out) {
        out.resize(count * elementBytes());
        return m_reader->read(first * elementBytes(), out, m_scratch);
    }

private:
    PlannedElements() = default;
    ComputeBackendPtr m_backend = cpuBackend();
    TensorSegment m_segment;
    std::optional<SegmentReader> m_reader;
    SegmentReader::Scratch m_scratch;
};

/// Calls `work(first, count)` for chunks of a tensor, while it returns true.
template <class Work>
Result<void> forChunks(std::uint64_t elements, const CancelToken& cancel, const Work& work) {
    for (std::uint64_t first = 0; first < elements; first += kCompared) {
        CAIRN_CHECK(cancel.check());
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(kCompared, elements - first));
        CAIRN_TRY(const bool goesOn, work(first, count));
        if (!goesOn) {
            break;
        }
    }
    return {};
}

/// Whether the merged tensor has the bytes that `plan` gives at `through`, then cast to its dtype.
Result<bool> hasBytesOf(const CopyPlan& plan, TensorIndex index, Dtype through,
                        const MergedTensor& tensor, const CancelToken& cancel) {
    const TensorEntry& entry = tensor.merged.tensor(tensor.mergedTensor);
    CAIRN_TRY(const TensorReader reader, TensorReader::open(tensor.merged, entry));
    CAIRN_TRY(const auto planned, PlannedElements::open(plan, index, through));
    if (through != entry.dtype && !canCast(through, entry.dtype)) {
        return false;
    }
    TensorReader::Scratch scratch;
    std::vector<std::byte> made;
    std::vector<std::byte> cast;
    std::vector<std::byte> found;
    bool same = true;
    const auto compare = [&](std::uint64_t first, std::size_t count) -> Result<bool> {
        CAIRN_CHECK(planned->read(first, count, made));
        if (through != entry.dtype) {
            cast.resize(count * sizeOf(entry.dtype));
            castElements(through, made, entry.dtype, cast);
            std::swap(made, cast);
        }
        found.resize(made.size());
        CAIRN_CHECK(reader.readBytes(Box::whole(entry.shape), first * reader.elementBytes(), found,
                                     scratch));
        same = found == made;
        return same;
    };
    CAIRN_CHECK(forChunks(entry.elements(), cancel, compare));
    return same;
}

/// A plan with one recipe: changes rounded before they are added, or computed at another dtype.
CopyPlan variantOf(const MergedTensor& tensor, bool rounds, Dtype dtype) {
    CopyPlan plan;
    plan.source = tensor.folded.source;
    ElementRecipe recipe = tensor.folded.recipes.at(tensor.foldedTensor);
    recipe.folded = dtype;
    for (FoldStep& step : recipe.steps) {
        const bool isProduct = step.operation.kind == AdapterOperation::Kind::LowRank;
        step.operation.rounds =
            step.operation.rounds || (rounds && isProduct && !step.operation.magnitude);
    }
    plan.recipes.emplace(tensor.foldedTensor, std::move(recipe));
    return plan;
}

/// Sums over all elements; see FoldMeasure.
class Measurement {
public:
    Measurement(const MergedTensor& tensor, Dtype base, Dtype merged)
        : m_coarse(precisionOf(isCoarser(base, merged) ? base : merged)),
          m_roundsBase(isCoarser(merged, base)) {
        const auto recipe = tensor.folded.recipes.find(tensor.foldedTensor);
        if (recipe == tensor.folded.recipes.end()) {
            return;
        }
        for (const FoldStep& step : recipe->second.steps) {
            m_steps += step.operation.magnitude ? kDoraSteps : 0;
            m_rank += step.operation.rank;
        }
        m_steps += 0.5 * static_cast<double>(recipe->second.steps.size() - 1);
    }

    void add(double base, double folded, double merged) {
        ++m_made.elements;
        if (std::isnan(merged) || std::isinf(merged) || !std::isfinite(folded)) {
            const bool alike = std::isnan(merged) ? std::isnan(folded) : merged == folded;
            m_made.outside += alike ? 0 : 1;
            return;
        }
        const double x = folded - base;
        const double d = merged - base;
        const double size = std::max(std::abs(merged), std::abs(folded));
        const double tolerance = (0.5 + m_steps) * stepAt(m_coarse, size) +
                                 (m_roundsBase ? 0.5 * stepAt(m_coarse, base) : 0) +
                                 2 * stepAt(m_coarse, x);
        m_largest = std::max(m_largest, std::abs(x));
        const double excess = std::abs(merged - folded) - tolerance;
        if (excess > 0) {
            ++m_excesses[std::ilogb(excess)];
        }
        m_xx += x * x;
        m_dx += d * x;
        m_dd += d * d;
        m_noise += tolerance * tolerance / 3;
        m_noiseAlong += tolerance * tolerance * x * x / 3;
    }

    FoldMeasure result() {
        // Of sums in another order, and of factors that were rounded to a shorter dtype.
        const double order = static_cast<double>(m_rank) *
                                 static_cast<double>(std::numeric_limits<float>::epsilon()) *
                                 m_largest +
                             2 * stepAt(m_coarse, m_largest);
        for (const auto& [exponent, count] : m_excesses) {
            m_made.outside += std::ldexp(1.0, exponent) > order ? count : 0;
        }
        if (m_xx > 0) {
            m_made.factor = m_dx / m_xx;
            const double left = std::max(0.0, m_dd - m_dx * m_dx / m_xx);
            m_made.residual = m_dd > 0 ? std::sqrt(left / m_dd) : 0;
            const double deviation = std::sqrt(m_noiseAlong + order * order * m_xx / 9) / m_xx;
            const double off = std::abs(m_made.factor - 1);
            const bool isOne = off <= std::max(kExactFactor, kDeviations * deviation);
            // Where a factor of 0 would pass as well, only equal bytes show that it was applied.
            m_made.within = m_made.outside == 0 && isOne && kDeviations * deviation < 1;
            m_made.scaled = !m_made.within && !isOne &&
                            left <= std::max(2 * m_noise, kMostResidual * kMostResidual * m_dd) &&
                            std::abs(m_made.factor) > kDeviations * deviation;
        } else {
            m_made.within = m_made.outside == 0;
        }
        return m_made;
    }

private:
    FoldMeasure m_made;
    FloatRange m_coarse;
    bool m_roundsBase;
    double m_steps = 0;
    std::int64_t m_rank = 1;
    double m_largest = 0;
    std::map<int, std::uint64_t> m_excesses; ///< elements outside, by the exponent of how far
    double m_xx = 0;
    double m_dx = 0;
    double m_dd = 0;
    double m_noise = 0;
    double m_noiseAlong = 0;
};

} // namespace

Result<bool> isBase(const MergedTensor& tensor, const CancelToken& cancel) {
    const Dtype dtype = tensor.merged.tensor(tensor.mergedTensor).dtype;
    return hasBytesOf(tensor.base, tensor.baseTensor, dtype, tensor, cancel);
}

Result<bool> isFolded(const MergedTensor& tensor, const CancelToken& cancel) {
    const Dtype merged = tensor.merged.tensor(tensor.mergedTensor).dtype;
    const Dtype base = tensor.base.source->tensor(tensor.baseTensor).dtype;
    std::vector<Dtype> ways = {merged};
    if (isCoarser(base, merged)) {
        ways.push_back(base); // computed at the base's dtype, then widened
    }
    if (!tensor.folded.recipes.contains(tensor.foldedTensor)) { // replaced as a whole
        for (const Dtype through : ways) {
            CAIRN_TRY(const bool same,
                      hasBytesOf(tensor.folded, tensor.foldedTensor, through, tensor, cancel));
            if (same) {
                return true;
            }
        }
        return false;
    }
    const Dtype folded = tensor.folded.recipes.at(tensor.foldedTensor).folded;
    std::vector<std::pair<Dtype, Dtype>> roundings; // of the base and of the result
    for (const Dtype through : ways) {
        roundings.emplace_back(folded, through);
    }
    if (isCoarser(merged, folded)) {
        roundings.emplace_back(merged, merged);
    }
    for (const bool rounds : {false, true}) {
        for (const auto& [dtype, through] : roundings) {
            const CopyPlan plan = variantOf(tensor, rounds, dtype);
            CAIRN_TRY(const bool same,
                      hasBytesOf(plan, tensor.foldedTensor, through, tensor, cancel));
            if (same) {
                return true;
            }
        }
    }
    return false;
}

Result<FoldMeasure> measureFold(const MergedTensor& tensor, const CancelToken& cancel) {
    const TensorEntry& entry = tensor.merged.tensor(tensor.mergedTensor);
    const Dtype stored = tensor.base.source->tensor(tensor.baseTensor).dtype;
    CAIRN_TRY(const TensorReader reader, TensorReader::open(tensor.merged, entry));
    CAIRN_TRY(const auto base, PlannedElements::open(tensor.base, tensor.baseTensor, stored));
    CAIRN_TRY(const auto folded,
              PlannedElements::open(tensor.folded, tensor.foldedTensor, Dtype::Float32));
    Measurement sums(tensor, stored, entry.dtype);
    TensorReader::Scratch scratch;
    std::vector<std::byte> bytes;
    std::array<std::vector<double>, 3> values;
    const auto compare = [&](std::uint64_t first, std::size_t count) -> Result<bool> {
        for (std::vector<double>& each : values) {
            each.resize(count);
        }
        CAIRN_CHECK(base->read(first, count, bytes));
        elementsAsDoubles(stored, bytes, values[0]);
        CAIRN_CHECK(folded->read(first, count, bytes));
        elementsAsDoubles(Dtype::Float32, bytes, values[1]);
        bytes.resize(count * static_cast<std::size_t>(reader.elementBytes()));
        CAIRN_CHECK(reader.readBytes(Box::whole(entry.shape), first * reader.elementBytes(), bytes,
                                     scratch));
        elementsAsDoubles(entry.dtype, bytes, values[2]);
        for (std::size_t i = 0; i < count; ++i) {
            sums.add(values[0][i], values[1][i], values[2][i]);
        }
        return true;
    };
    CAIRN_CHECK(forChunks(entry.elements(), cancel, compare));
    return sums.result();
}

} // namespace cairn
