// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"
#include "ui/bridge/async_runner.h"
#include "ui/navigator/navigator_rows.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>

namespace cairn::ui {

/// Lists one experiment off the GUI thread: first names and sizes in one go, then, a few times a
/// second, what the checkpoints' indexes and the runs' histories record; not before the GUI thread
/// has taken what came before. Earlier results come from the index cache. load() again starts over;
/// a listing in progress is dropped.
///
/// After the first load the folders are watched: when something changes, and periodically while
/// something is being written, the experiment is listed again in the background; a signal is only
/// sent if its checkpoints or their records in the histories changed. This happens at most every
/// half second and takes at most a tenth of the time. If the folder is missing, the last listing
/// stays, and listing is retried every few seconds. If the connection to its host is lost, the last
/// listing stays until load(): nothing logs in again by itself.
class ExperimentLoader : public QObject {
    Q_OBJECT

public:
    explicit ExperimentLoader(std::filesystem::path path, QObject* parent = nullptr);
    ~ExperimentLoader() override;

    const std::filesystem::path& path() const { return m_path; }
    void load();
    bool isLoading() const { return m_runner.isRunning() && !m_quiet; }
    /// The last listing; null before the first.
    const ExperimentPtr& last() const { return m_last; }
    /// The rows of last(), made on the worker. Once after each listed() and examined().
    NavigatorRows takeRows() { return std::move(*m_rows); }

Q_SIGNALS:
    void listed(const cairn::Experiment& experiment);
    /// The same checkpoints, known better.
    void examined(const cairn::Experiment& experiment);
    void finished();
    void failed(const cairn::Error& error);
    /// The connection to the folder's host is lost; last() stays.
    void unreachable();

private:
    struct Stored;
    struct Watch;
    struct Work;
    void start(bool quiet);
    void changedOnDisk();
    void take(const ExperimentPtr& experiment, std::shared_ptr<NavigatorRows> rows);
    void ended(const Result<void>& done);

    std::filesystem::path m_path;
    std::shared_ptr<Stored> m_stored; ///< used by the worker
    std::shared_ptr<Watch> m_watch;   ///< used by the worker
    ExperimentPtr m_last;
    std::shared_ptr<NavigatorRows> m_rows;
    QTimer m_again;
    qint64 m_tookMs = 0;    ///< the last listing
    bool m_quiet = false;   ///< the listing in progress was started by the watch
    bool m_changed = false; ///< something changed during it
    AsyncRunner m_runner;   ///< last, so that it is destroyed first
};

} // namespace cairn::ui
