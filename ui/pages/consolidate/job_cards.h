// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"

#include <QWidget>

#include <cstddef>
#include <filesystem>
#include <map>
#include <vector>

class QVBoxLayout;

namespace cairn::ui {

class Deployment;
class JobsWatcher;
class JobView;

/// A card for each job that concerns the shown checkpoint: running ones, waiting ones in their
/// order, and the newest results. Hidden while there is none.
class JobCards : public QWidget {
    Q_OBJECT

public:
    /// Both outlive this.
    JobCards(Deployment& deployment, JobsWatcher& watcher, QWidget* parent = nullptr);

    void refresh();
    /// A result of another checkpoint that the user asked for; 0: none.
    void setWanted(JobId id) { m_wanted = id; }
    /// The card of this job, or of the newest one; null: there is none.
    QWidget* cardOf(JobId id);
    QWidget* newest() const;                    ///< null: there is none
    void focusNewest();                         ///< its first button
    static constexpr std::size_t kMaxEnded = 3; ///< results that are shown; the history has all

Q_SIGNALS:
    /// A card was made; what its buttons ask for is not answered here.
    void added(cairn::ui::JobView* view);
    /// By a layout, or resized, from this place in these cards' coordinates.
    void newestMoved(QWidget* card, const QRect& before);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    JobView* add(JobId id);
    void arrange(const std::vector<JobSnapshot>& jobs);
    bool isOfOther(JobId id) const;

    Deployment& m_deployment;
    JobsWatcher& m_watcher;
    QVBoxLayout* m_layout;
    std::map<JobId, JobView*> m_views;
    JobId m_wanted = 0;
};

} // namespace cairn::ui
