// SPDX-License-Identifier: Apache-2.0
#include "core/runs/why.h"

#include "core/base/counted.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace cairn {
namespace {

std::string text(double number) {
    std::array<char, 32> digits{};
    const int length = std::snprintf(digits.data(), digits.size(), "%.9g", number);
    return {digits.data(), static_cast<std::size_t>(std::max(0, length))};
}

std::string positionOf(const ScannedCheckpoint& each) {
    std::string position = each.step ? "step " + std::to_string(*each.step) : std::string();
    if (each.epoch) {
        position += (position.empty() ? "epoch " : ", epoch ") + text(*each.epoch);
    }
    return position;
}

/// "step-300 (step 300)".
std::string shown(const ScannedCheckpoint& each) {
    const std::string position = positionOf(each);
    return position.empty() ? each.name : each.name + " (" + position + ")";
}

const ScannedCheckpoint* marked(const ScannedRun& run, bool ScannedCheckpoint::*mark) {
    const auto at = std::ranges::find(run.checkpoints, true, mark);
    return at != run.checkpoints.end() ? &*at : nullptr;
}

Explanation explainStep(const ScannedCheckpoint& each) {
    Explanation why{"what is its step", positionOf(each), {}};
    if (each.isLink()) {
        return {why.question, "the one of " + each.linkTo + ", which it is a link to",
                each.path.string()};
    }
    switch (each.stepFrom) {
    case StepFrom::Values:
        why.from = "the values in " + each.path.string();
        break;
    case StepFrom::Name:
        why.from = "the name " + each.name;
        break;
    case StepFrom::Time:
        why.answer = "unknown: neither its values nor its name contain a step or an epoch; it is "
                     "ordered by the time of its last change";
        break;
    }
    return why;
}

Explanation explainCompleteness(const ScannedCheckpoint& each) {
    std::string answer(stateName(each.state));
    answer += each.reason.empty() ? "" : ": " + each.reason;
    if (each.isLink()) {
        answer = "a link" + (each.reason.empty() ? std::string() : ": " + each.reason);
    } else if (each.reason.empty() && each.state == CheckpointState::Complete) {
        answer += ": everything in its index exists";
    } else if (each.reason.empty() && !each.examined) {
        answer += ": its index was not read";
    }
    return {"is it complete", answer,
            each.examined ? "the index of " + each.path.string()
                          : "the listing of " + each.path.string()};
}

std::string direction(const ScannedRun& run) {
    return run.largerScoreIsBetter ? "larger is better" : "lower is better";
}

Explanation explainMetric(const ScannedRun& run) {
    Explanation why{"which metric decides", {}, {}};
    if (run.bestFrom == BestFrom::Record) {
        why.answer = run.bestMetric.empty()
                         ? "the trainer's own record, which does not name its metric"
                         : run.bestMetric + ", which the trainer's own record names";
        why.from = run.bestSource.string();
    } else if (run.bestFrom == BestFrom::History) {
        why.answer = run.scoreMetric + ", " + direction(run);
        why.from = run.scoreSource.empty() ? "the values that the checkpoints hold"
                                           : run.scoreSource.string();
    } else if (run.bestFrom == BestFrom::Name) {
        why.answer = "none: only a name identifies the best checkpoint";
        why.from = run.bestSource.string();
    } else if (!run.scoreMetric.empty()) {
        why.answer = run.scoreMetric + ", but no checkpoint has a finite value of it";
        why.from = run.scoreSource.string();
    } else {
        why.answer = "none: no record, curve, value or name identifies the best checkpoint";
    }
    return why;
}

Explanation explainValue(const ScannedRun& run, const ScannedCheckpoint& each) {
    Explanation why{"what is its value", {}, {}};
    if (each.score) {
        why.answer = text(*each.score) + " " + run.scoreMetric;
        why.from = each.scoreFrom ? placeText(*each.scoreFrom) : run.scoreSource.string();
    } else if (each.best && run.bestFrom == BestFrom::Record && run.bestValue) {
        why.answer = text(*run.bestValue) + (run.bestMetric.empty() ? "" : " " + run.bestMetric);
        why.from = run.bestSource.string();
    } else if (run.scoreMetric.empty()) {
        why.answer = "none: the run has no metric to compare checkpoints by";
    } else {
        why.answer = "none: " + run.scoreMetric + " has no value at its position";
        why.from = run.scoreSource.string();
    }
    return why;
}

std::string whyBest(const ScannedRun& run, const ScannedCheckpoint& each) {
    switch (run.bestFrom) {
    case BestFrom::Record:
        return "the trainer's record in the newest checkpoint that has one names it";
    case BestFrom::History: {
        const auto others =
            std::ranges::count_if(run.checkpoints, [&](const ScannedCheckpoint& other) {
                return &other != &each && other.score && std::isfinite(*other.score);
            });
        return std::string("it has the ") + (run.largerScoreIsBetter ? "largest " : "lowest ") +
               run.scoreMetric + " of " +
               counted(static_cast<std::uint64_t>(others) + 1, "checkpoint") + " with a value";
    }
    case BestFrom::Name:
        return "its name, or that of a link to it; nothing else identifies a best checkpoint";
    case BestFrom::Nobody:
        break;
    }
    return {};
}

std::string whyNotBest(const ScannedRun& run, const ScannedCheckpoint& each) {
    const ScannedCheckpoint* best = marked(run, &ScannedCheckpoint::best);
    if (each.isLink()) {
        return "it is a link to " + each.linkTo;
    }
    if (best == nullptr) {
        return "no checkpoint of the run is: no record, curve, value or name identifies one";
    }
    const std::string other = shown(*best) + " is: ";
    if (run.bestFrom != BestFrom::History) {
        return other + whyBest(run, *best);
    }
    if (each.isExport) {
        return other + "this one is an export or a final model, not a save of the run";
    }
    if (each.noModel) {
        return other + "this one contains no tensor of a model";
    }
    if (!each.score || !std::isfinite(*each.score)) {
        return other + "this one has no finite value of " + run.scoreMetric;
    }
    return other + text(*best->score) + " " + run.scoreMetric + " against " + text(*each.score) +
           ", " + direction(run);
}

std::string whyLatest(const ScannedRun& run, const ScannedCheckpoint& each) {
    std::string why =
        !each.pointedBy.empty() && each.pointedAsLatest
            ? "the pointer file " + each.pointedBy.front() + " names it"
            : "it is the last in training order of " + counted(savesOf(run), "checkpoint");
    for (auto later = run.checkpoints.rbegin(); later != run.checkpoints.rend() && &*later != &each;
         ++later) {
        if (!later->isLink() && !later->mayBeComplete()) {
            why += "; " + shown(*later) + " is later but " + std::string(stateName(later->state));
        }
    }
    return why;
}

std::string whyNotLatest(const ScannedRun& run, const ScannedCheckpoint& each) {
    const ScannedCheckpoint* latest = marked(run, &ScannedCheckpoint::latest);
    if (each.isLink()) {
        return "it is a link to " + each.linkTo;
    }
    if (latest == nullptr) {
        return "no checkpoint of the run is";
    }
    const std::string other = shown(*latest) + " is";
    if (each.isExport) {
        return other + ": this one is an export or a final model, not a save of the run";
    }
    if (!each.mayBeComplete()) {
        return other + ": this one is " + std::string(stateName(each.state));
    }
    if (each.noModel) {
        return other + ": this one contains no tensor of a model";
    }
    if (latest->pointedAsLatest) {
        return other + ": the pointer file " + latest->pointedBy.front() + " names it";
    }
    if (positionOf(each).empty() || positionOf(each) == positionOf(*latest)) {
        return other + (positionOf(each).empty() && !positionOf(*latest).empty()
                            ? ": this one has no step or epoch"
                            : ": the larger, then the newer of those at one position");
    }
    return other + ": it is later in training order";
}

} // namespace

std::string placeText(const NumberFrom& from) {
    std::string place = from.file.string();
    const auto add = [&](const std::string& part) { place += (place.empty() ? "" : ", ") + part; };
    if (!from.field.empty()) {
        add(from.field);
    } else if (from.row) {
        add("row " + std::to_string(*from.row));
    }
    if (from.step) {
        add("step " + text(*from.step));
    }
    return place;
}

std::vector<Explanation> explainCheckpoint(const ScannedRun& run,
                                           const ScannedCheckpoint& checkpoint) {
    const std::string bestFrom = run.bestSource.string();
    return {explainStep(checkpoint),
            explainCompleteness(checkpoint),
            explainMetric(run),
            explainValue(run, checkpoint),
            checkpoint.best ? Explanation{"why best", whyBest(run, checkpoint), bestFrom}
                            : Explanation{"why not best", whyNotBest(run, checkpoint), bestFrom},
            checkpoint.latest
                ? Explanation{"why latest", whyLatest(run, checkpoint), run.path.string()}
                : Explanation{"why not latest", whyNotLatest(run, checkpoint), run.path.string()}};
}

} // namespace cairn
