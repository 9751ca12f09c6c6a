// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/compute_backend.h"
#include "core/jobs/located_tensors.h"
#include "core/jobs/stored_checksums.h"
#include "core/model/tensor_reader.h"
#include "core/plan/copy_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn {

/// Makes the bytes of one output segment: copies them from the source, or has them cast,
/// dequantised or averaged by a backend in passing. What passes by is compared with the checksums
/// that the source stores. One thread; the plan and the backend must outlive it.
class SegmentReader {
public:
    /// Working memory of one worker, whatever the tensor's size.
    struct Scratch {
        TensorReader::Scratch reading;
        std::vector<std::byte> source;
        std::vector<AveragePart> parts;
    };

    /// Locates the pieces of all tensors that the segment is made of; reads the scales of a
    /// quantised one. Fails with the errors of TensorReader::open, LimitExceeded for scales of more
    /// than kMaxScales elements.
    /// `located`: of the plan's source, may be null.
    static Result<SegmentReader> open(const CopyPlan& plan, const TensorSegment& segment,
                                      ComputeBackend& backend,
                                      const LocatedTensors* located = nullptr);
    static constexpr std::uint64_t kMaxScales = std::uint64_t{4} << 20U;

    /// Of the output's dtype.
    [[nodiscard]] std::uint64_t elementBytes() const { return m_elementBytes; }

    /// Bytes [first, first + out.size()) of the segment. REQUIRES: whole elements, and all of them
    /// in order.
    Result<void> read(std::uint64_t first, std::span<std::byte> out, Scratch& scratch);

private:
    SegmentReader(const CopyPlan& plan, const TensorSegment& segment, TensorReader reader,
                  ComputeBackend& backend);
    Result<void> openRecipe(const ElementRecipe& recipe);
    /// Elements [first, first + count) of the segment into `out`; count is at most step().
    Result<void> makeElements(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                              Scratch& scratch);
    Result<std::span<const std::byte>> readSource(std::uint64_t first, std::size_t count,
                                                  Scratch& scratch);
    Result<void> average(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                         Scratch& scratch);
    /// Elements that are made at a time: enough to be worth a call of the backend, and no more of
    /// all members of an average than of one tensor of them.
    [[nodiscard]] std::size_t step() const;

    struct Term {
        TensorReader reader;
        Dtype dtype{};
        double weight = 1;
    };

    const TensorSegment* m_segment;
    ComputeBackend* m_backend;
    TensorReader m_reader;
    Dtype m_from;
    std::uint64_t m_elementBytes = 1;
    std::uint64_t m_sourceBytes = 1; ///< of one element
    std::optional<StoredChecksums> m_stored;
    std::vector<float> m_scales;
    Shape m_grid;  ///< of the scales, in the tensor's rank
    Shape m_block; ///< elements that one scale stands for
    std::vector<Term> m_terms;
};

} // namespace cairn
