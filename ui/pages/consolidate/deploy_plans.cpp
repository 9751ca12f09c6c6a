// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/deploy_plans.h"

#include "core/families/quantised/quantised_weights.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/prepare/precision_preview.h"
#include "core/jobs/request/run_request.h"
#include "core/model/precision.h"
#include "ui/pages/consolidate/written_formats.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace cairn::ui {
namespace {

bool hasScaledWeights(const Checkpoint& checkpoint) {
    const QuantisedWeights quantised(checkpoint);
    return std::ranges::any_of(quantised.all(), &QuantisedWeight::mayBeUnpacked);
}

void addPlace(PlannedDeployment& planned) {
    const CopyPlan& plan = planned.plan;
    planned.place = canonicalOutput(plan.output);
    const PlanFacts facts = placeFacts(*plan.source, plan.output);
    planned.freeBytes = facts.freeBytes;
    planned.sourceMissing = !facts.missingSource.empty();
    planned.outputExists = facts.outputExists;
    std::set<std::pair<const Checkpoint*, FileIndex>> files;
    for (const SourceTensor& tensor : sourceTensors(plan)) {
        for (const Piece& piece : tensor.checkpoint->tensor(tensor.index).pieces) {
            files.emplace(tensor.checkpoint, piece.file);
        }
    }
    planned.shards = files.size();
    for (const auto& [checkpoint, file] : files) {
        planned.shardBytes += checkpoint->files()[file.position()].identity.size;
    }
}

/// The figures of the output; the rows of its tensors go, which are a large part of the memory that
/// a checkpoint of very many tensors needs.
void sumUp(PlannedDeployment& planned) {
    CopyPlan& plan = planned.plan;
    planned.verdict = loadVerdict(plan);
    planned.tensors = plan.outputTensors();
    planned.castTensors = plan.castTensors();
    for (OutputFile& file : plan.layout.files) {
        planned.hasConfig = planned.hasConfig || file.name == "config.json";
        planned.modelFiles += file.tensors.empty() ? 0 : 1;
        for (const TensorSegment& segment : file.tensors) {
            planned.bytesRead += segment.length;
        }
        file.tensors = std::vector<TensorSegment>(); // `= {}` would keep the memory
        file.contents = decltype(file.contents)();
    }
}

bool asksForBlocks(const JobChoices& choices) {
    const Precision* precision = precisionOf(choices.request.dtype);
    return precision != nullptr && precision->inBlocks() && formatWithBlocks() != nullptr;
}

/// `choices`: not automatic.
Result<PlannedDeployment> planChosen(const CheckpointPtr& shown, const JobChoices& choices,
                                     const std::filesystem::path& run, const CancelToken& cancel) {
    PlannedDeployment planned;
    CAIRN_TRY(planned.request, requestOf(choices, outputOf(choices, run)));
    CAIRN_TRY(const OpenedRequest opened, openRequest(planned.request, cancel, shown));
    planned.read = {opened.inputs.source};
    for (const AdapterMember& adapter : opened.inputs.adapters) {
        planned.read.push_back(adapter.checkpoint);
    }
    CAIRN_TRY(PlannedJob job, planRequest(opened, cancel));
    planned.plan = std::move(job.plan);
    planned.digest = std::move(job.digest);
    return planned;
}

bool hasConfig(const CopyPlan& plan) {
    return std::ranges::any_of(plan.layout.files,
                               [](const OutputFile& file) { return file.name == "config.json"; });
}

/// In the form that suits the checkpoint, if the user leaves it open.
Result<PlannedDeployment> planAutomatic(const CheckpointPtr& shown, JobChoices choices,
                                        const std::filesystem::path& run, bool staysAdapter,
                                        const CancelToken& cancel) {
    if (asksForBlocks(choices)) {
        chooseFormat(choices, formatWithBlocks()->id);
        return planChosen(shown, choices, run, cancel);
    }
    chooseBundle(choices);
    CAIRN_TRY(PlannedDeployment planned, planChosen(shown, choices, run, cancel));
    if (!hasConfig(planned.plan) && !staysAdapter) {
        chooseFormat(choices, usualFormat().id);
        CAIRN_TRY(planned, planChosen(shown, choices, run, cancel));
    }
    return planned;
}

/// Nothing, or nothing but its place, stops the plan.
bool suits(const CopyPlan& plan) {
    return std::ranges::all_of(plan.problems, [](const PlanProblem& each) {
        return each.severity != Severity::Error || isOfPlace(each);
    });
}

/// For the chosen trainer, or the first that can continue from it, if the user leaves it open.
Result<PlannedDeployment> planTrainer(const CheckpointPtr& shown, JobChoices choices,
                                      const std::filesystem::path& run,
                                      std::vector<TrainerOffer> offers, const CancelToken& cancel) {
    auto usual = planChosen(shown, choices, run, cancel);
    if (!choices.anyTrainer || (usual && suits(usual->plan))) {
        return usual;
    }
    if (offers.empty()) {
        CAIRN_TRY(offers, trainerOffers(shown, cancel));
    }
    const auto rankOf = [&](const TrainerOffer& each) { // the chosen one of equal ones
        const bool isChosen = each.trainer->id == choices.request.trainer;
        return std::tuple(each.can && !each.onlyByForce, each.can, isChosen);
    };
    const auto best = std::ranges::max_element(offers, {}, rankOf); // the first of equal ones
    if (best->trainer->id != choices.request.trainer) {
        chooseTrainer(choices, best->trainer->id);
        usual = planChosen(shown, choices, run, cancel);
    }
    if (usual) {
        usual->offers = std::move(offers);
    }
    return usual;
}

/// What the shown checkpoint is, if it is an adapter; with its base as source, if it is folded.
Result<std::optional<ShownAdapter>> useBase(const CheckpointPtr& shown, JobChoices& choices,
                                            const CancelToken& cancel) {
    std::optional<ShownAdapter> adapter;
    const std::optional<AdapterFacts> facts =
        averages(choices) ? std::nullopt : adapterFacts(*shown);
    const bool isTraining = !choices.request.trainer.empty(); // of the adapter itself
    if (!facts) {
        return adapter;
    }
    adapter = ShownAdapter{*facts, choices.base, false};
    if (choices.base.empty()) {
        CAIRN_TRY(const CheckpointPtr base, findAdapterBase(shown, cancel));
        adapter->base = base == nullptr ? std::filesystem::path() : base->path();
    }
    adapter->folds =
        choices.adapterUse != AdapterUse::Alone && !adapter->base.empty() && !isTraining;
    if (adapter->folds) {
        JobRequest& request = choices.request;
        request.sources = {adapter->base};
        request.adapters.insert(request.adapters.begin(), {shown->path(), choices.ownScale});
    }
    return adapter;
}

} // namespace

