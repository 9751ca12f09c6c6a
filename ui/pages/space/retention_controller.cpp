// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/retention_controller.h"

#include "core/runs/run_counts.h"
#include "ui/text/core_text.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr std::size_t kKeepLast = 3;

std::optional<std::uint64_t> freeSpaceAt(const std::filesystem::path& path) {
    std::error_code error;
    const auto space = std::filesystem::space(path, error);
    return error ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

} // namespace

RetentionController::RetentionController(FileOps& ops, QObject* parent)
    : QObject(parent), m_ops(ops) {
    m_rules.keepLast = kKeepLast;
}

void RetentionController::setRuns(std::vector<Target> runs, bool again) {
    if (runs == m_runs && !again && (!m_known.empty() || m_examining.isRunning())) {
        return;
    }
    m_runs = std::move(runs);
    if (again) {
        m_earlier.clear();
    }
    startExamining();
}

void RetentionController::setRules(const RetentionRules& rules) {
    m_rules = rules;
    m_rulesChosen = true;
    m_outcome.reset();
    if (!m_examining.isRunning()) {
        plan();
    }
    Q_EMIT changed();
}

void RetentionController::plan() {
    if (m_known.empty()) {
        startExamining();
    } else {
        startPlanning();
        Q_EMIT changed();
    }
}

void RetentionController::stop() {
    m_examining.cancel();
    m_planning.cancel();
    if (!m_outcome) {
        m_known.clear();
    }
    Q_EMIT changed();
}

Result<RetentionController::AllExamined>
RetentionController::examine(const std::vector<Target>& runs, AllExamined known,
                             const CancelToken& cancel,
                             const std::function<void(std::size_t)>& progress) {
    AllExamined all;
    for (const Target& place : runs) {
        const auto before = std::ranges::find_if(
            known, [&](const ExaminedPtr& each) { return each->place == place; });
        if (before != known.end()) {
            all.push_back(*before);
            continue;
        }
        Examined each{place, std::nullopt, std::nullopt};
        auto run = examineForPruning(place.path, place.root, cancel);
        CAIRN_CHECK(cancel.check());
        if (run) {
            each.run = std::move(*run);
        } else {
            each.error = run.error();
        }
        all.push_back(std::make_shared<const Examined>(std::move(each)));
        progress(all.size());
    }
    return all;
}

void RetentionController::remember(const AllExamined& examined) {
    m_known = examined;
    for (const ExaminedPtr& each : examined) {
        std::erase_if(m_earlier, [&](const ExaminedPtr& old) { return old->place == each->place; });
        m_earlier.push_back(each);
    }
}

void RetentionController::startExamining() {
    m_planning.cancel();
    m_examining.cancel();
    m_known.clear();
    m_outcome.reset();
    m_done = 0;
    if (!m_runs.empty()) {
        m_examining.start(
            [this, runs = m_runs, earlier = m_earlier](const CancelToken& cancel,
                                                       const AsyncRunner::Post& post) {
                return examine(runs, earlier, cancel, [this, &post](std::size_t done) {
                    post([this, done] {
                        m_done = done;
                        Q_EMIT changed();
                    });
                });
            },
            [this](Result<AllExamined> known) {
                if (known) {
                    remember(*known);
                    startPlanning();
                }
                Q_EMIT changed();
            });
    }
    Q_EMIT changed();
}

Result<std::pair<RetentionController::OutcomePtr, RetentionController::AllExamined>>
RetentionController::planAll(const AllExamined& examined, const RetentionRules& rules,
                             const CancelToken& cancel) {
    AllExamined known;
    auto outcome = std::make_shared<Outcome>();
    outcome->rules = rules;
    outcome->allScored = true;
    for (const ExaminedPtr& before : examined) {
        Examined each = *before; // proofs are added
        RunPlan run{each.place, {}, each.error, {}, 0};
        if (each.run) {
            const ScannedRun& scanned = each.run->run;
            run.notices = each.run->notices;
            run.checkpoints = savesOf(scanned);
            outcome->allScored = outcome->allScored && scanned.bestIs;
            const std::string& metric =
                scanned.headline ? scanned.scoreMetric() : scanned.bestMetric;
            outcome->metric = outcome->runs.empty() || outcome->metric == metric ? metric : "";
            auto plan = planPruning(*each.run, rules, cancel);
            CAIRN_CHECK(cancel.check());
            if (plan) {
                run.plan = std::move(*plan);
                if (run.plan.waitsForDirection) {
                    const QString says = text::coreText(scanned.directionText());
                    const bool isSame =
                        outcome->unconfirmed.isEmpty() || outcome->unconfirmed == says;
                    outcome->unconfirmed = isSame ? says : tr("the assumed directions");
                }
            } else {
                run.error = plan.error();
            }
        }
        outcome->moved += run.plan.remove.size();
        outcome->kept += run.plan.keep.size();
        outcome->untouched += run.error ? run.checkpoints : run.plan.refused.size();
        outcome->freedBytes += run.plan.freedBytes;
        outcome->runs.push_back(std::move(run));
        known.push_back(std::make_shared<const Examined>(std::move(each)));
    }
    if (!known.empty()) {
        outcome->diskFree = freeSpaceAt(known.front()->place.path);
    }
    return std::pair(OutcomePtr(std::move(outcome)), std::move(known));
}

