// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/why.h"

#include "core/base/counted.h"
#include "core/runs/rank/best_decision.h"
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

Sentence positionOf(const ScannedCheckpoint& each) {
    const Sentence step = each.step ? sentence("step %1", *each.step) : Sentence();
    if (!each.epoch) {
        return step;
    }
    return each.step ? sentence("%1, epoch %2", step, amount(text(*each.epoch)))
                     : sentence("epoch %1", amount(text(*each.epoch)));
}

/// "step-300 (step 300)".
Sentence shown(const ScannedCheckpoint& each) {
    const Sentence position = positionOf(each);
    return position.empty() ? verbatim(each.name) : sentence("%1 (%2)", each.name, position);
}

const ScannedCheckpoint* marked(const ScannedRun& run, bool ScannedCheckpoint::*mark) {
    const auto at = std::ranges::find(run.checkpoints, true, mark);
    return at != run.checkpoints.end() ? &*at : nullptr;
}

Explanation explainMetric(const ScannedRun& run) {
    Explanation why{"which metric decides", {}, {}};
    if (run.bestIs.isBy(kBestInRecord)) {
        why.answer = run.bestMetric.empty()
                         ? Sentence("the trainer's own record, which does not name its metric")
                         : sentence("%1, which the trainer's own record names", run.bestMetric);
        why.from = verbatim(run.bestSource.string());
    } else if (run.bestIs.isBy(kBestByScore)) {
        why.answer = sentence("%1, %2", run.scoreMetric(), run.directionText());
        why.from =
            sentence("%1; direction %2", evidenceText(run.headline.because, run.headline.against),
                     evidenceText(run.direction.because, run.direction.against));
    } else if (run.bestIs.isBy(kBestInName)) {
        why.answer = "none: the trainer's name for the best checkpoint decides";
        why.from = verbatim(run.bestSource.string());
    } else if (!run.bestIs.against.empty()) {
        why.answer = "none: what identifies the best checkpoint contradicts itself";
    } else if (run.headline) {
        why.answer = sentence("%1, but no checkpoint has a finite value of it", run.scoreMetric());
        why.from = verbatim(run.scoreSource.string());
    } else {
        why.answer = "none: no record, curve, value or name identifies the best checkpoint";
    }
    return why;
}

Sentence whyBest(const ScannedRun& run, const ScannedCheckpoint& each) {
    if (!run.bestIs) {
        return {};
    }
    if (!run.bestIs.isBy(kBestByScore)) {
        return run.bestIs.because.front().says;
    }
    const auto others = std::ranges::count_if(run.checkpoints, [&](const ScannedCheckpoint& other) {
        return &other != &each && !other.isExport && other.score && std::isfinite(*other.score);
    });
    return sentence("it has the %1%2 of %3 with a value",
                    run.largerIsBetter() ? Sentence("largest ") : "lowest ", run.scoreMetric(),
                    counting(static_cast<std::uint64_t>(others) + 1, "checkpoint"));
}

Sentence whyNotBest(const ScannedRun& run, const ScannedCheckpoint& each) {
    const ScannedCheckpoint* best = marked(run, &ScannedCheckpoint::best);
    if (each.isLink()) {
        return sentence("it is a link to %1", each.linkTo);
    }
    if (best == nullptr && !run.bestIs.against.empty()) {
        Sentence sides = run.bestIs.against.front().says;
        for (std::size_t i = 1; i < run.bestIs.against.size(); ++i) {
            sides = sentence("%1; %2", sides, run.bestIs.against[i].says);
        }
        return sentence("undecided: %1", sides);
    }
    if (best == nullptr) {
        return "no checkpoint of the run is: no record, curve, value or name identifies one";
    }
    const Sentence other = shown(*best);
    if (!run.bestIs.isBy(kBestByScore)) {
        return sentence("%1 is: %2", other, whyBest(run, *best));
    }
    if (each.isExport) {
        return sentence("%1 is: this one is an export or a final model, not a save of the run",
                        other);
    }
    if (!each.mayBeComplete()) {
        return sentence("%1 is: this one is %2", other, fixedText(stateName(each.state)));
    }
    if (each.noModel) {
        return sentence("%1 is: this one contains no tensor of a model", other);
    }
    if (!each.score || !std::isfinite(*each.score)) {
        return sentence("%1 is: this one has no finite value of %2", other, run.scoreMetric());
    }
    return sentence("%1 is: %2 %3 against %4, %5", other, amount(text(*best->score)),
                    run.scoreMetric(), amount(text(*each.score)), run.directionText());
}

