// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's actions do, and when they can be used.
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/about.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/path_bar.h"
#include "ui/shell/status_line.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspace.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/search_field.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QStackedWidget>
#include <QTreeView>

#include <algorithm>

namespace cairn::ui {

void MainWindow::connectFileActions() {
    connect(m_actions.openFolder, &QAction::triggered, this, &MainWindow::pickFolder);
    connect(m_actions.openFiles, &QAction::triggered, this, &MainWindow::pickFiles);
    connect(m_actions.openPath, &QAction::triggered, this,
            [this] { m_pathBar->popUp(selectedPath()); });
    connect(m_pathBar, &PathBar::entered, this,
            [this](const QString& path) { openPaths({text::toPath(path)}); });
    connect(m_actions.openSample, &QAction::triggered, this, &MainWindow::openSample);
    connect(m_actions.clearRecent, &QAction::triggered, &m_recents, &RecentFolders::clear);
    connect(&m_recents, &RecentFolders::changed, this, &MainWindow::fillRecentMenu);
    connect(m_actions.recentMenu, &QMenu::aboutToShow, &m_recents, &RecentFolders::probe);
    connect(m_actions.openContaining, &QAction::triggered, this,
            [this] { openFolderOf(m_navigator->currentPath()); });
    connect(m_actions.copyPath, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(selectedPath());
        showStatusMessage(tr("Path copied to the clipboard"));
    });
    connect(m_actions.closeFolder, &QAction::triggered, this, [this] {
        m_navigator->closeCurrent();
        leaveCheckpoint();
        m_pages.inspector->clear();
        m_workspace->showQuiet(tr("Select a checkpoint on the left"));
        if (m_navigator->isEmpty()) {
            m_stack->setCurrentIndex(0);
        }
        updateActions();
    });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    const auto copy = [this](Page::CopyAs what) {
        if (m_navigator->view()->hasFocus()) {
            m_actions.copyPath->trigger();
        } else if (m_workspace->currentPage()->copySelection(what)) {
            showStatusMessage(what == Page::CopyAs::Python
                                  ? tr("Python code copied to the clipboard")
                                  : tr("Copied"));
        }
    };
    connect(m_actions.copy, &QAction::triggered, this, [copy] { copy(Page::CopyAs::Rows); });
    connect(m_actions.copyPython, &QAction::triggered, this,
            [copy] { copy(Page::CopyAs::Python); });
    auto* field = static_cast<SearchField*>(m_topBar->filterField());
    connect(m_actions.filter, &QAction::triggered, field, [field] {
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
    });
    connect(m_actions.clearFilter, &QAction::triggered, field, &QLineEdit::clear);
    connect(field, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (!text.isEmpty() && m_workspace->isShowingPages() &&
            !m_workspace->currentPage()->canFilter() && m_pages.tensors != nullptr) {
            m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.tensors));
        }
        m_workspace->setFilter(text);
        updateActions();
    });
    connect(field, &SearchField::left, m_workspace, &Workspace::focusPage);
    connectFilterAnswers(*field);
}

/// What the pages say of the filter: that it is invalid, or "Clear Filter" where nothing matches.
void MainWindow::connectFilterAnswers(SearchField& field) {
    const auto* tensors = static_cast<TensorsPage*>(m_pages.tensors);
    const auto* metadata = static_cast<MetadataPage*>(m_pages.metadata);
    connect(tensors, &TensorsPage::filterProblem, &field, &SearchField::setProblem);
    connect(tensors, &TensorsPage::clearFilterRequested, &field, &QLineEdit::clear);
    connect(m_pages.diff, &DiffPage::filterProblem, &field, &SearchField::setProblem);
    connect(m_pages.diff, &DiffPage::clearFilterRequested, &field, &QLineEdit::clear);
    connect(metadata, &MetadataPage::clearFilterRequested, &field, &QLineEdit::clear);
}

