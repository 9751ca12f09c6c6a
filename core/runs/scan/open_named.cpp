// SPDX-License-Identifier: Apache-2.0
//
// The content of a folder decides: a folder that is a checkpoint is opened as one in any case;
// everything else is listed as `runs` lists it, examined, and ranked by settleRun(), so that no
// verb opens another one than the listing calls the latest.
#include "core/runs/scan/open_named.h"

#include "core/base/counted.h"
#include "core/formats/format.h"
#include "core/model/names/position.h"
#include "core/model/value_path.h"
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/facts_cache.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/run_counts.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/scan/lone_part.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 8;

/// "a, b and 3 more".
template <class Range, class NameOf> std::string namesOf(const Range& range, const NameOf& nameOf) {
    std::string names;
    std::size_t count = 0;
    for (const auto& each : range) {
        if (++count <= kMostNames) {
            names += (names.empty() ? "" : ", ") + nameOf(each);
        }
    }
    return count <= kMostNames ? names
                               : names + " and " + std::to_string(count - kMostNames) + " more";
}

/// `first`: why this checkpoint was opened. `listing`: problems found while listing the folder,
/// which are added, too.
CheckpointPtr withNotices(CheckpointPtr checkpoint, std::optional<Notice> first,
                          const std::vector<Notice>& listing) {
    if (!first && listing.empty()) {
        return checkpoint;
    }
    CheckpointData data = checkpoint->data();
    if (first) {
        data.notices.insert(data.notices.begin(), *std::move(first));
    }
    data.notices.insert(data.notices.end(), listing.begin(), listing.end());
    return Checkpoint::make(std::move(data));
}

/// The run of the folder itself, else the only run. Null: several.
ScannedRun* runOf(Experiment& experiment) {
    std::vector<ScannedRun*> runs;
    for (ScannedRun& run : experiment.runs) {
        if (run.checkpoints.size() > run.links()) {
            runs.push_back(&run);
        }
    }
    const auto own = std::ranges::find(runs, ".", [](const ScannedRun* run) { return run->id; });
    return own != runs.end() ? *own : runs.size() == 1 ? runs.front() : nullptr;
}

Error severalRuns(const Experiment& experiment) {
    const auto latest = [](const ScannedRun& run) {
        const auto at = std::ranges::find(run.checkpoints, true, &ScannedCheckpoint::latest);
        return at != run.checkpoints.end() ? run.id + "/" + at->name : run.id;
    };
    return fail(ErrorCode::InvalidArgument, "The folder contains several runs")
        .inFile(experiment.path.string())
        .butFound(sentence("%1 runs; the latest of each: %2", experiment.runs.size(),
                           namesOf(experiment.runs, latest)))
        .expecting("one checkpoint, or one run")
        .withHint("Specify one of them; `cairn-cli runs` lists all");
}

Error noneComplete(const fs::path& folder, const ScannedRun& run) {
    const auto* newest = &run.checkpoints.back();
    for (const ScannedCheckpoint& each : run.checkpoints) {
        newest = each.latest ? &each : newest;
    }
    return fail(newest->state == CheckpointState::Damaged ? ErrorCode::NotACheckpoint
                                                          : ErrorCode::MissingShard,
                "None of the checkpoints in this folder is complete")
        .inFile(folder.string())
        .butFound(verbatim(namesOf(run.checkpoints,
                                   [](const ScannedCheckpoint& each) {
                                       return each.name + " (" +
                                              std::string(stateName(each.state)) + ")";
                                   })))
        .withHint(sentence("%1: %2. Specify one of them to open it as it is", newest->name,
                           newest->reason));
}

Result<void> examine(ScannedRun& run, const fs::path& folder, const CancelToken& cancel) {
    const IndexCache cache = IndexCache::ofUser();
    FactsCache factsCache(cache, folder);
    for (ScannedCheckpoint& each : run.checkpoints) {
        if (!each.isLink()) {
            CAIRN_TRY(const CheckpointFacts facts, factsCache.examine(each, cancel));
            applyFacts(each, facts);
        }
    }
    factsCache.save();
    settleRun(run);
    return {};
}

bool mayBeOpened(const ScannedCheckpoint& each) {
    return each.latest && each.mayBeComplete();
}

/// Without a step, an epoch, a number of the save or a pointer only file times remain, which may be
/// those of copies: two models in one folder are not a series.
bool isLatestByPointer(const ScannedCheckpoint& latest, const ScannedRun& run) {
    if (latest.orderNumber() || latest.epoch || latest.pointedAsLatest) {
        return true;
    }
    return std::ranges::count_if(run.checkpoints, [](const ScannedCheckpoint& each) {
               return !each.isLink() && !each.isExport && !each.noModel;
           }) == 1;
}

