// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_view.h"

#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

QString phaseWords(const JobSnapshot& job) {
    if (job.state == JobState::Queued) {
        return JobView::tr("waiting");
    }
    if (job.state == JobState::Paused) {
        return JobView::tr("paused");
    }
    switch (job.progress.phase) {
    case JobPhase::Waiting:
        return JobView::tr("starting");
    case JobPhase::Checking:
        return JobView::tr("checking the source");
    case JobPhase::Writing:
        return JobView::tr("writing");
    case JobPhase::Syncing:
        return JobView::tr("waiting for the disk");
    case JobPhase::Verifying:
        return JobView::tr("verifying every byte");
    case JobPhase::Publishing:
        return JobView::tr("giving it its name");
    case JobPhase::Done:
        break;
    }
    return JobView::tr("done");
}

} // namespace

JobView::JobView(JobId id, Deployment& deployment, JobsWatcher& watcher, QWidget* parent)
    : QWidget(parent), m_id(id), m_deployment(deployment), m_watcher(watcher), m_card(new Card),
      m_title(new TextLabel), m_phase(new TextLabel({}, theme::Tone::Dim)),
      m_figures(new TextLabel), m_counts(new TextLabel({}, theme::Tone::Dim)),
      m_bar(new ByteProgress), m_pause(new Button(tr("Pause"))), m_stop(new Button(tr("Stop"))),
      m_end(new MessageStrip) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    layout->addWidget(m_end);
    m_end->hide();
    buildRunning();
    connect(m_end, &MessageStrip::closed, this, [this] {
        m_deployment.queue().forget(m_id);
        m_watcher.wake();
    });
}

void JobView::buildRunning() {
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setElideMiddle(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kGrid);
    head->addWidget(m_title);
    head->addWidget(m_phase);
    head->addStretch(1);
    head->addWidget(m_figures);
    m_card->content()->addLayout(head);
    m_card->content()->addWidget(m_bar);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kGrid);
    foot->addWidget(m_counts, 1, Qt::AlignTop);
    auto* command = new Button(tr("Copy as Command"));
    foot->addWidget(m_pause);
    foot->addWidget(m_stop);
    foot->addWidget(command);
    m_card->content()->addLayout(foot);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (!m_deployment.queue().pause(m_id)) {
            m_deployment.queue().resume(m_id);
        }
        m_watcher.wake();
    });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        m_deployment.queue().cancel(m_id);
        m_watcher.wake();
    });
    connect(command, &QPushButton::clicked, this, [this] {
        if (const auto record = m_deployment.record(m_id)) {
            QGuiApplication::clipboard()->setText(record->command);
            Q_EMIT copied(tr("The command is in the clipboard"));
        }
    });
}

void JobView::showJob(const JobSnapshot& job) {
    if (m_ended) {
        return;
    }
    if (job.state == JobState::Done || job.state == JobState::Failed ||
        job.state == JobState::Stopped) {
        m_ended = true;
        showEnd(job);
        return;
    }
    const JobContext::Progress& progress = job.progress;
    m_title->setText(text::fromCore(job.title));
    m_phase->setText(phaseWords(job));
    m_pause->setText(job.state == JobState::Paused ? tr("Go On") : tr("Pause"));
    const JobsWatcher::Pace pace = m_watcher.pace(job);
    QStringList figures;
    if (progress.total > 0) {
        const bool verifying = progress.phase == JobPhase::Verifying;
        figures << tr("%1 of %2")
                       .arg(text::bytes(verifying ? progress.verified : progress.written),
                            text::bytes(progress.total));
    }
    if (pace.bytesPerSecond > 0 && job.state == JobState::Running) {
        figures << text::rate(pace.bytesPerSecond);
    }
    if (pace.secondsLeft && job.state == JobState::Running) {
        figures << tr("%1 left").arg(text::duration(*pace.secondsLeft));
    }
    m_figures->setText(figures.join(QStringLiteral(" · ")));
    m_counts->setText(tr("read %1 · written %2 · verified %3")
                          .arg(text::bytes(progress.read), text::bytes(progress.written),
                               text::bytes(progress.verified)));
    const double total = static_cast<double>(progress.total);
    const double ahead = total > 0 ? 0.5 * static_cast<double>(progress.read) / total : 0;
    m_bar->setShares(progress.fraction(), progress.phase == JobPhase::Writing ? ahead : 0);
}

