// SPDX-License-Identifier: Apache-2.0
#include "core/plan/consolidate.h"

#include "core/base/visible_text.h"
#include "core/model/saved_values.h"
#include "core/plan/average.h"
#include "core/plan/draft.h"
#include "core/plan/first_files.h"
#include "core/plan/fold.h"
#include "core/plan/output_components.h"
#include "core/plan/output_dtypes.h"
#include "core/plan/output_metadata.h"
#include "core/plan/output_strings.h"
#include "core/plan/output_tensors.h"
#include "core/plan/plan_problems.h"
#include "core/plan/planned_precision.h"
#include "core/plan/request_words.h"
#include "core/plan/scaled_weights.h"
#include "core/plan/subclass_parts.h"

#include <algorithm>
#include <future>
#include <iterator>

/// Makes a plan from a selection.
///
/// The planner decides names, which tied tensors are written, and which files accompany the
/// weights; the format's layout function decides bytes; plan_problems.cpp reports obstacles. Every
/// choice with an alternative is a visible decision with its reason. Problems do not stop planning:
/// all of them are shown at once, and a plan with an error cannot be executed.
namespace cairn {
namespace {

void decideSelection(Draft& draft, const Selection& selection) {
    const std::size_t all = draft.plan.source->tensors().size();
    const std::size_t selected = draft.chosen.size() + draft.strings.size();
    const Sentence value = sentence("%1 of %2 tensors", selected, all);
    Sentence subtree =
        selection.subtree.empty() ? Sentence() : sentence(" below %1", selection.subtree);
    if (!selection.without.empty()) {
        subtree = sentence("%1, without %2", subtree, rolesText(selection.without));
    }
    switch (selection.kind) {
    case Selection::Kind::Auto:
    case Selection::Kind::Weights:
        decide(draft, DecisionId::TensorsSelected, value,
               sentence("Parameters and buffers%1: what a model needs for inference", subtree));
        break;
    case Selection::Kind::All:
        decide(draft, DecisionId::TensorsSelected, value,
               sentence("Everything%1 was requested", subtree));
        break;
    case Selection::Kind::Glob:
        decide(draft, DecisionId::TensorsSelected, value,
               sentence("Names that match %1%2", selection.glob, subtree));
        break;
    }
    if (selected == 0) {
        draft.plan.problems.push_back(
            {ErrorCode::TensorNotFound,
             Severity::Error,
             "No tensor was selected",
             "`cairn-cli ls` lists the tensors; --only all selects all of them",
             {}});
    }
}

/// Counts the omitted tensors, and warns of those that may belong to the model.
void reportOmitted(Draft& draft, const Selection& selection) {
    std::vector<TensorIndex> written = draft.chosen;
    for (const StringTensor& tensor : draft.strings) {
        written.push_back(*draft.plan.source->find(tensor.stored));
    }
    draft.plan.omitted = findOmitted(*draft.plan.source, selection, written);
    if (!selection.isWeights()) {
        return; // requested by name or by role
    }
    for (const TensorEntry& tensor : draft.plan.source->tensors()) {
        const bool doubted = tensor.roleBasis == RoleBasis::Name && !isDeployable(tensor.role) &&
                             !selection.strips(tensor.role) &&
                             inSubtree(tensor.name, selection.subtree);
        if (doubted) {
            const std::string role(roleName(tensor.role));
            addProblem(
                draft, ErrorCode::RoleByName, Severity::Warning,
                sentence("Some tensors are left out as %1 based on their names alone; they may "
                         "belong to the model: %2",
                         role, tensor.name),
                "Compare them with the model's tensor names; --only all, or --only GLOB, writes "
                "them",
                tensor.name);
            return;
        }
    }
}

/// Decides the name under which each selected tensor is written.
std::string dropContainer(Draft& draft, const JobRequest& request, const Value* values) {
    const std::string prefix = containerPrefix(*draft.plan.source, draft.chosen, values);
    if (prefix.empty() || !request.trainer.empty()) { // its own containers
        return {};
    }
    const bool drop = request.container == ContainerKey::Drop ||
                      (request.container == ContainerKey::Auto && request.bundle);
    const std::string shown = "'" + prefix.substr(0, prefix.size() - 1) + "'";
    if (!drop) {
        decide(draft, DecisionId::PrefixKept, "as stored",
               sentence("All weights are below %1, a key of the training checkpoint, which is part "
                        "of the names; --bundle drops it",
                        shown));
        return {};
    }
    decide(draft, DecisionId::PrefixDropped, sentence("%1 dropped", shown),
           "The prefix is the position of the state dict in the training checkpoint, not part of "
           "the model's tensor names");
    return prefix;
}

/// Reports how the output is distributed, or why that is not possible.
bool decideSharding(Draft& draft, const LayoutTarget& target, const Sharding& sharding) {
    if (sharding.empty()) {
        return true;
    }
    if (sharding.perLayer ? !target.can.splitsFiles
                          : !target.can.cutsTensors && !target.can.splitsFiles) {
        addProblem(draft,
                   fail(ErrorCode::Unsupported, "This format cannot be written in such parts")
                       .butFound(verbatim(target.id))
                       .withHint("Write dcp or safetensors"));
        return false;
    }
    if (sharding.perLayer) {
        decide(draft, DecisionId::FilesPerLayer, "one per layer",
               "Tensors are grouped by their names up to the first number; the rest shares a file");
    } else if (target.can.cutsTensors) {
        decide(draft, DecisionId::Ranks, sharding.words(),
               "Each dimension is split as by torch.chunk: the last ranks may have less, or "
               "nothing; tensors without the dimension are stored on one rank");
    } else {
        decide(draft, DecisionId::FilesPerRank, verbatim(std::to_string(sharding.ranks())),
               "The format does not split tensors: each file has about the same number of bytes");
    }
    return true;
}

void layOut(Draft& draft, const LayoutTarget& target, const Value* values,
            std::uint64_t maxShardBytes, const Sharding& sharding) {
    if (!decideSharding(draft, target, sharding)) {
        return;
    }
    std::vector<std::uint32_t> fileOf;
    if (!target.can.cutsTensors) {
        fileOf = filesOf(draft.tensors, sharding);
    }
    LayoutRequest request;
    request.tensors = draft.tensors;
    request.source = draft.plan.source.get();
    request.strings = draft.strings;
    request.baseName = draft.baseName;
    request.values = values;
    request.maxShardBytes = maxShardBytes;
    request.axes = sharding.axes;
    request.fileOf = fileOf;
    request.metadata = draft.metadata;
    request.shareBlock = draft.plan.sharing.block;
    auto layout = target.layout(request);
    if (!layout) {
        addProblem(draft, layout.error());
        return;
    }
    draft.plan.layout = std::move(*layout);
}

void addSidecars(Draft& draft, std::vector<Sidecar> sidecars) {
    OutputLayout& layout = draft.plan.layout;
    layout.folder = true;
    std::vector<OutputFile> files;
    std::string names;
    for (Sidecar& sidecar : sidecars) {
        const bool taken = std::ranges::any_of(
            layout.files, [&](const auto& file) { return file.name == sidecar.name; });
        if (taken) {
            continue;
        }
        names += (names.empty() ? "" : ", ") + sidecar.name;
        OutputFile file;
        file.name = sidecar.name;
        file.size = sidecar.bytes.size();
        if (file.size > 0) {
            file.addLiteral(0, std::move(sidecar.bytes));
        }
        files.push_back(std::move(file));
    }
    insertFirst(layout, std::move(files));
    if (names.empty()) {
        decide(draft, DecisionId::Bundle, "weights only",
               "No config or tokenizer files were found around the checkpoint");
    } else {
        decide(draft, DecisionId::Bundle, verbatim(names), "Copied unchanged");
    }
}

/// A single file gets the output's name; several files, or an option that requires it, make a
/// folder.
enum class OutputShape : std::uint8_t { AsLaidOut, Folder };
void nameOutput(Draft& draft, const LayoutTarget& target, OutputShape shape) {
    OutputLayout& layout = draft.plan.layout;
    std::filesystem::path& output = draft.plan.output;
    const bool slash = output.has_relative_path() && output.filename().empty();
    if (slash) {
        output = output.parent_path();
    }
    const bool looksLikeFile =
        !target.extension().empty() && output.extension() == target.extension();
    layout.folder = layout.folder || layout.files.size() > 1 || slash ||
                    (shape == OutputShape::Folder && !looksLikeFile);
    if (!layout.folder && !layout.files.empty()) {
        layout.files.front().name = output.filename().string();
    }
}

/// Reports how much the output will share with the source, and why not more.
void decideSharing(Draft& draft) {
    const CopyPlan& plan = draft.plan;
    if (plan.sharing.block == 0 || plan.layout.files.empty()) {
        return;
    }
    const std::string& name = plan.sharing.fileSystem;
    const Sentence block = sentence("%1 bytes", plan.sharing.block);
    if (plan.shared.empty()) {
        decide(
            draft, DecisionId::SharedBytes, "none",
            sentence(
                "%1 lets files share complete blocks of %2, but the output cannot share them: the "
                "data is cast, encoded or checksummed, or is at a different offset in its blocks",
                name, block));
        return;
    }
    decide(draft, DecisionId::SharedBytes,
           sentence("%1 of %2", amount(formatBytes(plan.forecast.sharedBytes)),
                    amount(formatBytes(plan.forecast.bytes))),
           sentence("%1 lets files share blocks of %2: these are shared with the source instead of "
                    "copied; later changes to one file do not affect the other",
                    name, block));
}

Result<void> checkTarget(const LayoutTarget& target) {
    if (target.layout == nullptr) {
        return fail(ErrorCode::Unsupported, "This format cannot be written")
            .butFound(verbatim(target.id))
            .withHint("`cairn-cli formats` lists the formats that can be written");
    }
    return {};
}

Forcible forcibleOf(bool force) {
    return force ? Forcible::Warns : Forcible::Stops;
}

/// Searches for problems of the source while the output is laid out: the two are independent, and
/// both visit every piece.
std::future<std::vector<PlanProblem>>
startFindingProblems(const Draft& draft, const Selection& selection, Forcible forcible) {
    constexpr std::size_t kMinForThread =
        50'000; // tensors, from which a separate thread is worthwhile
    return std::async(draft.chosen.size() < kMinForThread ? std::launch::deferred
                                                          : std::launch::async,
                      [source = draft.plan.source, chosen = draft.chosen, selection, forcible] {
                          return sourceProblems(*source, chosen, selection, forcible);
                      });
}

Result<void> finish(Draft& draft, const LayoutTarget& target, const PlanFacts& facts,
                    std::future<std::vector<PlanProblem>> damage) {
    draft.plan.format = target.id;
    refreshForecast(draft.plan);
    decideSharing(draft);
    if (!draft.plan.layout.files.empty()) {
        CAIRN_CHECK(validate(draft.plan));
    }
    std::ranges::move(damage.get(), std::back_inserter(draft.plan.problems));
    for (PlanProblem& problem :
         outputProblems(facts, draft.plan.forecast.bytes - draft.plan.forecast.sharedBytes)) {
        if (problem.where.file.empty()) { // else it is the source's
            problem.where.file = draft.plan.output.string();
        }
        draft.plan.problems.push_back(std::move(problem));
    }
    return {};
}

/// What is not checked is named, so that nobody takes it for verified.
Sentence writtenBecause(const SavedValues& saved, const std::filesystem::path& checkpoint) {
    const Sentence nesting = "The output has the nesting of the checkpoint";
    const Decided<bool> decided = decideSaved(saved, checkpoint);
    if (decided.because.empty() || decided.isAtLeast(Strength::Proven)) {
        return nesting;
    }
    return sentence("%1; %2", nesting, decided.because.front().says);
}

} // namespace

Result<CopyPlan> planConsolidate(CheckpointPtr source, const LayoutTarget& target,
                                 const JobRequest& request, PlanFacts facts) {
    CAIRN_CHECK(checkTarget(target));
    Draft draft;
    draft.plan.job = jobKindName(request.kind);
    draft.plan.source = std::move(source);
    draft.plan.sharing = std::move(facts.sharing);
    draft.plan.rates = facts.rates;
    draft.plan.output = request.output.path();
    draft.plan.options = recordedOptions(request);
    draft.plan.slices = std::move(facts.slices);
    draft.plan.computed = std::move(facts.computed);
    draft.plan.expected = std::move(facts.expected);
    draft.metadata = request.metadata;
    CAIRN_TRY(draft.chosen, selectTensors(*draft.plan.source, request.only));
    auto damaged =
        leaveOutDamaged(*draft.plan.source, facts, forcibleOf(request.force), draft.chosen);
    takeStrings(draft, request, facts);
    leaveOutStrings(draft);
    leaveOutParts(draft, facts.unpacked);
    decideSelection(draft, request.only);
    addObjectGraph(draft, target, request, facts);
    reportOmitted(draft, request.only);
    std::erase_if(draft.chosen, [&](TensorIndex index) {
        return facts.copied.contains(draft.plan.source->tensor(index).name);
    });
    if (!facts.average.empty() && !draft.plan.computed) {
        CAIRN_CHECK(planAverage(draft, request.only, facts.average));
    }
    if (request.bundle && !facts.fileStem.empty()) {
        draft.baseName = facts.fileStem;
    }
    planFold(draft, request, facts.fold.get());
    draft.fixed = std::move(facts.fixedDtypes);
    const std::vector<TiedTensor> tied = leaveOutTied(draft, facts.tied, target.can.sharesBytes);
    CAIRN_CHECK(chooseDtypes(draft, request, facts.float32, facts.unpacked));
    addScales(draft, facts.scales, facts.expectedScales);
    auto damage = startFindingProblems(draft, request.only, forcibleOf(request.force));

    const bool whole = request.only.kind == Selection::Kind::All && request.only.subtree.empty();
    if (facts.values) {
        facts.values = stripValues(*draft.plan.source, *facts.values, request.only);
    }
    SavedValues saved = savedValues(facts.values.value_or(Value()));
    saved.records = facts.valueRecords;
    const Value* values = facts.values && !isAllUnusable(saved) ? &saved.usable : nullptr;
    const bool inFolders = request.bundle && !facts.components.empty();
    const std::string prefix = inFolders ? std::string() : dropContainer(draft, request, values);
    const NamePlan names{prefix, &request.rename, request.rename.text(), target.can.sharesBytes,
                         request.tied == TiedWeights::Copies};
    listTensors(draft, names);
    listQuantised(draft);
    decideOmitted(draft, tied, names);
    decideObjectGraph(draft, target);
    const bool sameNames = prefix.empty() && request.rename.empty() &&
                           draft.firstScale >= draft.plan.source->tensors().size();
    carryMetadata(draft, target, facts.values ? &*facts.values : nullptr, sameNames, whole);
    if (!target.can.library.empty()) {
        addMetadata(draft, "format", std::string(target.can.library));
    }
    checkSubclassParts(draft, request.bundle || request.mustLoad);
    const bool carries = whole && target.can.hasValues && sameNames;
    const Value* written = carries ? values : nullptr;
    const bool valuesAreTensors = // which are written
        draft.plan.source->format() == target.id && !target.can.objectGraph.empty();
    if (whole && !valuesAreTensors) {
        decide(draft, DecisionId::PlainValues,
               written == nullptr ? Sentence("left out")
               : saved.complete()
                   ? Sentence("written")
                   : sentence("written without %1", counting(saved.unusableCount, "damaged item")),
               carries ? written != nullptr ? writtenBecause(saved, draft.plan.source->path())
                                            : "They are damaged or cannot be read"
               : target.can.hasValues
                   ? Sentence("The names do not match the nesting of the checkpoint")
                   : "The format stores tensors only");
    }
    if (inFolders) {
        layOutComponents(draft, target, request, facts.components);
    } else {
        layOut(draft, target, target.can.describesModel ? values : written, request.maxShardBytes,
               request.sharding);
    }
    if (request.bundle) {
        addSidecars(draft, std::move(facts.sidecars));
    }
    const bool shards = request.maxShardBytes > 0 || !request.sharding.empty();
    nameOutput(draft, target, shards ? OutputShape::Folder : OutputShape::AsLaidOut);
    CAIRN_CHECK(finish(draft, target, facts, std::move(damage)));
    std::ranges::move(damaged, std::back_inserter(draft.plan.problems));
    if (carries) {
        std::ranges::move(valueProblems(saved, forcibleOf(request.force)),
                          std::back_inserter(draft.plan.problems));
    }
    return std::move(draft.plan);
}

Result<CopyPlan> planExport(CheckpointPtr source, const LayoutTarget& target,
                            const JobRequest& request, PlanFacts facts) {
    CAIRN_CHECK(checkTarget(target));
    Draft draft;
    draft.plan.job = "export";
    draft.plan.source = std::move(source);
    draft.plan.sharing = std::move(facts.sharing);
    draft.plan.rates = facts.rates;
    draft.plan.output = request.output.path();
    draft.plan.options = {{"to", target.id}, {"tensor", request.only.text()}};
    CAIRN_TRY(draft.chosen, selectTensors(*draft.plan.source, request.only));
    if (draft.chosen.empty()) {
        return fail(ErrorCode::TensorNotFound, "No matching tensor")
            .butFound(verbatim(request.only.text()));
    }
    auto damaged =
        leaveOutDamaged(*draft.plan.source, facts, forcibleOf(request.force), draft.chosen);
    leaveOutStrings(draft);
    auto damage = startFindingProblems(draft, request.only, forcibleOf(request.force));
    decideSelection(draft, request.only);
    listTensors(draft, {{}, nullptr, {}, target.can.sharesBytes, true});
    layOut(draft, target, nullptr, 0, {});
    nameOutput(draft, target, OutputShape::AsLaidOut);
    CAIRN_CHECK(finish(draft, target, facts, std::move(damage)));
    std::ranges::move(damaged, std::back_inserter(draft.plan.problems));
    return std::move(draft.plan);
}

} // namespace cairn
