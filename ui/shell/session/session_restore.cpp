// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session/session_restore.h"

#include "core/base/absolute_path.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/session/session_keeper.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kRestoreMs = 5000;
constexpr std::size_t kNamed = 4; ///< folders in a message

} // namespace

QString folderLines(const std::vector<std::filesystem::path>& folders) {
    QStringList lines;
    for (std::size_t i = 0; i < std::min(folders.size(), kNamed); ++i) {
        lines << text::fromPath(folders[i]);
    }
    if (folders.size() > kNamed) {
        lines << QStringLiteral("…");
    }
    return lines.join(QLatin1Char('\n'));
}

SessionRestore::SessionRestore(WindowParts& parts) : m_parts(parts) {
    connect(parts.navigator, &Navigator::experimentListed, this,
            [this](const Experiment& experiment) { removeListed(experiment.path); });
    m_restoreTimer.setSingleShot(true);
    connect(&m_restoreTimer, &QTimer::timeout, this, &SessionRestore::showSilent);
}

void SessionRestore::restore(const SessionKeeper& session, const std::filesystem::path& startedIn) {
    const std::vector<std::filesystem::path> folders = session.folders();
    if (folders.empty()) {
        m_parts.start->offer(startedIn);
        return;
    }
    const std::filesystem::path selected = session.selected();
    const auto holder = std::ranges::find_if(folders, [&](const auto& folder) {
        return !selected.empty() && isAtOrBelow(selected, folder);
    });
    const auto chosen = holder != folders.end() ? holder : folders.end() - 1;
    m_listing = {folders.begin(), folders.end()};
    for (auto folder = folders.begin(); folder != folders.end(); ++folder) {
        m_parts.navigator->open(*folder, folder == chosen,
                                folder == holder ? selected : std::filesystem::path());
    }
    m_parts.showWorkspace();
    m_parts.workspace->showQuiet(tr("Select a checkpoint on the left"));
    m_parts.navigator->setFocus();
    m_restoreTimer.start(kRestoreMs);
    Q_EMIT m_parts.changed();
}

std::vector<std::filesystem::path> SessionRestore::addFailed(const std::filesystem::path& folder) {
    if (m_listing.erase(folder) == 0) {
        return {folder};
    }
    m_failed.push_back(folder);
    return m_failed;
}

void SessionRestore::removeListed(const std::filesystem::path& folder) {
    m_listing.erase(folder);
    if (m_listing.empty() && std::exchange(m_unresponsiveShown, false)) {
        m_parts.messages->hide();
    }
}

/// A hung mount does not stop the others from being used.
void SessionRestore::showSilent() {
    if (m_listing.empty()) {
        return;
    }
    m_unresponsiveShown = true;
    m_parts.messages->show({theme::Tone::Attention,
                            tr("%Ln folders of the last session are not responding", nullptr,
                               static_cast<int>(m_listing.size())),
                            folderLines({m_listing.begin(), m_listing.end()}),
                            {}});
}

} // namespace cairn::ui
