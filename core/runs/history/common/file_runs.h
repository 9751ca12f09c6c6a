// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/common/call_steps.h"
#include "core/runs/history/common/row_table.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/history.h"

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::history {

/// The runs of one file, with their names, points and settings. A file of one run keeps the names
/// of its metrics; of several, they begin with the run's name, and the settings are a dict per run.
/// Limited to kMaxRuns. Not thread-safe.
class FileRuns {
public:
    static constexpr std::size_t kMaxRuns = 100'000;
    static constexpr std::size_t kMaxName = 4096; ///< bytes; longer ids and metrics are not used

    struct Run {
        std::string id;
        std::string name; ///< unique after arrange()
        double start = 0;
        std::vector<ValueItem> settings = {};
        RowTable rows = {};                                        ///< for readers of rows
        CallSteps calls = {};                                      ///< if rows have only such steps
        std::string prefix = {};                                   ///< of its metrics' names
        std::unordered_map<std::string, std::size_t> columns = {}; ///< keyed by metric
    };

    /// `only`: the id of the run to keep; empty: all.
    explicit FileRuns(std::string_view only) : m_only(only) {}

    /// Adds a run, or returns the one with this id. Null if it is not wanted, or beyond the limits.
    Run* add(std::string_view id, std::string_view name = {}, double start = 0);
    [[nodiscard]] Run* find(std::string_view id);
    /// Makes names unique and determines prefixes; `byStart`: the oldest first. Before any point is
    /// added with addPoint(), and before list() and finish().
    void arrange(bool byStart);

    /// REQUIRES: a run of this object, after arrange().
    void addPoint(Run& run, std::string_view metric, const RowPlace& place, Number value);
    /// The limit of points is reached.
    [[nodiscard]] bool full() const { return m_full || m_points.full(); }
    void setFull() { m_full = true; }
    [[nodiscard]] std::size_t size() const { return m_runs.size(); }
    [[nodiscard]] std::deque<Run>& all() { return m_runs; }
    [[nodiscard]] bool tooMany() const { return m_tooMany; }
    /// Nothing was read so far.
    [[nodiscard]] bool isEmpty() const;

    [[nodiscard]] std::vector<HeldRun> list() const;
    /// Moves series, settings and notices into the part.
    void finish(HistoryPart& part);

private:
    std::string m_only;
    std::deque<Run> m_runs; ///< stable addresses
    std::map<std::string, Run*, std::less<>> m_places;
    Run* m_last = nullptr;
    SeriesTable m_points;
    bool m_full = false;
    bool m_tooMany = false;
};

} // namespace cairn::history
