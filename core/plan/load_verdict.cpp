// SPDX-License-Identifier: Apache-2.0
#include "core/plan/load_verdict.h"

#include "core/formats/format.h"
#include "core/plan/trainers.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cairn {
namespace {

using State = LoadVerdict::State;

/// "transformers LlamaForCausalLM", "PEFT".
Sentence nameOf(const PlanLoader& loader) {
    return loader.model.empty() ? verbatim(loader.program)
                                : verbatim(loader.program + " " + loader.model);
}

/// Names and shapes do not show whether what was assumed is true.
LoadVerdict ofLoader(const CopyPlan& plan) {
    const PlanLoader& loader = plan.loader;
    const Sentence loads =
        sentence("Loads with %1, %2 of %3 names", nameOf(loader), loader.found, loader.expected);
    const auto assumed = std::ranges::find_if(
        plan.decisions, [](const PlanDecision& each) { return !each.assumption.empty(); });
    return assumed == plan.decisions.end()
               ? LoadVerdict{State::Loads, loads}
               : LoadVerdict{State::Unknown, sentence("%1, if the numbers are right: %2", loads,
                                                      assumed->assumption)};
}

const ChecklistItem* lineOf(const CopyPlan& plan, CheckId id) {
    const auto found = std::ranges::find(plan.checklist, id, &ChecklistItem::id);
    return found == plan.checklist.end() ? nullptr : &*found;
}

LoadVerdict ofBundle(const CopyPlan& plan) {
    const auto failed = std::ranges::find_if(plan.checklist, &ChecklistItem::fails);
    if (failed != plan.checklist.end()) {
        const bool isPart = plan.loader.answer == LoaderAnswer::Part &&
                            std::ranges::all_of(plan.checklist, [](const ChecklistItem& line) {
                                return !line.fails() || line.id == CheckId::Tensors;
                            });
        return {State::Fails, isPart ? sentence("Would load, but not all of it: %1", failed->detail)
                                     : sentence("Would not load: %1", failed->detail)};
    }
    if (plan.loader.answer == LoaderAnswer::All) {
        return ofLoader(plan);
    }
    const ChecklistItem* tensors = lineOf(plan, CheckId::Tensors);
    return {State::Unknown, tensors == nullptr
                                ? Sentence("Unknown whether it loads")
                                : sentence("Unknown whether it loads: %1", tensors->detail)};
}

/// What of a training state goes on, not that the trainer's own settings fit it.
LoadVerdict ofTraining(const PlannedTraining& training) {
    const Trainer* trainer = findTrainer(training.trainer);
    const Sentence name =
        verbatim(trainer == nullptr ? training.trainer : std::string(trainer->title));
    // What the trainer restores by objects goes on only if something relates them to the tensors.
    const auto unread = std::ranges::find(training.lost, LossId::Unread, &TrainingLoss::id);
    if (trainer != nullptr && trainer->keepsObjects && unread != training.lost.end()) {
        return {State::Unknown,
                sentence("Not restored by %1: %2; %3", name, unread->what, unread->why)};
    }
    const auto resumes = sentence("Resumes in %1 with the moments of %2 of %3 parameters", name,
                                  training.withMoments, training.parameters);
    return {isExact(training.lost) ? State::Loads : State::Unknown,
            isExact(training.lost) ? Sentence(resumes)
                                   : sentence("%1, but not everything", resumes)};
}

} // namespace

std::string_view loadStateName(State state) {
    static constexpr std::array<std::string_view, 3> kNames = {"loads", "unknown", "fails"};
    return kNames.at(static_cast<std::size_t>(state));
}

LoadVerdict loadVerdict(const CopyPlan& plan) {
    const bool isBundle = lineOf(plan, CheckId::Weights) != nullptr;
    if (isBundle && std::ranges::any_of(plan.checklist, &ChecklistItem::fails)) {
        return ofBundle(plan);
    }
    // It stops the job, but says nothing certain.
    if (isBundle && lineOf(plan, CheckId::Weights)->ok &&
        plan.loader.answer == LoaderAnswer::Undecided) {
        return ofBundle(plan);
    }
    const auto error = std::ranges::find(plan.problems, Severity::Error, &PlanProblem::severity);
    if (error != plan.problems.end()) {
        return {State::Fails, error->message};
    }
    if (isBundle) {
        return ofBundle(plan);
    }
    if (plan.training) {
        return ofTraining(*plan.training);
    }
    if (plan.loader.answer == LoaderAnswer::All) {
        return ofLoader(plan);
    }
    const FormatInfo* format = findFormat(plan.format);
    if (format == nullptr || format->writes.reader.empty()) {
        return {State::Unknown, "Unknown whether it loads: the names are kept as they are"};
    }
    return {State::Loads,
            sentence("Read by %1 as tensors, without a model's config", format->writes.reader)};
}

} // namespace cairn
