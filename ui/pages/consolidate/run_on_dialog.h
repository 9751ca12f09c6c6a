// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/cluster/submit.h"
#include "core/plan/request.h"
#include "core/runs/experiment.h"
#include "ui/bridge/async_runner.h"

#include <QDialog>
#include <QTimer>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QGridLayout;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace cairn::ui {

class Button;
class ChoiceButton;
class MessageStrip;
class TextLabel;

/// What a scheduler is asked for.
struct ArrayChoices {
    Scheduler scheduler = Scheduler::Slurm;
    std::size_t parts = 1;
    std::string options; ///< for sbatch or kubectl, separated by spaces
    std::string image;   ///< Kubernetes
    std::string volumes; ///< "CLAIM=/path", separated by spaces
    /// The run whose checkpoints are each the source of such a job; empty: the request's source.
    std::filesystem::path eachOf = {};
};

/// The request for every checkpoint of a run: without a source, and with "{name}" in its output in
/// place of the checkpoint's name.
JobRequest requestForEach(const JobRequest& request);

/// The words of `cairn-cli submit` that submit the same array. Fails: InvalidArgument for a volume.
Result<SubmitOptions> submitOptionsOf(const ArrayChoices& choices);
std::vector<std::string> submitWords(const JobRequest& request, const ArrayChoices& choices);

/// "Run On": the planned job as an array on a scheduler. Shows the command and the script, which
/// are made on a worker; nothing is submitted before the click.
class RunOnDialog : public QDialog {
    Q_OBJECT

public:
    /// `bytes`: of the output. `run`: that of the source, if its other checkpoints can be sources
    /// of such jobs. `ops` outlives the dialog.
    RunOnDialog(JobRequest request, std::uint64_t bytes, FileOps& ops,
                std::optional<ScannedRun> run = {}, QWidget* parent = nullptr);

    [[nodiscard]] bool isSettled() const;
    QString command() const;
    QString script() const;
    ChoiceButton* scheduler() const { return m_scheduler; }
    QSpinBox* parts() const { return m_parts; }
    QCheckBox* each() const { return m_each; }
    QLineEdit* options() const { return m_options; }
    QLineEdit* image() const { return m_image; }
    QLineEdit* volumes() const { return m_volumes; }
    Button* submitButton() const { return m_submit; }
    /// Not while it submits: the scheduler may have the job before it is in the list of jobs.
    void reject() override;

Q_SIGNALS:
    void copied(const QString& what);
    void statusRequested(); ///< of the submitted array

private:
    struct Made {
        ArrayPlan plan;
        Submitted submitted;
    };
    void buildRows(QGridLayout* grid);
    QWidget* buttons();
    ArrayChoices choices() const;
    bool takesEach() const;
    void showWhere();
    void changeSoon();
    void replan();
    void show(const Made& made);
    void showError(const Error& error);
    void submit();
    void submitted(const Submitted& done);

    JobRequest m_request;
    FileOps& m_ops;
    std::optional<ScannedRun> m_run;
    TextLabel* m_where;
    TextLabel* m_partsName = nullptr;
    QCheckBox* m_each;
    ChoiceButton* m_scheduler;
    QSpinBox* m_parts;
    QLineEdit* m_options;
    QLineEdit* m_image;
    QLineEdit* m_volumes;
    std::vector<QWidget*> m_kubernetesRows;
    TextLabel* m_facts;
    QPlainTextEdit* m_command;
    QPlainTextEdit* m_script;
    MessageStrip* m_strip;
    Button* m_copyScript;
    Button* m_submit;
    QTimer m_typing;
    AsyncRunner m_planning{AsyncRunner::Pool::Quick};
    AsyncRunner m_submitting{AsyncRunner::Pool::Quick};
    std::optional<ArrayPlan> m_plan;
};

} // namespace cairn::ui
