// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/job_queue.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/jobs_watcher.h"

#include <QWidget>

namespace cairn::ui {

class Button;
class ByteProgress;
class Card;
class MessageStrip;
class TextLabel;

/// One job: while it is active a card with phase, bar by bytes, rate, time left and its buttons;
/// afterwards a strip that says how it ended and what can be done with it.
class JobView : public QWidget {
    Q_OBJECT

public:
    JobView(JobId id, Deployment& deployment, JobsWatcher& watcher, QWidget* parent = nullptr);

    JobId id() const { return m_id; }
    void showJob(const JobSnapshot& job);

Q_SIGNALS:
    void openFolderRequested(const std::filesystem::path& path);
    void shardsRequested(const std::filesystem::path& checkpoint);
    void chooseFolderRequested();
    void copied(const QString& what);

private:
    void buildRunning();
    void showEnd(const JobSnapshot& job);
    void showDone(const JobRecord& record);
    void showChecked(const JobRecord& record);
    void showFailed(const JobSnapshot& job, const JobRecord* record);

    JobId m_id;
    Deployment& m_deployment;
    JobsWatcher& m_watcher;
    Card* m_card;
    TextLabel* m_title;
    TextLabel* m_phase;
    TextLabel* m_figures;
    TextLabel* m_counts;
    ByteProgress* m_bar;
    Button* m_pause;
    Button* m_stop;
    MessageStrip* m_end;
    bool m_ended = false;
};

} // namespace cairn::ui
