// SPDX-License-Identifier: Apache-2.0
//
// Whether a row is still right is recorded by a stamp of all that its history may come from: the
// files in the run's folder and below it, the checkpoints as the scan found them (trainers write
// their logs into checkpoints), and the log folders above, which many runs share: those are
// digested once. Reading is what costs; a row that is right costs a listing of its folder.
#include "core/runs/table/run_table.h"

#include "core/io/folder.h"
#include "core/io/hash.h"
#include "core/runs/compare/compare.h"
#include "core/runs/facts/index_bytes.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/metric_facts.h"
#include "core/runs/table/run_row.h"
#include "core/runs/table/run_settings.h"
#include "core/runs/table/run_table_bytes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxStamped = 200'000; // entries examined for one stamp
constexpr int kMaxDepth = 9;

IndexStamp digestOf(const IndexWriter& writer) {
    Sha256 hash;
    hash.add(writer.bytes());
    const Sha256Digest digest = hash.finish();
    IndexStamp stamp;
    std::copy_n(digest.begin(), stamp.size(), stamp.begin());
    return stamp;
}

void putEntry(IndexWriter& out, const FolderEntry& entry) {
    out.put(entry.name);
    out.put(entry.identity.inode);
    out.put(entry.identity.size);
    out.put(entry.identity.mtimeNs);
    out.put(entry.identity.ctimeNs);
}

/// Adds everything below a folder, except the paths in `skip`.
void putBelow(IndexWriter& out, const Folder& folder, const fs::path& path,
              const std::set<fs::path>& skip, int depth, std::size_t& budget) {
    const auto entries = folder.list();
    if (!entries || depth > kMaxDepth) {
        return;
    }
    for (const FolderEntry& entry : *entries) {
        if (budget == 0) {
            return;
        }
        --budget;
        const fs::path inner = path / entry.name;
        if (skip.contains(inner)) {
            continue;
        }
        if (entry.kind != EntryKind::Folder) {
            putEntry(out, entry);
        } else if (const auto open = folder.openFolder(entry.name)) {
            out.put(entry.name);
            putBelow(out, **open, inner, skip, depth + 1, budget);
        }
    }
}

class Stamps {
public:
    explicit Stamps(const Experiment& experiment) : m_experiment(experiment) {
        for (const ScannedRun& run : experiment.runs) {
            for (const ScannedCheckpoint& each : run.checkpoints) {
                m_skip.insert(each.path);
            }
            if (run.path != experiment.path) {
                m_runs.insert(run.path);
            }
            for (const ResumedIn& each : run.resumedIn) {
                m_runs.insert(each.path);
            }
        }
    }

    IndexStamp of(const ScannedRun& run) {
        IndexWriter out;
        for (const ScannedCheckpoint& each : run.checkpoints) {
            out.put(each.name);
            out.put(each.bytes);
            out.put(each.modifiedNs);
            out.putOptional(each.step);
            out.putOptional(each.epoch);
        }
        if (const auto folder = Folder::open(run.path)) {
            std::size_t budget = kMaxStamped;
            putBelow(out, **folder, run.path, run.path == m_experiment.path ? allRuns() : m_skip, 0,
                     budget);
        } else if (const auto file = stampOf(run.path.parent_path())) { // a run in a file
            out.put(*file);
        }
        for (const ResumedIn& each : run.resumedIn) {
            std::size_t budget = kMaxStamped;
            out.put(each.path.filename().string());
            if (const auto folder = Folder::open(each.path)) {
                putBelow(out, **folder, each.path, m_skip, 0, budget);
            }
        }
        for (fs::path above = run.path; above != m_experiment.path && above.has_relative_path();) {
            above = above.parent_path();
            out.put(sharedAt(above));
        }
        return digestOf(out);
    }

private:
    /// The experiment's own run does not include the content of other runs.
    const std::set<fs::path>& allRuns() {
        const std::scoped_lock lock(m_mutex);
        if (m_all.empty()) {
            m_all = m_skip;
            m_all.insert(m_runs.begin(), m_runs.end());
        }
        return m_all;
    }

    /// Stamp of the folders above a run, without the runs in them.
    IndexStamp sharedAt(const fs::path& path) {
        const auto& skip = allRuns();
        const std::scoped_lock lock(m_mutex);
        const auto known = m_shared.find(path);
        if (known != m_shared.end()) {
            return known->second;
        }
        IndexWriter out;
        std::size_t budget = kMaxStamped;
        if (const auto folder = Folder::open(path)) {
            putBelow(out, **folder, path, skip, 0, budget);
        }
        return m_shared.emplace(path, digestOf(out)).first->second;
    }

