// SPDX-License-Identifier: Apache-2.0
//
// lightning/pytorch/loggers/csv_logs.py, tensorboard.py: the next free "version_<n>" of the same
// name; trainer/connectors/checkpoint_connector.py: restores global_step, which loggers count on
// from; callbacks/model_checkpoint.py: "epoch=2-step=30.ckpt" was saved after 30 steps. The row of
// a step n has the number n - 1.
#include "core/runs/history/resumed_folders.h"

#include "core/base/endian.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/history/history.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kVersion = "version_";
constexpr std::string_view kSettings = "hparams.yaml";
constexpr std::string_view kEnding = ".ckpt";
/// TensorBoardLogger.log_hyperparams() writes it at step 0 whenever a training begins.
constexpr std::string_view kWrittenFirst = "hp_metric";
constexpr std::size_t kMostSettings = std::size_t{1} << 20U;
constexpr std::size_t kMostFolders = 1000; ///< beside each other; with more nothing is decided

void addSaves(const std::vector<FolderEntry>& entries, VersionFolder& folder) {
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Link || !entry.name.ends_with(kEnding)) {
            continue;
        }
        if (const auto step = positionFromName(entry.name).step) {
            folder.saves.push_back(*step);
        } else {
            folder.hasOtherSaves = true;
        }
    }
}

void readNames(const FolderPtr& self, VersionFolder& folder) {
    const auto entries = entriesOf(Result<FolderPtr>(self));
    if (!entries) {
        return;
    }
    addSaves(*entries, folder);
    for (const FolderEntry& entry : *entries) {
        const bool holdsSaves = entry.kind == EntryKind::Folder && isCheckpointFolder(entry.name);
        const auto inner = holdsSaves ? self->openFolder(entry.name) : Result<FolderPtr>(Error());
        if (const auto saves = entriesOf(inner)) {
            addSaves(*saves, folder);
        }
    }
}

void readSettings(VersionFolder& folder) {
    const auto self = Folder::open(folder.path);
    const auto file = self ? (*self)->openFile(kSettings) : Result<ByteSourcePtr>(Error());
    if (file && (*file)->size() <= kMostSettings) {
        const auto bytes = readRange(**file, {0, (*file)->size()});
        folder.settings = bytes ? std::string(asText(*bytes)) : std::string();
    }
}

Result<void> readLog(VersionFolder& folder, const CancelToken& cancel) {
    const auto history = readHistory(folder.path, folder.path, cancel);
    CAIRN_CHECK(cancel.check());
    std::set<double> steps;
    for (std::size_t i = 0; history && i < history->series.size(); ++i) {
        const MetricSeries& series = history->series[i];
        if (series.stepsFrom == StepsFrom::Source && series.stepsStrength >= Strength::Recorded &&
            series.name != kWrittenFirst) {
            steps.insert(series.steps.begin(), series.steps.end());
            steps.insert(series.replaced.steps.begin(), series.replaced.steps.end());
        }
    }
    if (steps.size() < 2) {
        return {};
    }
    VersionFolder::Log log{*steps.begin(), *steps.rbegin(), 0};
    for (auto at = std::next(steps.begin()); at != steps.end(); ++at) {
        log.widest = std::max(log.widest, *at - *std::prev(at));
    }
    folder.log = log;
    return {};
}

/// A training that starts logs its first row within an interval.
bool beginsLater(const VersionFolder& folder) {
    return folder.log && folder.log->first > folder.log->widest;
}

double newestSave(const VersionFolder& folder) {
    return folder.saves.empty() ? -1 : static_cast<double>(std::ranges::max(folder.saves));
}

/// How many steps of the checkpoints' names the log counts as one: Lightning counts the steps of
/// each optimizer, its loggers count batches. Above 1 if the newest save is one log interval before
/// that multiple of the log's end at the most.
std::int64_t stepsPerRow(const VersionFolder& folder) {
    constexpr std::int64_t kMostOptimizers = 8;
    const double newest = newestSave(folder);
    const double end = folder.log ? folder.log->last + 1 : 0;
    for (std::int64_t count = 2; folder.log && newest > end + folder.log->widest; ++count) {
        const auto steps = static_cast<double>(count);
        if (count > kMostOptimizers) {
            break;
        }
        if (newest <= steps * end && newest > steps * (end - folder.log->widest)) {
            return count;
        }
    }
    return 1;
}

/// With the steps of its checkpoints in the unit of its log.
VersionFolder inRows(VersionFolder folder) {
    const std::int64_t steps = stepsPerRow(folder);
    for (std::int64_t& save : folder.saves) {
        save /= steps;
    }
    return folder;
}

/// Whether the other training reached the step at which this folder's log begins, so that it may
/// have been saved there, even if that checkpoint is gone.
bool passed(const VersionFolder& other, const VersionFolder& folder) {
    const double first = folder.log->first;
    const double reached = std::max(newestSave(other), other.log ? other.log->last + 1 : -1);
    const double widest = std::max(folder.log->widest, other.log ? other.log->widest : 0);
    const bool isUnknown = !other.log && other.hasOtherSaves;
    return (isUnknown || reached + widest >= first) && !(other.log && other.log->first >= first);
}

