// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"
#include "ui/pages/consolidate/job_choices.h"

#include <QObject>

#include <optional>
#include <string_view>

namespace cairn::ui {

class Deployment;
class JobActions;
class JobController;
class RecentFolders;
class ShownSubject;
class WindowParts;

/// The actions that plan and start jobs on the shown checkpoint: consolidate, average, convert,
/// reshard, export, pack.
class JobStarter : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    JobStarter(WindowParts& parts, ShownSubject& subject, Deployment& deployment,
               JobController& jobController, JobActions& jobs, const RecentFolders& recents);

    /// The button and the forecast depend on the plan and on running jobs.
    void updateStart();

private:
    void connectChoices();
    void connectPage();
    void propose(const ChoiceChange& change);
    void proposeFormat(std::string_view format, bool everything);
    void start(bool evenIfWarned);
    void pickOutput();
    std::optional<ScannedRun> runOfSource(const JobRequest& request) const;
    void runOn();
    void pack();
    void updateActions();
    QString startText(bool shown) const;

    WindowParts& m_parts;
    ShownSubject& m_subject;
    Deployment& m_deployment;
    JobController& m_jobController;
    JobActions& m_jobs;
    const RecentFolders& m_recents;
};

} // namespace cairn::ui
