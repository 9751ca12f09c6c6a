// SPDX-License-Identifier: GPL-3.0-or-later
// The window's last session: opens its folders again; and the title.
#include "core/base/absolute_path.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_keeper.h"
#include "ui/shell/workspace.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QStackedWidget>
#include <QTreeView>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kRestoreMs = 5000;
constexpr std::size_t kNamed = 4; ///< folders in a message

QString listOf(const std::vector<std::filesystem::path>& folders) {
    QStringList lines;
    for (std::size_t i = 0; i < std::min(folders.size(), kNamed); ++i) {
        lines << text::fromPath(folders[i]);
    }
    if (folders.size() > kNamed) {
        lines << QStringLiteral("…");
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void MainWindow::resume(const std::filesystem::path& startedIn) {
    const std::vector<std::filesystem::path> folders = m_session->folders();
    if (folders.empty()) {
        m_start->offer(startedIn);
        return;
    }
    const std::filesystem::path selected = m_session->selected();
    const auto holder = std::ranges::find_if(folders, [&](const auto& folder) {
        return !selected.empty() && isAtOrBelow(selected, folder);
    });
    const auto chosen = holder != folders.end() ? holder : folders.end() - 1;
    m_restoring = {folders.begin(), folders.end()};
    for (auto folder = folders.begin(); folder != folders.end(); ++folder) {
        m_navigator->open(*folder, folder == chosen,
                          folder == holder ? selected : std::filesystem::path());
    }
    m_stack->setCurrentWidget(m_workspace);
    m_workspace->showQuiet(tr("Select a checkpoint on the left"));
    m_navigator->setFocus();
    m_restoreTimer.start(kRestoreMs);
    updateActions();
}

void MainWindow::stopSavingSession() {
    m_session->stop();
    m_recents.stopSaving();
}

/// A hung mount does not stop the others from being used.
void MainWindow::showUnresponsiveFolders() {
    if (m_restoring.empty()) {
        return;
    }
    const std::vector<std::filesystem::path> silent(m_restoring.begin(), m_restoring.end());
    m_unresponsiveShown = true;
    m_messages->show({theme::Tone::Attention,
                      tr("%Ln folders of the last session are not responding", nullptr,
                         static_cast<int>(silent.size())),
                      listOf(silent),
                      {}});
}

text::ErrorWords MainWindow::notRestoredWords(const std::vector<std::filesystem::path>& folders) {
    return {tr("%Ln folders of the last session cannot be opened", nullptr,
               static_cast<int>(folders.size())),
            listOf(folders)};
}

void MainWindow::updateTitle() {
    const NavigatorModel& model = *m_navigator->model();
    QStringList names;
    const QModelIndex row = m_shown.empty() ? QModelIndex() : model.find(m_shown);
    if (!m_shown.empty()) {
        names << (row.isValid() ? row.data().toString() : text::fromPath(m_shown.filename()));
    }
    if (const auto run = model.runAt(m_shown.empty() ? model.findRun(m_chosen) : row)) {
        names << run->name;
    } else if (!m_chosen.empty()) {
        names << text::fromPath(m_chosen.filename());
    }
    QString title = names.join(QStringLiteral(", "));
    title.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")); // Qt's mark of a modified file
    setWindowTitle(title.isEmpty() ? tr("Cairn") : tr("%1 — Cairn").arg(title));
}

} // namespace cairn::ui
