// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_history.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/text/error_text.h"
#include "ui/theme/theme.h"

#include <QFrame>

#include <filesystem>
#include <functional>
#include <map>
#include <utility>
#include <vector>

class QScrollArea;
class QVBoxLayout;

namespace cairn::ui {

class ArrayList;
class Button;
class JobRow;
class TextLabel;

/// Below the toolbar: the active jobs with their buttons, then those that have ended, of this
/// window and of the history, the newest first; and the arrays on schedulers. Closes like a menu.
class JobPopover : public QFrame {
    Q_OBJECT

public:
    JobPopover(JobController& jobController, JobsWatcher& watcher, FileOps& fileOps,
               QWidget* parent = nullptr);

    /// At the lower edge of `anchor`, inside its window. Reads the history.
    void popUp(const QWidget& anchor);
    bool isSettled() const;

Q_SIGNALS:
    void closed();
    void showRequested(cairn::JobId id); ///< on the page
    void checkpointRequested(const std::filesystem::path& output);
    void openFolderRequested(const std::filesystem::path& path);
    void copied(const QString& what);

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Earlier {
        EndedJob job;
        bool present = false; ///< its output still exists
    };
    struct Entry {
        text::ErrorWords words;
        theme::Tone tone = theme::Tone::Good;
        std::vector<std::pair<QString, std::function<void()>>> actions;
    };
    void read();
    void clear();
    void refresh();
    void rebuild();
    void addEnded(const JobSnapshot& job);
    void addEarlier(const Earlier& earlier);
    void addEntry(const Entry& entry);
    bool isListed(const EndedJob& job) const;
    void fit();

    JobController& m_jobController;
    JobsWatcher& m_watcher;
    FileOps& m_fileOps;
    AsyncRunner m_reading;
    AsyncRunner m_clearing{AsyncRunner::Pool::Long};
    std::vector<Earlier> m_earlier;
    std::vector<std::pair<JobId, JobState>> m_shown; ///< what the rows are made for
    std::map<JobId, JobRow*> m_rows;                 ///< of active jobs
    ArrayList* m_arrays;
    QScrollArea* m_scroll;
    QVBoxLayout* m_list;
    TextLabel* m_empty;
    Button* m_clear;
};

} // namespace cairn::ui
