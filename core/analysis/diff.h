// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/compute/compute_backend.h"
#include "core/compute/element_comparison.h"
#include "core/model/checkpoint.h"
#include "core/model/name_rules.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What differs between two checkpoints of any formats and shardings: first their structure, from
/// the indices alone; then their values, by reading both sides once. Rolled up over modules and
/// layers: diff_rollup.h; plain values: plain_values_diff.h; single elements: diff_elements.h.
namespace cairn {

/// A checkpoint, or part of it, as one side of a diff.
struct DiffSide {
    CheckpointPtr checkpoint;
    std::vector<TensorIndex> tensors; ///< those that take part
    std::string prefix; ///< "model": what names are below it is compared ("PATH#model")

    /// All of a checkpoint.
    static DiffSide whole(CheckpointPtr checkpoint);
};

/// A tensor of the left side and the one of the right side that it is compared with.
struct TensorPair {
    TensorIndex left;
    TensorIndex right;
    bool renamed = false; ///< matched under wrapper prefixes or the user's rules
    bool sameDtype = true;
    bool sameShape = true;
};

struct StructureDiff {
    std::vector<TensorPair> pairs;     ///< in the left side's order
    std::vector<TensorIndex> onlyLeft; ///< in their side's order
    std::vector<TensorIndex> onlyRight;
};

/// Matches the tensors of two sides: by equal names; what is left by the user's rules (left name →
/// right name); what is left then by names without the wrappers' prefixes (unwrappedName()). A name
/// that two tensors of a side would share matches nothing. O(n log n); reads no file.
StructureDiff structureDiff(const DiffSide& left, const DiffSide& right,
                            const NameRules& rules = {});

/// How a pair's figures came about.
enum class DiffBy : std::uint8_t {
    Values,     ///< both sides were read
    SameFile,   ///< both are at the same place of the same file: equal without reading
    OtherShape, ///< not compared: the shapes differ
    OtherDtype, ///< not compared: numbers against something else
    Unread,     ///< not compared: `error` states why
};
std::string_view diffByName(DiffBy by); ///< "values", "same-file", "shape", "dtype", "unread"

struct PairDiff {
    DiffBy by = DiffBy::Unread;
    ElementComparison values; ///< of SameFile: count and identical alone
    std::optional<Error> error;

    /// Whether figures stand in `values`.
    [[nodiscard]] bool compared() const { return by == DiffBy::Values || by == DiffBy::SameFile; }
    /// |left - right| / |left|; infinite when only left is zero, or nothing was compared.
    [[nodiscard]] double relativeChange() const;
};

struct DiffOptions {
    CancelToken cancel;
    Tolerance tolerance;
    std::size_t threads = 0; ///< 0: as many as there are processors, up to 16
    std::atomic<std::uint64_t>* progress = nullptr; ///< bytes read of both sides are added to it
    /// Compares elements that are numbers; 32 MiB a thread. Null: the processor, whose sums do not
    /// depend on threads.
    ComputeBackendPtr backend;
    /// Called with a position in the pairs as soon as its result stands, from any thread, one call
    /// at a time. May be empty.
    std::function<void(std::size_t, const PairDiff&)> done;
};

/// Reads both sides of each pair once and compares them, in the order of the pairs' sums that
/// core/compute/lanes.h fixes: threads do not show in the figures. Between two dtypes the values
/// are compared in double precision, as stored; ElementComparison::changedAfterCast states whether
/// the narrower is the wider one, cast. Memory: about 2 MiB a thread. A pair that cannot be read
/// has its error and the others continue. Fails with Cancelled, and with ChangedOnDisk when a file
/// was changed, replaced or removed meanwhile: figures of two states are not mixed.
Result<std::vector<PairDiff>> diffValues(const Checkpoint& left, const Checkpoint& right,
                                         std::span<const TensorPair> pairs,
                                         const DiffOptions& options = {});

/// Bytes that diffValues() will read.
std::uint64_t diffBytes(const Checkpoint& left, const Checkpoint& right,
                        std::span<const TensorPair> pairs);

/// True when two tensors of one dtype and shape are the same stored bytes: the same places in the
/// same files (hard and symbolic links followed), read the same way.
bool sameStorage(const Checkpoint& left, const TensorEntry& leftTensor, const Checkpoint& right,
                 const TensorEntry& rightTensor);

} // namespace cairn
