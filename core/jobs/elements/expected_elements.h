// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/cast.h"
#include "core/jobs/elements/expected_fold.h"
#include "core/model/tensor_reader.h"
#include "core/plan/copy_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// The expected content of an output, computed again for verification with simple code
/// (plain_cast.h) that is independent of the kernels in compute/ and of SegmentReader.
namespace cairn {

/// Expected bytes of one output segment. Not thread-safe; the plan must outlive it.
class ExpectedElements {
public:
    /// Fails with the errors of TensorReader::open and of reading the scales.
    static Result<ExpectedElements> open(const CopyPlan& plan, const TensorSegment& segment);

    [[nodiscard]] std::uint64_t elementBytes() const { return m_elementBytes; }

    /// Bytes [first, first + out.size()) of the segment, in any order. REQUIRES: complete elements.
    /// For a cast, adds the changes of the elements to `tally`, except for the first `skip` of
    /// them; for blocks, those of all their elements.
    Result<void> read(std::uint64_t first, std::span<std::byte> out, std::size_t skip,
                      CastTally& tally, TensorReader::Scratch& scratch);
    [[nodiscard]] bool isCast() const {
        return !m_averages && !m_fold && m_scales.empty() &&
               m_inputs.front().dtype != m_segment->dtype;
    }

private:
    explicit ExpectedElements(const TensorSegment& segment) : m_segment(&segment) {}
    Result<void> openScales(const Checkpoint& source, const ElementRecipe& recipe);
    struct ScaleRun {
        float scale = 1;
        std::size_t alike = 1; ///< number of elements of the row from here on with the same scale
    };
    [[nodiscard]] ScaleRun scaleAt(std::uint64_t element) const;
    /// Multiplies elements, of which the first has the number `first`, with their scales.
    void scale(std::uint64_t first, Dtype dtype, std::span<std::byte> out);
    /// Adds the changes of the elements that scale() divided and rounded.
    void tallyScaled(std::uint64_t first, std::span<const std::byte> out, CastTally& tally);
    void average(Dtype dtype, std::span<std::byte> out);
    void addUp(Dtype dtype, std::span<std::byte> out);
    Result<void> fold(std::uint64_t first, Dtype dtype, std::span<std::byte> out);
    /// Elements from `first` on, of those that were read, at `dtype`.
    Result<void> make(std::uint64_t first, Dtype dtype, std::span<std::byte> out);
    void quantize(std::size_t skip, std::span<std::byte> out, CastTally& tally);

    struct Input {
        TensorReader reader;
        Dtype dtype{};
        double weight = 1;
        std::vector<std::byte> bytes;
    };
    const TensorSegment* m_segment;
    std::vector<Input> m_inputs; ///< one, or one for each member of an average
    bool m_averages = false;
    TermSum m_termSum{};
    std::optional<ExpectedFold> m_fold;
    Dtype m_folded{}; ///< see ElementRecipe
    std::uint64_t m_elementBytes = 1;
    std::uint64_t m_blockElements = 1; ///< of a block that is computed; else 1
    std::vector<float> m_scales;
    bool m_divides = false; ///< by the scales
    std::vector<std::int64_t> m_grid;
    std::vector<std::int64_t> m_block;
    std::vector<float> m_floats; ///< working memory, like the following
    std::vector<float> m_values; ///< that are quantised
    std::vector<double> m_sums;
    std::vector<double> m_doubles;
};

} // namespace cairn
