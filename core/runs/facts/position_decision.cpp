// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/position_decision.h"

#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kStepInName = "step-in-name";

template <class T>
void addClaim(std::vector<Claim<T>>& claims, T value, Strength strength, std::string_view id,
              Sentence says, Place where) {
    claims.push_back({value, {strength, id, std::move(says), std::move(where)}});
}

Sentence numberSentence(std::int64_t number) {
    return sentence("step %1 in the values", number);
}

Sentence numberSentence(double number) {
    return number == std::floor(number) && std::abs(number) < 9e15
               ? sentence("epoch %1 in the values", static_cast<std::int64_t>(number))
               : Sentence("an epoch in the values");
}

Decided<std::int64_t> decideStep(const RecordedPosition& recorded, const NamedPosition& named,
                                 const std::filesystem::path& path) {
    std::vector<Claim<std::int64_t>> claims;
    if (recorded.step && !(recorded.vagueStep && named.step)) {
        const Strength strength = recorded.vagueStep ? Strength::Named : Strength::Recorded;
        addClaim(claims, *recorded.step, strength, "step-in-values", numberSentence(*recorded.step),
                 {path, recorded.stepField});
        if (recorded.updates == recorded.step && !recorded.vagueStep) {
            addClaim(claims, *recorded.step, Strength::Proven, "step-equals-updates",
                     "the optimizer's count is equal", {path, "optimizer.state"});
        }
    }
    if (named.step) {
        addClaim(claims, *named.step, Strength::Named, kStepInName,
                 sentence("step %1 in the name", *named.step), {path});
    }
    return decide(std::move(claims));
}

Decided<double> decideEpoch(const RecordedPosition& recorded, const NamedPosition& named,
                            const std::filesystem::path& path) {
    std::vector<Claim<double>> claims;
    if (recorded.epoch && !(recorded.vagueEpoch && named.epoch)) {
        const Strength strength = recorded.vagueEpoch ? Strength::Named : Strength::Recorded;
        addClaim(claims, *recorded.epoch, strength, "epoch-in-values",
                 numberSentence(*recorded.epoch), {path, recorded.epochField});
    }
    if (named.epoch) {
        addClaim(claims, *named.epoch, Strength::Named, "epoch-in-name",
                 sentence("epoch %1 in the name", static_cast<std::int64_t>(*named.epoch)), {path});
    }
    return decide(std::move(claims));
}

void appendAll(std::vector<Evidence>& to, std::vector<Evidence> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Its step is only a number in its name that may count something else.
bool hasOnlySaveNumber(const ScannedCheckpoint& each) {
    return !each.isLink() && each.step && each.named.mayCountSaves &&
           each.step == each.named.step &&
           std::ranges::none_of(each.because, [](const Evidence& evidence) {
               return evidence.id == "step-in-values";
           });
}

/// The number is a count of saves: fewer than the optimizer's steps. It may be one less where steps
/// are counted from 0.
bool countsSaves(const ScannedCheckpoint& each) {
    return each.updates && *each.updates > *each.step + 1;
}

/// The difference of number and recorded epoch, if it is 0 or 1.
std::optional<int> epochOffset(const ScannedCheckpoint& each) {
    for (const int offset : {0, 1}) {
        const bool isRecorded = std::ranges::any_of(each.because, [](const Evidence& evidence) {
            return evidence.id == "epoch-in-values";
        });
        if (isRecorded && static_cast<double>(*each.step) == *each.epoch + offset) {
            return offset;
        }
    }
    return std::nullopt;
}

void dropStep(ScannedCheckpoint& each, Evidence reason) {
    const auto isNumber = [](const Evidence& evidence) { return evidence.id == kStepInName; };
    const auto number = std::ranges::find_if(each.because, isNumber);
    each.against.push_back(std::move(reason));
    if (number != each.because.end()) {
        each.against.push_back(std::move(*number));
        each.because.erase(number);
    }
    each.step.reset();
}

} // namespace

void decidePosition(ScannedCheckpoint& checkpoint, const RecordedPosition& recorded) {
    Decided<std::int64_t> step = decideStep(recorded, checkpoint.named, checkpoint.path);
    Decided<double> epoch = decideEpoch(recorded, checkpoint.named, checkpoint.path);
    checkpoint.step = step.value;
    checkpoint.epoch = epoch.value;
    checkpoint.updates = recorded.updates;
    checkpoint.because = std::move(step.because);
    appendAll(checkpoint.because, std::move(epoch.because));
    std::ranges::stable_sort(checkpoint.because, std::ranges::greater(), &Evidence::strength);
    checkpoint.against = std::move(step.against);
    appendAll(checkpoint.against, std::move(epoch.against));
}

void decideSaveNumbers(ScannedRun& run) {
    std::vector<ScannedCheckpoint*> numbered;
    for (ScannedCheckpoint& each : run.checkpoints) {
        if (hasOnlySaveNumber(each)) {
            numbered.push_back(&each);
        }
    }
    if (numbered.empty()) {
        return;
    }
    if (!run.savesCountedBy.empty()) {
        for (ScannedCheckpoint* each : numbered) {
            dropStep(*each, {Strength::Recorded,
                             "number-of-save",
                             "the writer of the log beside it numbers saves",
                             {run.savesCountedBy}});
        }
        return;
    }
    const EvidentSaves saves(run);
    const auto counting = std::ranges::find_if(
        numbered, [&saves](const auto* each) { return saves.has(*each) && countsSaves(*each); });
    if (counting != numbered.end()) {
        const Evidence reason{Strength::Recorded,
                              "optimizer-count",
                              sentence("the optimizer made %1 steps until the save with number %2",
                                       *(*counting)->updates, *(*counting)->step),
                              {(*counting)->path, "optimizer.state"}};
        for (ScannedCheckpoint* each : numbered) {
            dropStep(*each, reason);
        }
        return;
    }
    std::optional<int> offset;
    bool areEpochs = true;
    for (const ScannedCheckpoint* each : numbered) {
        if (saves.has(*each)) {
            const auto own = epochOffset(*each);
            areEpochs = areEpochs && own && (!offset || own == offset);
            offset = own;
        }
    }
    areEpochs = areEpochs && offset;
    for (ScannedCheckpoint* each : numbered) {
        if (areEpochs) {
            dropStep(*each, {Strength::Recorded,
                             "number-is-epoch",
                             "the number in the name follows the recorded epoch",
                             {each->path}});
        }
    }
}

std::vector<Evidence> positionEvidence(const RecordedTraining& training,
                                       const std::filesystem::path& path) {
    const TrainingPosition& position = training.position;
    const RecordedPosition recorded{position.step,
                                    position.epoch,
                                    position.vagueStep,
                                    position.vagueEpoch,
                                    training.stepField,
                                    training.epochField,
                                    {}};
    std::vector<Evidence> because = decideStep(recorded, {}, path).because;
    appendAll(because, decideEpoch(recorded, {}, path).because);
    return because;
}

} // namespace cairn