    const Experiment& m_experiment;
    std::set<fs::path> m_skip;
    std::set<fs::path> m_runs;
    std::mutex m_mutex; ///< guards the following members
    std::set<fs::path> m_all;
    std::map<fs::path, IndexStamp> m_shared;
};

/// Lists of names that many runs share are stored once, with the facts about the names.
struct NameList {
    std::shared_ptr<const std::vector<std::string>> names;
    std::vector<MetricFacts> facts;
};

class NameLists {
public:
    std::shared_ptr<const NameList> keep(std::vector<std::string> names) {
        if (auto known = find(names)) {
            return known;
        }
        auto list = std::make_shared<NameList>();
        std::ranges::transform(names, std::back_inserter(list->facts), metricFacts);
        list->names = std::make_shared<const std::vector<std::string>>(std::move(names));
        const std::scoped_lock lock(m_mutex);
        if (m_lists.size() < kMaxShared) {
            m_lists.push_back(list);
        }
        return list;
    }

private:
    static constexpr std::size_t kMaxShared = 32;
    std::shared_ptr<const NameList> find(const std::vector<std::string>& names) {
        const std::scoped_lock lock(m_mutex);
        const auto at =
            std::ranges::find_if(m_lists, [&](const auto& each) { return *each->names == names; });
        return at != m_lists.end() ? *at : nullptr;
    }
    std::mutex m_mutex;
    std::vector<std::shared_ptr<const NameList>> m_lists;
};

/// Returns the facts about the names of the row's series.
std::shared_ptr<const NameList> fillRow(RunRow& row, const RunHistory& history, NameLists& lists) {
    std::vector<std::string> names;
    names.reserve(history.series.size());
    for (const MetricSeries& series : history.series) {
        names.push_back(series.name);
    }
    auto list = lists.keep(std::move(names));
    row.names = list->names;
    row.cells.reserve(history.series.size());
    for (std::size_t i = 0; i < history.series.size(); ++i) {
        const MetricGoal* goal = history.goalOf(history.series[i].name);
        row.cells.push_back(
            metricCell(history.series[i], goal != nullptr ? goal->better : list->facts[i].better));
    }
    for (const HistorySource& source : history.sources) {
        row.sources.push_back({source.kind, source.path, source.bytes, {}});
    }
    for (std::size_t i = 0; i < history.series.size(); ++i) {
        for (const std::uint32_t source : sourcesOf(history.series[i])) {
            row.sources.at(source).metrics.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return list;
}

} // namespace

const RunRow* RunTable::find(std::string_view id) const {
    const auto row = std::ranges::find(rows, id, &RunRow::id);
    return row != rows.end() ? &*row : nullptr;
}

Result<RunTable> readRunTable(Experiment& experiment, const IndexCache& cache,
                              const CancelToken& cancel, const ForEach& forEach) {
    RunTable table;
    table.rows.resize(experiment.runs.size());
    const auto bytes = cache.read(cacheEntryOf(experiment));
    std::map<std::string, RunRow> known;
    if (bytes) {
        known = unpacked(*bytes, experiment.path);
    }
    Stamps stamps(experiment);
    NameLists lists;
    FolderListings above;
    std::mutex mutex; // guards the table's sums and notices
    const auto readOne = [&](std::size_t i) {
        ScannedRun& run = experiment.runs[i];
        RunRow& row = table.rows[i];
        const IndexStamp stamp = stamps.of(run);
        const auto old = known.find(run.id);
        if (old != known.end() && old->second.stamp == stamp) {
            row = std::move(old->second); // each id occurs once
            settleRun(run, row.scores);
            const std::scoped_lock lock(mutex);
            ++table.fromCache;
            return;
        }
        row.id = run.id;
        row.names = lists.keep({})->names;
        auto history = readHistory(run.path, experiment.path, cancel, &above);
        if (!history) {
            const std::scoped_lock lock(mutex);
            table.notices.push_back({Severity::Warning, history.error()});
            return;
        }
        row.stamp = stamp;
        const auto list = fillRow(row, *history, lists);
        settleRun(run, *history, list->facts);
        row.scores = scoresOf(run);
        addCheckpointSettings(*history, run, cancel);
        addRowFacts(row, *history, list->facts, run.scoreMetric());
    };
    if (forEach) {
        forEach(experiment.runs.size(), readOne);
    } else {
        for (std::size_t i = 0; i < experiment.runs.size() && !cancel.cancelled(); ++i) {
            readOne(i);
        }
    }
    CAIRN_CHECK(cancel.check());
    if (table.fromCache < table.rows.size() || known.size() != table.rows.size()) {
        cache.write(cacheEntryOf(experiment), packed(table, experiment.path));
    }
    return table;
}

} // namespace cairn