Error latestUnknown(const fs::path& folder, const ScannedRun& run) {
    return fail(ErrorCode::InvalidArgument,
                "The latest of the checkpoints in this folder cannot be determined")
        .inFile(folder.string())
        .butFound(verbatim(namesOf(run.checkpoints, std::mem_fn(&ScannedCheckpoint::name))))
        .expecting("a step or an epoch in their names or values")
        .withHint("Specify one of them to open it");
}

/// The notice about the other checkpoints.
Error otherCheckpoints(const ScannedRun& run, const ScannedCheckpoint& opened, std::size_t count) {
    std::vector<std::string> others;
    for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
        if (each->isLink() || each->path == opened.path) {
            continue;
        }
        others.push_back(each->mayBeComplete()
                             ? each->name
                             : each->name + " (" + std::string(stateName(each->state)) + ")");
    }
    const Sentence which = opened.pointedAsLatest
                               ? sentence("the one that \"%1\" names", opened.pointedBy.front())
                               : Sentence("the latest complete one");
    Error what =
        fail(ErrorCode::StrayFile, sentence("The folder contains %1; %2 was opened: %3",
                                            counting(count, "checkpoint"), which, opened.name))
            .inFile(opened.path.string())
            .withHint("Specify one of them to open another");
    if (!others.empty()) {
        what.found = sentence("also there: %1", namesOf(others, std::identity()));
    }
    return what;
}

/// The last checkpoint after `opened` in training order that is damaged; null if there is none. One
/// that has just changed may still be written, and is found damaged because it is empty so far.
const ScannedCheckpoint* damagedAfter(const ScannedRun& run, const ScannedCheckpoint& opened) {
    const RunSaves saves(run);
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    for (auto each = run.checkpoints.rbegin();
         each != run.checkpoints.rend() && each->path != opened.path; ++each) {
        if (saves.has(*each) && each->state == CheckpointState::Damaged &&
            now - each->modifiedNs > kStillWritingNs) {
            return &*each;
        }
    }
    return nullptr;
}

Result<NamedCheckpoint> openLatest(Experiment experiment, const CancelToken& cancel) {
    ScannedRun* run = runOf(experiment);
    if (run == nullptr) {
        return severalRuns(experiment);
    }
    CAIRN_CHECK(examine(*run, experiment.path, cancel));
    if (run->checkpoints.size() == 1) { // its reader gives the best error
        CAIRN_TRY(CheckpointPtr only, openCheckpoint(run->checkpoints.front().path, cancel));
        return NamedCheckpoint{withNotices(std::move(only), {}, experiment.notices),
                               run->checkpoints.front().path, experiment.path, 1};
    }
    const auto latest = std::ranges::find_if(run->checkpoints, mayBeOpened);
    if (latest == run->checkpoints.end()) {
        return noneComplete(experiment.path, *run);
    }
    if (!isLatestByPointer(*latest, *run)) {
        return latestUnknown(experiment.path, *run);
    }
    CAIRN_TRY(CheckpointPtr opened, openCheckpoint(latest->path, cancel));
    const std::size_t count = experiment.checkpoints();
    std::optional<Notice> others;
    if (count > 1) {
        others = Notice{Severity::Info, otherCheckpoints(*run, *latest, count)};
    }
    const ScannedCheckpoint* damaged = damagedAfter(*run, *latest);
    if (damaged != nullptr) {
        experiment.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::NotACheckpoint,
                  sentence("The newest checkpoint of the run is damaged; the older %1 was opened",
                           latest->name))
                 .inFile(damaged->path.string())
                 .butFound(damaged->reason)
                 .withHint("Specify the checkpoint to use")});
    }
    return NamedCheckpoint{withNotices(std::move(opened), std::move(others), experiment.notices),
                           latest->path, experiment.path, count, damaged != nullptr};
}

/// The contents of a folder, by the names in it.
struct Content {
    bool isSeries = false;          ///< its format selects one of several and reports which
    bool hasSaves = false;          ///< several saves of several files each
    std::vector<std::string> inner; ///< folders with names that are positions
};

Content contentOf(const Probed& folder) {
    Content content;
    const std::vector<FolderEntry>& entries = folder.request.entries;
    if (const FormatInfo* format = folder.format) {
        content.isSeries = format->isSeries != nullptr &&
                           format->isSeries(candidateOf(folder.request.folder, entries));
        content.hasSaves = format->savesIn != nullptr && format->savesIn(entries).size() > 1;
    }
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Folder && isPositionFolder(entry.name)) {
            content.inner.push_back(entry.name);
        }
    }
    return content;
}