void RetentionController::startPlanning() {
    if (!m_rulesChosen) {
        const auto isScored = [](const ExaminedPtr& each) {
            return each->run && each->run->run.bestIs.value.has_value();
        };
        m_rules.keepBest = std::ranges::all_of(m_known, isScored) ? 1 : 0;
    }
    m_planning.start([examined = m_known, rules = m_rules](
                         const CancelToken& cancel) { return planAll(examined, rules, cancel); },
                     [this](Result<std::pair<OutcomePtr, AllExamined>> planned) {
                         if (planned) {
                             m_outcome = std::move(planned->first);
                             remember(planned->second);
                         }
                         Q_EMIT changed();
                     });
}

void RetentionController::move() {
    if (m_outcome && !isMoving()) {
        startMoving(m_outcome);
    }
}

void RetentionController::moveChosen(const OutcomePtr& chosen) {
    if (!isMoving()) {
        startMoving(chosen);
    }
}

void RetentionController::planChosen(std::vector<Target> runs,
                                     std::vector<std::filesystem::path> chosen) {
    m_choosing.start(
        [runs = std::move(runs),
         chosen = std::move(chosen)](const CancelToken& cancel) -> Result<OutcomePtr> {
            auto outcome = std::make_shared<Outcome>();
            for (const Target& place : runs) {
                CAIRN_TRY(PrunableRun run, examineForPruning(place.path, place.root, cancel));
                std::vector<std::filesystem::path> own = chosen;
                std::erase_if(own, [&](const std::filesystem::path& path) {
                    return std::ranges::find(run.run.checkpoints, path, &ScannedCheckpoint::path) ==
                           run.run.checkpoints.end();
                });
                RunPlan planned{place, cairn::planChosen(run, own), std::nullopt,
                                std::move(run.notices), savesOf(run.run)};
                outcome->moved += planned.plan.remove.size();
                outcome->untouched += planned.plan.refused.size();
                outcome->freedBytes += planned.plan.freedBytes;
                outcome->runs.push_back(std::move(planned));
            }
            return OutcomePtr(std::move(outcome));
        },
        [this](Result<OutcomePtr> outcome) {
            if (outcome) {
                Q_EMIT chosenPlanned(*outcome, std::nullopt);
            } else if (outcome.error().code != ErrorCode::Cancelled) {
                Q_EMIT chosenPlanned(nullptr, outcome.error());
            }
        });
}

void RetentionController::startMoving(const OutcomePtr& chosen) {
    m_moving.start(
        [ops = &m_ops, outcome = chosen](const CancelToken& cancel) -> Result<Done> {
            Done done;
            const WastebasketPlaces places = WastebasketPlaces::ofUser();
            for (const RunPlan& run : outcome->runs) {
                const auto moved = applyRetention(*ops, run.plan, places, cancel);
                for (std::size_t i = 0; i < moved.size(); ++i) {
                    if (moved[i]) {
                        done.report.bytes += run.plan.remove[i].frees;
                        done.moved.push_back({run.plan.remove[i], *moved[i]});
                    } else {
                        done.report.problems.push_back(moved[i].error());
                    }
                }
            }
            done.report.count = done.moved.size();
            return done;
        },
        [this](Result<Done> done) { finish(std::move(done)); });
    Q_EMIT changed();
}

void RetentionController::undo() {
    if (!canUndo()) {
        return;
    }
    m_moving.start(
        [ops = &m_ops, moved = m_undo](const CancelToken&) -> Result<Done> {
            Done done;
            done.report.isUndo = true;
            for (auto each = moved.rbegin(); each != moved.rend(); ++each) {
                if (const auto back = undoRemoval(*ops, each->removal, each->to); back) {
                    ++done.report.count;
                    done.report.bytes += each->removal.frees;
                } else {
                    done.report.problems.push_back(back.error());
                    done.moved.insert(done.moved.begin(), *each);
                }
            }
            return done;
        },
        [this](Result<Done> done) { finish(std::move(done)); });
    Q_EMIT changed();
}

void RetentionController::finish(Result<Done> done) {
    if (!done) {
        Report report;
        report.problems.push_back(done.error());
        Q_EMIT reported(report);
        return;
    }
    if (done->report.isUndo || !done->moved.empty()) {
        m_undo = std::move(done->moved);
    }
    m_earlier.clear();
    startExamining();
    Q_EMIT reported(done->report);
}

} // namespace cairn::ui
