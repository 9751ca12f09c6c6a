// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/widgets/message_strip.h"

#include <QWidget>

class QPlainTextEdit;

namespace cairn::ui {

class Button;
class ByteProgress;
class Card;
class TextLabel;

/// One job: while it is active a card with phase, bar by bytes, rate, time left and its buttons;
/// afterwards, in its place, a strip with its result and the actions on it. The keyboard's focus
/// stays in it when the one becomes the other.
class JobView : public QWidget {
    Q_OBJECT

public:
    JobView(JobId id, JobController& jobController, JobsWatcher& watcher,
            QWidget* parent = nullptr);

    JobId id() const { return m_id; }
    void showJob(const JobSnapshot& job);
    bool hasEnded() const { return m_ended; }
    /// Which ways a waiting job can be moved.
    void setMovable(bool up, bool down);
    /// Its first button gets the focus.
    void focusFirst();

Q_SIGNALS:
    void openFolderRequested(const std::filesystem::path& path);
    void shardsRequested(const std::filesystem::path& checkpoint);
    void checkpointRequested(const std::filesystem::path& output);
    void compareRequested(const std::filesystem::path& source, const std::filesystem::path& output);
    void chooseFolderRequested();
    void copied(const QString& what);

private:
    void buildRunning();
    void connectRunning();
    void showFigures(const JobSnapshot& job);
    void showSteps(const JobSnapshot& job);
    void showLog(const JobSnapshot& job);
    void showEnd(const JobSnapshot& job);
    void showUndone(const Result<std::filesystem::path>& movedTo);
    std::vector<Message::Action> doneActions(const JobRecord& record);
    std::vector<Message::Action> failedActions(const JobSnapshot& job, const JobRecord* record);
    std::vector<Message::Action> furtherActions(const JobRecord& record);
    void replaceMessage(Message message);
    void undo();
    void toggleLog();
    void copyCommand();

    JobId m_id;
    JobController& m_jobController;
    JobsWatcher& m_watcher;
    Card* m_card;
    TextLabel* m_title;
    TextLabel* m_phase;
    TextLabel* m_figures;
    QWidget* m_steps;
    ByteProgress* m_bar;
    Button* m_up;
    Button* m_down;
    Button* m_pause;
    Button* m_stop;
    MessageStrip* m_end;
    QPlainTextEdit* m_log;
    bool m_ended = false;
};

} // namespace cairn::ui
