// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/listed_runs.h"

#include "core/model/names/file_names.h"
#include "core/model/names/position.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/scan/scan_names.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// A temporary name that is older than this is an abandoned save.
constexpr std::int64_t kAbandonedNs = 3'600'000'000'000;

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Whether this file is also in the folder of a step of the run: "step-100/model.pth".
bool hasInStep(const ScannedRun& run, const std::string& file) {
    return std::ranges::any_of(run.checkpoints, [&](const ScannedCheckpoint& each) {
        const std::size_t slash = each.name.find('/');
        return slash != std::string::npos && each.name.substr(slash + 1) == file &&
               isPositionFolder(each.name.substr(0, slash));
    });
}

/// "run-step-400.safetensors" beside "step-400": an output that is named after its source.
bool isNamedAfter(const ScannedRun& run, std::string_view output) {
    const auto stemOf = [](std::string_view name) { return name.substr(0, name.find('.')); };
    const auto separates = [](char each) { return each == '-' || each == '_' || each == '.'; };
    return std::ranges::any_of(run.checkpoints, [&](const ScannedCheckpoint& each) {
        const std::string_view source = stemOf(each.name);
        const std::size_t at = source.empty() ? std::string_view::npos : output.rfind(source);
        if (at == std::string_view::npos) {
            return false;
        }
        const std::size_t end = at + source.size();
        return (at == 0 || separates(output[at - 1])) &&
               (end == output.size() || separates(output[end]));
    });
}

} // namespace

ListedRuns::ListedRuns(fs::path experiment, std::int64_t unfinishedNs)
    : m_experiment(std::move(experiment)), m_unfinishedNs(unfinishedNs), m_now(nowNs()) {}

ScannedCheckpoint& ListedRuns::add(const std::string& id, const fs::path& path,
                                   const FormatInfo* format, const ScannedSize& size) {
    const RunPlace place = runPlaceOf(id);
    ScannedRun& run = m_runs[place.runId];
    if (run.checkpoints.empty()) {
        run.id = place.runId;
        run.path = place.runId == "." ? m_experiment : m_experiment / place.runId;
        run.name = place.runId == "." ? lastName(run.path) : place.runId;
    }
    ScannedCheckpoint checkpoint;
    checkpoint.path = path;
    checkpoint.name = place.prefix + lastName(path);
    checkpoint.format = format != nullptr ? std::string(format->id) : std::string();
    checkpoint.bytes = size.bytes;
    checkpoint.files = size.files;
    checkpoint.modifiedNs = size.modifiedNs;
    checkpoint.noModel = isOptimizerName(lastName(path)); // until it has been examined
    checkpoint.isExport = isExportName(lastName(path));
    const NamedPosition own = positionFromName(lastName(path));
    const NamedPosition outer = positionFromName(place.prefix);
    // A folder named after a position is more specific than a file in it.
    checkpoint.named = outer.step ? outer : own;
    checkpoint.named.epoch = outer.epoch ? outer.epoch : own.epoch;
    decidePosition(checkpoint, {});
    assessName(checkpoint);
    run.checkpoints.push_back(std::move(checkpoint));
    return run.checkpoints.back();
}

void ListedRuns::assessName(ScannedCheckpoint& checkpoint) const {
    if (!looksTemporary(checkpoint.name)) {
        return;
    }
    const bool abandoned = m_now - checkpoint.modifiedNs > kAbandonedNs;
    checkpoint.state = abandoned ? CheckpointState::Incomplete : CheckpointState::BeingWritten;
    checkpoint.reason = abandoned ? Sentence("The name is temporary; the save did not finish")
                                  : "According to its name, it is still being written";
}

void ListedRuns::assessIndex(ScannedCheckpoint& checkpoint, std::string_view lastFile,
                             const std::vector<FolderEntry>& entries) const {
    const auto isIndex = [lastFile](const FolderEntry& entry) {
        return entry.name.ends_with(lastFile);
    };
    if (checkpoint.state != CheckpointState::Unknown || std::ranges::any_of(entries, isIndex)) {
        return;
    }
    const bool recent = m_now - checkpoint.modifiedNs < m_unfinishedNs;
    checkpoint.state = recent ? CheckpointState::BeingWritten : CheckpointState::Incomplete;
    checkpoint.reason = sentence("No %1%2", lastFile, recent ? Sentence(" file yet") : " file");
}

