// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/families/expected/model_fit.h"
#include "core/model/checkpoint.h"
#include "core/model/output_layout.h"
#include "core/model/precision.h"
#include "core/model/training_state.h"
#include "core/plan/element_recipe.h"
#include "core/plan/plan_ids.h"
#include "core/plan/selection.h"
#include "core/plan/work_rates.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// The predicted cost of a job. Bytes are exact; seconds are an estimate from `rate`.
struct Forecast {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;       ///< of the output, without the manifest
    std::uint64_t sharedBytes = 0; ///< of these: blocks that are shared with the source's files
    std::uint64_t memoryBytes =
        0; ///< peak of anonymous memory, independent of the checkpoint's size
    std::uint64_t temporaryBytes = 0; ///< on the output's disk, in addition to the output
    double seconds = 0;
    ForecastRate rate; ///< of the work that takes most of the seconds
    std::string device = "cpu";
};

/// A choice that the planner made, shown with the plan: "names" = "container key
/// 'model.' dropped".
struct PlanDecision {
    DecisionId id{};
    Sentence value;
    Sentence why;
    Sentence assumption = {}; ///< what nothing in the source shows; empty: nothing was assumed
    [[nodiscard]] const Sentence& what() const { return titleOf(id); }
};

/// Severity::Error: the plan cannot be executed. `fix`: one sentence on what the user can do; may
/// be empty.
struct PlanProblem {
    ErrorCode code = ErrorCode::Internal;
    Severity severity = Severity::Error;
    Sentence message;
    Sentence fix;
    Where where;
};

/// An adapter whose changes a plan contains.
struct FoldedAdapter {
    CheckpointPtr checkpoint;
    std::string path; ///< as requested
    double scale = 1;
    std::uint64_t tensors = 0; ///< tensors of the output that it changes
};

/// Which tensors a plan quantises, and which it does not.
struct PlannedPrecision {
    struct Tensor {
        TensorIndex source;
        std::string name; ///< in the output
        Dtype dtype{};
        std::uint64_t bytes = 0; ///< in the output, with its scales
    };
    struct Kept {
        DecisionId id{}; ///< of the decision
        Sentence why;
        std::vector<std::string> names; ///< in the source
    };
    const Precision* precision = nullptr;
    std::vector<Tensor> tensors; ///< quantised ones, in the order of the output
    std::vector<Kept> kept;
    std::uint64_t bytes = 0;       ///< of all tensors of the output
    std::uint64_t sourceBytes = 0; ///< of the same tensors as stored
};

/// What a plan writes of a training state.
struct PlannedTraining {
    std::string trainer; ///< id of the one that reads it
    std::uint64_t parameters = 0;
    std::uint64_t withMoments = 0; ///< of these
    std::uint64_t groups = 0;
    std::optional<std::int64_t> step;
    std::vector<TrainingLoss> lost; ///< what a resumed training does not get
};

/// Which files of the source can share complete blocks with the output instead of copying them.
struct Sharing {
    std::uint32_t block = 0; ///< in bytes, a multiple of 4096; 0: sharing is not possible
    std::string fileSystem;  ///< display name
    std::vector<bool> files; ///< for each FileIndex of the source
};

/// Bytes of an output file that are blocks of a source file: equal offsets within a block, complete
/// blocks, complete elements at both ends.
struct SharedRange {
    std::uint32_t file = 0; ///< into OutputLayout::files
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    FileIndex source;
    std::uint64_t sourceOffset = 0;
    [[nodiscard]] std::uint64_t end() const { return offset + length; }
};

/// One line in the checklist of a bundle.
struct ChecklistItem {
    CheckId id{};
    bool ok = false;
    Sentence detail;
    bool checked = true; ///< false: nothing is known of it; it is not ok, but does not fail either
    [[nodiscard]] const Sentence& item() const { return titleOf(id); }
    [[nodiscard]] bool fails() const { return checked && !ok; }
    /// "pass", "FAIL" or "not checked".
    [[nodiscard]] std::string_view state() const {
        return ok ? "pass" : checked ? "FAIL" : "not checked";
    }
};

/// What is known of the program that loads the output's model; see load_verdict.h.
struct PlanLoader {
    std::string program;        ///< "transformers", "llama.cpp", "PEFT"; empty: none is known
    std::string model;          ///< its class or architecture: "LlamaForCausalLM"; may be empty
    std::uint64_t expected = 0; ///< tensors that the model cannot do without
    std::uint64_t found = 0;    ///< of these, in the output with their names and shapes
    LoaderAnswer answer = LoaderAnswer::Unknown;
};

/// Sums that are computed before a plan arranges or quantises the tensors, as if they had been
/// written first: a fold under the names of the model's library, of which another layout, or 8-bit
/// weights with scales, are made. The tensors of the plan's source are those of these results
/// (jobs/computed_tensors.h).
struct ComputedSource {
    CheckpointPtr source;                         ///< what is read
    std::map<TensorIndex, ElementRecipe> recipes; ///< of its tensors; the others stay as they are
    std::map<TensorIndex, Dtype> dtypes; ///< of the results, where they are not the tensors' own
};

