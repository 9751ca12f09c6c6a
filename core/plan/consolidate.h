// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/container_prefix.h"
#include "core/model/saved_values.h"
#include "core/plan/copy_plan.h"
#include "core/plan/request.h"
#include "core/plan/selection.h"
#include "core/plan/sharding.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Plans that turn a checkpoint, whatever its sharding, into one deployable checkpoint. Pure: facts
/// about the disk are passed in as PlanFacts. Use prepareConsolidate() in jobs/prepare.h, which
/// gathers them.
namespace cairn {

/// One of the averaged checkpoints.
struct AverageMember {
    CheckpointPtr checkpoint;
    double weight = 1; ///< relative to the other members' weights
    /// The same as verification reads it, if tensors of it are computed; else null.
    CheckpointPtr expected{};
};

/// An adapter to fold into the weights.
struct AdapterMember {
    CheckpointPtr checkpoint;
    std::string path; ///< as the user named it
    double scale = 1; ///< as in RequestAdapter
};

/// The opened checkpoints of a request.
struct JobInputs {
    JobInputs() = default;
    JobInputs(CheckpointPtr checkpoint) : source(std::move(checkpoint)) {} // implicit: one source

    CheckpointPtr source; ///< of an average: the last member
    std::vector<AverageMember>
        average; ///< not empty: their mean is written, with the dtypes of the first one
    std::vector<AdapterMember> adapters; ///< in order
    CheckpointPtr earlier;               ///< of a pack with a difference; else null
};

/// The parts of a format that a plan uses: FormatInfo's id, layout and capabilities.
struct LayoutTarget {
    std::string id;
    Result<OutputLayout> (*layout)(const LayoutRequest&) = nullptr; ///< null: read-only
    OutputTraits can;
    [[nodiscard]] std::string_view extension() const { ///< ".safetensors"; may be empty
        return can.endings.empty() ? std::string_view() : can.endings.front();
    }
};

/// A small file that is copied unchanged into a bundle.
struct Sidecar {
    std::string name;   ///< in the output
    std::string origin; ///< its original path, for the decision that names it
    std::vector<std::byte> bytes;
};

/// A model of several components, each in a folder with files of its own.
struct OutputComponent {
    std::string prefix; ///< of its tensors' names in the source: "unet."
    std::string folder; ///< in the output: "unet"; empty: the output itself, which is one component
    std::string stem;   ///< of its files of weights
};

struct FoldedSource;

/// A stored tensor whose bytes are those of another, and which the model's library ties to it.
struct TiedTensor {
    TensorIndex tensor;
    TensorIndex kept;
};

/// A weight that is quantised, and the name of its scales.
struct ScaledWeight {
    TensorIndex weight;
    std::string scales;
};

/// Gives the checkpoint with further tensors: the scales of these weights, in order. They are
/// computed when they are read.
using ScaleSource = std::function<CheckpointPtr(const CheckpointPtr&, const Precision&,
                                                std::span<const ScaledWeight>)>;

/// Facts about the disk. The defaults cause no problems.
/// What --dequantize did to the source before it is planned, by names.
struct UnpackedWeights {
    std::set<std::string, std::less<>> weights;           ///< the source has them as numbers
    std::set<std::string, std::less<>> parts;             ///< scales and others, which are left out
    std::map<std::string, Sentence, std::less<>> refused; ///< codes that stay, and why
    std::optional<Shape> block; ///< rows and columns that share a scale, as the config states
};

struct PlanFacts {
    std::string missingSource; ///< path of one that was removed or renamed since it was opened
    bool outputExists = false;
    bool outputIsSource = false;     ///< the same file or folder
    bool outputInsideSource = false; ///< inside the checkpoint's folder
    std::optional<std::uint64_t>
        freeBytes;                 ///< for this user, on the output's file system; empty: unknown
    Sharing sharing;               ///< which blocks the source's files and the output can share
    WorkRates rates;               ///< between their disks, as measured by earlier jobs
    std::vector<Sidecar> sidecars; ///< for a bundle, in order
    std::optional<Value> values;   ///< the checkpoint's plain values; empty: could not be read
    ValueRecords valueRecords;     ///< how they compare with their checksums
    /// Tensors that are unusable values (model/saved_values.h), by their names in the checkpoint
    /// that was opened.
    std::vector<UnusableValue> damagedTensors;
    /// The elements of tensors of strings, for formats that can store them, or why they cannot be
    /// read.
    std::map<TensorIndex, Result<std::shared_ptr<const std::vector<std::byte>>>> strings;
    std::map<TensorIndex, Dtype>
        fixedDtypes; ///< of the output, whatever the request: as the format's readers need them
    std::shared_ptr<const FoldedSource>
        fold; ///< of the adapters, whose checkpoint is the source; see fold.h
    std::vector<AverageMember> average; ///< see JobInputs
    std::vector<TiedTensor> tied;       ///< left out as the same bytes as others
    ScaleSource scales;         ///< null: precisions with separate scales can only be forecast
    ScaleSource expectedScales; ///< the same from other code, for verification; null: the same
    std::shared_ptr<const ComputedSource> slices; ///< see CopyPlan, like the following
    std::shared_ptr<const ComputedSource> computed;
    CheckpointPtr expected;
    UnpackedWeights unpacked;
    std::set<std::string> copied;            ///< tensors of files that are copied as they are
    std::vector<OutputComponent> components; ///< of a bundle; empty: it is one model
    std::string fileStem;             ///< of the files of a bundle's weights; empty: the usual one
    std::vector<std::string> float32; ///< globs of names that the model computes with in float32: a
                                      ///< cast to fewer bits leaves them alone
};

/// `request`: settled. Never fails because of the checkpoint or the disk: these errors become
/// problems. Fails: InvalidArgument (dtype, patterns), Unsupported (format unknown or read-only).
/// Linear in pieces.
Result<CopyPlan> planConsolidate(CheckpointPtr source, const LayoutTarget& target,
                                 const JobRequest& request, PlanFacts facts);

/// The same for an export; names are kept, aliases are written as copies. Fails also with:
/// TensorNotFound.
Result<CopyPlan> planExport(CheckpointPtr source, const LayoutTarget& target,
                            const JobRequest& request, PlanFacts facts);

} // namespace cairn
