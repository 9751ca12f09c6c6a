// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_view.h"

#include "ui/pages/consolidate/strip_roles.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

QString phaseWords(const JobSnapshot& job) {
    if (job.state == JobState::Queued) {
        return job.held ? JobView::tr("queued, paused") : JobView::tr("queued");
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
        return JobView::tr("syncing to disk");
    case JobPhase::Verifying:
        return JobView::tr("verifying");
    case JobPhase::Publishing:
        return JobView::tr("finalizing");
    case JobPhase::Done:
        break;
    }
    return JobView::tr("done");
}

/// A resumed job may have ended before it took over the existing files.
QString leftoverText(const JobRecord* record) {
    return record != nullptr && record->resumed
               ? JobView::tr("Files of an earlier attempt may remain: see Jobs > Unfinished Jobs.")
               : JobView::tr("No files were left on disk.");
}

/// Describes the values that a cast could not preserve; empty if nothing was cast.
QString castWords(const JobReport& report) {
    if (report.castTensors == 0) {
        return {};
    }
    QStringList parts{
        JobView::tr("%Ln tensors cast", nullptr, static_cast<int>(report.castTensors)),
        JobView::tr("largest error %1").arg(text::number(report.cast.maxAbs))};
    if (report.cast.overflowed > 0) {
        parts << JobView::tr("%1 overflowed").arg(text::count(report.cast.overflowed));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

JobView::JobView(JobId id, JobDesk& desk, JobsWatcher& watcher, QWidget* parent)
    : QWidget(parent), m_id(id), m_desk(desk), m_watcher(watcher), m_card(new Card),
      m_title(new TextLabel), m_phase(new TextLabel({}, theme::Tone::Dim)),
      m_figures(new TextLabel), m_counts(new TextLabel({}, theme::Tone::Dim)),
      m_bar(new ByteProgress), m_up(new Button(tr("Move Up"))), m_down(new Button(tr("Move Down"))),
      m_pause(new Button(tr("Pause"))), m_stop(new Button(tr("Stop"))), m_end(new MessageStrip),
      m_log(new QPlainTextEdit) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid / 2);
    layout->addWidget(m_card);
    layout->addWidget(m_end);
    layout->addWidget(m_log);
    m_end->hide();
    m_log->hide();
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setFont(theme::small(theme::mono(font())));
    m_log->setFrameShape(QFrame::NoFrame);
    m_log->setFixedHeight(6 * QFontMetrics(m_log->font()).lineSpacing() + 2 * theme::kGrid);
    m_log->setAccessibleName(tr("Job log"));
    buildRunning();
    connectRunning();
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
    auto* more = new Button(tr("More"));
    auto* menu = new QMenu(more);
    connect(menu->addAction(tr("Copy as Command")), &QAction::triggered, this,
            &JobView::copyCommand);
    connect(menu->addAction(tr("Show Log")), &QAction::triggered, this, &JobView::toggleLog);
    more->setMenu(menu);
    for (Button* button : {m_up, m_down, m_pause, m_stop, more}) {
        foot->addWidget(button);
    }
    m_card->content()->addLayout(foot);
    text::setToolTip(m_up, tr("Start before the job above"));
    text::setToolTip(m_down, tr("Start after the job below"));
}

void JobView::connectRunning() {
    connect(m_end, &MessageStrip::closed, this, [this] {
        m_desk.queue().forget(m_id);
        m_watcher.wake();
    });
    const auto mover = [this](JobQueue::Shift shift) {
        return [this, shift] {
            m_desk.queue().move(m_id, shift);
            m_watcher.wake();
        };
    };
    connect(m_up, &QPushButton::clicked, this, mover(JobQueue::Shift::Earlier));
    connect(m_down, &QPushButton::clicked, this, mover(JobQueue::Shift::Later));
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_pause->text() == tr("Pause")) {
            m_desk.queue().pause(m_id);
        } else {
            m_desk.queue().resume(m_id);
        }
        m_watcher.wake();
    });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        m_desk.queue().cancel(m_id);
        m_watcher.wake();
    });
}

void JobView::setMovable(bool up, bool down) {
    m_up->setVisible(up || down);
    m_down->setVisible(up || down);
    m_up->setEnabled(up);
    m_down->setEnabled(down);
}

void JobView::toggleLog() {
    m_log->setVisible(m_log->isHidden());
    if (const auto job = m_desk.queue().snapshot(m_id)) {
        showLog(*job);
    }
}

void JobView::copyCommand() {
    if (const auto record = m_desk.record(m_id)) {
        QGuiApplication::clipboard()->setText(record->command);
        Q_EMIT copied(tr("Command copied to the clipboard"));
    }
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
    showFigures(job);
    showLog(job);
}

void JobView::showLog(const JobSnapshot& job) {
    if (m_log->isHidden()) {
        return;
    }
    QStringList lines;
    for (const std::string& line : job.log) {
        lines << text::fromCore(line);
    }
    const QString all = lines.isEmpty() ? tr("The log is empty.") : lines.join(QLatin1Char('\n'));
    if (all != m_log->toPlainText()) {
        m_log->setPlainText(all); // plain: never rich
    }
}

