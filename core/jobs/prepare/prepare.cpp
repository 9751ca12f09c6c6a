// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/prepare.h"

#include "core/analysis/dequantized.h"
#include "core/families/adapters/adapter.h"
#include "core/families/expected/float32.h"
#include "core/jobs/bundle/bundle.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/bundle/tied_heads.h"
#include "core/jobs/elements/computed_tensors.h"
#include "core/jobs/elements/scale_tensors.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/engine/share_pass.h"
#include "core/jobs/fold/job_source.h"
#include "core/jobs/names/gguf_conversion.h"
#include "core/jobs/names/name_conversion.h"
#include "core/jobs/prepare/device_decision.h"
#include "core/jobs/prepare/written_format.h"
#include "core/model/precision.h"
#include "core/plan/average.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn {
namespace {

/// Replaces the quantised blocks of a checkpoint by their numbers; false: it has none.
bool useNumbers(CheckpointPtr& source) {
    CheckpointPtr view = dequantizedView(*source);
    if (view == nullptr) {
        return false;
    }
    source = std::move(view);
    return true;
}

/// The settings of an adapter belong beside its weights only: transformers would look for an
/// adapter beside those of a model.
void keepAdapterConfig(const Checkpoint& source, std::vector<Sidecar>& sidecars) {
    const bool isAdapter = std::ranges::any_of(
        source.tensors(), [](const TensorEntry& tensor) { return isAdapterTensor(tensor.name); });
    if (!isAdapter) {
        std::erase_if(sidecars,
                      [](const Sidecar& sidecar) { return sidecar.name == "adapter_config.json"; });
    }
}

void decideNumbers(CopyPlan& plan) {
    plan.decisions.push_back({DecisionId::BlocksDequantised, "dequantised to float32",
                              "The output does not support these blocks; their values are written "
                              "as ggml computes them"});
}

/// What the config of the model says of the tensors: which are tied, and which stay in float32.
Result<void> useConfig(const CheckpointPtr& source, const ConsolidateOptions& options,
                       PlanFacts& facts, const CancelToken& cancel) {
    const std::optional<ModelConfig> config = sidecarFields(facts.sidecars, "config.json");
    if (options.dtype != "keep") {
        facts.float32 = float32Globs(config.value_or(ModelConfig()), options.dtype == "fp16");
    }
    const bool computed = facts.computed == nullptr && // else it can be compared, too
                          (!options.average.empty() || !options.adapters.empty());
    if (options.bundle && config && !computed) {
        CAIRN_TRY(facts.tied, findTiedHeads(source, options, *config,
                                            facts.values ? &*facts.values : nullptr, cancel));
    }
    return {};
}

/// Whether sums are needed as tensors: recipes refer to the source's tensors, which are others
/// under llama.cpp's names, and a tensor has one recipe, which 8-bit weights need for their scales.
bool needsSums(const ConsolidateOptions& options, bool toGguf) {
    const Precision* precision = precisionOf(options.dtype);
    return toGguf || (precision != nullptr && precision->isWritten && !precision->inBlocks());
}

/// A job's source, and the same for verification where it contains sums.
struct SummedSource {
    JobSource made;
    CheckpointPtr expected; ///< null: nothing was summed
    std::shared_ptr<const ComputedSource> computed;
    std::shared_ptr<const ComputedSource> slices; ///< see CopyPlan
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
};

/// The names of each member, then the mean: sums over slices are rounded, so that the mean of each
/// slice would give other bits than the mean of converted checkpoints. `needed`: as tensors.
Result<SummedSource> averageOfNamed(const JobSource& source, bool needed,
                                    const CancelToken& cancel) {
    SummedSource summed;
    std::vector<AverageMember> members;
    for (const AverageMember& member : source.options.average) {
        JobSource own = source;
        own.checkpoint = member.checkpoint;
        own.options.average.clear();
        auto values = member.checkpoint->values(cancel);
        CAIRN_CHECK(cancel.check());
        own.values = values ? std::optional(std::move(*values)) : std::nullopt;
        CAIRN_TRY(summed.made, withNamesAndAdapters(own, ComputedBy::Kernels, cancel));
        summed.slices = summed.made.converted ? summed.made.converted->slices : nullptr;
        members.push_back({summed.made.checkpoint, member.weight, nullptr});
        if (summed.slices != nullptr) {
            CAIRN_TRY(const JobSource again,
                      withNamesAndAdapters(std::move(own), ComputedBy::PlainCode, cancel));
            members.back().expected = again.checkpoint;
        }
    }
    summed.expected = members.empty() ? nullptr : members.back().expected; // it is the source
    summed.made.options.average = std::move(members);
    if (needed) {
        CAIRN_TRY(AveragedSource averaged,
                  averagedSource(summed.made.checkpoint, summed.made.options));
        summed.decisions = std::move(averaged.decisions);
        summed.problems = std::move(averaged.problems);
        summed.computed = std::make_shared<const ComputedSource>(std::move(averaged.computed));
        summed.expected = withComputed(summed.computed, ComputedBy::PlainCode);
        summed.made.checkpoint = withComputed(summed.computed, ComputedBy::Kernels);
    }
    return summed;
}

std::shared_ptr<const ComputedSource> computedFold(const FoldedSource& fold) {
    return std::make_shared<const ComputedSource>(
        ComputedSource{fold.checkpoint, fold.recipes, fold.dtypes});
}

/// The source of a job under its names, with adapters folded in; as tensors if the plan needs them.
Result<SummedSource> sumsOf(JobSource source, bool toGguf, const CancelToken& cancel) {
    const bool needed = needsSums(source.options, toGguf);
    const bool averages = !source.options.average.empty() && source.options.adapters.empty();
    if (averages) {
        return averageOfNamed(source, needed, cancel);
    }
    SummedSource summed;
    CAIRN_TRY(summed.made, withNamesAndAdapters(source, ComputedBy::Kernels, cancel));
    summed.slices = summed.made.converted ? summed.made.converted->slices : nullptr;
    std::shared_ptr<const FoldedSource> expectedFold = summed.made.fold;
    if (summed.slices != nullptr) {
        CAIRN_TRY(JobSource again,
                  withNamesAndAdapters(std::move(source), ComputedBy::PlainCode, cancel));
        summed.expected = std::move(again.checkpoint);
        expectedFold = std::move(again.fold);
    }
    if (needed && summed.made.fold != nullptr) {
        summed.computed = computedFold(*summed.made.fold);
        summed.expected = withComputed(computedFold(*expectedFold), ComputedBy::PlainCode);
        summed.made.checkpoint = withComputed(summed.computed, ComputedBy::Kernels);
    }
    return summed;
}

/// Plans with llama.cpp's tensors, dtypes and metadata, if there are any.
void useGguf(GgufSource& gguf, CheckpointPtr& source, ConsolidateOptions& options,
             PlanFacts& facts) {
    if (gguf.checkpoint == nullptr) {
        return;
    }
    source = std::move(gguf.checkpoint);
    facts.expected = std::move(gguf.expected);
    options.only.subtree.clear();
    facts.fixedDtypes = std::move(gguf.dtypes);
    facts.values = Value::dict(std::move(gguf.metadata));
}

} // namespace

