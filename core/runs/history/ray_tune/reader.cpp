// SPDX-License-Identifier: Apache-2.0
//
// ray/tune/logger/json.py: JsonLoggerCallback appends each result as one line, with the trial's
// configuration; CSVLoggerCallback flattens the same results, without it, with "/" between names.
#include "core/runs/history/csv/reader.h"

#include "core/base/number_text.h"
#include "core/codec/json/json_value.h"
#include "core/runs/history/common/damage.h"
#include "core/runs/history/common/file_runs.h"
#include "core/runs/history/common/json_row.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/line_reader.h"
#include "core/runs/history/common/row_cutter.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

namespace cairn::history::ray_tune {
namespace {

constexpr std::string_view kName = "result.json";
constexpr std::string_view kConfig = "config/";
/// Ray's columns that measure nothing.
constexpr auto kIdentities = std::to_array<std::string_view>({"pid"});
constexpr std::string_view kTable = "progress.csv";
/// Either logger can be switched off; with both, the table contains the same results.
constexpr auto kNames = std::to_array<std::string_view>({kName, kTable});
constexpr auto kCovers = std::to_array<std::string_view>({kTable});

bool mayBe(std::string_view name) {
    return std::ranges::find(kNames, name) != kNames.end();
}

/// A table with Ray's columns of trial and iteration.
bool isTable(const HistoryCandidate& candidate) {
    const std::string_view head(reinterpret_cast<const char*>(candidate.head.data()),
                                candidate.head.size());
    RowCutter cutter(',');
    return candidate.name == kTable && cutter.cut(trimmedText(head.substr(0, head.find('\n')))) &&
           std::ranges::find(cutter.cells(), "trial_id") != cutter.cells().end() &&
           std::ranges::find(cutter.cells(), "training_iteration") != cutter.cells().end();
}

/// Each result has its iteration and its trial (ray/air/constants.py, ray/tune/result.py).
bool isResult(const JsonRow& row) {
    return !row.text("trial_id").empty() &&
           std::ranges::any_of(row.numbers(), [](const JsonNumber& number) {
               return number.name == "training_iteration";
           });
}

/// The first result, which may be longer than the head, decides.
bool recognises(const HistoryCandidate& candidate) {
    const bool isObject = !candidate.head.empty() && candidate.head.front() == std::byte{'{'};
    if (candidate.isFolder || candidate.name != kName || !isObject) {
        return !candidate.isFolder && isTable(candidate);
    }
    const auto source = candidate.folder->openFile(candidate.name);
    if (!source) {
        return false;
    }
    LineReader lines(*source, CancelToken());
    JsonRow row("/");
    return lines.next() && row.parse(lines.line()) && isResult(row);
}

class ResultReader {
public:
    ResultReader(ByteSourcePtr source, const CancelToken& cancel, std::string_view only)
        : m_lines(std::move(source), cancel), m_trials(only) {}

    Result<HistoryPart> read() {
        while (!m_trials.full() && m_lines.next()) {
            const std::string_view line = trimmedText(m_lines.line());
            if (line.empty()) {
                continue;
            }
            if (m_row.parse(line)) {
                add(line);
            } else if (m_lines.ended()) {
                m_broken.add(m_lines.offset());
            } else {
                m_cutOff.add(m_lines.offset());
            }
        }
        if (!m_lines.status() && m_lines.status().error().code == ErrorCode::Cancelled) {
            return m_lines.status().error();
        }
        return finish();
    }

    /// The trials, in the order of their first results.
    Result<std::vector<HeldRun>> list() {
        CAIRN_TRY(const HistoryPart part, read());
        return m_trials.list();
    }

private:
    void add(std::string_view line) {
        FileRuns::Run* trial = m_trials.add(m_row.text("trial_id"));
        if (trial == nullptr) {
            return;
        }
        m_cells.clear();
        for (const JsonNumber& number : m_row.numbers()) {
            if (!number.name.starts_with(kConfig) &&
                std::ranges::find(kIdentities, number.name) == kIdentities.end()) {
                m_cells.push_back({number.name, number.value, number.rest});
            }
        }
        const RowPlace place = trial->rows.add(m_cells);
        if (const std::string_view save = m_row.text("checkpoint_dir_name"); !save.empty()) {
            m_saves.push_back({std::string(save), place.step});
        }
        if (trial->rows.full()) {
            m_trials.setFull();
        }
        m_last[trial].assign(line);
    }