void JobView::showFigures(const JobSnapshot& job) {
    const JobContext::Progress& progress = job.progress;
    if (job.state != JobState::Queued) {
        setMovable(false, false);
    }
    m_title->setText(text::fromCore(job.title));
    m_phase->setText(phaseWords(job));
    m_pause->setText(job.state == JobState::Paused || job.held ? tr("Resume") : tr("Pause"));
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
    const auto record = m_desk.record(m_id);
    Message message{theme::Tone::Good, text::fromCore(job.title), {}, {}, {}};
    if (job.state == JobState::Stopped) {
        message = {theme::Tone::Attention,
                   tr("Stopped: %1").arg(text::fromCore(job.title)),
                   leftoverText(record.get()),
                   {},
                   {}};
    } else if (job.state == JobState::Failed) {
        message = failed(job, record.get());
    } else if (record && record->report) {
        message = done(*record);
    } else if (record && record->check) {
        message = checked(*record);
    }
    if (record) {
        message.more = furtherActions(*record);
    }
    m_end->show(std::move(message));
    showLog(job);
}

std::vector<Message::Action> JobView::furtherActions(const JobRecord& record) {
    std::vector<Message::Action> actions;
    if (record.report && record.report->verified) {
        actions.push_back({tr("Verify Again"), [this] {
                               if (const auto again = m_desk.record(m_id)) {
                                   m_desk.verifyAgain(*again);
                               }
                           }});
    }
    if (!record.check && m_desk.canResume()) {
        actions.push_back({tr("Run Again"), [this] { m_desk.runAgain(m_id); }});
    }
    actions.push_back({tr("Copy as Command"), [this] { copyCommand(); }});
    actions.push_back({tr("Show Log"), [this] { toggleLog(); }});
    return actions;
}

Message JobView::done(const JobRecord& record) {
    const JobReport& report = *record.report;
    Message message;
    message.tone = report.verified ? theme::Tone::Good : theme::Tone::Attention;
    const QString what = tr("%Ln tensors", nullptr, static_cast<int>(report.tensors));
    message.title =
        report.verified
            ? tr("Wrote %1, %2, every byte verified").arg(what, text::bytes(report.bytes))
            : tr("Wrote %1, %2, not verified").arg(what, text::bytes(report.bytes));
    QStringList details{text::fromPath(record.output), text::duration(report.seconds),
                        castWords(report)};
    if (!report.manifest.empty()) {
        details << tr("manifest with %Ln SHA-256 checksums", nullptr,
                      static_cast<int>(report.written.size()));
    }
    QStringList left;
    for (const OmittedTensors& each : record.omitted) {
        left << countedRole({each.role, each.tensors, each.bytes});
    }
    if (!left.isEmpty()) {
        details << tr("left out: %1").arg(left.join(QStringLiteral(", ")));
    }
    details.removeAll(QString());
    message.detail = details.join(QStringLiteral(" · "));
    message.actions = {{tr("Show in File Manager"),
                        [this, output = record.output] { Q_EMIT openFolderRequested(output); }},
                       {tr("Copy as Python"), [this, python = record.python] {
                            QGuiApplication::clipboard()->setText(python);
                            Q_EMIT copied(tr("Python code copied to the clipboard"));
                        }}};
    return message;
}

Message JobView::checked(const JobRecord& record) {
    const VerifyResult& check = *record.check;
    Message message;
    const QString files = tr("%Ln files", nullptr, static_cast<int>(check.compared.size()));
    if (check.verified) {
        message.tone = theme::Tone::Good;
        message.title = tr("Verified: %1, %2; sizes and SHA-256 match the manifest")
                            .arg(files, text::bytes(check.bytes));
    } else {
        message.tone = theme::Tone::Broken;
        message.title = tr("%Ln mismatches with the manifest", nullptr,
                           static_cast<int>(check.mismatches.size()));
    }
    message.detail = check.mismatches.empty()
                         ? text::fromPath(record.output)
                         : text::fromCore(check.mismatches.front().name) + QStringLiteral(": ") +
                               text::fromCore(check.mismatches.front().message);
    message.actions = {{tr("Show in File Manager"),
                        [this, output = record.output] { Q_EMIT openFolderRequested(output); }}};
    return message;
}

Message JobView::failed(const JobSnapshot& job, const JobRecord* record) {
    const Error error =
        job.error.value_or(fail(ErrorCode::Internal, "The job failed without an error message"));
    const text::ErrorWords words = text::describe(error);
    Message message{theme::Tone::Broken,
                    words.title,
                    words.detail + QLatin1Char(' ') + leftoverText(record),
                    {},
                    {}};
    const text::Remedy remedy = text::remedy(error.code);
    if (remedy == text::Remedy::ChooseOtherFolder) {
        message.actions.push_back(
            {tr("Choose Other Folder…"), [this] { Q_EMIT chooseFolderRequested(); }});
    } else if (record != nullptr && remedy == text::Remedy::ShowReadable) {
        message.actions.push_back({tr("Show Shards"), [this, source = record->source] {
                                       Q_EMIT shardsRequested(source);
                                   }});
    }
    return message;
}

} // namespace cairn::ui
