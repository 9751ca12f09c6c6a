// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/job_row.h"

#include "ui/pages/consolidate/job_words.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QVBoxLayout>

namespace cairn::ui {

JobRow::JobRow(JobId id, JobController& jobController, JobsWatcher& watcher, QWidget* parent)
    : QWidget(parent), m_id(id), m_watcher(watcher), m_title(new TextLabel),
      m_phase(new TextLabel({}, theme::Tone::Dim)), m_figures(new TextLabel({}, theme::Tone::Dim)),
      m_bar(new ByteProgress), m_pause(new Button(tr("Pause"))),
      m_cancel(new Button(tr("Cancel"))) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid - 2);
    auto* head = new QHBoxLayout;
    m_title->setElideMiddle(true);
    head->addWidget(m_title, 1);
    head->addWidget(m_phase);
    layout->addLayout(head);
    layout->addWidget(m_bar);
    m_figures->setElideMiddle(true);
    layout->addWidget(m_figures);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kGrid);
    foot->addStretch(1);
    auto* show = new Button(tr("Show"));
    for (Button* button : {m_pause, m_cancel, show}) {
        foot->addWidget(button);
    }
    layout->addLayout(foot);
    connect(m_pause, &QPushButton::clicked, this, [this, &jobController] {
        m_paused ? jobController.queue().resume(m_id) : jobController.queue().pause(m_id);
        m_watcher.wake();
    });
    connect(m_cancel, &QPushButton::clicked, this, [this, &jobController] {
        m_cancel->setEnabled(false);
        jobController.queue().cancel(m_id);
        m_watcher.wake();
    });
    connect(show, &QPushButton::clicked, this, [this] { Q_EMIT showRequested(m_id); });
}

void JobRow::showJob(const JobSnapshot& job) {
    m_paused = job.state == JobState::Paused || job.held;
    m_title->setText(text::fromCore(job.title));
    m_phase->setText(phaseWords(job));
    m_figures->setText(progressWords(job, m_watcher.pace(job)));
    m_pause->setText(m_paused ? tr("Resume") : tr("Pause"));
    m_bar->setShares(job.progress.fraction(), 0, m_paused ? theme::Tone::Dim : theme::Tone::Accent);
    setAccessibleName(text::fromCore(job.title));
    setAccessibleDescription(m_phase->text() + QLatin1Char(' ') + m_figures->text());
}

} // namespace cairn::ui