bool PlannedDeployment::lacks(CheckId item) const {
    return std::ranges::any_of(
        plan.checklist, [&](const ChecklistItem& each) { return each.id == item && !each.ok; });
}

Result<PlannedDeployment> planFor(const CheckpointPtr& shown, const JobChoices& choices,
                                  const std::filesystem::path& run,
                                  const std::vector<TrainerOffer>& known,
                                  const CancelToken& cancel) {
    JobChoices used = choices;
    CAIRN_TRY(const std::optional<ShownAdapter> adapter, useBase(shown, used, cancel));
    const bool folds = adapter && adapter->folds;
    auto made = used.automatic ? planAutomatic(shown, used, run, adapter && !folds, cancel)
                               : planTrainer(shown, used, run, known, cancel);
    const bool open = used.automatic && choices.adapterUse == AdapterUse::Auto;
    if (folds && open && (!made || !made->plan.runnable())) { // a quantised base, for instance
        JobChoices alone = choices;
        alone.adapterUse = AdapterUse::Alone;
        alone.base = adapter->base;
        return planFor(shown, alone, run, known, cancel);
    }
    CAIRN_TRY(PlannedDeployment planned, std::move(made));
    planned.adapter = adapter;
    planned.scaled = hasScaledWeights(*planned.plan.source);
    addPlace(planned);
    sumUp(planned);
    return planned;
}

TargetFacts targetFacts(const CopyPlan& plan, const LoadVerdict& verdict) {
    TargetFacts facts{plan.forecast.bytes, verdict};
    if (plan.training) {
        facts.lost = plan.training->lost;
    }
    return facts;
}

Result<Outlook> outlookFor(const CheckpointPtr& shown, const JobChoices& choices,
                           const std::filesystem::path& run, const std::vector<TrainerOffer>& known,
                           const CancelToken& cancel) {
    Outlook outlook;
    outlook.offers = known;
    if (known.empty() && !choices.request.trainer.empty()) {
        CAIRN_TRY(outlook.offers, trainerOffers(shown, cancel));
    }
    JobChoices used = choices;
    CAIRN_TRY(const std::optional<ShownAdapter> adapter, useBase(shown, used, cancel));
    for (const Target target : kTargets) {
        CAIRN_CHECK(cancel.check());
        JobChoices other = target == Target::Continue ? choices : used;
        chooseTarget(other, target);
        const auto planned = planTrainer(shown, other, run, outlook.offers, cancel);
        outlook.targets[target] =
            planned ? targetFacts(planned->plan, loadVerdict(planned->plan))
                    : TargetFacts{0, {LoadVerdict::State::Fails, planned.error().message}};
    }
    CAIRN_CHECK(cancel.check());
    const auto planned = used.automatic ? planAutomatic(shown, used, run, false, cancel)
                                        : planChosen(shown, used, run, cancel);
    if (!planned || !planned->plan.precision || !planned->plan.runnable()) {
        return outlook;
    }
    CAIRN_TRY(const PrecisionPreview preview, previewPrecision(planned->plan, cancel));
    const auto relative = [](const QuantizationError& error) {
        return error.before > 0 ? std::optional(std::sqrt(error.squares / error.before))
                                : std::nullopt;
    };
    outlook.relativeError = relative(preview.error);
    for (const TensorPrecision& tensor : preview.tensors) {
        const auto error = relative(tensor.error);
        if (error && *error > outlook.worstError.value_or(-1)) {
            outlook.worstError = error;
            outlook.worstTensor = tensor.name;
        }
    }
    return outlook;
}

} // namespace cairn::ui
