// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/prepare.h"

#include "core/analysis/dequantized.h"
#include "core/families/adapters/adapter.h"
#include "core/families/expected/float32.h"
#include "core/families/slices/rank_slices.h"
#include "core/jobs/bundle/bundle.h"
#include "core/jobs/bundle/diffusers.h"
#include "core/jobs/bundle/pipeline.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/bundle/tied_heads.h"
#include "core/jobs/elements/computed_tensors.h"
#include "core/jobs/elements/scale_tensors.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/engine/share_pass.h"
#include "core/jobs/fold/combined_adapter.h"
#include "core/jobs/fold/job_source.h"
#include "core/jobs/names/gguf_conversion.h"
#include "core/jobs/names/name_conversion.h"
#include "core/jobs/prepare/dequantised_source.h"
#include "core/jobs/prepare/device_decision.h"
#include "core/jobs/prepare/settled_request.h"
#include "core/jobs/prepare/written_format.h"
#include "core/jobs/training/state_folder.h"
#include "core/jobs/training/trainer_source.h"
#include "core/model/precision.h"
#include "core/model/saved_values.h"
#include "core/model/string_elements.h"
#include "core/plan/average.h"
#include "core/plan/trainers.h"

#include <algorithm>
#include <iterator>
#include <memory>
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
Result<void> useConfig(const CheckpointPtr& source, const JobRequest& request, bool sums,
                       PlanFacts& facts, const CancelToken& cancel) {
    const std::optional<ModelConfig> config = sidecarFields(facts.sidecars, "config.json");
    if (request.dtype != "keep") {
        facts.float32 = float32Globs(config.value_or(ModelConfig()), request.dtype == "fp16");
    }
    const bool computed = sums && facts.computed == nullptr; // else it can be compared, too
    if (request.bundle && config) {
        const TieEvidence evidence = computed ? TieEvidence::Stored : TieEvidence::Bytes;
        CAIRN_TRY(facts.tied,
                  findTiedHeads(source, request, *config, facts.values ? &*facts.values : nullptr,
                                evidence, cancel));
    }
    return {};
}

/// Whether sums are needed as tensors: recipes refer to the source's tensors, which are others
/// under llama.cpp's names, and a tensor has one recipe, which 8-bit weights need for their scales.
bool needsSums(const JobRequest& request, bool toGguf) {
    const Precision* precision = precisionOf(request.dtype);
    return toGguf || (precision != nullptr && precision->isWritten && !precision->inBlocks());
}

/// A job's source, and the same for verification where it contains sums.
struct SummedSource {
    JobSource made;
    CheckpointPtr expected; ///< null: nothing was summed
    std::shared_ptr<const ComputedSource> computed;
    std::shared_ptr<const ComputedSource> slices; ///< see CopyPlan
    std::vector<JoinedMember> joined;             ///< adapters that became one
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
};

