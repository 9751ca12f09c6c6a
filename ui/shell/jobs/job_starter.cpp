// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/job_starter.h"

#include "ui/navigator/navigator.h"
#include "ui/navigator/navigator_model.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/run_on_dialog.h"
#include "ui/pages/consolidate/targets.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/pages/start/recent_folders.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_actions.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

namespace cairn::ui {

JobStarter::JobStarter(WindowParts& parts, ShownSubject& subject, Deployment& deployment,
                       JobController& jobController, JobActions& jobs, const RecentFolders& recents)
    : m_parts(parts), m_subject(subject), m_deployment(deployment), m_jobController(jobController),
      m_jobs(jobs), m_recents(recents) {
    const Actions& actions = parts.actions;
    connect(actions.consolidate, &QAction::triggered, this, [this] { start(false); });
    connect(actions.chooseOutput, &QAction::triggered, this, &JobStarter::pickOutput);
    connect(actions.copyCommand, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(m_deployment.command());
        m_parts.status->showMessage(tr("Command copied to the clipboard"));
    });
    connect(actions.pack, &QAction::triggered, this, &JobStarter::pack);
    connect(parts.topBar, &TopBar::detailsClicked, this, [this] {
        m_parts.workspace->showPage(m_parts.pages.consolidate);
        m_parts.pages.consolidate->scrollToProblem();
    });
    connectChoices();
    connectPage();
    connect(&parts, &WindowParts::changed, this, &JobStarter::updateActions);
    connect(&deployment, &Deployment::changed, &parts, &WindowParts::changed);
}

/// The actions that choose what is written; the page shows the plan for it.
void JobStarter::connectChoices() {
    const Actions& actions = m_parts.actions;
    connect(actions.average, &QAction::triggered, this, [this] {
        propose([members = m_parts.navigator->selectedCheckpoints()](JobChoices& choices) {
            choices.request.sources.assign(members.begin(), members.end());
        });
    });
    connect(actions.reshard, &QAction::triggered, this, [this] {
        if (const FormatInfo* format = formatOfRanks()) {
            proposeFormat(format->id, true);
        }
    });
    connect(actions.continueTraining, &QAction::triggered, this, [this] {
        propose([](JobChoices& choices) { chooseTarget(choices, Target::Continue); });
    });
    connect(actions.runOn, &QAction::triggered, this, &JobStarter::runOn);
    connect(actions.exportNumpy, &QAction::triggered, this,
            [this] { proposeFormat("npz", false); });
    connect(actions.convert, &QAction::triggered, this,
            [this] { proposeFormat(formatOtherThan(m_subject.checkpoint()->format()).id, true); });
}

void JobStarter::connectPage() {
    const ConsolidatePage* page = m_parts.pages.consolidate;
    connect(page, &ConsolidatePage::startRequested, this, [this] { start(true); });
    connect(page, &ConsolidatePage::outputRequested, this, &JobStarter::pickOutput);
    connect(page, &ConsolidatePage::runOnRequested, this, &JobStarter::runOn);
    connect(page, &ConsolidatePage::shardsRequested, this, [this](const auto& path) {
        m_parts.navigator->select(path);
        m_subject.choose(path);
        if (m_parts.pages.shards != nullptr) {
            m_parts.workspace->showPage(m_parts.pages.shards);
        }
    });
    connect(page, &ConsolidatePage::refreshRequested, m_parts.actions.refresh, &QAction::trigger);
    connect(page, &ConsolidatePage::copied, m_parts.status, &StatusLine::showMessage);
}

void JobStarter::propose(const ChoiceChange& change) {
    m_parts.workspace->showPage(m_parts.pages.consolidate);
    m_deployment.change([&change](JobChoices& choices) {
        change(choices);
        choices.request.output = Location();
    });
}

void JobStarter::proposeFormat(std::string_view format, bool everything) {
    propose([format, everything](JobChoices& choices) {
        chooseFormat(choices, format);
        chooseEverything(choices, everything);
    });
}

void JobStarter::start(bool evenIfWarned) {
    ConsolidatePage* page = m_parts.pages.consolidate;
    m_parts.workspace->showPage(page);
    if (!m_deployment.isReady() && !(evenIfWarned && m_deployment.isRunnable())) {
        page->scrollToProblem();
        return;
    }
    const QWidget* focus = QApplication::focusWidget();
    if (const auto started = m_deployment.start(); !started) {
        const text::ErrorWords words = text::describe(started.error());
        m_parts.messages->show({theme::Tone::Attention, words.title, words.detail, {}});
        return;
    }
    m_deployment.replan();
    if (focus != nullptr && !focus->isEnabled()) {
        page->focusJob(); // not the next widget after the button
    }
}

