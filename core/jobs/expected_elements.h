// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/cast.h"
#include "core/model/tensor_reader.h"
#include "core/plan/copy_plan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What an output should hold, worked out once more for verifying: element by element in plain
/// scalar code that shares nothing with the kernels of compute/ and with SegmentReader.
namespace cairn {

/// Expected bytes of one output segment. One thread; the plan must outlive it.
class ExpectedElements {
public:
    /// Fails with what TensorReader::open and reading the scales say.
    static Result<ExpectedElements> open(const CopyPlan& plan, const TensorSegment& segment);

    [[nodiscard]] std::uint64_t elementBytes() const { return m_elementBytes; }

    /// Bytes [first, first + out.size()) of the segment, in any order. REQUIRES: whole elements. Of
    /// a cast, adds what became of the elements to `tally`, but for the first `skip` of them.
    Result<void> read(std::uint64_t first, std::span<std::byte> out, std::size_t skip,
                      CastTally& tally);
    [[nodiscard]] bool isCast() const {
        return !m_averages && m_scales.empty() && m_inputs.front().dtype != m_segment->dtype;
    }

private:
    explicit ExpectedElements(const TensorSegment& segment) : m_segment(&segment) {}
    Result<void> openScales(const Checkpoint& source, const ElementRecipe& recipe);
    [[nodiscard]] float scaleAt(std::uint64_t element) const;
    [[nodiscard]] std::uint64_t elementAt(std::size_t i, std::uint64_t element) const;

    struct Input {
        TensorReader reader;
        Dtype dtype{};
        double weight = 1;
        std::vector<std::byte> bytes;
    };
    const TensorSegment* m_segment;
    std::vector<Input> m_inputs; ///< one, or the members of an average
    bool m_averages = false;
    std::uint64_t m_elementBytes = 1;
    std::vector<float> m_scales;
    std::vector<std::int64_t> m_grid;
    std::vector<std::int64_t> m_block;
    TensorReader::Scratch m_scratch;
};

/// The bits that an element of float dtype `from` has at dtype `to`, as the notes of compute/cast.h
/// say. Scalar. REQUIRES: canCast(from, to); bytes.size() is the size of one element.
std::uint64_t castBits(Dtype from, std::span<const std::byte> bytes, Dtype to);

} // namespace cairn
