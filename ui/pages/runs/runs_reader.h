// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/runs/run_arrangement.h"

#include <QObject>

#include <memory>
#include <optional>

namespace cairn::ui {

/// Reads the run table of an experiment and arranges its rows, on workers. GUI thread only.
class RunsReader : public QObject {
    Q_OBJECT

public:
    /// The query outlives the reader.
    explicit RunsReader(const RunsQuery& query) : m_query(query) {}

    /// Reads the histories of all runs through the user's cache, and arranges them; before that,
    /// only names and sizes the first time. Without `known`, that is all.
    void read(const std::shared_ptr<const Experiment>& experiment, bool known);
    /// Arranges what was read by the present query.
    void arrange();
    /// Stops, and forgets what was read.
    void clear();

    bool isReading() const { return m_reader.isRunning(); }
    bool isArranging() const { return m_arranger.isRunning(); }
    const std::optional<Error>& error() const { return m_error; } ///< of reading

Q_SIGNALS:
    /// `filter`: of the query that this is the answer to.
    void arranged(const cairn::ui::RunsDataPtr& data, const cairn::ui::RunsArrangement& arrangement,
                  const std::string& filter);
    void progressed(); ///< reading or arranging began or ended

private:
    const RunsQuery& m_query;
    RunsDataPtr m_latest; ///< what was read last
    std::optional<Error> m_error;
    AsyncRunner m_reader;
    AsyncRunner m_arranger;
};

} // namespace cairn::ui