void JobStarter::pickOutput() {
    const Deployment::Planned* planned = m_deployment.planned();
    if (planned == nullptr) {
        return;
    }
    const QString name = QString::fromLocal8Bit(planned->plan.output.filename().c_str());
    auto* dialog =
        new QFileDialog(m_parts.window, tr("Choose Output Folder"), m_recents.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this, name](const QString& folder) {
        JobChoices choices = m_deployment.choices();
        choices.request.output = text::toPath(folder) / text::toPath(name);
        m_deployment.setChoices(choices);
        m_parts.workspace->showPage(m_parts.pages.consolidate);
    });
    dialog->open();
}

/// Whose other checkpoints can take the place of the shown one.
std::optional<ScannedRun> JobStarter::runOfSource(const JobRequest& request) const {
    const std::filesystem::path shown = m_subject.checkpointPath();
    if (request.sources.size() != 1 || request.sources.front().path() != shown) {
        return std::nullopt;
    }
    const NavigatorModel& model = *m_parts.navigator->model();
    const auto place = model.runAt(model.find(shown));
    return place && place->run.checkpoints.size() > 1 ? std::optional(place->run) : std::nullopt;
}

/// The planned job, whatever was chosen on the page.
void JobStarter::runOn() {
    const Deployment::Planned* planned = m_deployment.planned();
    if (planned == nullptr) {
        return;
    }
    auto* dialog =
        new RunOnDialog(planned->request, planned->plan.forecast.bytes, m_jobController.fileOps(),
                        runOfSource(planned->request), m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RunOnDialog::copied, m_parts.status, &StatusLine::showMessage);
    connect(dialog, &RunOnDialog::statusRequested, m_parts.actions.jobHistory, &QAction::trigger);
    dialog->open();
}

void JobStarter::pack() {
    const std::filesystem::path source = m_subject.checkpointPath();
    auto* dialog =
        new QFileDialog(m_parts.window, tr("Pack"), text::fromPath(source.parent_path()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // the job never overwrites a file
    dialog->setNameFilter(tr("Packed checkpoints (*.cairnz)"));
    dialog->setDefaultSuffix(QStringLiteral("cairnz"));
    dialog->selectFile(text::fromPath(source.filename()) + QStringLiteral(".cairnz"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, source](const QString& output) {
        if (const auto job = m_jobController.pack(source, text::toPath(output))) {
            m_jobs.show(*job);
        } else {
            const text::ErrorWords words = text::describe(job.error());
            m_parts.messages->show({theme::Tone::Attention, words.title, words.detail, {}});
        }
    });
    dialog->open();
}

void JobStarter::updateActions() {
    const Actions& actions = m_parts.actions;
    const bool shown = m_subject.isCheckpointVisible();
    for (QAction* action : {actions.chooseOutput, actions.convert, actions.reshard,
                            actions.continueTraining, actions.exportNumpy, actions.pack}) {
        action->setEnabled(shown);
    }
    const auto chosen = static_cast<int>(m_parts.navigator->selectedCheckpoints().size());
    actions.average->setEnabled(shown && chosen > 1);
    actions.average->setText(chosen > 1 ? tr("A&verage %Ln Checkpoints…", nullptr, chosen)
                                        : tr("A&verage Checkpoints…"));
    actions.copyCommand->setEnabled(shown && m_deployment.planned() != nullptr);
    actions.runOn->setEnabled(shown && m_deployment.isRunnable());
    updateStart();
}

void JobStarter::updateStart() {
    const bool shown = m_subject.isDeployable();
    const bool taken = m_deployment.isTaken();
    QAction* action = m_parts.actions.consolidate;
    action->setEnabled(shown && !m_deployment.isPlanning() && !taken);
    action->setText(startText(shown));
    const QString tip = shown ? m_deployment.forecastTip() : QString();
    action->setToolTip(taken ? tip : tr("Write one verified, loadable checkpoint from all shards"));
    const theme::Tone tone = shown && m_deployment.isRefused() ? theme::Tone::Broken
                             : shown && m_deployment.warns()   ? theme::Tone::Attention
                                                               : theme::Tone::Dim;
    m_parts.topBar->setForecast(shown ? m_deployment.forecastParts() : QStringList(), tip, tone);
}

/// The effect of the button now; with … if it would only show why the job is not possible.
QString JobStarter::startText(bool shown) const {
    const Deployment::Planned* planned = m_deployment.planned();
    const JobKind kind = planned != nullptr ? planned->request.kind : JobKind::Consolidate;
    const QString best = m_subject.bestName();
    QString text = kind == JobKind::Average   ? tr("Average Checkpoin&ts")
                   : kind == JobKind::Reshard ? tr("Reshar&d")
                   : kind == JobKind::Convert ? tr("Write &Training State")
                   : shown && !best.isEmpty() ? tr("&Deploy Best (%1)").arg(best)
                                              : tr("Consolidate for &Deployment");
    const bool click = m_deployment.isReady() || m_deployment.isPlanning() || !shown;
    return click ? text : text + QStringLiteral("…");
}

} // namespace cairn::ui
