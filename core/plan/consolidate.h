// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/name_rules.h"
#include "core/plan/copy_plan.h"
#include "core/plan/selection.h"
#include "core/plan/sharding.h"

#include <cstddef>
#include <cstdint>
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

/// Plans that turn a checkpoint, whatever its sharding, into one deployable checkpoint. Pure: facts
/// about the disk are passed in as PlanFacts. Use prepareConsolidate() in jobs/prepare.h, which
/// gathers them.
namespace cairn {

/// Whether the key of the dict with the weights ("model." in {"model": …, "optimizer": …}) and the
/// prefixes of wrappers ("module.", "_orig_mod.") stay in the output's names. Auto: dropped for a
/// bundle, whose names the model's library must recognise; kept otherwise.
enum class ContainerKey : std::uint8_t { Auto, Keep, Drop };

/// Tied weights in formats that cannot share bytes. First: written once under the first name, with
/// the other names listed in the metadata as by safetensors.torch.save_model. Copies: every name
/// gets the bytes.
enum class TiedWeights : std::uint8_t { First, Copies };

/// One of the averaged checkpoints.
struct AverageMember {
    CheckpointPtr checkpoint;
    double weight = 1; ///< relative to the other members' weights
    /// The same as verification reads it, if tensors of it are computed; else null.
    CheckpointPtr expected{};
};

/// An adapter (PEFT's LoRA) to fold into the weights.
struct AdapterMember {
    CheckpointPtr checkpoint;
    std::string path; ///< as the user named it
    double scale = 1; ///< multiplies its low-rank changes, in addition to its own scale
};

/// Parses the weights of `count` members: "0.5,0.3,0.2"; equal weights for an empty text. Fails
/// with InvalidArgument if it is not a list of `count` numbers.
Result<std::vector<double>> parseAverageWeights(std::string_view text, std::size_t count);

struct ConsolidateOptions {
    std::string job = "consolidate"; ///< its name in the command line
    std::filesystem::path output;
    std::string to = "safetensors"; ///< id of a format that can be written
    Selection only;
    std::string dtype =
        "keep"; ///< "keep": as stored; otherwise the target of casts, see castTarget()
    std::vector<std::string> keepFp32; ///< globs of full names: these floats become float32
    bool force = false;                ///< write in spite of doubts; see PlanProblem
    bool castAll = false;              ///< also cast norms, buffers and training state
    bool dequantize =
        false; ///< multiply 8-bit weights with their scales; "keep" then means bfloat16
    /// Not empty: their mean is written, with the dtypes of the first one; the plan's source is the
    /// last.
    std::vector<AverageMember> average;
    std::vector<AdapterMember> adapters; ///< folded into the weights, in this order
    bool roundsChanges = false; ///< to the weight's dtype before adding, as PEFT's safe_merge does
    NameRules rename;           ///< applied to the output's names
    std::string renameText;     ///< the rules as text
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    Sharding sharding;               ///< over ranks, or one file per layer
    std::string device = "auto";     ///< where elements are computed; see compute/device_choice.h
    bool bundle =
        false; ///< a folder with config, tokenizer and generation files beside the weights
    bool mustLoad = false; ///< only tensors that are known to be those of the config's class
    ContainerKey container = ContainerKey::Auto;
    TiedWeights tied = TiedWeights::First;
    /// Names and layout of the weights: "auto" (hf for a bundle, else keep), "keep", or a name
    /// space that families/conversion.h knows.
    std::string names = "auto";
    /// A folder whose config, tokenizer and generation files go before those around the source;
    /// empty: none.
    std::filesystem::path like;
    std::string family; ///< of the model, if its config does not tell: "qwen3"; empty: as it tells
    std::vector<std::pair<std::string, std::string>>
        metadata; ///< added to the output's metadata if the format has any
};

/// Part of a checkpoint as a file. The format follows from the output's extension: safetensors, npy
/// (one tensor), csv (one tensor of up to two dimensions; written by exportCsv in jobs/, not by a
/// plan).
struct ExportOptions {
    std::filesystem::path output;
    Selection only;     ///< Kind::Glob
    bool force = false; ///< as in ConsolidateOptions
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
struct PlanFacts {
    bool sourceMissing = false; ///< removed or renamed since it was opened
    bool outputExists = false;
    bool outputIsSource = false;     ///< the same file or folder
    bool outputInsideSource = false; ///< inside the checkpoint's folder
    std::optional<std::uint64_t>
        freeBytes;                 ///< for this user, on the output's file system; empty: unknown
    Sharing sharing;               ///< which blocks the source's files and the output can share
    WorkRates rates;               ///< between their disks, as measured by earlier jobs
    std::vector<Sidecar> sidecars; ///< for a bundle, in order
    std::optional<Value> values;   ///< the checkpoint's plain values; empty: could not be read
    std::map<TensorIndex, Dtype>
        fixedDtypes; ///< of the output, whatever the options: as the format's readers need them
    std::shared_ptr<const FoldedSource>
        fold; ///< of options.adapters, whose checkpoint is the source; see fold.h
    std::vector<TiedTensor> tied; ///< left out as the same bytes as others
    ScaleSource scales;           ///< null: precisions with separate scales can only be forecast
    ScaleSource expectedScales;   ///< the same from other code, for verification; null: the same
    std::shared_ptr<const ComputedSource> slices; ///< see CopyPlan, like the following
    std::shared_ptr<const ComputedSource> computed;
    CheckpointPtr expected;
    std::vector<std::string> float32; ///< globs of names that the model computes with in float32: a
                                      ///< cast to fewer bits leaves them alone
};

/// Never fails because of the checkpoint or the disk: these errors become problems. Fails:
/// InvalidArgument (dtype, patterns), Unsupported (format unknown or read-only). Linear in pieces.
Result<CopyPlan> planConsolidate(CheckpointPtr source, const LayoutTarget& target,
                                 const ConsolidateOptions& options, PlanFacts facts);

/// The same for an export; names are kept, aliases are written as copies. Fails also with:
/// TensorNotFound.
Result<CopyPlan> planExport(CheckpointPtr source, const LayoutTarget& target,
                            const ExportOptions& options, PlanFacts facts);

/// The prefix ("model.", may be empty) that all selected names share because of dicts and wrappers
/// around the weights, as far as `values` proves it: a dotted name alone proves nothing
/// ("model.layers.0" may be a module path).
std::string containerPrefix(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                            const Value* values);

} // namespace cairn
