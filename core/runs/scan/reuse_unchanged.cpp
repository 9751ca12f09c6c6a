// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/reuse_unchanged.h"

#include "core/runs/rank/ranking.h"

#include <algorithm>
#include <map>

namespace cairn {
namespace {

bool sameFiles(const ScannedCheckpoint& a, const ScannedCheckpoint& b) {
    return a.bytes == b.bytes && a.files == b.files && a.modifiedNs == b.modifiedNs;
}

void copyFacts(ScannedCheckpoint& to, const ScannedCheckpoint& from) {
    to.format = from.format;
    to.step = from.step;
    to.epoch = from.epoch;
    to.because = from.because;
    to.against = from.against;
    to.named = from.named;
    to.updates = from.updates;
    to.batches = from.batches;
    to.record = from.record;
    to.score = from.score;
    to.scoreFrom = from.scoreFrom;
    to.metrics = from.metrics;
    to.examined = from.examined;
    to.opened = from.opened;
    to.noModel = from.noModel;
    to.resumable = from.resumable;
    to.roles = from.roles;
    if (to.listedState == CheckpointState::Unknown) {
        to.state = from.state;
        to.reason = from.reason;
    }
}

} // namespace

void reuseUnchanged(Experiment& now, const Experiment& before) {
    std::map<std::filesystem::path, const ScannedCheckpoint*> known;
    std::map<std::string, const ScannedRun*> runs;
    for (const ScannedRun& run : before.runs) {
        runs.emplace(run.id, &run);
        for (const ScannedCheckpoint& each : run.checkpoints) {
            known.emplace(each.path, &each);
        }
    }
    for (ScannedRun& run : now.runs) {
        const auto old = runs.find(run.id);
        if (old != runs.end()) {
            run.headline = old->second->headline;
            run.direction = old->second->direction;
            run.scoreSource = old->second->scoreSource;
            run.rowsBecause = old->second->rowsBecause;
            run.rowsAgainst = old->second->rowsAgainst;
            run.undecidedMetric = old->second->undecidedMetric;
        }
        for (ScannedCheckpoint& each : run.checkpoints) {
            const auto at = known.find(each.path);
            if (each.isLink()) {
                continue;
            }
            const bool isKnown = at != known.end() && !at->second->isLink();
            if (isKnown && sameFiles(each, *at->second)) {
                copyFacts(each, *at->second);
            } else if (each.listedState == CheckpointState::Unknown) {
                each.state = CheckpointState::BeingWritten;
                each.reason = isKnown ? Sentence("It has changed since the last scan")
                                      : "It has just appeared";
            }
        }
        settleRun(run);
    }
}

bool sameListing(const Experiment& a, const Experiment& b) {
    const auto sameCheckpoint = [](const ScannedCheckpoint& x, const ScannedCheckpoint& y) {
        return x.path == y.path && sameFiles(x, y) && x.listedState == y.listedState &&
               x.linkTo == y.linkTo && x.pointedBy == y.pointedBy &&
               x.exports.size() == y.exports.size();
    };
    const auto sameRun = [&](const ScannedRun& x, const ScannedRun& y) {
        return x.id == y.id && x.checkpoints.size() == y.checkpoints.size() &&
               std::equal(x.checkpoints.begin(), x.checkpoints.end(), y.checkpoints.begin(),
                          sameCheckpoint);
    };
    return a.runs.size() == b.runs.size() &&
           std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), sameRun);
}

} // namespace cairn
