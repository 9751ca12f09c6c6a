// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/compute_backend.h"
#include "core/jobs/elements/fold_reader.h"
#include "core/jobs/elements/located_tensors.h"
#include "core/jobs/elements/stored_checksums.h"
#include "core/model/tensor_reader.h"
#include "core/plan/copy_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn {

/// Produces the bytes of one output segment: copies them from the source, lets a backend cast,
/// dequantise or average them, folds adapters into them, or quantises the result to blocks. The
/// source's stored checksums are compared on the way. Not thread-safe; the plan and the backend
/// must outlive it.
class SegmentReader {
public:
    /// Working memory of one worker, independent of the tensor's size.
    struct Scratch {
        TensorReader::Scratch reading;
        std::vector<std::byte> source;
        std::vector<AveragePart> parts;
        std::vector<float> floats;
        std::vector<float> values; ///< that are quantised
    };

    /// Locates the pieces of all tensors of the segment; reads the scales of a quantised one. Fails
    /// with the errors of TensorReader::open, LimitExceeded for more than kMaxScales scales.
    /// `located`: of the plan's source, may be null.
    static Result<SegmentReader> open(const CopyPlan& plan, const TensorSegment& segment,
                                      ComputeBackend& backend,
                                      const LocatedTensors* located = nullptr);
    static constexpr std::uint64_t kMaxScales = std::uint64_t{4} << 20U;

    /// Size of an element at the output's dtype; of a block, for a block dtype.
    [[nodiscard]] std::uint64_t elementBytes() const { return m_elementBytes; }

    /// Bytes [first, first + out.size()) of the segment. REQUIRES: complete elements; all of them
    /// must be read, in order.
    Result<void> read(std::uint64_t first, std::span<std::byte> out, Scratch& scratch);

    /// Lets read() be called for any bytes, in any order.
    void ignoreStoredChecksums() { m_stored.reset(); }

private:
    SegmentReader(const CopyPlan& plan, const TensorSegment& segment, TensorReader reader,
                  ComputeBackend& backend);
    Result<void> openRecipe(const ElementRecipe& recipe);
    /// Computes elements [first, first + count) of the segment at m_computed to `out`; count is at
    /// most step().
    Result<void> makeElements(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                              Scratch& scratch);
    /// The same for elements that are then quantised to complete blocks.
    Result<void> makeBlocks(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                            Scratch& scratch);
    Result<std::span<const std::byte>> readSource(std::uint64_t first, std::size_t count,
                                                  Scratch& scratch);
    Result<void> divide(std::uint64_t first, std::span<const std::byte> bytes,
                        std::span<std::byte> out, Scratch& scratch);
    Result<void> average(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                         Scratch& scratch);
    /// TermSum::Stepwise and StepwiseMean of scratch.parts.
    void addUp(std::size_t count, std::span<std::byte> out, Scratch& scratch) const;
    Result<void> fold(std::uint64_t first, std::size_t count, std::span<std::byte> out,
                      Scratch& scratch);
    /// Elements that are computed at a time: enough for a backend call to be efficient; for an
    /// average, the members together take no more than one tensor would.
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
    Dtype m_computed;                  ///< of the segment, or float32 before it is quantised
    std::uint64_t m_blockElements = 1; ///< of a block that is computed; else 1
    std::uint64_t m_elementBytes = 1;
    std::uint64_t m_sourceBytes = 1; ///< size of an element
    std::optional<StoredChecksums> m_stored;
    std::vector<float> m_scales;
    Shape m_grid;           ///< grid of the scales, with the tensor's rank
    Shape m_block;          ///< elements that share one scale
    bool m_divides = false; ///< by the scales
    std::vector<Term> m_terms;
    TermSum m_termSum{};
    std::optional<FoldReader> m_fold;
    Dtype m_folded{}; ///< to which the elements are rounded before adapters change them
};

} // namespace cairn