Sentence whyLatest(const ScannedRun& run, const ScannedCheckpoint& each) {
    Sentence why = !each.pointedBy.empty() && each.pointedAsLatest
                       ? sentence("the pointer file %1 names it", each.pointedBy.front())
                       : sentence("it is the last in training order of %1",
                                  counting(savesOf(run), "checkpoint"));
    for (auto later = run.checkpoints.rbegin(); later != run.checkpoints.rend() && &*later != &each;
         ++later) {
        if (!later->isLink() && !later->mayBeComplete()) {
            why = sentence("%1; %2 is later but %3", why, shown(*later),
                           fixedText(stateName(later->state)));
        }
    }
    return why;
}

Sentence whyNotLatest(const ScannedRun& run, const ScannedCheckpoint& each) {
    const ScannedCheckpoint* latest = marked(run, &ScannedCheckpoint::latest);
    if (each.isLink()) {
        return sentence("it is a link to %1", each.linkTo);
    }
    if (latest == nullptr) {
        return "no checkpoint of the run is";
    }
    const Sentence other = shown(*latest);
    if (each.isExport) {
        return sentence("%1 is: this one is an export or a final model, not a save of the run",
                        other);
    }
    if (!each.mayBeComplete()) {
        return sentence("%1 is: this one is %2", other, fixedText(stateName(each.state)));
    }
    if (each.noModel) {
        return sentence("%1 is: this one contains no tensor of a model", other);
    }
    if (latest->pointedAsLatest) {
        return sentence("%1 is: the pointer file %2 names it", other, latest->pointedBy.front());
    }
    if (positionOf(each).empty() || positionOf(each) == positionOf(*latest)) {
        return positionOf(each).empty() && !positionOf(*latest).empty()
                   ? sentence("%1 is: this one has no step or epoch", other)
                   : sentence("%1 is: the larger, then the newer of those at one position", other);
    }
    return sentence("%1 is: it is later in training order", other);
}

} // namespace

Sentence placeText(const Place& from) {
    Sentence place = verbatim(from.file.string());
    const auto add = [&](Sentence part) {
        place = place.empty() ? std::move(part) : sentence("%1, %2", place, std::move(part));
    };
    if (!from.field.empty()) {
        add(verbatim(from.field));
    } else if (from.row) {
        add(sentence("row %1", *from.row));
    }
    if (from.step) {
        add(sentence("step %1", from.step->text()));
    }
    return place;
}

Sentence evidenceText(const std::vector<Evidence>& because, const std::vector<Evidence>& against) {
    const auto listed = [](const std::vector<Evidence>& all) {
        std::vector<Sentence> parts;
        for (const Evidence& each : all) {
            Sentence part = sentence("%1: %2", fixedText(strengthName(each.strength)), each.says);
            const bool hasFile = !each.where.file.empty();
            parts.push_back(hasFile ? sentence("%1 (%2)", part, placeText(each.where)) : part);
        }
        return sentenceList(parts, "; ");
    };
    if (against.empty()) {
        return because.empty() ? Sentence() : listed(because);
    }
    const Sentence contrary = sentence("against it %1", listed(against));
    return because.empty() ? contrary : sentence("%1; %2", listed(because), contrary);
}

Explanation explainRows(const ScannedRun& run) {
    Explanation why{"what do the rows count", {}, evidenceText(run.rowsBecause, run.rowsAgainst)};
    if (!run.undecidedMetric.empty()) {
        why.answer =
            sentence("undecided: nothing shows which row of %1 is a checkpoint's; the curve gives "
                     "no checkpoint a value",
                     run.undecidedMetric);
    } else if (run.rowsBecause.empty()) {
        why.answer = "no curve is compared with the checkpoints";
    } else {
        why.answer =
            sentence("what the checkpoints count; %1 is matched with them", run.scoreMetric());
    }
    return why;
}

