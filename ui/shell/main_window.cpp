// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_popover.h"
#include "ui/shell/session/session_keeper.h"
#include "ui/text/plain_text.h"
#include "ui/theme/appearance.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QStatusTipEvent>

#include <algorithm>

namespace cairn::ui {

MainWindow::MainWindow(Services& services, QSettings& settings)
    : m_services(services), m_actions(this), m_recents(settings), m_jobController(services),
      m_deployment(m_jobController), m_jobs(*services.jobs),
      m_unfinished(m_jobController, *services.fileOps),
      m_pages(makePages({m_deployment, m_jobs, m_follower, *services.fileOps})),
      m_parts(*this, m_actions, m_pages, m_recents, m_unfinished),
      m_subject(m_parts, m_deployment, m_follower), m_visits(m_parts, m_subject),
      m_opener(m_parts, services, m_recents, m_subject), m_filter(m_parts, m_subject),
      m_view(m_parts, m_subject), m_navigation(m_parts), m_keeping(m_parts, *services.fileOps),
      m_reports(m_parts, m_subject, *services.fileOps),
      m_locating(m_parts, m_subject, *services.fileOps),
      m_jobActions(m_parts, m_jobController, m_jobs, m_unfinished, *services.fileOps),
      m_starter(m_parts, m_subject, m_deployment, m_jobController, m_jobActions, m_recents),
      m_marking(m_parts, m_subject, m_opener, m_deployment, m_follower),
      m_diffs(m_parts, m_subject, m_opener),
      m_editing(m_parts, m_subject, m_deployment, *services.fileOps), m_tools(m_parts, m_subject),
      m_results(m_parts, m_jobController, m_deployment, m_opener, m_diffs, *m_jobActions.popover()),
      m_notices(*this, m_jobs), m_closing(*this, *services.jobs, m_jobs),
      m_preferences(m_parts, m_subject, settings), m_palette(m_parts, m_subject, m_preferences),
      m_help(m_parts, m_subject, services, m_preferences.shortcuts(), m_jobs), m_restore(m_parts),
      m_failures(m_parts, m_subject, m_opener, m_restore, m_editing) {
    setAcceptDrops(true);
    theme::followToolTips();
    connectParts();
    connectPages();
    m_session =
        std::make_unique<SessionKeeper>(settings, *this, *m_parts.workspace, *m_parts.navigator);
    m_actions.inspector->setChecked(m_parts.workspace->wantsInspector());
    connect(m_actions.inspector, &QAction::toggled, m_session.get(), &SessionKeeper::touch);
    setWindowTitle(m_subject.title());
    Q_EMIT m_parts.changed();
}

MainWindow::~MainWindow() {
    hide(); // pages tell it to objects of the window, which are gone when QWidget closes it
}

/// After the objects, which are told first: the actions follow what they have made of a change.
void MainWindow::connectParts() {
    const Navigator* navigator = m_parts.navigator;
    for (const auto changed :
         {&Navigator::selectionChanged, &Navigator::loadingChanged, &Navigator::marksChanged}) {
        connect(navigator, changed, &m_parts, &WindowParts::changed);
    }
    connect(navigator, &Navigator::experimentListed, &m_parts, &WindowParts::changed);
    connect(m_parts.workspace, &Workspace::tabChanged, this, &MainWindow::remember);
    connect(&m_subject, &ShownSubject::shown, this, &MainWindow::remember);
    connect(&m_subject, &ShownSubject::left, this, [this] { setWindowTitle(m_subject.title()); });
    connect(&m_parts, &WindowParts::changed, this, &MainWindow::updateStatus);
    connect(&m_jobs, &JobsWatcher::updated, &m_starter, &JobStarter::updateStart);
    connect(&m_jobs, &JobsWatcher::ended, this, &MainWindow::endJob);
    connect(&m_notices, &JobNotices::clicked, this, [this] {
        summon({});
        m_actions.showJobs->trigger();
    });
    connect(&m_editing, &HeaderEditing::edited, &m_results, &JobResults::offerUndo);
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
}

/// What pages ask for that concerns another page.
void MainWindow::connectPages() {
    const auto connectPage = [this](auto* from, auto asked, const Page* page) {
        connect(from, asked, this, [this, page] { m_parts.workspace->showPage(page); });
    };
    connectPage(m_pages.summary, &SummaryPage::shardsRequested, m_pages.shards);
    connectPage(m_pages.summary, &SummaryPage::metadataRequested, m_pages.metadata);
    connectPage(m_pages.summary, &SummaryPage::deployRequested, m_pages.consolidate);
    connect(m_pages.summary, &SummaryPage::continueRequested, m_actions.continueTraining,
            &QAction::trigger);
    connectPage(m_pages.summary, &SummaryPage::historyRequested, m_pages.history);
    connect(m_pages.summary, &SummaryPage::checkpointChosen, &m_subject, &ShownSubject::goTo);
    connect(m_pages.history, &HistoryPage::checkpointChosen, &m_subject, &ShownSubject::goTo);
    connect(m_pages.space, &SpacePage::checkpointChosen, &m_subject, &ShownSubject::goTo);
    connect(m_pages.history, &HistoryPage::statusMessage, m_parts.status, &StatusLine::showMessage);
    connect(m_pages.compare, &ComparePage::statusMessage, m_parts.status, &StatusLine::showMessage);
    connect(m_pages.runs, &RunsPage::statusMessage, m_parts.status, &StatusLine::showMessage);
    connect(m_pages.compare, &ComparePage::changed, &m_parts, &WindowParts::changed);
    connect(m_pages.runs, &RunsPage::changed, &m_parts, &WindowParts::changed);
    connect(m_pages.inspector, &Inspector::overRunRequested, this,
            [this](const QString& name, bool group) {
                m_parts.workspace->showPage(m_pages.history);
                m_pages.history->showWeights(name, group);
            });
    connect(m_pages.space, &SpacePage::sideChanged, m_parts.workspace, &Workspace::updateSide);
    for (const auto known : {&Navigator::experimentListed, &Navigator::experimentExamined}) {
        connect(m_parts.navigator, known, this, [this](const Experiment& experiment) {
            m_pages.space->updateExperiment(m_parts.navigator->listing(experiment.path));
        });
    }
}

void MainWindow::open(const Opening& opening) {
    const auto& paths = opening.paths;
    if (opening.sample) {
        m_opener.openSample();
    }
    if (opening.view == Opening::View::Diff && paths.size() == 2) {
        m_diffs.compare(paths[0], paths[1]);
    } else if (opening.view == Opening::View::Compare) {
        m_marking.compareWhenListed(paths);
    } else if (!paths.empty()) {
        m_opener.open(paths);
    }
    const auto named = std::ranges::find_if(m_pages.all, [&](const Page* page) {
        return opening.page == QLatin1StringView(page->info().id);
    });
    if (named != m_pages.all.end()) {
        m_parts.showWorkspace();
        m_parts.workspace->showPage(*named);
    }
}

void MainWindow::resume(const std::filesystem::path& startedIn) {
    m_restore.restore(*m_session, startedIn);
}

void MainWindow::stopSavingSession() {
    m_session->stop();
    m_recents.stopSaving();
}

void MainWindow::summon(const Opening& opening) {
    const bool hidden = m_closing.showWindow();
    open(opening);
    if (opening.isEmpty() && hidden) {
        m_actions.showJobs->trigger(); // what it was hidden for
    }
}

bool MainWindow::isSettled() const {
    return !m_parts.navigator->isLoading() && !m_subject.isOpening() &&
           !m_deployment.isPlanning() && !m_opener.isPreparing();
}

/// Another subject or tab is shown.
void MainWindow::remember() {
    if (!m_subject.path().empty()) {
        m_session->setSelected(m_subject.path());
        setWindowTitle(m_subject.title());
    }
    Q_EMIT m_parts.changed();
}

void MainWindow::updateStatus() {
    QString path = m_parts.isWorking() ? m_parts.selectedPath() : QString();
    QStringList counts;
    if (m_subject.isCheckpointVisible()) {
        const Totals& sums = m_subject.sums()->totals;
        counts << tr("%Ln tensors", nullptr, static_cast<int>(sums.tensors))
               << text::bytes(sums.bytes)
               << tr("%Ln files", nullptr, static_cast<int>(checkpoint()->files().size()));
    }
    if (m_parts.workspace->currentPage() == m_pages.compare && m_pages.compare->isComparing()) {
        counts = {m_pages.compare->summaryLine()};
        path = m_pages.compare->runsLine();
    }
    m_parts.status->setPath(path);
    m_parts.status->setCounts(counts.join(QStringLiteral(" · ")));
}

void MainWindow::endJob(JobId id) {
    if (const auto job = m_services.jobs->snapshot(id)) {
        m_notices.tellEnd(*job);
    }
    if (m_closing.hasFinished()) {
        close();
        QCoreApplication::quit(); // closing a hidden window does not end the program
        return;
    }
    m_results.take(id);
}

bool MainWindow::focusNextPrevChild(bool next) {
    return m_parts.focusNext(next);
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::StatusTip) {
        m_parts.status->showTip(static_cast<QStatusTipEvent*>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closing.mayClose()) {
        if (isHidden()) {
            jobPopover()->hide(); // would be shown again with the window
        }
        event->ignore();
        return;
    }
    m_session->saveNow();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->source() == nullptr && event->mimeData()->hasUrls()) { // not what is dragged out
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    m_opener.openDropped(*event->mimeData());
}

} // namespace cairn::ui