    /// The configuration of the last result: schedulers change it during a trial.
    void readConfigs(HistoryPart& part) {
        for (auto& [trial, line] : m_last) {
            JsonOptions options;
            options.maxDepth = 100;
            auto json = parseJson(line, kName, options);
            const JsonValue* config = json ? json->find("config") : nullptr;
            if (!json) {
                part.warnings.push_back({Severity::Warning, std::move(json).error()});
                continue;
            }
            const Value value = config == nullptr ? Value() : history::valueOf(*config);
            trial->settings = value.items();
        }
    }

    HistoryPart finish() {
        HistoryPart part;
        m_broken.report(part.warnings, ErrorCode::HistoryBadRow,
                        "Lines that are not JSON objects were skipped", {}, "lines");
        m_cutOff.report(part.warnings, ErrorCode::Truncated, "The last line is truncated", {},
                        "line", Severity::Info);
        for (Notice& notice : m_lines.notices()) {
            part.warnings.push_back(std::move(notice));
        }
        readConfigs(part);
        m_trials.arrange(false);
        m_trials.finish(part);
        part.bytes = m_lines.bytesRead();
        if (m_trials.size() == 1) {
            part.saves = std::move(m_saves);
        }
        return part;
    }

    LineReader m_lines;
    FileRuns m_trials;
    JsonRow m_row{"/"};
    std::vector<RowCell> m_cells;
    std::map<FileRuns::Run*, std::string> m_last; ///< the last line of each trial
    std::vector<RecordedSave> m_saves;
    Damage m_broken;
    Damage m_cutOff;
};

/// Of a table, without the columns that measure nothing.
Result<HistoryPart> withoutIdentities(Result<HistoryPart> part) {
    if (part) {
        std::erase_if(part->series, [](const MetricSeries& series) {
            return std::ranges::find(kIdentities, series.name) != kIdentities.end();
        });
    }
    return part;
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    if (candidate.name == kTable) {
        return withoutIdentities(csv::kReader.read(candidate, cancel));
    }
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return ResultReader(std::move(source), cancel, candidate.run).read();
}

/// Reads what was appended to a table; results are read again.
class Growing final : public GrowingHistory {
public:
    Result<HistoryPart> read(const HistoryCandidate& candidate,
                             const CancelToken& cancel) override {
        return candidate.name == kTable ? withoutIdentities(m_table->read(candidate, cancel))
                                        : ray_tune::read(candidate, cancel);
    }

    static std::unique_ptr<GrowingHistory> make() { return std::make_unique<Growing>(); }

private:
    std::unique_ptr<GrowingHistory> m_table = csv::kReader.follow();
};

/// The trial of the first complete line from `offset` on, or of the last one.
std::string trialFrom(const ByteSourcePtr& source, const CancelToken& cancel, std::uint64_t offset,
                      bool last) {
    LineReader lines(source, cancel, offset);
    JsonRow row("/");
    std::string trial;
    while (lines.next()) {
        if (row.parse(lines.line()) && isResult(row)) {
            trial = row.text("trial_id");
            if (!last) {
                break;
            }
        }
    }
    return trial;
}

/// Ray writes a file for each trial, so that only a file whose ends differ is read for them.
Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    constexpr std::uint64_t kTail = std::uint64_t{1} << 20U;
    if (candidate.name == kTable) {
        return csv::kReader.runsIn(candidate, cancel);
    }
    CAIRN_TRY(ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    const std::uint64_t tail = source->size() > kTail ? source->size() - kTail : 0;
    const std::string first = trialFrom(source, cancel, 0, false);
    const std::string last = trialFrom(source, cancel, tail, true);
    if (last.empty() || last == first) {
        return std::vector<HeldRun>();
    }
    return ResultReader(std::move(source), cancel, {}).list();
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "ray_tune",
                            .title = "Ray Tune results",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .follow = Growing::make,
                            .runsIn = runsIn,
                            .covers = kCovers,
                            .continuesOthers = false,
                            .countsSaves = kNames};

} // namespace cairn::history::ray_tune
