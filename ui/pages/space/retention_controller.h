// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/retention/prunable_run.h"
#include "core/runs/retention/retention_apply.h"
#include "ui/bridge/async_runner.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::ui {

/// The retention of some runs: examines them, plans for the current rules, moves, and moves back.
/// The plan of each run is the one of `cairn-cli prune`, by the same functions. All reading and
/// moving happens in workers; a new request stops the one before. GUI thread only.
class RetentionController : public QObject {
    Q_OBJECT

public:
    struct Target {
        std::filesystem::path path;
        std::filesystem::path root; ///< the experiment, in which its logs may be
        QString name;
        friend bool operator==(const Target&, const Target&) = default;
    };
    struct RunPlan {
        Target place;
        RetentionPlan plan;
        std::optional<Error> error; ///< why there is no plan: nothing of this run is touched
        std::vector<Notice> notices;
        std::size_t checkpoints = 0; ///< without links
    };
    struct Outcome {
        RetentionRules rules;
        std::vector<RunPlan> runs;
        std::size_t moved = 0; ///< what moving would move, and so on
        std::size_t kept = 0;
        std::size_t untouched = 0;
        std::uint64_t freedBytes = 0;
        std::string metric;     ///< by which "best" is decided, if all runs have the same
        bool allScored = false; ///< every run has a metric or a record
        /// "lower is better, assumed": runs are refused until the user confirms it; empty: none
        QString unconfirmed = {};
        std::optional<std::uint64_t> diskFree;
    };
    using OutcomePtr = std::shared_ptr<const Outcome>;
    struct Report {
        bool isUndo = false;
        std::size_t count = 0;
        std::uint64_t bytes = 0;
        std::vector<Error> problems;
    };

    /// `ops` outlives the controller.
    explicit RetentionController(FileOps& ops, QObject* parent = nullptr);

    /// Examines these runs and plans. A run that was examined before is not examined again, unless
    /// `again`.
    void setRuns(std::vector<Target> runs, bool again = false);
    void setRules(const RetentionRules& rules);
    const RetentionRules& rules() const { return m_rules; }
    /// For the current rules; null while it is being made, and when it cannot be made.
    const OutcomePtr& outcome() const { return m_outcome; }
    bool isBusy() const { return m_examining.isRunning() || m_planning.isRunning(); }
    bool isMoving() const { return m_moving.isRunning(); }
    /// How many of the runs have been examined, while that lasts.
    std::size_t examined() const { return m_done; }
    std::size_t runs() const { return m_runs.size(); }
    void stop(); ///< examining and planning
    void plan(); ///< after stop()

    /// Moves what outcome() removes. REQUIRES: outcome(), nothing is being moved.
    void move();
    /// Plans the removal of checkpoints that the user chose in these runs, beside the plan by the
    /// rules: chosenPlanned() has the result.
    void planChosen(std::vector<Target> runs, std::vector<std::filesystem::path> chosen);
    /// Moves what chosenPlanned() announced; undo() moves it back.
    void moveChosen(const OutcomePtr& chosen);
    bool canUndo() const { return !m_undo.empty() && !isMoving(); }
    /// Moves the last ones back that move() moved. What cannot be moved back can be tried again.
    void undo();

Q_SIGNALS:
    void changed();
    /// `error`: why nothing is known of the runs.
    void chosenPlanned(const cairn::ui::RetentionController::OutcomePtr& chosen,
                       const std::optional<cairn::Error>& error);
    void reported(const cairn::ui::RetentionController::Report& report);

private:
    struct Examined {
        Target place;
        std::optional<PrunableRun> run;
        std::optional<Error> error;
    };
    using ExaminedPtr = std::shared_ptr<const Examined>;
    using AllExamined = std::vector<ExaminedPtr>;
    struct Moved {
        RetentionPlan::Removal removal;
        std::filesystem::path to;
    };
    struct Done {
        Report report;
        std::vector<Moved> moved; ///< that can be moved back
    };

    static Result<AllExamined> examine(const std::vector<Target>& runs, AllExamined known,
                                       const CancelToken& cancel,
                                       const std::function<void(std::size_t)>& progress);
    static Result<std::pair<OutcomePtr, AllExamined>>
    planAll(const AllExamined& examined, const RetentionRules& rules, const CancelToken& cancel);
    void startExamining();
    void startPlanning();
    void startMoving(const OutcomePtr& outcome);
    void finish(Result<Done> done);
    void remember(const AllExamined& examined);

    FileOps& m_ops;
    std::vector<Target> m_runs;
    RetentionRules m_rules;
    bool m_rulesChosen = false; ///< by the user
    AllExamined m_known;        ///< of m_runs, in this order; empty: not examined yet
    AllExamined m_earlier;      ///< of runs that were shown before
    OutcomePtr m_outcome;
    std::size_t m_done = 0;
    std::vector<Moved> m_undo;
    AsyncRunner m_examining{AsyncRunner::Pool::Long};
    AsyncRunner m_planning{AsyncRunner::Pool::Long};
    AsyncRunner m_choosing{AsyncRunner::Pool::Long};
    AsyncRunner m_moving;
};

} // namespace cairn::ui
