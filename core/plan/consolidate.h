// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/name_rules.h"
#include "core/plan/copy_plan.h"
#include "core/plan/selection.h"
#include "core/plan/sharding.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Plans that turn a checkpoint, whatever its sharding, into one deployable checkpoint. Pure: what
/// the plan needs to know of the disk is passed in as PlanFacts. Callers want prepareConsolidate()
/// in jobs/prepare.h, which gathers them.
namespace cairn {

/// Whether the key of the dict in which the weights are ("model." of {"model": …, "optimizer": …})
/// and the wrappers' prefixes ("module.", "_orig_mod.") stay in the output's names. Auto: dropped
/// for a bundle, whose names a model's own code must recognise; kept otherwise.
enum class ContainerKey : std::uint8_t { Auto, Keep, Drop };

/// Tied weights where the format cannot share bytes. First: written once under the first name, the
/// other names are listed in the metadata as safetensors.torch.save_model does. Copies: every name
/// gets the bytes.
enum class TiedWeights : std::uint8_t { First, Copies };

/// One of the checkpoints that are averaged.
struct AverageMember {
    CheckpointPtr checkpoint;
    double weight = 1; ///< relative to the others'
};

/// How much each of `count` members counts, as people write it: "0.5,0.3,0.2"; all the same when
/// there is no text. Fails with InvalidArgument for what is not a number and for another count.
Result<std::vector<double>> parseAverageWeights(std::string_view text, std::size_t count);

struct ConsolidateOptions {
    std::string job = "consolidate"; ///< as the command line names it
    std::filesystem::path output;
    std::string to = "safetensors"; ///< id of a format that can be written
    Selection only;
    std::string dtype = "keep"; ///< the bytes as stored; or what floats are cast to: castTarget()
    std::vector<std::string>
        keepFp32;         ///< globs of full names: these floats are float32 in the output
    bool force = false;   ///< what can be written in spite of doubts is: PlanProblem
    bool castAll = false; ///< norms, buffers and training state are cast like the other floats
    bool dequantize =
        false; ///< 8-bit weights are multiplied with their scales; "keep" means bfloat16
    /// Not empty: their mean is written, at the first one's dtypes; the plan's source is the last.
    std::vector<AverageMember> average;
    NameRules rename;                ///< for the names in the output
    std::string renameText;          ///< the same as they were asked for
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    Sharding sharding;               ///< over ranks, or one file a layer
    std::string device = "auto"; ///< where elements are cast and the like: compute/device_choice.h
    bool bundle =
        false; ///< a folder with config, tokenizer and generation files beside the weights
    ContainerKey container = ContainerKey::Auto;
    TiedWeights tied = TiedWeights::First;
    std::vector<std::pair<std::string, std::string>>
        metadata; ///< added to what the format can carry
};

/// Part of a checkpoint as a file. The format follows from the output's ending: safetensors, npy
/// (one tensor), csv (one tensor of up to two dimensions; written by exportCsv in jobs/, not by a
/// plan).
struct ExportOptions {
    std::filesystem::path output;
    Selection only;     ///< Kind::Glob
    bool force = false; ///< as in ConsolidateOptions
};

/// What a plan asks of a format: FormatInfo's id and layout, and what it can hold.
struct LayoutTarget {
    std::string id;
    Result<OutputLayout> (*layout)(const LayoutRequest&) = nullptr; ///< null: read-only
    OutputTraits can;
    [[nodiscard]] std::string_view extension() const { ///< ".safetensors"; may be empty
        return can.endings.empty() ? std::string_view() : can.endings.front();
    }
};

/// A small file that is copied as it is into a bundle.
struct Sidecar {
    std::string name;   ///< in the output
    std::string origin; ///< path it was read from, for the decision that names it
    std::vector<std::byte> bytes;
};

/// What only the disk can show. Defaults: nothing is known against it.
struct PlanFacts {
    bool outputExists = false;
    bool outputIsSource = false;     ///< the same file or folder
    bool outputInsideSource = false; ///< inside the checkpoint's own folder
    std::optional<std::uint64_t>
        freeBytes;   ///< for this user, on the output's file system; nothing: not known
    Sharing sharing; ///< between the source's files and the output
    WorkRates rates; ///< between their disks, as measured by earlier jobs
    std::vector<Sidecar> sidecars; ///< for a bundle, in order
    std::optional<Value> values;   ///< the checkpoint's plain values; nothing: could not be read
};

/// Never fails for what is wrong with the checkpoint or the disk: that is in problems. Fails:
/// InvalidArgument (dtype, patterns), Unsupported (format unknown or read-only). Linear in pieces.
Result<CopyPlan> planConsolidate(CheckpointPtr source, const LayoutTarget& target,
                                 const ConsolidateOptions& options, PlanFacts facts);

/// The same for an export; names are kept, aliases are written out. Fails besides: TensorNotFound.
Result<CopyPlan> planExport(CheckpointPtr source, const LayoutTarget& target,
                            const ExportOptions& options, PlanFacts facts);

/// The prefix ("model.", may be empty) that all the chosen names share because of the dicts and
/// wrappers that the weights are in, as far as `values` proves it: a dotted name alone proves
/// nothing ("model.layers.0" is a module path).
std::string containerPrefix(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                            const Value* values);

} // namespace cairn
