// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whether the difference between a base and a merged model is what folding adapters gives: the
/// fold of fold_source.h is computed, and compared with the merged model.
namespace cairn {

enum class FoldVerdict : std::uint8_t {
    Unchanged,  ///< the adapters do not change it, and it is the base's
    Exact,      ///< bit by bit what a merge gives, with or without rounded changes
    Rounding,   ///< as near to it as the roundings of a merge are
    NotApplied, ///< the adapters change it, but it is the base's
    Scaled,     ///< the adapters' change times another factor
    Other,      ///< the adapters change it, but not in this way
    Touched,    ///< the adapters do not change it, but it is not the base's
    OtherShape, ///< its shape is not that of the folded one
    Missing,    ///< the merged model does not have it
    Added,      ///< only the merged model has it
    Unread,     ///< see `error`
};
inline constexpr std::size_t kFoldVerdicts = 11;
/// "unchanged", "exact", "within rounding", "not applied", "scaled", "not explained", "touched",
/// "other shape", "missing", "added", "unread".
std::string_view foldVerdictName(FoldVerdict verdict);
/// Unchanged, Exact and Rounding.
bool isExplained(FoldVerdict verdict);

struct ExplainedTensor {
    std::string name;   ///< as the model's library has it; if it is Added: the merged model's
    std::string merged; ///< the tensor that has its numbers, if its name is another one
    FoldVerdict verdict = FoldVerdict::Unread;
    bool target = false; ///< the adapters change it
    /// Of Rounding, Scaled and Other; see FoldMeasure.
    std::uint64_t elements = 0;
    std::uint64_t outside = 0;
    std::optional<double> factor;
    std::optional<double> residual;
    std::optional<Error> error;
};

struct FoldExplanation {
    std::vector<ExplainedTensor> tensors; ///< in the base's order, then those that were added
    std::vector<FoldedAdapter> adapters;
    /// Sentences about what is not explained: another scale, half an adapter, another base.
    std::vector<Sentence> findings;

    [[nodiscard]] bool explained() const;
    [[nodiscard]] std::uint64_t count(FoldVerdict verdict) const;
    [[nodiscard]] std::uint64_t targets() const;
};

/// A model, or the part of it below a dotted name.
struct FoldSide {
    CheckpointPtr checkpoint;
    std::string subtree; ///< empty: all
};

struct FoldExplainOptions {
    CancelToken cancel;
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the merged bytes done
};

/// Reads both models once, and again what is not exact. Tensors are paired by the names that the
/// model's library publishes; a head that one side stores and the other ties to its embedding is
/// compared with that. Fails with the errors of withNamesAndAdapters(): whatever does not fit
/// between base and adapters; InvalidArgument without adapters. A tensor that cannot be read is
/// Unread.
Result<FoldExplanation> explainFold(const FoldSide& base, const FoldSide& merged,
                                    const std::vector<AdapterMember>& adapters,
                                    const FoldExplainOptions& options);

} // namespace cairn
