// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "core/base/absolute_path.h"
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/focus_order.h"
#include "ui/shell/path_bar.h"
#include "ui/shell/session_keeper.h"
#include "ui/shell/status_line.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspace.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/page_stack.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QStatusTipEvent>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kSlowMs = 200;

} // namespace

MainWindow::MainWindow(Services& services, QSettings& settings)
    : m_services(services), m_actions(this), m_recents(settings), m_jobController(services),
      m_deployment(m_jobController), m_jobs(*services.jobs),
      m_unfinished(m_jobController, *services.fileOps),
      m_pages(makePages({m_deployment, m_jobs, m_follower, *services.fileOps})) {
    setAcceptDrops(true);
    m_actions.fill(*menuBar());
    for (const PageInfo* page : pageInfos()) {
        m_actions.addTab(page->title());
    }
    buildLayout();
    addActions(m_actions.all());
    m_palette = new CommandPalette(m_actions.all(), this);
    m_pathBar = new PathBar(this);
    m_slow.setSingleShot(true);
    m_passing.setSingleShot(true);
    connectParts();
    connectFileActions();
    connectViewActions();
    connectRunActions();
    connectJobActions();
    connectHistory();
    connectCompare();
    connectRunsPage();
    connectOpening();
    connectDiff();
    connectEdit();
    connectTools();
    connectUndo();
    connectPreferences(settings);
    m_session = std::make_unique<SessionKeeper>(settings, *this, *m_workspace, *m_navigator);
    m_actions.inspector->setChecked(m_workspace->wantsInspector());
    connect(m_actions.inspector, &QAction::toggled, m_session.get(), &SessionKeeper::touch);
    m_restoreTimer.setSingleShot(true);
    connect(&m_restoreTimer, &QTimer::timeout, this, &MainWindow::showUnresponsiveFolders);
    updateTitle();
    m_recents.probe();
    fillRecentMenu();
    updateActions();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildLayout() {
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_topBar = new TopBar(m_actions);
    m_messages = new MessageStrip;
    m_messages->hide();
    m_messages->setContentsMargins(theme::kGrid + 4, theme::kGrid, theme::kGrid + 4, theme::kGrid);
    m_unfinishedBar = new UnfinishedBar(m_unfinished);
    m_navigator = new Navigator;
    m_workspace = new Workspace(m_navigator, m_pages.all, m_pages.inspector);
    m_start = new StartPage(m_actions.openFolder, m_actions.openSample, m_recents);
    m_status = new StatusLine;
    m_stack = new PageStack;
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_workspace);
    layout->addWidget(m_topBar);
    layout->addWidget(m_messages);
    layout->addWidget(m_unfinishedBar);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);
    setCentralWidget(body);
}

void MainWindow::connectParts() {
    connect(m_start, &StartPage::chosen, this, [this](const auto& path) { openPaths({path}); });
    connect(m_navigator, &Navigator::checkpointChosen, this,
            [this](const auto& path) { chooseRole(path, QString()); });
    connect(m_navigator, &Navigator::roleChosen, this, &MainWindow::chooseRole);
    connect(m_navigator, &Navigator::runChosen, this, &MainWindow::chooseRun);
    connect(m_navigator, &Navigator::experimentChosen, this, &MainWindow::chooseExperiment);
    connect(m_navigator, &Navigator::selectionChanged, this, &MainWindow::updateActions);
    connect(m_navigator, &Navigator::experimentFailed, this, &MainWindow::showListFailure);
    connect(m_navigator, &Navigator::experimentListed, this, [this](const Experiment& experiment) {
        m_restoring.erase(experiment.path);
        if (m_restoring.empty() && std::exchange(m_unresponsiveShown, false)) {
            m_messages->hide();
        }
        if (experiment.checkpoints() == 0) {
            m_messages->show(
                {theme::Tone::Attention,
                 tr("No checkpoint was found in %1").arg(text::fromCore(experiment.name)),
                 tr("Cairn searched its folders for all supported formats."),
                 {{tr("Open Another Folder…"), [this] { pickFolder(); }}}});
        }
        updateActions();
    });
    connect(&m_opener, &CheckpointOpener::opened, this, &MainWindow::showOpened);
    connect(&m_opener, &CheckpointOpener::failed, this, &MainWindow::showOpenFailure);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        if (m_opener.isOpening()) {
            m_workspace->showQuiet(tr("Reading the index…"));
        }
    });
    connect(&m_passing, &QTimer::timeout, this, [this] { updateActions(); });
    connect(m_workspace, &Workspace::tabChanged, this, [this] {
        remember();
        updateActions();
    });
    connect(m_pages.summary, &SummaryPage::shardsRequested, this,
            [this] { m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.shards)); });
    connect(m_pages.summary, &SummaryPage::metadataRequested, this,
            [this] { m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.metadata)); });
    connect(&m_deployment, &Deployment::changed, this, &MainWindow::updateActions);
}

void MainWindow::openPaths(const std::vector<std::filesystem::path>& paths) {
    m_messages->hide();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::filesystem::path path = absolutePath(paths[i]);
        m_recents.add(path);
        m_navigator->open(path, i + 1 == paths.size());
    }
    if (!paths.empty()) {
        m_stack->setCurrentWidget(m_workspace);
        if (!m_checkpoint && m_chosen.empty()) {
            m_workspace->showQuiet(tr("Select a checkpoint on the left"));
        }
        m_navigator->setFocus();
    }
    fillRecentMenu();
    updateActions();
}