Result<CopyPlan> prepareConsolidate(CheckpointPtr source, const ConsolidateOptions& options,
                                    const CancelToken& cancel, const DiskRates& rates) {
    const FormatInfo* format = findFormat(options.to);
    if (format == nullptr) {
        return fail(ErrorCode::Unsupported, "No such format")
            .inField("to")
            .butFound(verbatim(options.to))
            .withHint("`cairn-cli formats` lists the formats that can be written");
    }
    if (options.output.empty()) {
        return fail(ErrorCode::InvalidArgument, "No output was specified");
    }
    // A precision with scales leaves blocks alone that are quantised already.
    const bool dequantized =
        options.dtype != "keep" && precisionOf(options.dtype) == nullptr && useNumbers(source);
    PlanFacts facts = placeFacts(*source, options.output);
    for (const AverageMember& member : options.average) {
        const PlanFacts other = placeFacts(*member.checkpoint, options.output);
        facts.sourceMissing = facts.sourceMissing || other.sourceMissing;
        facts.outputIsSource = facts.outputIsSource || other.outputIsSource;
        facts.outputInsideSource = facts.outputInsideSource || other.outputInsideSource;
    }
    facts.sharing = findSharing(*source, existingFolder(options.output));
    facts.rates = rates.of(fileSystemsOf(*source, options.output));
    facts.scales = withScales;
    facts.expectedScales = withPlainScales;
    ConsolidateOptions settled = options;
    const bool toGguf = convertsToGguf(*source, options);
    SidecarSearch found;
    const bool needsFiles = options.bundle || toGguf || !options.adapters.empty() ||
                            options.dtype != "keep" || options.mustLoad || convertsNames(options);
    if (needsFiles && !cancel.cancelled()) {
        CAIRN_TRY(found, findSidecars(*source, options.like, options.dequantize));
        facts.sidecars = std::move(found.files);
        if ((options.bundle || toGguf) && tiesEmbeddings(facts.sidecars) == false) {
            settled.tied = TiedWeights::Copies; // the model will not tie them again
        }
    }
    auto values = source->values(cancel);
    CAIRN_CHECK(cancel.check());
    if (values) {
        facts.values = std::move(*values);
    }
    CAIRN_TRY(SummedSource summed, sumsOf({source, std::move(settled), std::move(facts.sidecars),
                                           std::move(facts.values), std::nullopt, nullptr, nullptr},
                                          toGguf, cancel));
    JobSource& made = summed.made;
    facts.slices = summed.slices;
    facts.computed = summed.computed;
    facts.expected = summed.expected;
    source = std::move(made.checkpoint);
    settled = std::move(made.options);
    facts.sidecars = std::move(made.sidecars);
    facts.values = std::move(made.values);
    facts.fold = std::move(made.fold);
    if (facts.fold && options.bundle && tiesEmbeddings(facts.sidecars) == false) {
        settled.tied = TiedWeights::Copies;
    }
    keepAdapterConfig(*source, facts.sidecars);
    CAIRN_CHECK(useConfig(source, settled, facts, cancel));
    const std::vector<Sidecar> beside = options.mustLoad ? facts.sidecars : std::vector<Sidecar>();
    std::optional<GgufSource> gguf;
    if (toGguf) {
        CAIRN_TRY(gguf, convertToGguf(source, facts.expected, settled, facts.sidecars,
                                      facts.values ? &*facts.values : nullptr));
        useGguf(*gguf, source, settled, facts);
    }
    CAIRN_TRY(CopyPlan plan,
              planConsolidate(std::move(source), layoutTarget(*format), settled, std::move(facts)));
    std::ranges::move(summed.decisions, std::back_inserter(plan.decisions));
    std::ranges::move(summed.problems, std::back_inserter(plan.problems));
    if (gguf) {
        std::ranges::move(gguf->decisions, std::back_inserter(plan.decisions));
        std::ranges::move(gguf->problems, std::back_inserter(plan.problems));
    }
    if (made.converted) {
        std::ranges::move(made.converted->decisions, std::back_inserter(plan.decisions));
        std::ranges::move(made.converted->checklist, std::back_inserter(plan.checklist));
    }
    if (dequantized) {
        decideNumbers(plan);
    }
    if (options.bundle) {
        std::ranges::move(found.decisions, std::back_inserter(plan.decisions));
        std::ranges::move(found.problems, std::back_inserter(plan.problems));
        CAIRN_CHECK(completeBundle(plan, options));
    } else if (options.mustLoad) {
        requireLoadable(plan, beside, options);
    }
    CAIRN_CHECK(decideDevice(plan, options.device));
    if (!values && options.only.kind == Selection::Kind::All) {
        plan.problems.push_back(
            {values.error().code, Severity::Warning,
             sentence("The plain values could not be read: %1", values.error().message),
             values.error().hint, values.error().where});
    }
    return plan;
}

Result<CopyPlan> prepareExport(CheckpointPtr source, const ExportOptions& options,
                               const CancelToken& cancel, const DiskRates& rates) {
    const FormatInfo* format = formatForEnding(options.output);
    if (format == nullptr) {
        return fail(ErrorCode::Unsupported, "Unknown output extension")
            .inFile(options.output.string())
            .expecting(
                ".safetensors, .npy, .npz, .pt, or .csv for one tensor of up to two dimensions");
    }
    const LayoutTarget target = layoutTarget(*format);
    const bool dequantized = !target.can.hasBlocks && useNumbers(source);
    PlanFacts facts = placeFacts(*source, options.output);
    facts.sharing = findSharing(*source, existingFolder(options.output));
    facts.rates = rates.of(fileSystemsOf(*source, options.output));
    CAIRN_CHECK(cancel.check());
    CAIRN_TRY(CopyPlan plan, planExport(std::move(source), target, options, std::move(facts)));
    if (dequantized) {
        decideNumbers(plan);
    }
    return plan;
}

} // namespace cairn
