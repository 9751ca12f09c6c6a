// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/listed_run.h"
#include "ui/bridge/async_runner.h"
#include "ui/text/error_text.h"

#include <QObject>

#include <optional>
#include <vector>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class JobController;

/// Jobs whose process ended before they were finished: killed, or after a power failure. Listed off
/// the GUI thread on request; no file is changed until the user decides.
class UnfinishedJobs : public QObject {
    Q_OBJECT

public:
    UnfinishedJobs(JobController& jobController, FileOps& fileOps, QObject* parent = nullptr);

    /// Reads the user's list of jobs; postponed ones appear again.
    void refresh();
    bool isBusy() const { return m_listing.isRunning() || m_removing.isRunning(); }
    const std::vector<ListedJob>& jobs() const { return m_jobs; }

    // By StartedJob::id; unknown ids are ignored. Each removes the job from jobs().
    void resume(const std::string& id);
    void remove(const std::string& id); ///< removes its files and its entry in the list
    void putOff(const std::string& id); ///< until the next refresh()

Q_SIGNALS:
    void changed();
    void removed(const QString& what); ///< one sentence
    void failed(const cairn::ui::text::ErrorWords& words);

private:
    std::optional<ListedJob> take(const std::string& id);

    JobController& m_jobController;
    FileOps& m_fileOps;
    AsyncRunner m_listing;
    AsyncRunner m_removing{AsyncRunner::Pool::Long};
    std::vector<ListedJob> m_jobs;
};

} // namespace cairn::ui