/// The names of each member, then the mean: sums over slices are rounded, so that the mean of each
/// slice would give other bits than the mean of converted checkpoints. `needed`: as tensors.
Result<SummedSource> averageOfNamed(const JobSource& source, bool needed,
                                    const CancelToken& cancel) {
    SummedSource summed;
    std::vector<AverageMember> members;
    for (const AverageMember& member : source.average) {
        JobSource own = source;
        own.checkpoint = member.checkpoint;
        own.average.clear();
        CAIRN_TRY(LoadedValues loaded, loadedValues(*member.checkpoint, cancel));
        own.values = std::move(loaded.value);
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
    summed.made.average = std::move(members);
    if (needed) {
        CAIRN_TRY(
            AveragedSource averaged,
            averagedSource(summed.made.checkpoint, summed.made.request.only, summed.made.average));
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

/// Adapters that became one are read part by part; nothing else of such a source is computed.
void takeCombined(CombinedSource combined, SummedSource& summed) {
    summed.slices = std::move(combined.computed);
    summed.expected = std::move(combined.expected);
    summed.joined = std::move(combined.joined);
    std::ranges::move(combined.decisions, std::back_inserter(summed.decisions));
    std::ranges::move(combined.problems, std::back_inserter(summed.problems));
}

/// The source of a job under its names, with adapters folded in; as tensors if the plan needs them.
Result<SummedSource> sumsOf(JobSource source, bool toGguf, const CancelToken& cancel) {
    std::optional<CombinedSource> combined = std::exchange(source.combined, std::nullopt);
    const bool needed = needsSums(source.request, toGguf);
    const bool averages = !source.average.empty() && source.adapters.empty();
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
    if (combined) {
        takeCombined(*std::move(combined), summed);
    }
    return summed;
}

/// Plans with llama.cpp's tensors, dtypes and metadata, if there are any.
void useGguf(GgufSource& gguf, CheckpointPtr& source, JobRequest& request, PlanFacts& facts) {
    if (gguf.checkpoint == nullptr) {
        return;
    }
    source = std::move(gguf.checkpoint);
    facts.expected = std::move(gguf.expected);
    request.only.subtree.clear();
    facts.fixedDtypes = std::move(gguf.dtypes);
    facts.values = Value::dict(std::move(gguf.metadata));
}

/// With --dequantize: numbers in place of quantised weights, in the source or in all members of an
/// average, by what the config of each says. `all`: recipes refer to others than the source's.
Result<void> useUnpacked(CheckpointPtr& source, JobInputs& inputs, const JobRequest& request,
                         bool all, PlanFacts& facts, const CancelToken& cancel) {
    const std::optional<Dtype> wanted =
        request.dtype == "keep" ? Dtype::Bfloat16 : std::optional<Dtype>();
    const auto config = sidecarFields(facts.sidecars, "config.json"); // of the source, or of --like
    if (inputs.average.empty()) {
        CAIRN_TRY(DequantisedSource made,
                  dequantisedSource(source, config ? &*config : nullptr, all, wanted, cancel));
        source = std::move(made.checkpoint);
        facts.unpacked = std::move(made.weights);
        return {};
    }
    for (AverageMember& member : inputs.average) {
        const bool isSource = member.checkpoint == source;
        const bool hasOwn = !isSource && request.like.empty();
        const auto own = hasOwn ? findModelConfig(*member.checkpoint) : std::nullopt;
        const ModelConfig* fields = own ? &own->fields : hasOwn || !config ? nullptr : &*config;
        CAIRN_TRY(DequantisedSource made,
                  dequantisedSource(member.checkpoint, fields, true, wanted, cancel));
        member.checkpoint = std::move(made.checkpoint);
        (void)useNumbers(member.checkpoint);
        source = isSource ? member.checkpoint : source;
        facts.unpacked.weights.merge(made.weights.weights);
        facts.unpacked.parts.merge(made.weights.parts);
        facts.unpacked.refused.merge(made.weights.refused);
    }
    return {};
}

/// A bundle needs all files beside the weights, another job only the config.
void takeFileProblems(SidecarSearch& found, const JobRequest& request, CopyPlan& plan) {
    for (PlanProblem& problem : found.problems) {
        const bool unreadable = problem.severity == Severity::Error;
        const std::filesystem::path file = problem.where.file;
        if (!request.bundle && !(unreadable && file.filename() == "config.json")) {
            continue;
        }
        if (unreadable && request.force) {
            problem.severity = Severity::Warning;
        }
        plan.problems.push_back(std::move(problem));
    }
}

void addDamagedTensors(const SavedValues& saved, PlanFacts& facts) {
    std::ranges::copy_if(
        saved.unusable, std::back_inserter(facts.damagedTensors),
        [](const UnusableValue& value) { return !value.error.where.tensor.empty(); });
}

/// The format of the output, or of a trainer's folder, which only training states are written in.
LayoutTarget targetOf(const FormatInfo& format, const JobRequest& request) {
    LayoutTarget target = layoutTarget(format);
    const Trainer* trainer = findTrainer(request.trainer);
    if (const TrainerLayout layout = trainer != nullptr ? layoutOf(*trainer) : nullptr) {
        target.layout = layout;
        target.can.sharesBytes = target.can.hasValues = true;
    }
    return target;
}

/// The elements of the tensors of strings that may be written.
Result<void> readStringTensors(const Checkpoint& source, const LayoutTarget& target,
                               const Selection& selection, const CancelToken& cancel,
                               PlanFacts& facts) {
    if (!target.can.hasStrings) {
        return {};
    }
    CAIRN_TRY(std::vector<TensorIndex> wanted, selectTensors(source, selection));
    if (const auto graph = source.find(target.can.objectGraph)) {
        wanted.push_back(*graph);
    }
    std::uint64_t left = kMaxStringMemory;
    for (const TensorIndex index : wanted) {
        const TensorEntry& tensor = source.tensor(index);
        if (!hasStrings(tensor.dtype) || facts.strings.contains(index)) {
            continue;
        }
        CAIRN_CHECK(cancel.check());
        auto bytes = readStringBytes(source, tensor, left);
        if (!bytes) {
            facts.strings.emplace(index, bytes.error());
            continue;
        }
        left -= std::min<std::uint64_t>(left, bytes->size());
        facts.strings.emplace(index,
                              std::make_shared<const std::vector<std::byte>>(std::move(*bytes)));
    }
    return {};
}

/// Plans with a trainer's tensors and values. Damaged values would have no place that is known.
Result<void> useTrainer(const TrainerSource& trainer, const SavedValues& saved,
                        CheckpointPtr& source, LoadedValues& loaded, PlanFacts& facts) {
    if (!saved.complete()) {
        Error error = saved.unusable.front().error;
        error.hint = "A training state is written only if all its values can be read";
        return error;
    }
    source = trainer.checkpoint;
    loaded.value = trainer.values;
    facts.damagedTensors.clear();
    return {};
}

/// `request`: settled.
Result<CopyPlan> prepareConversion(JobInputs inputs, const JobRequest& request,
                                   const CancelToken& cancel, const DiskRates& rates) {
    CheckpointPtr source = std::move(inputs.source);
    const std::filesystem::path& output = request.output.path();
    const FormatInfo* format = findFormat(request.to);
    if (format == nullptr) {
        return fail(ErrorCode::Unsupported, "No such format")
            .inField("to")
            .butFound(verbatim(request.to))
            .withHint("`cairn-cli formats` lists the formats that can be written");
    }
    std::optional<PipelineOutput> pipeline;
    if (request.bundle) {
        if (inputs.average.empty()) {
            CAIRN_TRY(source, withOtherComponents(source, request.like.path(), cancel));
        }
        pipeline = findPipeline(*source, request.like.path());
    }
    // A precision with scales leaves blocks alone that are quantised already.
    bool dequantized =
        request.dtype != "keep" && precisionOf(request.dtype) == nullptr && useNumbers(source);
    PlanFacts facts = placeFacts(*source, output);
    for (const AverageMember& member : inputs.average) {
        const PlanFacts other = placeFacts(*member.checkpoint, output);
        facts.missingSource =
            facts.missingSource.empty() ? other.missingSource : facts.missingSource;
        facts.outputIsSource = facts.outputIsSource || other.outputIsSource;
        facts.outputInsideSource = facts.outputInsideSource || other.outputInsideSource;
    }
    facts.sharing = findSharing(*source, existingFolder(output));
    facts.rates = rates.of(fileSystemsOf(*source, output));
    facts.scales = withScales;
    facts.expectedScales = withPlainScales;
    JobRequest settled = request;
    const bool sums = !inputs.average.empty() || !inputs.adapters.empty();
    const bool toGguf = convertsToGguf(*source, request);
    SidecarSearch found;
    // For a trainer it names a checkpoint whose names are used.
    const std::filesystem::path like =
        request.trainer.empty() ? request.like.path() : std::filesystem::path();
    const bool needsFiles = request.bundle || toGguf || !inputs.adapters.empty() ||
                            request.dtype != "keep" || request.mustLoad || request.dequantize ||
                            convertsNames(request) || hasRankTensors(*source);
    const bool modules = request.bundle && !toGguf && request.dtype == "keep" && !sums &&
                         !request.dequantize && hasModules(*source);
    if (needsFiles && !pipeline && !cancel.cancelled()) {
        CAIRN_TRY(found, findSidecars(*source, like, request.dequantize, modules));
        facts.sidecars = std::move(found.files);
        facts.copied = copiedTensors(*source, facts.sidecars);
        if ((request.bundle || toGguf) && tiesEmbeddings(facts.sidecars) == false) {
            settled.tied = TiedWeights::Copies; // the model will not tie them again
        }
    }
    if (pipeline) {
        found = std::move(pipeline->files);
        facts.sidecars = std::move(found.files);
        facts.components = std::move(pipeline->components);
    }
    facts.fileStem = diffusersClass(facts.sidecars).empty() ? "" : kDiffusersStem;
    const std::vector<AverageMember> members = inputs.average;
    std::optional<CombinedSource> combined;
    if (areAdapters(members)) {
        CAIRN_TRY(combined, combineMembers(members, facts.sidecars));
        source = combined->checkpoint;
        inputs.average.clear();
        facts.sharing = findSharing(*source, existingFolder(output));
    }
    if (request.dequantize) {
        const bool blocks = hasBlocks(*source);
        CAIRN_CHECK(useUnpacked(source, inputs, request, sums || toGguf, facts, cancel));
        dequantized = dequantized || (inputs.average.empty() ? useNumbers(source) : blocks);
    }
    const bool all = request.only.kind == Selection::Kind::All;
    CAIRN_TRY(LoadedValues loaded,
              loadedValues(*source, cancel, all ? LargeRecords::Compared : LargeRecords::Left));
    addDamagedTensors(savedValues(loaded.value), facts);
    std::optional<TrainerSource> trainer;
    if (!request.trainer.empty()) {
        CAIRN_TRY(trainer, sourceForTrainer(source, request, cancel));
        CAIRN_CHECK(useTrainer(*trainer, savedValues(loaded.value), source, loaded, facts));
    }
    for (const AverageMember& member : members) {
        CAIRN_TRY(const SavedValues saved, savedValues(*member.checkpoint, cancel));
        addDamagedTensors(saved, facts);
    }
    facts.values = std::move(loaded.value);
    facts.valueRecords = loaded.records;
    CAIRN_TRY(SummedSource summed, sumsOf({source, std::move(settled), std::move(facts.sidecars),
                                           std::move(facts.values), std::move(inputs.average),
                                           std::move(inputs.adapters), std::move(combined),
                                           std::nullopt, std::nullopt, nullptr, nullptr},
                                          toGguf, cancel));
    JobSource& made = summed.made;
    facts.slices = summed.slices;
    facts.computed = summed.computed;
    facts.expected = summed.expected;
    source = std::move(made.checkpoint);
    settled = std::move(made.request);
    facts.average = std::move(made.average);
    facts.sidecars = std::move(made.sidecars);
    facts.values = std::move(made.values);
    facts.fold = std::move(made.fold);
    if (facts.fold && request.bundle && tiesEmbeddings(facts.sidecars) == false) {
        settled.tied = TiedWeights::Copies;
    }
    keepAdapterConfig(*source, facts.sidecars);
    CAIRN_CHECK(useConfig(source, settled, sums, facts, cancel));
    const std::vector<Sidecar> beside = request.mustLoad ? facts.sidecars : std::vector<Sidecar>();
    std::optional<GgufSource> gguf;
    if (toGguf) {
        CAIRN_TRY(gguf, convertToGguf(source, facts.expected, settled, facts.sidecars,
                                      facts.values ? &*facts.values : nullptr, facts.unpacked));
        useGguf(*gguf, source, settled, facts);
    }
    const LayoutTarget target = targetOf(*format, request);
    if (target.id == "keras") { // finds each variable at its own place
        settled.tied = TiedWeights::Copies;
    }
    CAIRN_CHECK(readStringTensors(*source, target, settled.only, cancel, facts));
    CAIRN_TRY(CopyPlan plan, planConsolidate(std::move(source), target, settled, std::move(facts)));
    std::ranges::move(summed.decisions, std::back_inserter(plan.decisions));
    std::ranges::move(summed.problems, std::back_inserter(plan.problems));
    plan.joined = std::move(summed.joined);
    if (trainer) {
        plan.training = std::move(trainer->training);
        std::ranges::move(trainer->decisions, std::back_inserter(plan.decisions));
        std::ranges::move(trainer->problems, std::back_inserter(plan.problems));
    }
    if (gguf) {
        if (!gguf->architecture.empty()) { // every tensor has a place in it, else it is refused
            const std::uint64_t tensors = plan.outputTensors();
            plan.loader = {"llama.cpp", gguf->architecture, tensors, tensors, LoaderAnswer::All};
        }
        std::ranges::move(gguf->decisions, std::back_inserter(plan.decisions));
        std::ranges::move(gguf->problems, std::back_inserter(plan.problems));
    }
    if (made.joined) {
        plan.decisions.push_back(std::move(*made.joined));
    }
    if (made.converted) {
        std::ranges::move(made.converted->decisions, std::back_inserter(plan.decisions));
        std::ranges::move(made.converted->checklist, std::back_inserter(plan.checklist));
    }
    if (dequantized) {
        decideNumbers(plan);
    }
    takeFileProblems(found, request, plan);
    plan.refusesBadValues = !request.force && (request.bundle || sums);
    if (request.bundle) {
        std::ranges::move(found.decisions, std::back_inserter(plan.decisions));
        CAIRN_CHECK(completeBundle(plan, request));
    } else if (request.mustLoad) {
        requireLoadable(plan, beside, request);
    }
    CAIRN_CHECK(decideDevice(plan, request.device));
    return plan;
}

/// `request`: settled.
Result<CopyPlan> prepareExport(CheckpointPtr source, const JobRequest& request,
                               const CancelToken& cancel, const DiskRates& rates) {
    const std::filesystem::path& output = request.output.path();
    const LayoutTarget target = layoutTarget(*findFormat(request.to));
    const bool dequantized = !target.can.hasBlocks && useNumbers(source);
    PlanFacts facts = placeFacts(*source, output);
    facts.sharing = findSharing(*source, existingFolder(output));
    facts.rates = rates.of(fileSystemsOf(*source, output));
    CAIRN_TRY(const SavedValues saved, savedValues(*source, cancel));
    addDamagedTensors(saved, facts);
    CAIRN_TRY(CopyPlan plan, planExport(std::move(source), target, request, std::move(facts)));
    if (dequantized) {
        decideNumbers(plan);
    }
    return plan;
}

} // namespace

Result<CopyPlan> prepareSettled(JobInputs inputs, const JobRequest& request,
                                const CancelToken& cancel, const DiskRates& rates) {
    return request.kind == JobKind::Export
               ? prepareExport(std::move(inputs.source), request, cancel, rates)
               : prepareConversion(std::move(inputs), request, cancel, rates);
}

Result<CopyPlan> prepareJob(JobInputs inputs, const JobRequest& request, const CancelToken& cancel,
                            const DiskRates& rates) {
    CAIRN_TRY(const JobRequest settled, settledRequest(request, *inputs.source));
    return prepareSettled(std::move(inputs), settled, cancel, rates);
}

} // namespace cairn