void MainWindow::connectViewActions() {
    for (int i = 0; i < m_actions.tabs.size(); ++i) {
        connect(m_actions.tabs[i], &QAction::triggered, this, [this, i] {
            m_workspace->setCurrentTab(i);
            m_actions.tabs[i]->setChecked(true);
        });
    }
    connect(m_actions.inspector, &QAction::toggled, m_workspace, &Workspace::setInspectorVisible);
    connect(m_workspace, &Workspace::inspectorShownChanged, this, [this](bool shown) {
        const QSignalBlocker quiet(m_actions.inspector); // what the user wants stays as it is
        m_actions.inspector->setChecked(shown);
    });
    connect(m_actions.navigator, &QAction::toggled, m_workspace, &Workspace::setNavigatorVisible);
    connect(m_actions.expandAll, &QAction::triggered, this, [this] { focusedTree()->expandAll(); });
    connect(m_actions.collapseAll, &QAction::triggered, this,
            [this] { focusedTree()->collapseAll(); });
    connect(m_actions.refresh, &QAction::triggered, this, [this] {
        m_opener.forgetAll();
        m_navigator->refresh();
        if (!m_shown.empty()) {
            m_opener.open(m_shown);
        }
        updateActions();
    });
    connect(m_navigator, &Navigator::loadingChanged, this, &MainWindow::updateActions);
    connect(m_actions.back, &QAction::triggered, this, [this] {
        if (const auto place = m_history.back()) {
            goTo(*place);
        }
    });
    connect(m_actions.forward, &QAction::triggered, this, [this] {
        if (const auto place = m_history.forward()) {
            goTo(*place);
        }
    });
    connect(m_actions.nextCheckpoint, &QAction::triggered, this, [this] { m_navigator->step(1); });
    connect(m_actions.previousCheckpoint, &QAction::triggered, this,
            [this] { m_navigator->step(-1); });
    connect(m_actions.newestCheckpoint, &QAction::triggered, this, [this] {
        const QModelIndex newest =
            m_navigator->model()->firstChoice(m_navigator->currentExperiment());
        m_navigator->view()->setCurrentIndex(newest);
    });
    connect(m_actions.goNavigator, &QAction::triggered, this,
            [this] { m_navigator->setFocus(Qt::ShortcutFocusReason); });
    connect(m_actions.goPage, &QAction::triggered, m_workspace, &Workspace::focusPage);
    connectPalette();
    connect(m_actions.about, &QAction::triggered, this,
            [this] { (new About(m_services, this))->open(); });
    connect(m_actions.aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);

    QTreeView* tree = m_navigator->view();
    connect(tree, &QWidget::customContextMenuRequested, this, [this, tree](const QPoint& at) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_actions.openContaining, m_actions.copyPath});
        menu->addSeparator();
        menu->addActions({m_actions.markRun, m_actions.clearMarks, m_actions.compareRuns,
                          m_actions.diffPrevious});
        menu->addSeparator();
        menu->addActions({m_actions.consolidate, m_actions.average});
        menu->addMenu(m_actions.toolsMenu);
        menu->addSeparator();
        menu->addActions({m_actions.refresh, m_actions.closeFolder});
        menu->popup(tree->viewport()->mapToGlobal(at));
    });
}

void MainWindow::connectRunActions() {
    ConsolidatePage* page = m_pages.consolidate;
    connect(m_actions.consolidate, &QAction::triggered, this, [this] { consolidate(false); });
    connect(m_actions.average, &QAction::triggered, this, [this] {
        const std::vector<std::filesystem::path> members = m_navigator->selectedCheckpoints();
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
        m_deployment.change([&members](JobChoices& choices) {
            choices.request.sources.assign(members.begin(), members.end());
            choices.request.output = Location();
        });
    });
    connect(page, &ConsolidatePage::startRequested, this, [this] { consolidate(true); });
    connect(m_actions.chooseOutput, &QAction::triggered, this, &MainWindow::pickOutput);
    connect(page, &ConsolidatePage::outputRequested, this, &MainWindow::pickOutput);
    connect(page, &ConsolidatePage::shardsRequested, this, [this](const auto& path) {
        m_navigator->select(path);
        choose(path);
        if (m_pages.shards != nullptr) {
            m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.shards));
        }
    });
    connect(page, &ConsolidatePage::refreshRequested, m_actions.refresh, &QAction::trigger);
    connect(page, &ConsolidatePage::copied, this, &MainWindow::showStatusMessage);
    connect(m_actions.copyCommand, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(m_deployment.command());
        showStatusMessage(tr("Command copied to the clipboard"));
    });
}

void MainWindow::fillRecentMenu() {
    QMenu* menu = m_actions.recentMenu;
    for (QAction* action : menu->actions()) {
        if (action != m_actions.clearRecent && !action->isSeparator()) {
            menu->removeAction(action);
            action->deleteLater();
        }
    }
    QAction* before = menu->actions().value(0);
    for (const RecentFolders::Entry& entry : m_recents.entries()) {
        const QString label = text::elided(text::fromPath(entry.path), menu->fontMetrics(), 480);
        auto* action = new QAction(text::withoutMnemonic(label), menu);
        action->setEnabled(entry.present);
        connect(action, &QAction::triggered, this,
                [this, path = entry.path] { openPaths({path}); });
        menu->insertAction(before, action);
    }
    m_actions.clearRecent->setEnabled(!m_recents.entries().isEmpty());
}

