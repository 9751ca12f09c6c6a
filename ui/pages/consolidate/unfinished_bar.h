// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/listed_run.h"
#include "ui/widgets/message_strip.h"

#include <QWidget>

class QVBoxLayout;

namespace cairn::ui {

class TextLabel;
class UnfinishedJobs;

/// "… was not finished": a strip for each job that can be resumed, the oldest first; of many only
/// some. Hidden if the list is empty.
class UnfinishedBar : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxStrips = 2;

    explicit UnfinishedBar(UnfinishedJobs& jobs, QWidget* parent = nullptr);

Q_SIGNALS:
    void resumed();

private:
    void rebuild();
    Message offer(const ListedJob& job, MessageStrip* strip);
    Message question(const ListedJob& job, MessageStrip* strip);

    UnfinishedJobs& m_jobs;
    QVBoxLayout* m_strips;
    TextLabel* m_more;
};

} // namespace cairn::ui
