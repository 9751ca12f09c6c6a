// SPDX-License-Identifier: Apache-2.0
//
// The sets of one save side by side: model, optimizer, the ranks' own state. A folder may hold
// several saves; each is joined by itself, and the newest complete one is opened.
#include "core/formats/ranks/rank_joiner.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/step_agreement.h"
#include "core/formats/ranks/rank_files.h"
#include "core/formats/ranks/set_joiner.h"

#include <algorithm>
#include <span>

namespace cairn::formats::ranks {
namespace {

constexpr std::size_t kMaxTries =
    16; ///< saves to try before the newest is shown although incomplete

/// One save, joined.
struct Save {
    CheckpointData data;
    bool whole = true; ///< the files of all ranks exist, are readable and leave no hole
};

/// verl saves the optimizer and its scheduler in different files.
void addSchedule(Schedule& schedule, const RankSet& set, const JoinedSet& joined) {
    if (joined.updates && !schedule.updates) {
        schedule.optimizer = set.files.front().name;
        schedule.updates = joined.updates;
        schedule.optimizerRates = optimizerRates(joined.values);
    }
    const Value* scheduler = joined.values.find("lr_scheduler");
    if (const auto counted = scheduler != nullptr ? schedulerCount(*scheduler) : std::nullopt;
        counted && !schedule.counted) {
        schedule.scheduler = set.files.front().name;
        schedule.counted = counted;
        schedule.schedulerRates = schedulerRates(*scheduler);
        schedule.governs = set.hasWorldSize && set.kind == "extra_state";
    }
}

Result<Save> joinWorld(const OpenRequest& request, const RankSave& save) {
    Save joined;
    CheckpointData& data = joined.data;
    data.format = "ranks";
    data.framework = "torch";
    data.path = request.path;
    data.completeness = Completeness::Complete;
    data.step = save.step;
    data.epoch = save.epoch;
    std::vector<ValueItem> values;
    std::size_t opened = 0;
    ValueRecords records;
    std::optional<Error> firstError;
    Schedule schedule;
    for (const RankSet& set : save.sets) {
        const bool plain =
            &set == &save.sets.front() && (save.sets.size() == 1 || set.kind == "model");
        CAIRN_TRY(JoinedSet one,
                  joinSet(data, request, set, plain || set.kind.empty() ? "" : set.kind + "."));
        opened += one.opened;
        records += one.records;
        firstError = firstError ? firstError : one.firstError;
        data.worldSize = std::max<std::int64_t>(data.worldSize.value_or(0), set.ranks());
        joined.whole = joined.whole && one.whole;
        addSchedule(schedule, set, one);
        if (plain && one.values.isContainer()) {
            const auto& items = one.values.items();
            values.insert(values.begin(), items.begin(), items.end());
        } else {
            values.push_back({Value(set.kind), std::move(one.values)});
        }
    }
    if (opened == 0) {
        return firstError ? std::move(*firstError)
                          : fail(ErrorCode::NotACheckpoint, "No files of ranks");
    }
    compareSchedule(data, std::move(schedule));
    if (data.completeness == Completeness::Complete) { // otherwise reported already
        addUncovered(data);
        joined.whole = joined.whole && data.completeness == Completeness::Complete;
    }
    data.loadValues = [loaded = LoadedValues(Value::dict(std::move(values)), records)](
                          const CancelToken&) -> Result<LoadedValues> { return loaded; };
    return joined;
}

std::string worldOf(const RankSave& save) {
    return std::to_string(save.sets.front().ranks()) + " ranks";
}

/// Reports every file of a world size that is not shown.
void noteOtherWorld(CheckpointData& data, const RankSave& other, const RankSave& shown,
                    bool newer) {
    for (const RankSet& set : other.sets) {
        for (const RankFile& file : set.files) {
            Error error =
                newer ? fail(ErrorCode::BeingWritten, "A newer save into this folder, with a "
                                                      "different rank count, is incomplete")
                      : fail(ErrorCode::StaleShard,
                             "The file is left over from a save with a different rank count");
            addNotice(data, newer ? Severity::Error : Severity::Warning,
                      std::move(error)
                          .inFile(file.name)
                          .butFound(sentence("a save with %1", worldOf(other)))
                          .expecting(sentence("the save with %1, which is shown", worldOf(shown))));
        }
    }
}

/// Joins the newest complete world of a save, else the newest that can be read.
Result<Save> joinSave(const OpenRequest& request, const RankSave& save) {
    if (save.otherWorlds.empty()) {
        return joinWorld(request, save);
    }
    std::vector<const RankSave*> worlds{&save};
    for (const RankSave& other : save.otherWorlds) {
        worlds.push_back(&other);
    }
    std::optional<Save> chosen;
    std::size_t shown = 0;
    std::optional<Error> firstError;
    for (std::size_t i = 0; i < worlds.size() && !(chosen && chosen->whole); ++i) {
        auto joined = joinWorld(request, *worlds[i]);
        if (joined && (!chosen || joined->whole)) {
            chosen = std::move(*joined);
            shown = i;
        } else if (!joined && joined.error().code == ErrorCode::Cancelled) {
            return joined;
        } else if (!joined) {
            firstError = firstError ? firstError : std::optional(std::move(joined).error());
        }
    }
    if (!chosen) {
        return std::move(*firstError);
    }
    for (std::size_t i = 0; i < worlds.size(); ++i) {
        if (i != shown) {
            noteOtherWorld(chosen->data, *worlds[i], *worlds[shown], i < shown);
        }
    }
    return std::move(*chosen);
}

/// Joins the newest complete save, else the newest that can be opened, and reports which.
Result<CheckpointPtr> joinNewest(const OpenRequest& request, const std::vector<RankSave>& saves) {
    std::optional<Save> chosen;
    const RankSave* name = nullptr;
    std::vector<Error> passed;
    std::optional<Error> firstError;
    for (const RankSave& save : std::span(saves).first(std::min(saves.size(), kMaxTries))) {
        auto joined = joinSave(request, save);
        if (!joined) {
            if (joined.error().code == ErrorCode::Cancelled) {
                return std::move(joined).error();
            }
            firstError = firstError ? firstError : std::optional(joined.error());
            passed.push_back(std::move(joined).error());
            continue;
        }
        if (!joined->whole) {
            passed.push_back(
                fail(ErrorCode::BeingWritten, "The save is incomplete and was skipped")
                    .inFile(save.name)
                    .butFound(joined->data.why.empty() ? "" : joined->data.why.front()));
        }
        if (!chosen || joined->whole) {
            chosen = std::move(*joined);
            name = &save;
        }
        if (chosen->whole) {
            break;
        }
    }
    if (!chosen) {
        return std::move(*firstError);
    }
    chosen->data.path = request.path / name->name;
    for (Error& error : passed) {
        if (error.where.file != name->name) {
            addNotice(chosen->data, Severity::Warning, std::move(error));
        }
    }
    const auto other =
        std::ranges::find_if(saves, [&](const RankSave& save) { return &save != name; });
    addNotice(
        chosen->data, Severity::Info,
        fail(ErrorCode::StaleShard,
             chosen->whole
                 ? Sentence("The folder contains several saves; the newest complete one is shown")
                 : "The folder contains several saves, all of them incomplete; the newest is shown")
            .inFile(name->name)
            .butFound(sentence("%1 saves", saves.size()))
            .withHint(sentence("To open another, specify the prefix of its file names: %1",
                               (request.path / other->name).string())));
    return Checkpoint::make(std::move(chosen->data));
}

} // namespace

Result<CheckpointPtr> joinRanks(const OpenRequest& request) {
    const std::vector<RankSave> saves = rankSaves(request.entries);
    if (saves.empty()) {
        return fail(ErrorCode::NotACheckpoint, "No files of ranks");
    }
    if (request.name.empty() && saves.size() > 1) {
        return joinNewest(request, saves);
    }
    const auto save = std::ranges::find_if(saves, [&](const RankSave& each) {
        return request.name.empty() || each.name == request.name;
    });
    if (save == saves.end()) {
        return fail(ErrorCode::NotFound, "No files of ranks with this prefix")
            .inFile(request.path.string());
    }
    CAIRN_TRY(Save joined, joinSave(request, *save));
    return Checkpoint::make(std::move(joined.data));
}

} // namespace cairn::formats::ranks
