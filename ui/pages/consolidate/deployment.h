// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/scan/nearby_adapters.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/pages/consolidate/job_choices.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/value_check.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

/// From the chosen checkpoint to a running job: maintains a plan for the selection, made off the
/// GUI thread, and passes it to the JobController. The forecast is shown before anything is
/// clicked.
class Deployment : public QObject {
    Q_OBJECT

public:
    using Planned = PlannedDeployment;

    explicit Deployment(JobController& jobController, QObject* parent = nullptr);

    /// `run` is the folder of the checkpoint's run.
    void setCheckpoint(const CheckpointPtr& checkpoint, const std::filesystem::path& run);
    void clear();
    void setChoices(const JobChoices& choices);
    void change(const ChoiceChange& change);
    /// Averages these checkpoints: now, or as soon as one of them is shown.
    void average(std::vector<std::filesystem::path> members);
    const JobChoices& choices() const { return m_choices; }
    /// Makes the plan again: after a job, or when the disk changed.
    void replan();

    bool isPlanning() const { return m_runner.isRunning(); }
    const Planned* planned() const { return m_planned ? &*m_planned : nullptr; }
    /// The contents of the shown checkpoint by role; those of the previous one until they are
    /// known.
    const std::vector<RoleContents>& roles() const { return m_roles; }
    /// Those around the shown checkpoint and its run that fit it; empty for an adapter.
    const std::vector<NearbyAdapter>& adapters() const { return m_adapters; }
    const std::optional<Error>& planError() const { return m_error; }
    /// While the page is visible: the other targets are planned, too.
    void setWatched(bool watched);
    /// Empty until it is known.
    const std::optional<Outlook>& outlook() const { return m_outlook; }
    ValueCheck& values() { return m_values; }
    const CheckpointPtr& checkpoint() const { return m_checkpoint; }
    /// Of the shown checkpoint; empty until they are known, and unless a training state is wanted.
    const std::vector<TrainerOffer>& offers() const { return m_offers; }
    /// "tiny-llama-a, step-400"; empty: nothing is shown.
    QString subject() const;
    /// One click may start it: planned, runnable, without warnings to review, and no value is known
    /// to be bad.
    bool isReady() const;
    bool isRunnable() const;
    /// A check failed: nothing can be written until it is resolved.
    bool isBlocked() const;
    /// A job is writing the planned output.
    bool isTaken() const;
    /// "4 shards → 1 model file (+4)", "16.1 GB", "40 MB memory", "about 14 s", "812 GB free": the
    /// most important first. The one sentence why it cannot start, if so.
    QStringList forecastParts() const;
    QString forecastTip() const; ///< the same with the basis of each number
    bool warns() const;          ///< forecastParts() begins with something to pay attention to
    /// It cannot start with one click; forecastParts() has the reason.
    bool isRefused() const;
    QString command() const;
    QString shortCommand() const; ///< paths relative to the run's folder, for reading

    /// REQUIRES: isRunnable(). Submits the job; one of values that are known to be bad with force.
    /// Fails: JobIsRunning if isTaken().
    Result<JobId> start();
    JobController& jobController() const { return m_jobController; }

Q_SIGNALS:
    void changed(); ///< planning began or ended
    void rolesCounted();
    void adaptersFound();
    void outlookChanged();

private:
    static QString timeWords(const Forecast& forecast);
    QString missingWords() const;
    QString jobTitle() const;
    void countRoles();
    void findAdapters();
    void findOutlook();
    void comparePlaces();

    JobController& m_jobController;
    AsyncRunner m_runner{AsyncRunner::Pool::Background};
    AsyncRunner m_counting{AsyncRunner::Pool::Background};
    AsyncRunner m_finding{AsyncRunner::Pool::Background};
    AsyncRunner m_looking{AsyncRunner::Pool::Background};
    AsyncRunner m_comparing{AsyncRunner::Pool::Background};
    QTimer m_watch; ///< of the places of the plan, while there is one
    bool m_watched = false;
    std::optional<Outlook> m_outlook;
    ValueCheck m_values;
    std::vector<RoleContents> m_roles;
    std::vector<NearbyAdapter> m_adapters;
    std::vector<TrainerOffer> m_offers;
    CheckpointPtr m_checkpoint;
    std::filesystem::path m_run;
    JobChoices m_choices;
    std::vector<std::filesystem::path> m_toAverage; ///< once one of them is shown
    std::optional<Planned> m_planned;
    std::optional<Error> m_error;
};

} // namespace cairn::ui
