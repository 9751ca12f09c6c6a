// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_content.h"
#include "ui/charts/run_axis.h"
#include "ui/navigator/run_place.h"
#include "ui/pages/history/history_follower.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace cairn::ui {

/// The curves of the marked runs. Reads their histories on a worker and keeps those of marked runs
/// only; makes the content of a chart on a worker when it is asked for. GUI thread only.
class RunCharts : public QObject {
    Q_OBJECT

public:
    /// A run, or a group: the mean of its runs, with a band of one standard deviation.
    struct Line {
        int slot = 0;
        bool isMarked = true; ///< else it has no letter
        QString name;
        std::vector<RunPlace> runs;
        bool isGroup = false;
    };
    /// The history of a run if another page has it; may return null.
    using Known = std::function<HistoryPtr(const std::filesystem::path& run)>;

    explicit RunCharts(QObject* parent = nullptr);

    void setKnown(Known known) { m_known = std::move(known); }
    void setLines(std::vector<Line> lines);
    void setAxis(const AxisChoice& axis);
    /// Reads the histories again; the curves stay meanwhile.
    void reload();
    bool hasLines() const { return !m_lines.empty(); }
    bool isSettled() const { return !m_reader.isRunning() && !m_maker.isRunning(); }

    /// Metrics of the lines, by rank; those of the histories that were read so far.
    const std::vector<QString>& names() const { return m_names; }
    /// Metrics with one value in every run; not in names().
    const std::vector<QString>& loneNames() const { return m_loneNames; }
    std::vector<AxisChoice::Kind> axes() const;
    /// The previous content, or one without curves, while it is being made; then made() follows.
    ChartContent content(const QString& name);
    /// Runs whose histories could not be read.
    const QStringList& problems() const { return m_problems; }

Q_SIGNALS:
    void namesChanged();
    void made(const QString& name);

private:
    struct Inputs;
    void readMissing();
    void updateNames();
    void makeRequested();
    void forget();

    Known m_known;
    std::vector<Line> m_lines;
    AxisChoice m_axis;
    std::map<std::filesystem::path, HistoryPtr> m_histories;
    std::set<std::filesystem::path> m_outdated; ///< to be read again
    std::set<std::filesystem::path> m_unreadable;
    QStringList m_problems;
    std::vector<QString> m_names;
    std::vector<QString> m_loneNames;
    std::map<QString, std::string> m_written; ///< as shown to as written
    std::map<QString, ChartContent> m_contents;
    std::set<QString> m_fresh; ///< contents of the present lines
    std::set<QString> m_requested;
    AsyncRunner m_reader;
    AsyncRunner m_maker;
};

} // namespace cairn::ui