/// Adds a notice if the folder is the final model that a Trainer saved into its output folder.
CheckpointPtr withInner(CheckpointPtr checkpoint, const Content& content) {
    if (content.isSeries || content.inner.empty() ||
        isPositionFolder(checkpoint->path().filename().string())) {
        return checkpoint;
    }
    Error inner =
        fail(ErrorCode::StrayFile, sentence("The folder itself is a checkpoint and was opened as "
                                            "one; it also contains %1 of other steps",
                                            counting(content.inner.size(), "folder")))
            .butFound(verbatim(namesOf(content.inner, std::identity())))
            .withHint("Specify one of them to open it");
    return withNotices(std::move(checkpoint), Notice{Severity::Info, std::move(inner)}, {});
}

/// Unreadable folders may contain the requested checkpoint.
Error withNotRead(Error error, const Result<Experiment>& listed) {
    if (!listed) {
        return error.code == ErrorCode::NotACheckpoint ? Error(listed.error()) : error;
    }
    for (const Notice& notice : listed->notices) {
        error.hint = sentence(
            "%1%2", error.hint,
            sentence("%1%2%3", error.hint.empty() ? Sentence("") : "; ", notice.error.message,
                     notice.error.where.file.empty() ? ""
                                                     : sentence(": %1", notice.error.where.file)));
    }
    return error;
}

} // namespace

Result<NamedCheckpoint> openNamed(const Location& named, const CancelToken& cancel) {
    const fs::path& path = named.path();
    Probed probed = probeLocation(named);
    const bool isFolder = probed.isFolder();
    const Content content = isFolder ? contentOf(probed) : Content();
    Location::Listed folder = probed.listed();
    auto opened = openCheckpoint(std::move(probed), cancel);
    const bool cancelled = !opened && opened.error().code == ErrorCode::Cancelled;
    if (cancelled || !isFolder) {
        CAIRN_TRY(CheckpointPtr checkpoint, std::move(opened));
        CAIRN_TRY(checkpoint, markLonePart(std::move(checkpoint), named, cancel));
        return NamedCheckpoint{std::move(checkpoint), path, {}, 0};
    }
    const bool isFile =
        opened && (*opened)->path() != path; // the only file in the folder that may be a checkpoint
    if (opened && !isFile && (content.isSeries || !content.hasSaves)) {
        return NamedCheckpoint{withInner(std::move(*opened), content), path, {}, 0};
    }
    auto listed = scanExperiment(named, std::move(folder), cancel);
    if (!listed && listed.error().code == ErrorCode::Cancelled) {
        return std::move(listed).error();
    }
    const std::size_t count = listed ? listed->checkpoints() : 0;
    const ScannedRun* run = count > 0 ? runOf(*listed) : nullptr;
    const bool isOnly = run != nullptr && run->checkpoints.size() - run->links() == 1;
    if (opened && (count == 0 || isOnly || listed->isCheckpoint)) {
        const fs::path itself = (*opened)->path();
        if (isFile) {
            CAIRN_TRY(opened, markLonePart(std::move(*opened), itself, cancel));
        }
        std::vector<Notice> pointers;
        if (isFile && listed) { // a reader of a folder examines its pointer itself
            std::ranges::copy_if(listed->notices, std::back_inserter(pointers),
                                 [](const Notice& notice) {
                                     return notice.error.code == ErrorCode::DanglingPointer;
                                 });
        }
        return NamedCheckpoint{withNotices(std::move(*opened), {}, pointers), itself,
                               isFile ? path : fs::path(), count};
    }
    if (count == 0 || listed->isCheckpoint) {
        return withNotRead(std::move(opened).error(), listed);
    }
    return openLatest(std::move(*listed), cancel);
}

Result<void> checkPart(const Checkpoint& checkpoint, std::string_view part,
                       const CancelToken& cancel) {
    const auto isInPart = [&](const TensorEntry& tensor) {
        const std::string_view name = tensor.name;
        return name.starts_with(part) && (name.size() == part.size() || name[part.size()] == '.');
    };
    if (part.empty() || std::ranges::any_of(checkpoint.tensors(), isInPart)) {
        return {};
    }
    const auto values = checkpoint.values(cancel);
    if (values && valueAt(*values, part) != nullptr) {
        return {};
    }
    return fail(ErrorCode::TensorNotFound, "No such name in the checkpoint")
        .inFile(checkpoint.path().string())
        .inTensor(std::string(part))
        .withHint("`cairn-cli tree PATH` shows the names");
}

} // namespace cairn