void MainWindow::openSample() {
    if (!m_services.prepareSample) {
        return;
    }
    m_sample.start(m_services.prepareSample, [this](const Result<std::filesystem::path>& path) {
        if (path) {
            openPaths({*path});
        } else {
            const text::ErrorWords words = text::describe(path.error());
            m_messages->show({theme::Tone::Broken, words.title, words.detail, {}});
        }
    });
}

bool MainWindow::isSettled() const {
    return !m_navigator->isLoading() && !m_opener.isOpening() && !m_deployment.isPlanning() &&
           !m_sample.isRunning();
}

void MainWindow::choose(const std::filesystem::path& checkpoint) {
    if (m_checkpoint && checkpoint == m_shown && m_workspace->isShowingPages()) {
        return;
    }
    m_slow.start(kSlowMs);
    m_opener.open(checkpoint);
}

void MainWindow::chooseRole(const std::filesystem::path& checkpoint, const QString& filter) {
    choose(checkpoint);
    QLineEdit* field = m_topBar->filterField();
    if (!filter.isEmpty()) {
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.tensors));
        field->setText(filter);
    } else if (!m_roleFilter.isEmpty() && field->text() == m_roleFilter) {
        field->clear(); // the checkpoint itself was chosen; a typed filter stays
    }
    m_roleFilter = filter;
}

void MainWindow::showOpened(const std::filesystem::path& path, const CheckpointPtr& checkpoint,
                            const CheckpointSumsPtr& sums) {
    m_slow.stop();
    m_checkpoint = checkpoint;
    m_shown = path;
    m_chosen.clear();
    m_pages.inspector->showCheckpoint(checkpoint);
    m_sums = sums;
    m_navigator->setOpened(path, *sums);
    m_workspace->showCheckpoint(checkpoint);
    std::filesystem::path run = path.parent_path();
    if (run.filename() == "checkpoints") {
        run = run.parent_path();
    }
    m_deployment.setCheckpoint(checkpoint, run);
    showRun();
    remember();
    updateActions();
    announce(this, tr("%1: %2").arg(text::fromPath(path.filename()), m_status->counts()));
}

void MainWindow::showOpenFailure(const std::filesystem::path& path, const Error& error) {
    leaveCheckpoint();
    m_pages.inspector->clear();
    text::ErrorWords words = text::describe(error);
    if (words.detail.isEmpty()) {
        words.detail = text::fromPath(path);
    }
    Message message{theme::Tone::Broken,
                    words.title,
                    words.detail,
                    {{tr("Retry"), [this, path] { choose(path); }},
                     {tr("Show in File Manager"), [this, path] { openFolderOf(path); }}}};
    offerRecovery(error, path, message);
    m_workspace->showProblem(std::move(message));
    updateActions();
}

void MainWindow::showListFailure(const std::filesystem::path& path, const Error& error) {
    std::vector<std::filesystem::path> failed{path};
    text::ErrorWords words = text::describe(error);
    if (m_restoring.erase(path) > 0) {
        m_notRestored.push_back(path);
        failed = m_notRestored;
    }
    if (failed.size() > 1) {
        words = notRestoredWords(failed);
    }
    Message message{theme::Tone::Broken,
                    words.title,
                    words.detail.isEmpty() ? text::fromPath(path) : words.detail,
                    {{tr("Retry"), [this, failed] { openPaths(failed); }},
                     {tr("Open Another Folder…"), [this] { pickFolder(); }}}};
    offerRecovery(error, path, message);
    m_messages->show(std::move(message));
    if (m_navigator->isEmpty()) {
        m_stack->setCurrentWidget(m_start);
    }
    updateActions();
}

void MainWindow::goTo(const VisitHistory::Place& place) {
    const QScopedValueRollback going(m_goingBack, true);
    const NavigatorModel& model = *m_navigator->model();
    QModelIndex other; // a run or an experiment
    if (!model.find(place.path).isValid()) {
        other = model.findRun(place.path);
        other = other.isValid() ? other : model.findExperiment(place.path);
    }
    if (other.isValid()) {
        m_navigator->view()->setCurrentIndex(other);
        m_workspace->setCurrentTab(place.tab);
        return;
    }
    m_navigator->select(place.path);
    m_workspace->setCurrentTab(place.tab);
    choose(place.path);
}

void MainWindow::remember() {
    const std::filesystem::path& path = m_checkpoint ? m_shown : m_chosen;
    if (!path.empty()) {
        m_session->setSelected(path);
        updateTitle();
    }
    if (!path.empty() && !m_goingBack) {
        m_history.visit({path, m_workspace->currentTab()});
    }
}

bool MainWindow::focusNextPrevChild(bool next) {
    std::vector<const QWidget*> parts{m_topBar, m_messages, m_unfinishedBar, m_start};
    const std::vector<const QWidget*> columns = m_workspace->columns();
    parts.insert(parts.end(), columns.begin(), columns.end());
    parts.push_back(m_status);
    return focusNextInParts(*this, parts, next);
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::StatusTip && m_status != nullptr) {
        const QString tip = static_cast<QStatusTipEvent*>(event)->tip();
        m_passing.stop();
        m_status->setPath(tip.isEmpty() ? selectedPath() : tip);
        return true;
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose()) {
        event->ignore();
        return;
    }
    m_session->saveNow();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    std::vector<std::filesystem::path> paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            paths.push_back(text::toPath(url.toLocalFile()));
        }
    }
    event->acceptProposedAction();
    openPaths(paths);
}

} // namespace cairn::ui
