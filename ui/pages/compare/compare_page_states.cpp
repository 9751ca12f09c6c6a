// SPDX-License-Identifier: GPL-3.0-or-later
// The states of the Compare page: nothing chosen, reading, nothing in common, following.
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/export_action.h"
#include "ui/pages/compare/compare_header.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/notice_pane.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"

#include <QStackedWidget>

#include <algorithm>

namespace cairn::ui {

QString ComparePage::summaryLine() const {
    if (m_comparison == nullptr) {
        return {};
    }
    const SettingsComparison& settings = m_comparison->settings;
    const std::uint64_t all = settings.same + settings.ignored + settings.different.size() +
                              settings.onlyLeft.size() + settings.onlyRight.size();
    const auto pairs =
        std::ranges::count_if(m_comparison->checkpoints,
                              [](const CheckpointPair& pair) { return pair.left && pair.right; });
    return QStringList{
        tr("%Ln shared metrics", nullptr, static_cast<int>(m_comparison->metrics.size())),
        tr("%Ln settings", nullptr, static_cast<int>(all)),
        tr("%Ln checkpoint pairs", nullptr, static_cast<int>(pairs))}
        .join(QStringLiteral(" · "));
}

QString ComparePage::runsLine() const {
    return isComparing() ? tr("%1 vs %2").arg(m_left->name, m_right->name) : QString();
}

void ComparePage::updateNotice() {
    const auto failed = [](const HistoryFollower& follower) {
        return follower.state() == HistoryFollower::State::Failed;
    };
    bool result = false;
    if (!isComparing()) {
        m_notice->showMessage(
            tr("Select two runs to compare"),
            m_left || m_right
                ? tr("Choose the second run above, or select it on the left and press X. "
                     "You can also drag one run onto the other.")
                : tr("Choose both runs above, or select each on the left and press X. "
                     "You can also drag one run onto the other."));
    } else if (m_left->path == m_right->path) {
        m_notice->showMessage(tr("A and B are the same run"),
                              tr("Choose a different run for A or B."));
    } else if (failed(m_leftHistory) || failed(m_rightHistory)) {
        const HistoryFollower& broken = failed(m_leftHistory) ? m_leftHistory : m_rightHistory;
        m_notice->showError(tr("The history of %1 cannot be read")
                                .arg(failed(m_leftHistory) ? m_left->name : m_right->name),
                            *broken.error(), tr("Retry"));
    } else if (m_comparison == nullptr) {
        m_notice->showMessage(tr("Reading both histories…"), runsLine());
    } else {
        result = true;
        const bool hidesAll = m_grid->shownNames().empty() && m_grid->total() > 0;
        m_header->setHidden(hidesAll ? static_cast<int>(m_grid->total()) : 0);
    }
    m_stack->setCurrentWidget(result ? static_cast<QWidget*>(m_grid) : m_notice);
    m_controls->setChartsEnabled(result);
    Q_EMIT changed();
}

void ComparePage::noticeAction() {
    m_leftHistory.reload();
    m_rightHistory.reload();
}

void ComparePage::refreshFollow() {
    const bool paused = m_leftHistory.isPaused();
    m_follow->setText(paused                                                    ? tr("Paused")
                      : m_leftHistory.isGrowing() || m_rightHistory.isGrowing() ? tr("Following")
                                                                                : tr("Follow"));
    m_follow->updateGeometry();
    text::setToolTip(m_follow, paused
                                   ? tr("Updates are paused; click to follow the files")
                                   : tr("The files are read again when they grow; click to pause"));
}

void ComparePage::exportCharts(const std::vector<QString>& names, ExportFormat format,
                               const QString& suggested) {
    std::vector<ChartContent> shown;
    for (const QString& name : names) {
        shown.push_back(m_grid->contentOf(name));
    }
    askAndExport(*this, m_saver, ChartExport(std::move(shown), m_board), format, suggested,
                 [this](const QString& line) { Q_EMIT statusMessage(line); });
}

} // namespace cairn::ui