/// A member of an average whose tensors `source` contains in parts: an adapter, of several that are
/// joined.
struct JoinedMember {
    CheckpointPtr checkpoint;
    double weight = 1;
};

/// A job before it runs: which bytes of which tensors are written where in which new files. A pure
/// value: creating it reads and writes nothing, and it contains everything that is shown to the
/// user beforehand. Copies share the checkpoint.
struct CopyPlan {
    std::string job; ///< "consolidate" or "export", as in the command line
    CheckpointPtr source;
    std::string format;           ///< id of the output's format
    std::filesystem::path output; ///< file, or folder when layout.folder
    OutputLayout layout; ///< its tensors' names are views of the source's names or of `names`
    std::shared_ptr<const std::deque<std::string>> names; ///< names that differ from the source's
    Forecast forecast;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
    std::map<TensorIndex, ElementRecipe> recipes; ///< by source tensor; others are copied or cast
    bool dequantised = false; ///< weights that are quantised in the source are written as numbers
    /// Nothing is published if a weight has NaN or infinities, or if all weights are zero.
    bool refusesBadValues = false;
    std::shared_ptr<const ComputedSource> computed; ///< null: `source` has stored tensors only
    /// Sums over slices of tensor parallelism, or the parts of joined adapters, before anything
    /// else; null: there are none.
    std::shared_ptr<const ComputedSource> slices;
    /// The tensors of `source` as verification reads them: what is computed in them is made by
    /// other code. Null: there is nothing of that kind.
    CheckpointPtr expected;
    std::vector<FoldedAdapter> adapters;       ///< in order
    std::vector<JoinedMember> joined;          ///< in order; the last one gives the source's path
    std::optional<PlannedPrecision> precision; ///< if tensors are quantised
    std::vector<ChecklistItem> checklist;      ///< for a bundle
    std::optional<PlannedTraining> training;   ///< if a trainer's state is written
    PlanLoader loader;                         ///< for a bundle and for GGUF
    std::vector<OmittedTensors> omitted;       ///< in the order of Role
    Sharing sharing;
    std::vector<SharedRange> shared; ///< by file and offset; see shared_ranges.h
    WorkRates
        rates; ///< measured between the disks of source and output; does not affect the output
    std::vector<std::pair<std::string, std::string>>
        options; ///< as requested; stored in the manifest

    /// Whether tensors of `source` are computed when they are read.
    [[nodiscard]] bool readsComputed() const { return computed || slices; }
    /// The recipes of averages and adapters, of the checkpoint that summedSource() returns.
    [[nodiscard]] const std::map<TensorIndex, ElementRecipe>& sums() const {
        return computed ? computed->recipes : recipes;
    }
    [[nodiscard]] const Checkpoint& summedSource() const {
        return computed ? *computed->source : *source;
    }
    /// Has no problem of severity Error.
    [[nodiscard]] bool runnable() const;
    /// Size of all files.
    [[nodiscard]] std::uint64_t outputBytes() const;
    /// Of these, bytes in `shared`.
    [[nodiscard]] std::uint64_t sharedBytes() const;
    /// The ranges of `shared` in one file of the layout.
    [[nodiscard]] std::span<const SharedRange> sharedOf(std::size_t file) const;
    /// Tensors in all files, each counted once whatever its number of chunks.
    [[nodiscard]] std::uint64_t outputTensors() const;
    /// Tensors that are only cast or quantised.
    [[nodiscard]] std::uint64_t castTensors() const;
};

/// A tensor that a plan reads.
struct SourceTensor {
    const Checkpoint* checkpoint = nullptr; ///< the plan's source or a member of an average
    TensorIndex index;
    friend auto operator<=>(const SourceTensor&, const SourceTensor&) = default;
};

/// Each tensor once; those of the plan's source first, in its order. `wanted`: of which segments,
/// by file and position in OutputFile::tensors; empty: of all.
std::vector<SourceTensor>
sourceTensors(const CopyPlan& plan,
              const std::function<bool(std::size_t file, std::size_t segment)>& wanted = {});

/// Proves that a plan is complete: every byte of every file comes from exactly one literal or
/// tensor segment, boxes are in their tensors, lengths are those of their boxes, dtypes change only
/// where a cast or a recipe can do it, checksum slots are inside literals, names are plain relative
/// ones without duplicates, in up to three sub-folders. A failure is a bug (ErrorCode::Internal),
/// reported with file and offset. Linear in segments. The engine runs it before it creates
/// anything.
Result<void> validate(const CopyPlan& plan);

/// Recomputes the shared ranges, files, bytes, memory and seconds from the layout and the rates.
void refreshForecast(CopyPlan& plan);

/// The plan's first problem of severity Error as an Error; success when runnable().
Result<void> checkRunnable(const CopyPlan& plan);

} // namespace cairn
