// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/engine.h"
#include "core/jobs/job_queue.h"
#include "core/jobs/verify.h"
#include "core/plan/copy_plan.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/consolidate/recipe.h"
#include "ui/shell/services.h"

#include <QObject>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

namespace cairn::ui {

/// What the window knows of a job beside the queue's snapshot. The worker fills `report` or `check`
/// before the queue says Done; the GUI reads them only after that.
struct JobRecord {
    QString command;
    QString python;
    std::filesystem::path source;
    std::filesystem::path output;
    std::optional<JobReport> report;   ///< of a consolidation
    std::optional<VerifyResult> check; ///< of a verification
};

/// From the chosen checkpoint to a running job: keeps a plan for what is selected, made off the GUI
/// thread, and submits it. The forecast is there before anything is clicked.
class Deployment : public QObject {
    Q_OBJECT

public:
    struct Planned {
        CopyPlan plan;
        ConsolidateOptions options;
        Recipe::Target target = Recipe::Target::Safetensors;
    };

    explicit Deployment(Services& services, QObject* parent = nullptr);

    /// `run` is the folder that the checkpoint's run lies in.
    void setCheckpoint(const CheckpointPtr& checkpoint, const std::filesystem::path& run);
    void clear();
    void setRecipe(const Recipe& recipe);
    const Recipe& recipe() const { return m_recipe; }
    /// Makes the plan again: after a job, or when the disk changed.
    void replan();

    bool isPlanning() const { return m_runner.isRunning(); }
    const Planned* planned() const { return m_planned ? &*m_planned : nullptr; }
    const std::optional<Error>& planError() const { return m_error; }
    /// One click may start it: planned, runnable, and nothing that a person should look at first.
    bool isReady() const;
    bool isRunnable() const;
    QString forecastLine() const;
    QString command() const;
    QString shortCommand() const; ///< paths relative to the run's folder, for reading

    /// REQUIRES: isRunnable(). Submits the job and plans anew (the output's name is taken now).
    JobId start();
    JobId verifyAgain(const JobRecord& record);
    std::shared_ptr<const JobRecord> record(JobId id) const;
    JobQueue& queue() const { return *m_services.jobs; }

Q_SIGNALS:
    void changed(); ///< planning began or ended
    void started(cairn::JobId id);

private:
    Services& m_services;
    AsyncRunner m_runner;
    CheckpointPtr m_checkpoint;
    std::filesystem::path m_run;
    Recipe m_recipe;
    std::optional<Planned> m_planned;
    std::optional<Error> m_error;
    std::map<JobId, std::shared_ptr<const JobRecord>> m_records;
};

} // namespace cairn::ui
