// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/history.h"
#include "core/runs/history/join_series.h"

namespace cairn {
namespace {

/// The name of a source among the settings: its path relative to the run, or the complete path if
/// it is elsewhere.
std::string settingsName(const std::filesystem::path& source, const std::filesystem::path& run) {
    const std::filesystem::path below = source.lexically_relative(run);
    const bool isSelf = below.empty() || below == "." || below == ".."; // "..": a run in that file
    return isSelf ? source.filename().string() : below.string();
}

} // namespace

Result<HistoryPart> GrowingHistories::read(const FoundHistory& found, const CancelToken& cancel) {
    if (found.reader->follow == nullptr) {
        return found.reader->read(found.candidate, cancel);
    }
    const std::scoped_lock lock(m_mutex);
    std::unique_ptr<GrowingHistory>& file = m_files[found.candidate.path];
    if (file == nullptr) {
        file = found.reader->follow();
    }
    auto part = file->read(found.candidate, cancel);
    if (!part) {
        m_files.erase(found.candidate.path);
    }
    return part;
}

Result<RunHistory> readHistory(const Location& run, const std::filesystem::path& root,
                               const CancelToken& cancel, FolderListings* above,
                               GrowingHistories* growing) {
    CAIRN_TRY(FoundHistories histories, findHistories(run, root, cancel, above));
    return readHistories(std::move(histories), run.path(), cancel, growing);
}

Result<RunHistory> readHistories(FoundHistories histories, const std::filesystem::path& asked,
                                 const CancelToken& cancel, GrowingHistories* growing) {
    const std::filesystem::path& run = histories.base.empty() ? asked : histories.base;
    RunHistory result;
    result.warnings = std::move(histories.notices);
    std::vector<ValueItem> settings;
    for (const FoundHistory& found : histories.found) {
        CAIRN_CHECK(cancel.check());
        auto part = growing != nullptr ? growing->read(found, cancel)
                                       : found.reader->read(found.candidate, cancel);
        if (!part) {
            if (part.error().code == ErrorCode::Cancelled) {
                return std::move(part).error();
            }
            Error error = std::move(part).error();
            if (error.where.file.empty()) {
                error.where.file = found.candidate.path.string();
            }
            result.warnings.push_back({Severity::Warning, std::move(error)});
            continue;
        }
        const auto index = static_cast<std::uint32_t>(result.sources.size());
        for (MetricSeries& series : part->series) {
            series.source = index;
            result.series.push_back(std::move(series));
        }
        for (MetricGoal& goal : part->goals) {
            goal.source = found.candidate.path;
            result.goals.push_back(std::move(goal));
        }
        for (RecordedSave& save : part->saves) {
            save.source = found.candidate.path;
            result.saves.push_back(std::move(save));
        }
        const std::filesystem::path& path = part->path.empty() ? found.candidate.path : part->path;
        if (part->settings.kind() != ValueKind::Null) {
            settings.push_back({Value(settingsName(path, run)), part->settings});
        }
        for (Notice& warning : part->warnings) {
            if (warning.error.where.file.empty()) {
                warning.error.where.file = path.string();
            }
        }
        result.sources.push_back({std::string(found.reader->id), path, part->bytes,
                                  std::move(part->warnings), found.candidate.modifiedNs,
                                  part->purgesFrom});
    }
    if (!settings.empty()) {
        result.settings = Value::dict(std::move(settings));
    }
    joinSeries(result, run);
    for (MetricSeries& series : result.series) {
        series.share();
    }
    return result;
}

} // namespace cairn
