// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/output_layout.h"
#include "core/plan/selection.h"
#include "core/plan/work_rates.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn {

/// The predicted cost of a job. Bytes are exact; seconds are an estimate that is based on
/// `rate`.
struct Forecast {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;       ///< of the output, without the manifest
    std::uint64_t sharedBytes = 0; ///< of these: blocks that the source's files have already
    std::uint64_t memoryBytes = 0; ///< anonymous memory at the peak, whatever the checkpoint's size
    std::uint64_t temporaryBytes = 0; ///< on the output's disk beyond what stays there
    double seconds = 0;
    ForecastRate rate; ///< that takes most of the seconds
    std::string device = "cpu";
};

/// A choice that the planner made, shown with the plan: "names" = "container key
/// 'model.' dropped".
struct PlanDecision {
    std::string what;
    std::string value;
    std::string why;
};

/// Severity::Error: the plan cannot run. `fix`: what the user can do, one sentence; may be empty.
struct PlanProblem {
    ErrorCode code = ErrorCode::Internal;
    Severity severity = Severity::Error;
    std::string message;
    std::string fix;
    Where where;
};

/// One member of an average.
struct AverageTerm {
    CheckpointPtr checkpoint;
    TensorIndex tensor; ///< in that checkpoint; of the shape of the segment's own
    double weight = 1;  ///< not negative
};

/// How the elements of one source tensor are converted, if more than a cast is needed (which
/// follows from the segment's dtype). Either scales or terms.
struct ElementRecipe {
    /// In the plan's source: each element is multiplied, in float32, with the scale of its block.
    std::optional<TensorIndex> scales;
    Shape block; ///< elements of each of the tensor's dimensions that one scale stands for
    /// Instead of the tensor's own elements: the terms' weighted mean, summed in float64 in order
    /// and divided by the sum of the weights.
    std::vector<AverageTerm> terms;
};

/// Which files of the source can share complete blocks with the output instead of copying them.
struct Sharing {
    std::uint32_t block = 0; ///< bytes, a multiple of 4096; 0: none
    std::string fileSystem;  ///< its name, for people
    std::vector<bool> files; ///< of the source, by FileIndex
};

/// Bytes of an output file that are blocks of a source file: the same place in a block in both,
/// complete blocks, whole elements at both ends.
struct SharedRange {
    std::uint32_t file = 0; ///< into OutputLayout::files
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    FileIndex source;
    std::uint64_t sourceOffset = 0;
    [[nodiscard]] std::uint64_t end() const { return offset + length; }
};

/// One line of the checklist for a deployable output.
struct ChecklistItem {
    std::string item;
    bool ok = false;
    std::string detail;
};

/// A job before it runs: which bytes of which tensors are written where in which new files. A pure
/// value: creating it reads and writes nothing, and it contains everything that is shown to the
/// user beforehand. Copies share the checkpoint.
struct CopyPlan {
    std::string job; ///< "consolidate" or "export", as the command line names it
    CheckpointPtr source;
    std::string format;           ///< id of the output's format
    std::filesystem::path output; ///< file, or folder when layout.folder
    OutputLayout layout;          ///< its tensors' names are the source's, or parts of them, or:
    std::shared_ptr<const std::deque<std::string>> names; ///< which are not
    Forecast forecast;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
    std::map<TensorIndex, ElementRecipe> recipes; ///< by source tensor; others are copied or cast
    std::vector<ChecklistItem> checklist;         ///< of a bundle
    std::vector<OmittedTensors> omitted;          ///< in the order of Role
    Sharing sharing;
    std::vector<SharedRange> shared; ///< by file and offset; see shared_ranges.h
    WorkRates rates; ///< what was measured between the disks of the source and of the output; no
                     ///< part of what is written
    std::vector<std::pair<std::string, std::string>>
        options; ///< as they were asked for; go into the manifest

    /// No problem of severity Error.
    [[nodiscard]] bool runnable() const;
    /// Of all files, in bytes.
    [[nodiscard]] std::uint64_t outputBytes() const;
    /// Of these, in `shared`.
    [[nodiscard]] std::uint64_t sharedBytes() const;
    /// The part of `shared` that is of one file of the layout.
    [[nodiscard]] std::span<const SharedRange> sharedOf(std::size_t file) const;
    /// Tensors in all files, each counted once however many chunks it is cut into.
    [[nodiscard]] std::uint64_t outputTensors() const;
    /// Those whose elements are cast, and no more than that.
    [[nodiscard]] std::uint64_t castTensors() const;
};

/// A tensor that a plan reads.
struct SourceTensor {
    const Checkpoint* checkpoint = nullptr; ///< the plan's source or a member of an average
    TensorIndex index;
    friend auto operator<=>(const SourceTensor&, const SourceTensor&) = default;
};

/// Each once, those of the plan's source first and in its order.
std::vector<SourceTensor> sourceTensors(const CopyPlan& plan);

/// Proves that a plan is complete: every byte of every file comes from exactly one literal or
/// tensor segment, boxes are in their tensors, lengths are those of their boxes, dtypes change only
/// where a cast or a recipe can do it, checksum slots are inside literals, names are plain relative
/// file names without duplicates. A failure is a bug (ErrorCode::Internal), reported with file
/// and offset. Linear in segments. The engine runs it before it creates anything.
Result<void> validate(const CopyPlan& plan);

/// Finds what is shared, and counts files, bytes, memory and seconds, again from the layout and the
/// rates.
void refreshForecast(CopyPlan& plan);

/// The plan's first problem of severity Error as an Error; success when runnable().
Result<void> checkRunnable(const CopyPlan& plan);

} // namespace cairn