void ListedRuns::joinFinalModels(FoundRelations& relations) {
    for (auto last = m_runs.begin(); last != m_runs.end();) {
        const std::string& id = last->first;
        const std::size_t slash = id.rfind('/');
        const std::string name = slash == std::string::npos ? id : id.substr(slash + 1);
        const auto outer =
            m_runs.find(runPlaceOf(slash == std::string::npos ? "." : id.substr(0, slash)).runId);
        const auto inStep = [&](const ScannedCheckpoint& each) {
            return hasInStep(outer->second, each.name);
        };
        const auto hasPosition = [&](const ScannedCheckpoint& each) {
            return (each.step || each.epoch) &&
                   (outer == m_runs.end() || !isNamedAfter(outer->second, each.name));
        };
        auto& list = last->second.checkpoints;
        const bool isExport = isExportName(name) && std::ranges::none_of(list, hasPosition);
        const bool joins =
            outer != m_runs.end() && outer != last &&
            (isExport || (isBestOrLastName(name) && std::ranges::any_of(list, inStep)));
        if (!joins) {
            ++last;
            continue;
        }
        for (ScannedCheckpoint& each : last->second.checkpoints) {
            each.isExport = each.isExport || isExport;
        }
        moveInto(outer->second, last->second, name, relations);
        last = m_runs.erase(last);
    }
}

void ListedRuns::moveInto(ScannedRun& to, ScannedRun& from, const std::string& folder,
                          FoundRelations& relations) {
    for (ScannedCheckpoint& each : from.checkpoints) {
        each.name = folder + "/" + each.name;
        to.checkpoints.push_back(std::move(each));
    }
    for (FoundLink& link : relations.links) {
        if (link.runId == from.id) {
            link.runId = to.id;
            link.name = folder + "/" + link.name;
        }
    }
    for (FoundPointer& pointer : relations.pointers) {
        pointer.runId = pointer.runId == from.id ? to.id : pointer.runId;
    }
}

void ListedRuns::joinResumed(FoundRelations& relations, FolderListings& listings,
                             const CancelToken& cancel) {
    std::map<fs::path, std::string> ids;
    std::map<fs::path, std::size_t> versions; // of each parent folder
    for (const auto& [id, run] : m_runs) {
        if (id != "." && versionNumber(lastName(run.path))) {
            ids.emplace(run.path, id);
            ++versions[run.path.parent_path()];
        }
    }
    for (const auto& [parent, count] : versions) {
        if (count < 2) {
            continue;
        }
        std::map<fs::path, fs::path> firstOf;
        for (const ResumedFolder& each : listings.resumedIn(parent, cancel)) {
            const auto known = firstOf.find(each.of);
            const fs::path& first = known != firstOf.end() ? known->second : each.of;
            const auto to = ids.find(first);
            const auto from = ids.find(each.in.path);
            if (to != ids.end() && from != ids.end()) {
                ScannedRun& run = m_runs.at(to->second);
                moveInto(run, m_runs.at(from->second), lastName(each.in.path), relations);
                m_runs.erase(from->second);
                run.resumedIn.push_back(each.in);
                firstOf.emplace(each.in.path, first);
            }
        }
    }
}

bool ListedRuns::isSingle() const {
    return m_runs.size() == 1 && m_runs.begin()->second.checkpoints.size() == 1;
}

std::vector<ScannedRun> ListedRuns::take() {
    std::vector<ScannedRun> runs;
    const auto hasPosition = [](const ScannedCheckpoint& each) { return each.step || each.epoch; };
    for (auto& [id, run] : m_runs) {
        if (std::ranges::any_of(run.checkpoints, hasPosition)) {
            for (ScannedCheckpoint& each : run.checkpoints) {
                const bool isAside = !hasPosition(each) && m_adapters.contains(each.path);
                each.isExport = each.isExport || isAside;
            }
        }
        runs.push_back(std::move(run));
    }
    m_runs.clear();
    return runs;
}

void markFinalModels(ScannedRun& run) {
    const bool several = run.checkpoints.size() > 1 + run.links();
    for (ScannedCheckpoint& each : run.checkpoints) {
        const bool aside = each.path == run.path && !each.step && !each.epoch;
        each.isExport = several && (each.isExport || aside);
    }
}

} // namespace cairn