/// By the names of the checkpoints only: none of the other one's is as late as one of these.
bool namesAllow(const VersionFolder& earlier, const VersionFolder& folder) {
    return earlier.number < folder.number && earlier.mayBeContinued() &&
           (folder.saves.empty() || earlier.saves.empty() ||
            std::ranges::max(earlier.saves) < std::ranges::min(folder.saves));
}

} // namespace

std::optional<std::uint64_t> versionNumber(const std::string& name) {
    std::uint64_t number = 0;
    const char* end = name.data() + name.size();
    if (!name.starts_with(kVersion) || name.size() == kVersion.size()) {
        return std::nullopt;
    }
    const auto parsed = std::from_chars(name.data() + kVersion.size(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

/// With several optimizers the saves of both folders count the same multiple of their logs' steps.
Decided<fs::path> decideResumed(const VersionFolder& continued,
                                const std::vector<VersionFolder>& earlier) {
    std::vector<Claim<fs::path>> claims;
    if (!beginsLater(continued)) {
        return decide(std::move(claims));
    }
    const VersionFolder folder = inRows(continued);
    const double first = folder.log->first;
    const auto step = static_cast<std::int64_t>(first);
    std::size_t possible = 0;
    for (const VersionFolder& found : earlier) {
        const bool isSameUnit = stepsPerRow(found) == stepsPerRow(continued) ||
                                found.saves.empty() || continued.saves.empty();
        const VersionFolder other = inRows(found);
        if (!passed(other, folder)) {
            continue;
        }
        ++possible;
        const double newest = newestSave(other);
        // A later save of its own is of a training that went on without this one.
        const bool wentOn = newest > first || !namesAllow(other, folder);
        const bool fromSave =
            newest > 0 && !other.hasOtherSaves && first <= newest + folder.log->widest;
        const bool fromEnd = other.log && other.log->last < first &&
                             first <= other.log->last + 1 + folder.log->widest;
        if (wentOn || !isSameUnit || !(fromSave || fromEnd)) {
            continue;
        }
        const Strength strength =
            folder.settings == other.settings ? Strength::Recorded : Strength::Named;
        claims.push_back(
            {other.path,
             {strength,
              fromSave ? "log-begins-at-save" : "log-begins-at-end",
              fromSave ? sentence("its log begins at step %1, after the save of step %2", step,
                                  static_cast<std::int64_t>(newest))
                       : sentence("its log begins at step %1, where the other one ends", step),
              {folder.path}}});
    }
    Decided<fs::path> decided = decide(std::move(claims));
    if (decided && possible > 1) { // each of them may have been saved there
        decided.against = std::move(decided.because);
        decided.because.clear();
        decided.value.reset();
    }
    return decided;
}

Result<std::vector<ResumedFolder>>
findResumedFolders(const fs::path& parent, FolderListings& listings, const CancelToken& cancel) {
    const auto listed = listings.list(parent);
    std::vector<VersionFolder> versions;
    for (std::size_t i = 0; listed && i < (*listed)->entries.size(); ++i) {
        const FolderEntry& entry = (*listed)->entries[i];
        const auto number = entry.kind == EntryKind::Folder ? versionNumber(entry.name)
                                                            : std::optional<std::uint64_t>();
        const auto self =
            number ? (*listed)->folder->openFolder(entry.name) : Result<FolderPtr>(Error());
        if (self) {
            versions.push_back({parent / entry.name, *number});
            readNames(*self, versions.back());
        }
        CAIRN_CHECK(cancel.check());
    }
    std::ranges::sort(versions, {}, &VersionFolder::number);
    if (versions.size() > kMostFolders) {
        return std::vector<ResumedFolder>();
    }
    std::set<const VersionFolder*> read;
    const auto readOnce = [&](VersionFolder& folder) -> Result<void> {
        if (read.insert(&folder).second) {
            readSettings(folder);
            return readLog(folder, cancel);
        }
        return {};
    };
    std::vector<ResumedFolder> resumed;
    std::map<fs::path, int> successors;
    for (VersionFolder& folder : versions) {
        const bool may = folder.mayBeContinued() &&
                         std::ranges::any_of(versions, [&](const VersionFolder& other) {
                             return namesAllow(other, folder);
                         });
        if (!may) {
            continue;
        }
        CAIRN_CHECK(readOnce(folder));
        std::vector<VersionFolder> earlier;
        for (VersionFolder& other : versions) {
            if (beginsLater(folder) && other.number < folder.number) {
                CAIRN_CHECK(readOnce(other));
                earlier.push_back(other);
            }
        }
        const Decided<fs::path> decided = decideResumed(folder, earlier);
        if (decided.isAtLeast(Strength::Recorded)) {
            ++successors[*decided.value];
            resumed.push_back({*decided.value, {folder.path, decided.because}});
        }
    }
    std::erase_if(resumed, [&](const ResumedFolder& each) { return successors[each.of] > 1; });
    return resumed;
}

} // namespace cairn
