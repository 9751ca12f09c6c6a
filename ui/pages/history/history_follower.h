// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"
#include "core/runs/history/history.h"
#include "ui/bridge/async_runner.h"
#include "ui/navigator/run_place.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cairn::ui {

using HistoryPtr = std::shared_ptr<const RunHistory>;

/// The history of one run, read off the GUI thread, and read again when its files grow while a page
/// shows it. Owned by the window; pages keep the HistoryPtr that they draw. GUI thread only.
class HistoryFollower : public QObject {
    Q_OBJECT

public:
    enum class State { Empty, Reading, Ready, Failed };

    explicit HistoryFollower(QObject* parent = nullptr);
    ~HistoryFollower() override;

    /// Reads the run's history, and adds what its checkpoints record. For the same run again with
    /// more facts of its checkpoints only these are added again. The history of another run is
    /// released at once.
    void follow(const RunPlace& place);
    void clear();
    void reload();
    const std::filesystem::path& run() const { return m_run; }

    State state() const { return m_state; }
    const HistoryPtr& history() const { return m_history; } ///< null until Ready
    const std::optional<Error>& error() const { return m_error; }

    /// A page shows the history: files are checked every few seconds.
    void setWatched(bool watched);
    void setPaused(bool paused);
    bool isPaused() const { return m_paused; }
    /// It changed within the last minute while it was watched.
    bool isGrowing() const;

Q_SIGNALS:
    void changed(); ///< state or history

private:
    void setCheckpoints(const ScannedRun& run);
    /// Path, size and time of change of every file; cheap to compare.
    using Signature = std::vector<std::tuple<std::string, std::uint64_t, std::int64_t>>;
    /// The files of a history at one moment; found once for a look and the reading after it.
    struct Look {
        FoundHistories found;
        Signature signature;
    };
    using LookPtr = std::shared_ptr<Look>;
    struct ReadOut {
        HistoryPtr files;
        HistoryPtr history;
        Signature signature;
    };
    /// `files` with the numbers of the checkpoints; the points of the files are shared.
    static HistoryPtr join(const HistoryPtr& files, const ScannedRun& checkpoints);
    static Signature signatureOf(const FoundHistories& found, const CancelToken& cancel);
    static Result<LookPtr> look(const std::filesystem::path& run, const std::filesystem::path& root,
                                const CancelToken& cancel);
    /// `seen`: what a look found; null: nothing was looked for yet.
    void read(LookPtr seen = nullptr);
    void poll();
    void schedule();

    std::filesystem::path m_run;
    std::filesystem::path m_root;
    State m_state = State::Empty;
    std::shared_ptr<GrowingHistories> m_growing; ///< of m_run; workers have it, too
    HistoryPtr m_files;                          ///< from the files
    HistoryPtr m_history;                        ///< including the metrics in checkpoints
    ScannedRun m_checkpoints;
    std::optional<Error> m_error;
    Signature m_signature;
    AsyncRunner m_reader{AsyncRunner::Pool::Long};
    AsyncRunner m_poller;
    AsyncRunner m_joiner;
    QTimer m_timer;
    QElapsedTimer m_took; ///< of the current read
    qint64 m_lastTook = 0;
    QElapsedTimer m_lastGrowth;
    bool m_watched = false;
    bool m_paused = false;
};

} // namespace cairn::ui
