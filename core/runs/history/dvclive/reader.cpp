// SPDX-License-Identifier: Apache-2.0
//
// dvclive/live.py, dvclive/plots/metric.py, dvclive/serialize.py: "plots/metrics/<name>.tsv" has
// the columns step, the last part of the name, and with timestamps a time; "metrics.json" is a
// summary of the last values; "params.yaml" has the parameters.
#include "core/runs/history/csv/reader.h"

#include "core/codec/json/json_value.h"
#include "core/formats/yaml_value.h"
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/common/whole_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace cairn::history::dvclive {
namespace {

constexpr std::string_view kPlots = "plots";
constexpr std::string_view kMetrics = "plots/metrics";
constexpr std::string_view kSummary = "metrics.json";
constexpr std::string_view kParams = "params.yaml";
constexpr auto kCovers = std::to_array<std::string_view>({kPlots, kSummary, kParams});
constexpr std::uint64_t kMaxFile = std::uint64_t{8} << 20U;
constexpr std::size_t kMaxFiles = 50'000;
constexpr std::size_t kMaxDepth = 64; ///< components of a name with "/"

/// A run is a folder.
bool mayBe(std::string_view /*name*/) {
    return false;
}

bool recognises(const HistoryCandidate& candidate) {
    const bool isHere =
        candidate.isFolder && std::ranges::any_of(candidate.entries, [](const FolderEntry& entry) {
            return entry.kind == EntryKind::Folder && entry.name == kPlots;
        });
    const auto self = isHere ? candidate.openSelf() : Result<FolderPtr>(Error());
    const auto metrics = self ? (*self)->openFolder(kMetrics) : Result<FolderPtr>(Error());
    const auto entries = entriesOf(metrics, kMaxFiles);
    return entries && std::ranges::any_of(*entries, [](const FolderEntry& entry) {
               return entry.kind == EntryKind::Folder || entry.name.ends_with(".tsv");
           });
}

class LiveReader {
public:
    LiveReader(const HistoryCandidate& candidate, FolderPtr folder, const CancelToken& cancel)
        : m_shown(candidate.path), m_folder(std::move(folder)), m_cancel(cancel) {}

    Result<HistoryPart> read() {
        CAIRN_CHECK(readMetrics(std::string(kMetrics), 0));
        CAIRN_CHECK(orNote(readSummary(), kSummary));
        CAIRN_CHECK(orNote(readParams(), kParams));
        return std::move(m_part);
    }

private:
    /// Failures of a file become warnings, except cancelling; a missing file is normal.
    Result<void> orNote(Result<void> done, std::string_view file) {
        if (done || done.error().code == ErrorCode::Cancelled) {
            return done;
        }
        if (done.error().code != ErrorCode::NotFound) {
            Error error = std::move(done).error();
            error.where.file = (m_shown / file).string();
            m_part.warnings.push_back({Severity::Warning, std::move(error)});
        }
        return {};
    }

    /// A name with "/" is stored in nested folders.
    Result<void> readMetrics(const std::string& below, std::size_t depth) {
        CAIRN_CHECK(m_cancel.check());
        const auto folder = m_folder->openFolder(below);
        auto entries = entriesOf(folder, kMaxFiles);
        if (!entries) {
            return orNote(std::move(entries).error(), below);
        }
        for (const FolderEntry& entry : *entries) {
            const std::string inner = below + "/" + entry.name;
            if (entry.kind == EntryKind::Folder && depth < kMaxDepth) {
                CAIRN_CHECK(readMetrics(inner, depth + 1));
            } else if (entry.kind == EntryKind::File && entry.name.ends_with(".tsv")) {
                if (++m_files > kMaxFiles) {
                    return orNote(fail(ErrorCode::LimitExceeded,
                                       "The run has too many files; some were not read"),
                                  below);
                }
                CAIRN_CHECK(orNote(readTable(*folder, entry.name, inner), inner));
            }
        }
        return {};
    }

    Result<void> readTable(const FolderPtr& folder, const std::string& file,
                           const std::string& place) {
        HistoryCandidate table;
        table.folder = folder;
        table.name = file;
        table.path = m_shown / place;
        CAIRN_TRY(HistoryPart part, csv::kReader.read(table, m_cancel));
        m_part.bytes += part.bytes;
        for (Notice& notice : part.warnings) {
            notice.error.where.file = table.path.string();
            m_part.warnings.push_back(std::move(notice));
        }
        std::ranges::move(part.series, std::back_inserter(m_part.series));
        return {};
    }

    /// Metrics that were logged with plot=False are only in the summary, with the last step.
    Result<void> readSummary() {
        CAIRN_TRY(std::string text, readCompleteFile(*m_folder, kSummary, kMaxFile, m_cancel));
        const std::size_t size = text.size();
        text.append(JsonRow::kPadding, ' ');
        JsonRow row("/");
        if (!row.parse(std::string_view(text).substr(0, size))) {
            return fail(ErrorCode::HistoryBadRow, "The summary is not a JSON object");
        }
        m_part.bytes += size;
        RowPlace place{0};
        place.stepFrom = StepsFrom::Count;
        for (const JsonNumber& number : row.numbers()) {
            if (number.name == "step") {
                place = {};
                place.step = {number.value, number.rest};
            }
        }
        SeriesTable table;
        for (const JsonNumber& number : row.numbers()) {
            const bool isPlotted =
                std::ranges::any_of(m_part.series, [&](const MetricSeries& series) {
                    return series.name == number.name;
                });
            if (number.name != "step" && !isPlotted) {
                table.add(number.name, place, Number{number.value, number.rest});
            }
        }
        std::ranges::move(table.take(), std::back_inserter(m_part.series));
        return {};
    }

    Result<void> readParams() {
        CAIRN_TRY(const std::string text, readCompleteFile(*m_folder, kParams, kMaxFile, m_cancel));
        m_part.bytes += text.size();
        YamlDocument document = parseYaml(text, (m_shown / kParams).string());
        std::ranges::move(document.notices, std::back_inserter(m_part.warnings));
        if (document.value.kind() == ValueKind::Dict) {
            m_part.settings = std::move(document.value);
        }
        return {};
    }

    std::filesystem::path m_shown;
    FolderPtr m_folder;
    const CancelToken& m_cancel;
    std::size_t m_files = 0;
    HistoryPart m_part;
};

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(FolderPtr folder, candidate.openSelf());
    return LiveReader(candidate, std::move(folder), cancel).read();
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "dvclive",
                            .title = "DVCLive folder",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .covers = kCovers};

} // namespace cairn::history::dvclive
