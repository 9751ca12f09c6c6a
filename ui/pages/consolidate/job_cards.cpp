// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_cards.h"

#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/job_view.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/theme/theme.h"

#include <QMoveEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {

JobCards::JobCards(Deployment& deployment, JobsWatcher& watcher, QWidget* parent)
    : QWidget(parent), m_deployment(deployment), m_watcher(watcher),
      m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2 * theme::kGrid - 2);
    hide();
}

QWidget* JobCards::cardOf(JobId id) {
    const auto wanted = m_views.find(id);
    if (wanted != m_views.end()) {
        wanted->second->show();
        show();
        return wanted->second;
    }
    return newest();
}

QWidget* JobCards::newest() const {
    return m_views.empty() ? nullptr : m_views.rbegin()->second;
}

void JobCards::focusNewest() {
    if (!m_views.empty()) {
        m_views.rbegin()->second->focusFirst();
    }
}

/// Its result is found at the chip of jobs.
bool JobCards::isOfOther(JobId id) const {
    const auto record = m_deployment.jobController().record(id);
    return m_deployment.checkpoint() != nullptr && id != m_wanted && record &&
           !record->shown.empty() && record->shown != m_deployment.checkpoint()->path();
}

void JobCards::refresh() {
    const std::vector<JobSnapshot>& jobs = m_watcher.jobs();
    std::erase_if(m_views, [&](const auto& view) {
        const bool ended = std::ranges::find(jobs, view.first, &JobSnapshot::id) == jobs.end();
        if (ended) {
            view.second->hide();
            view.second->deleteLater();
        }
        return ended;
    });
    for (const JobSnapshot& job : jobs) {
        JobView*& view = m_views[job.id];
        if (view == nullptr) {
            view = add(job.id);
        }
        view->showJob(job);
    }
    arrange(jobs);
}

JobView* JobCards::add(JobId id) {
    auto* view = new JobView(id, m_deployment.jobController(), m_watcher);
    view->installEventFilter(this);
    Q_EMIT added(view);
    return view;
}

bool JobCards::eventFilter(QObject* watched, QEvent* event) {
    QWidget* card = newest();
    if (watched == card && event->type() == QEvent::Move) {
        Q_EMIT newestMoved(card, {static_cast<QMoveEvent*>(event)->oldPos(), card->size()});
    } else if (watched == card && event->type() == QEvent::Resize) {
        Q_EMIT newestMoved(card, {card->pos(), static_cast<QResizeEvent*>(event)->oldSize()});
    }
    return QWidget::eventFilter(watched, event);
}

/// Running jobs, waiting ones in the order in which they start, then ended ones with the newest
/// first, of which only some are shown.
void JobCards::arrange(const std::vector<JobSnapshot>& jobs) {
    std::vector<JobSnapshot> waiting;
    std::vector<JobView*> order;
    for (const JobSnapshot& job : jobs) {
        if (job.state == JobState::Running || job.state == JobState::Paused) {
            order.push_back(m_views.at(job.id));
        } else if (job.state == JobState::Queued) {
            waiting.push_back(job);
        }
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        order.push_back(m_views.at(waiting[i].id));
        order.back()->setMovable(i > 0, i + 1 < waiting.size());
    }
    std::vector<JobView*> hidden;
    std::size_t ended = 0;
    for (auto view = m_views.rbegin(); view != m_views.rend(); ++view) {
        if (std::ranges::find(order, view->second) == order.end()) {
            const bool shown = !isOfOther(view->first) && ended < kMaxEnded;
            ended += shown ? 1 : 0;
            if (!shown) {
                hidden.push_back(view->second);
            }
            order.push_back(view->second);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (m_layout->indexOf(order[i]) != static_cast<int>(i)) {
            m_layout->removeWidget(order[i]);
            m_layout->insertWidget(static_cast<int>(i), order[i]);
        }
    }
    for (JobView* view : order) { // before they are in the layout, they would be windows
        view->setVisible(std::ranges::find(hidden, view) == hidden.end());
    }
    setVisible(order.size() > hidden.size()); // no gap without a card
}

} // namespace cairn::ui