void MainWindow::updateActions() {
    const bool working = m_stack->currentWidget() == m_workspace;
    const bool selected = !m_navigator->currentPath().empty() && working;
    const bool shown = m_checkpoint != nullptr && working;
    const bool paged = shown || (working && !m_chosen.empty());
    for (QAction* action : {m_actions.openContaining, m_actions.copyPath, m_actions.nextCheckpoint,
                            m_actions.previousCheckpoint}) {
        action->setEnabled(selected);
    }
    m_actions.markRun->setEnabled(selected);
    const bool marks = !m_navigator->marked(1).empty();
    m_actions.clearMarks->setEnabled(working && marks);
    m_actions.compareRuns->setEnabled(
        selected && (marks || m_workspace->currentPage() == m_pages.runs)); // two of its rows
    for (QAction* action :
         {m_actions.diffPrevious, m_actions.nextDifference, m_actions.previousDifference}) {
        action->setEnabled(shown);
    }
    for (QAction* action :
         {m_actions.closeFolder, m_actions.refresh, m_actions.expandAll, m_actions.collapseAll,
          m_actions.newestCheckpoint, m_actions.goNavigator}) {
        action->setEnabled(working && !m_navigator->isEmpty());
    }
    const bool filters = shown || (paged && m_workspace->currentPage()->canFilter());
    for (QAction* action : {m_actions.copy, m_actions.copyPython, m_actions.goPage}) {
        action->setEnabled(paged);
    }
    m_actions.filter->setEnabled(filters);
    for (QAction* action :
         {m_actions.chooseOutput, m_actions.check, m_actions.scanPickles, m_actions.hash,
          m_actions.verifyManifest, m_actions.verifyFolder, m_actions.verifyFile, m_actions.convert,
          m_actions.reshard, m_actions.exportNumpy, m_actions.pack}) {
        action->setEnabled(shown);
    }
    m_actions.prune->setEnabled(
        working && m_navigator->model()->runAt(m_navigator->view()->currentIndex()).has_value());
    for (int i = 0; i < m_actions.tabs.size(); ++i) {
        m_actions.tabs[i]->setEnabled(working && m_workspace->isTabEnabled(i));
        m_actions.tabs[i]->setChecked(m_workspace->currentTab() == i);
    }
    const QString hint = m_workspace->currentPage()->filterHint();
    m_topBar->setFilterHint(hint.isEmpty() ? tr("Filter tensors…") : hint);
    m_topBar->filterField()->setEnabled(filters);
    m_actions.clearFilter->setEnabled(filters && !m_topBar->filterField()->text().isEmpty());
    m_actions.openSample->setEnabled(static_cast<bool>(m_services.prepareSample));
    m_actions.back->setEnabled(m_history.canGoBack());
    m_actions.forward->setEnabled(m_history.canGoForward());
    const auto chosen = static_cast<int>(m_navigator->selectedCheckpoints().size());
    m_actions.average->setEnabled(shown && chosen > 1);
    m_actions.average->setText(chosen > 1 ? tr("A&verage %Ln Checkpoints…", nullptr, chosen)
                                          : tr("A&verage Checkpoints…"));
    updateEditAction(working);
    m_actions.copyCommand->setEnabled(shown && m_deployment.planned() != nullptr);
    updateJobs();
    if (!m_passing.isActive()) {
        m_status->setPath(working ? selectedPath() : QString());
    }
    QStringList counts;
    if (shown) {
        const Totals& sums = m_sums->totals;
        counts << tr("%Ln tensors", nullptr, static_cast<int>(sums.tensors))
               << text::bytes(sums.bytes)
               << tr("%Ln files", nullptr, static_cast<int>(m_checkpoint->files().size()));
    }
    if (m_workspace->currentPage() == m_pages.compare && m_pages.compare->isComparing()) {
        counts = {m_pages.compare->summaryLine()};
        if (!m_passing.isActive()) {
            m_status->setPath(m_pages.compare->runsLine());
        }
    }
    m_status->setCounts(counts.join(QStringLiteral(" · ")));
}

void MainWindow::pickFolder() {
    auto* dialog = new QFileDialog(this, tr("Open Folder"), m_recents.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly, false);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { openPaths({text::toPath(path)}); });
    dialog->open();
}

void MainWindow::pickFiles() {
    auto* dialog = new QFileDialog(this, tr("Open Files"), m_recents.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        std::vector<std::filesystem::path> paths;
        for (const QString& file : files) {
            paths.push_back(text::toPath(file));
        }
        openPaths(paths);
    });
    dialog->open();
}

void MainWindow::pickOutput() {
    const Deployment::Planned* planned = m_deployment.planned();
    if (planned == nullptr) {
        return;
    }
    const QString name = QString::fromLocal8Bit(planned->plan.output.filename().c_str());
    auto* dialog = new QFileDialog(this, tr("Choose Output Folder"), m_recents.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this, name](const QString& folder) {
        JobChoices choices = m_deployment.choices();
        choices.request.output = text::toPath(folder) / text::toPath(name);
        m_deployment.setChoices(choices);
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
    });
    dialog->open();
}

void MainWindow::showStatusMessage(const QString& line) {
    m_status->setPath(line);
    announce(this, line);
    m_passing.start(4000);
}

QTreeView* MainWindow::focusedTree() const {
    auto* tree = qobject_cast<QTreeView*>(focusWidget());
    return tree != nullptr && isAncestorOf(tree) ? tree : m_navigator->view();
}

QString MainWindow::selectedPath() const {
    const std::filesystem::path path = m_navigator->currentPath();
    return path.empty() ? QString() : QString::fromLocal8Bit(path.c_str());
}

} // namespace cairn::ui
