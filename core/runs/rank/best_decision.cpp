// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/best_decision.h"

#include "core/model/names/file_names.h"
#include "core/model/names/metric_words.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using Best = std::optional<std::size_t>;

bool mayBeBest(const ScannedCheckpoint& each) {
    return !each.isLink() && !each.exportOf && each.mayBeComplete();
}

/// The checkpoint to which a link leads, whatever it is.
Best targetOf(const ScannedRun& run, const ScannedCheckpoint& link) {
    const auto at = std::ranges::find(run.checkpoints, link.linkTo, &ScannedCheckpoint::name);
    return at != run.checkpoints.end() && !at->isLink() ? Best(at - run.checkpoints.begin())
                                                        : std::nullopt;
}

/// The checkpoint of that name, or the target of a link of that name: exactly that, else the only
/// one that is called so in a folder. An export has the name that a user gave it: it is not the
/// checkpoint of that name, and does not hide it.
Best named(const ScannedRun& run, std::string_view name) {
    std::set<std::size_t> inFolders;
    for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        const bool isExact = each.name == name;
        if (each.exportOf || (!isExact && std::filesystem::path(each.name).filename() != name)) {
            continue;
        }
        const Best target = each.isLink() ? targetOf(run, each) : Best(i);
        if (isExact) {
            return target;
        }
        if (target) {
            inFolders.insert(*target);
        }
    }
    return inFolders.size() == 1 ? Best(*inFolders.begin()) : std::nullopt;
}

/// "valid.acc.ave_10best.pth" is an average of the best ones.
bool isAverage(std::string_view name) {
    return std::ranges::any_of(names::wordsOf(name), [](const std::string& word) {
        return word == "ave" || word == "avg" || word == "average" || word == "averaged";
    });
}

/// A name that marks the best checkpoint.
struct BestName {
    std::size_t target = 0;
    std::size_t mark = 0;        ///< the checkpoint or link with the name
    std::optional<double> value; ///< the only fraction in the name
};

std::string kindOf(const std::string& name, std::optional<double>& value) {
    std::string kind;
    std::size_t fractions = 0;
    for (const names::DigitRun& run : names::digitRuns(name)) {
        const bool isFraction = run.begin >= 2 && name[run.begin - 1] == '.' &&
                                name[run.begin - 2] >= '0' && name[run.begin - 2] <= '9';
        if (isFraction) {
            std::size_t begin = run.begin - 1;
            while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') {
                --begin;
            }
            value = std::strtod(name.substr(begin, run.end - begin).c_str(), nullptr);
            ++fractions;
        }
    }
    value = fractions == 1 ? value : std::nullopt;
    for (const char c : name) {
        const bool number = (c >= '0' && c <= '9') || c == '.';
        if (!number || !kind.ends_with('#')) {
            kind += number ? '#' : c;
        }
    }
    return kind;
}

const BestName& bestOfKind(const std::vector<BestName>& all, const std::string& kind) {
    const names::Direction better = names::directionOf(kind);
    const bool byValue =
        better != names::Direction::Unknown &&
        std::ranges::all_of(all, [](const BestName& each) { return each.value.has_value(); });
    const auto isWorse = [&](const BestName& a, const BestName& b) {
        if (byValue && a.value != b.value) {
            return better == names::Direction::Larger ? *a.value < *b.value : *a.value > *b.value;
        }
        return a.target < b.target;
    };
    return *std::ranges::max_element(all, isWorse);
}

std::vector<Claim<std::size_t>> claimsOfRecord(const ScannedRun& run) {
    for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
        if (!each->record || each->exportOf) {
            continue;
        }
        const Best best = named(run, each->record->name);
        if (!best || !mayBeBest(run.checkpoints[*best])) {
            return {}; // removed since, or no longer complete
        }
        return {{*best,
                 {Strength::Recorded,
                  kBestInRecord,
                  "the trainer's record in the newest checkpoint that has one names it",
                  {.file = each->path}}}};
    }
    return {};
}

std::vector<Claim<std::size_t>> claimsOfNames(const ScannedRun& run) {
    std::map<std::string, std::vector<BestName>> kinds;
    for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        if (!isBestName(each.name) || isAverage(each.name)) {
            continue;
        }
        const Best target = each.isLink() ? targetOf(run, each) : Best(i);
        if (target && mayBeBest(run.checkpoints[*target]) && !run.checkpoints[*target].noModel) {
            BestName name{*target, i, {}};
            const std::string kind = kindOf(each.name, name.value);
            kinds[kind].push_back(name);
        }
    }
    std::vector<Claim<std::size_t>> claims;
    for (const auto& [kind, all] : kinds) {
        const BestName& best = bestOfKind(all, kind);
        const ScannedCheckpoint& mark = run.checkpoints[best.mark];
        claims.push_back({best.target,
                          {Strength::Recorded,
                           kBestInName,
                           sentence("the trainer's name %1 for it", mark.name),
                           {.file = mark.path}}});
    }
    return claims;
}

std::vector<Claim<std::size_t>> claimsOfScore(const ScannedRun& run) {
    const bool isUnread =
        std::ranges::find(run.rowsAgainst, kLogsNotRead, &Evidence::id) != run.rowsAgainst.end();
    if (!run.headline || !run.direction || isUnread) {
        return {};
    }
    Best best;
    const double sign = run.largerIsBetter() ? 1 : -1;
    for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        if (!mayBeBest(each) || each.isExport || each.noModel || !each.score ||
            !std::isfinite(*each.score)) {
            continue;
        }
        if (!best || sign * *each.score > sign * *run.checkpoints[*best].score) {
            best = i;
            continue;
        }
        // Several files of one step: the complete state rather than a packed or partial one.
        const ScannedCheckpoint& other = run.checkpoints[*best];
        if (*each.score == *other.score && each.step && each.step == other.step &&
            each.bytes > other.bytes) {
            best = i;
        }
    }
    if (!best) {
        return {};
    }
    return {{*best,
             {run.direction.because.front().strength,
              kBestByScore,
              sentence("it has the best %1; %2", run.scoreMetric(), run.directionText()),
              {.file = run.scoreSource, .field = run.scoreMetric()}}}};
}

} // namespace

Decided<std::size_t> decideBest(const ScannedRun& run) {
    Decided<std::size_t> best;
    bool isAsked = false;
    for (const auto& claimsOf : {claimsOfRecord, claimsOfNames, claimsOfScore}) {
        auto claims = claimsOf(run);
        if (!isAsked && !claims.empty()) {
            best = decide(std::move(claims));
            isAsked = true;
            continue;
        }
        for (Claim<std::size_t>& claim : claims) {
            if (best.value && claim.value != *best.value) {
                best.against.push_back(std::move(claim.evidence));
            }
        }
    }
    return best;
}

} // namespace cairn