void JobView::showEnd(const JobSnapshot& job) {
    m_card->hide();
    const auto record = m_deployment.record(m_id);
    if (job.state == JobState::Stopped) {
        m_end->show({theme::Tone::LookHere,
                     tr("Stopped: %1").arg(text::fromCore(job.title)),
                     tr("Nothing was left on the disk."),
                     {}});
    } else if (job.state == JobState::Failed) {
        showFailed(job, record.get());
    } else if (record && record->report) {
        showDone(*record);
    } else if (record && record->check) {
        showChecked(*record);
    } else {
        m_end->show({theme::Tone::Good, text::fromCore(job.title), {}, {}});
    }
}

void JobView::showDone(const JobRecord& record) {
    const JobReport& report = *record.report;
    Message message;
    message.tone = theme::Tone::Good;
    const QString what = tr("%n tensors", nullptr, static_cast<int>(report.tensors));
    message.title =
        report.verified
            ? tr("Deployed %1, %2, every byte verified").arg(what, text::bytes(report.bytes))
            : tr("Deployed %1, %2, not verified").arg(what, text::bytes(report.bytes));
    QStringList details{text::fromPath(record.output), text::duration(report.seconds)};
    if (!report.manifest.empty()) {
        details << tr("manifest with %n SHA-256", nullptr, static_cast<int>(report.written.size()));
    }
    message.detail = details.join(QStringLiteral(" · "));
    message.actions = {
        {tr("Open Folder"), [this, output = record.output] { Q_EMIT openFolderRequested(output); }},
        {tr("Copy Python"),
         [this, python = record.python] {
             QGuiApplication::clipboard()->setText(python);
             Q_EMIT copied(tr("The Python lines are in the clipboard"));
         }},
        {tr("Verify Again"), [this] {
             if (const auto again = m_deployment.record(m_id)) {
                 m_deployment.verifyAgain(*again);
             }
         }}};
    m_end->show(std::move(message));
}

void JobView::showChecked(const JobRecord& record) {
    const VerifyResult& check = *record.check;
    Message message;
    const QString files = tr("%n files", nullptr, static_cast<int>(check.compared.size()));
    if (check.verified) {
        message.tone = theme::Tone::Good;
        message.title = tr("Verified again: %1, %2, size and SHA-256 as in the manifest")
                            .arg(files, text::bytes(check.bytes));
    } else {
        message.tone = theme::Tone::Broken;
        message.title = tr("%n things differ from the manifest", nullptr,
                           static_cast<int>(check.mismatches.size()));
    }
    message.detail = check.mismatches.empty()
                         ? text::fromPath(record.output)
                         : text::fromCore(check.mismatches.front().name) + QStringLiteral(": ") +
                               text::fromCore(check.mismatches.front().message);
    message.actions = {{tr("Open Folder"),
                        [this, output = record.output] { Q_EMIT openFolderRequested(output); }}};
    m_end->show(std::move(message));
}

void JobView::showFailed(const JobSnapshot& job, const JobRecord* record) {
    const Error error = job.error.value_or(fail(ErrorCode::Internal, "It failed without a reason"));
    const text::ErrorWords words = text::describe(error);
    Message message{theme::Tone::Broken,
                    words.title,
                    words.detail + QLatin1Char(' ') + tr("Nothing was left on the disk."),
                    {}};
    const text::Remedy remedy = text::remedy(error.code);
    if (remedy == text::Remedy::ChooseOtherFolder) {
        message.actions.push_back(
            {tr("Choose Other Folder…"), [this] { Q_EMIT chooseFolderRequested(); }});
    } else if (record != nullptr && remedy == text::Remedy::ShowReadable) {
        message.actions.push_back({tr("Show the Shards"), [this, source = record->source] {
                                       Q_EMIT shardsRequested(source);
                                   }});
    }
    m_end->show(std::move(message));
}

} // namespace cairn::ui