Explanation explainStep(const ScannedCheckpoint& each) {
    Explanation why{"what is its step", positionOf(each), {}};
    if (each.isLink()) {
        return {why.question, sentence("the one of %1, which it is a link to", each.linkTo),
                verbatim(each.path.string())};
    }
    if (each.because.empty()) {
        why.answer = each.against.empty()
                         ? Sentence("unknown: neither its values nor its name contain a step or an "
                                    "epoch; it is ordered by the time of its last change")
                         : Sentence("undecided: its sources contradict each other");
    }
    why.from = evidenceText(each.because, each.against);
    return why;
}

Explanation explainValue(const ScannedRun& run, const ScannedCheckpoint& each) {
    Explanation why{"what is its value", {}, {}};
    if (each.score) {
        why.answer = sentence("%1 %2", amount(text(*each.score)), run.scoreMetric());
        why.from = each.scoreFrom ? placeText(*each.scoreFrom) : verbatim(run.scoreSource.string());
    } else if (each.best && run.bestIs.isBy(kBestInRecord) && run.bestValue) {
        why.answer = run.bestMetric.empty()
                         ? verbatim(text(*run.bestValue))
                         : sentence("%1 %2", amount(text(*run.bestValue)), run.bestMetric);
        why.from = verbatim(run.bestSource.string());
    } else if (!run.headline) {
        why.answer = "none: the run has no metric to compare checkpoints by";
    } else {
        why.answer = sentence("none: %1 has no value at its position", run.scoreMetric());
        why.from = verbatim(run.scoreSource.string());
    }
    return why;
}

Explanation explainExport(const ScannedCheckpoint& each) {
    if (each.exportOf) {
        const std::string& of = *each.exportOf.value;
        return {"is it an export",
                of.empty() ? Sentence("yes: a job made it of an unknown checkpoint")
                           : sentence("yes: a job made it of %1", of),
                evidenceText(each.exportOf.because, each.exportOf.against)};
    }
    return {"is it an export",
            each.isExport ? Sentence("assumed: by its name, or as the final model of the run")
                          : Sentence(),
            {}};
}

Explanation explainBest(const ScannedRun& run, const ScannedCheckpoint& each) {
    return {each.best ? "why best" : "why not best",
            each.best ? whyBest(run, each) : whyNotBest(run, each),
            evidenceText(run.bestIs.because, run.bestIs.against)};
}

Explanation explainState(const ScannedCheckpoint& each) {
    const Sentence state = each.isLink() ? Sentence("a link") : fixedText(stateName(each.state));
    Sentence answer = state;
    if (!each.reason.empty()) {
        answer = sentence("%1: %2", state, each.reason);
    } else if (!each.isLink() && each.state == CheckpointState::Complete) {
        answer = sentence("%1: everything in its index exists", state);
    } else if (!each.isLink() && !each.examined) {
        answer = sentence("%1: its index was not read", state);
    }
    return {"is it complete", answer,
            each.examined ? sentence("the index of %1", each.path.string())
                          : sentence("the listing of %1", each.path.string())};
}

Explanation explainValuesSaved(const Decided<bool>& decided) {
    Explanation why{"are its values what was saved", "no values", ""};
    if (decided.value) {
        why.answer = !*decided.value                       ? Sentence("no")
                     : decided.isAtLeast(Strength::Proven) ? Sentence("yes")
                                                           : "not checked";
        why.from = decided.because.front().says;
    }
    return why;
}

std::vector<Explanation> explainCheckpoint(const ScannedRun& run,
                                           const ScannedCheckpoint& checkpoint) {
    std::vector<Explanation> chain{explainStep(checkpoint), explainState(checkpoint)};
    if (Explanation made = explainExport(checkpoint); !made.answer.empty()) {
        chain.push_back(std::move(made));
    }
    chain.push_back(explainMetric(run));
    chain.push_back(explainRows(run));
    chain.push_back(explainValue(run, checkpoint));
    chain.push_back(explainBest(run, checkpoint));
    const Sentence folder = verbatim(run.path.string());
    chain.push_back(checkpoint.latest
                        ? Explanation{"why latest", whyLatest(run, checkpoint), folder}
                        : Explanation{"why not latest", whyNotLatest(run, checkpoint), folder});
    return chain;
}

} // namespace cairn
