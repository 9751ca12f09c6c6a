// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/subject/folder_opener.h"

#include "core/base/other_machine.h"
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/start/recent_folders.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/services.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/path_bar.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

namespace cairn::ui {
namespace {

constexpr int kMostRecent = 480; ///< pixels of a path in the menu

} // namespace

FolderOpener::FolderOpener(WindowParts& parts, const Services& services, RecentFolders& recents,
                           ShownSubject& subject)
    : m_parts(parts), m_services(services), m_recents(recents), m_subject(subject),
      m_pathBar(new PathBar(parts.window)) {
    const Actions& actions = parts.actions;
    connect(parts.start, &StartPage::chosen, this, [this](const auto& path) { open({path}); });
    connect(actions.openFolder, &QAction::triggered, this, &FolderOpener::pickFolder);
    connect(actions.openFiles, &QAction::triggered, this, &FolderOpener::pickFiles);
    connect(actions.openPath, &QAction::triggered, this,
            [this] { m_pathBar->popUp(m_parts.selectedPath()); });
    connect(m_pathBar, &PathBar::entered, this,
            [this](const QString& path) { open({text::toPath(path)}); });
    connect(actions.openSample, &QAction::triggered, this, &FolderOpener::openSample);
    connect(actions.clearRecent, &QAction::triggered, &recents, &RecentFolders::clear);
    connect(&recents, &RecentFolders::changed, this, &FolderOpener::fillRecentMenu);
    connect(actions.recentMenu, &QMenu::aboutToShow, &recents, &RecentFolders::probe);
    connect(actions.closeFolder, &QAction::triggered, this, &FolderOpener::closeCurrent);
    connect(parts.navigator, &Navigator::experimentListed, this,
            [this](const Experiment& listed) { keep(listed.path); });
    connect(parts.navigator, &Navigator::experimentFailed, this,
            [this](const std::filesystem::path& path, const Error& error) {
                if (error.code == ErrorCode::NotFound) {
                    m_untried.erase(path); // mistyped
                }
                keep(path);
            });
    connect(&parts, &WindowParts::changed, this, &FolderOpener::updateActions);
    recents.probe();
    fillRecentMenu();
}

void FolderOpener::open(const std::vector<std::filesystem::path>& paths) {
    m_parts.messages->hide();
    bool isNew = false;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::filesystem::path path = absolutePlace(paths[i]);
        if (m_recents.contains(path)) {
            m_recents.add(path); // as the latest
        } else {
            m_untried.insert(path);
        }
        isNew = isNew || m_parts.navigator->listing(path) == nullptr;
        m_parts.navigator->open(path, i + 1 == paths.size());
    }
    if (isNew) { // what it is comes first, whatever was looked at before
        m_parts.workspace->showPage(m_parts.pages.summary);
        m_parts.workspace->keepTab();
    }
    if (!paths.empty()) {
        m_parts.showWorkspace();
        if (m_subject.path().empty()) {
            m_parts.workspace->showQuiet(tr("Select a checkpoint on the left"));
        }
        m_parts.navigator->setFocus();
    }
    fillRecentMenu();
    Q_EMIT m_parts.changed();
}

/// Among the recent folders, for which an old one may have to go: once it is known that it is
/// there.
void FolderOpener::keep(const std::filesystem::path& path) {
    if (m_untried.erase(path) > 0) {
        m_recents.add(path);
    }
}

void FolderOpener::show(const std::filesystem::path& checkpoint) {
    if (m_parts.navigator->select(checkpoint)) {
        m_subject.choose(checkpoint);
    } else {
        open({checkpoint});
    }
}

void FolderOpener::openSample() {
    if (!m_services.prepareSample) {
        return;
    }
    m_sample.start(m_services.prepareSample, [this](const Result<std::filesystem::path>& path) {
        if (path) {
            open({*path});
        } else {
            const text::ErrorWords words = text::describe(path.error());
            m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
        }
    });
}

void FolderOpener::pickFolder() {
    auto* dialog = new QFileDialog(m_parts.window, tr("Open Folder"), m_recents.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly, false);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { open({text::toPath(path)}); });
    dialog->open();
}

void FolderOpener::pickFiles() {
    auto* dialog = new QFileDialog(m_parts.window, tr("Open Files"), m_recents.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        std::vector<std::filesystem::path> paths;
        for (const QString& file : files) {
            paths.push_back(text::toPath(file));
        }
        open(paths);
    });
    dialog->open();
}

void FolderOpener::openDropped(const QMimeData& data) {
    std::vector<std::filesystem::path> paths;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            paths.push_back(text::toPath(url.toLocalFile()));
        }
    }
    open(paths);
}

void FolderOpener::closeCurrent() {
    m_parts.navigator->closeCurrent();
    m_subject.leave();
    m_parts.pages.inspector->clear();
    m_parts.workspace->showQuiet(tr("Select a checkpoint on the left"));
    if (m_parts.navigator->isEmpty()) {
        m_parts.showStart();
    }
    Q_EMIT m_parts.changed();
}

void FolderOpener::fillRecentMenu() {
    const Actions& actions = m_parts.actions;
    QMenu* menu = actions.recentMenu;
    for (QAction* action : menu->actions()) {
        if (action != actions.clearRecent && !action->isSeparator()) {
            menu->removeAction(action);
            action->deleteLater();
        }
    }
    QAction* before = menu->actions().value(0);
    for (const RecentFolders::Entry& entry : m_recents.entries()) {
        const QString label =
            text::elided(text::fromPath(entry.path), menu->fontMetrics(), kMostRecent);
        auto* action = new QAction(text::withoutMnemonic(label), menu);
        action->setEnabled(entry.present);
        connect(action, &QAction::triggered, this, [this, path = entry.path] { open({path}); });
        menu->insertAction(before, action);
    }
    actions.clearRecent->setEnabled(!m_recents.entries().isEmpty());
}

void FolderOpener::updateActions() {
    m_parts.actions.closeFolder->setEnabled(m_parts.isWorking() && !m_parts.navigator->isEmpty());
    m_parts.actions.openSample->setEnabled(static_cast<bool>(m_services.prepareSample));
}

} // namespace cairn::ui
