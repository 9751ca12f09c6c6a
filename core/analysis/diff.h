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

/// The differences of two checkpoints of any formats and shardings: first their structure, from the
/// indexes alone; then their values, by reading both sides once. Summed over modules and layers:
/// diff_rollup.h; plain values: plain_values_diff.h; single elements: diff_elements.h.
namespace cairn {

/// A checkpoint, or part of it, as one side of a diff.
struct DiffSide {
    CheckpointPtr checkpoint;
    std::vector<TensorIndex> tensors; ///< the compared tensors
    std::string prefix; ///< "model": compare names below it, without it ("PATH#model")

    /// A complete checkpoint.
    static DiffSide whole(CheckpointPtr checkpoint);
};

/// A tensor of the left side and the one of the right side that it is compared with.
struct TensorPair {
    TensorIndex left;
    TensorIndex right;
    bool renamed = false; ///< matched after removing wrapper prefixes or by the user's rules
    bool sameDtype = true;
    bool sameShape = true;
    /// Codes or parts of quantised weights (diff_weights.h): compared bit by bit, not as numbers.
    bool stored = false;
};

struct StructureDiff {
    std::vector<TensorPair> pairs;     ///< in the left side's order
    std::vector<TensorIndex> onlyLeft; ///< in their side's order
    std::vector<TensorIndex> onlyRight;
};

/// Matches the tensors of two sides: by the user's rules (left name → right name), which leave
/// names alone that they do not match; then by equal names; then by names without wrapper prefixes
/// (unwrappedName()). A name that two tensors of one side would share matches nothing. O(n log n);
/// reads no file.
StructureDiff structureDiff(const DiffSide& left, const DiffSide& right,
                            const NameRules& rules = {});

/// How a pair's figures were obtained.
enum class DiffBy : std::uint8_t {
    Values,     ///< both sides were read
    SameFile,   ///< both are the same range of the same file: equal without reading
    OtherShape, ///< not compared: the shapes differ
    OtherDtype, ///< not compared: numbers with something else
    Unread,     ///< not compared: see `error`
};
std::string_view diffByName(DiffBy by); ///< "values", "same-file", "shape", "dtype", "unread"

struct PairDiff {
    DiffBy by = DiffBy::Unread;
    ElementComparison values; ///< for SameFile: only count and identical
    std::optional<Error> error;

    /// Whether `values` is valid.
    [[nodiscard]] bool compared() const { return by == DiffBy::Values || by == DiffBy::SameFile; }
    /// |left - right| / |left|; infinite if only left is zero, or if nothing was compared.
    [[nodiscard]] double relativeChange() const;
};

struct DiffOptions {
    CancelToken cancel;
    Tolerance tolerance;
    std::size_t threads = 0; ///< 0: one per processor, up to 16
    std::atomic<std::uint64_t>* progress =
        nullptr; ///< incremented by the bytes read, of both sides
    /// Compares numeric elements; 32 MiB a thread. Null: the processor's kernels, whose sums do not
    /// depend on threads.
    ComputeBackendPtr backend;
    /// Called with a position in the pairs when its result is available, from any thread, one call
    /// at a time. May be empty.
    std::function<void(std::size_t, const PairDiff&)> done;
};

/// Reads both sides of each pair once and compares them; sums are added in the order of
/// core/compute/lanes.h, so that they do not depend on threads. Between two dtypes the values are
/// compared in double precision, as stored; ElementComparison::changedAfterCast tests whether the
/// narrower side is the wider one, cast. Memory: about 2 MiB a thread. An unreadable pair gets its
/// error and the others continue. Fails with Cancelled, and with ChangedOnDisk if a file was
/// changed, replaced or removed meanwhile: figures of two states are not mixed.
Result<std::vector<PairDiff>> diffValues(const Checkpoint& left, const Checkpoint& right,
                                         std::span<const TensorPair> pairs,
                                         const DiffOptions& options = {});

/// Bytes that diffValues() will read.
std::uint64_t diffBytes(const Checkpoint& left, const Checkpoint& right,
                        std::span<const TensorPair> pairs);

/// True if two tensors of the same dtype and shape are the same stored bytes: the same ranges of
/// the same files (after hard and symbolic links), read in the same way.
bool sameStorage(const Checkpoint& left, const TensorEntry& leftTensor, const Checkpoint& right,
                 const TensorEntry& rightTensor);

} // namespace cairn
