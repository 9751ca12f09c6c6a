// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_view.h"

#include "ui/pages/consolidate/job_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/risky.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

/// The first button that can be used.
QWidget* firstButton(const QWidget& parent) {
    for (QWidget* each : parent.findChildren<Button*>()) {
        if (each->isVisibleTo(&parent) && each->isEnabled()) {
            return each;
        }
    }
    return nullptr;
}

} // namespace

JobView::JobView(JobId id, JobController& jobController, JobsWatcher& watcher, QWidget* parent)
    : QWidget(parent), m_id(id), m_jobController(jobController), m_watcher(watcher),
      m_card(new Card), m_title(new TextLabel), m_phase(new TextLabel({}, theme::Tone::Dim)),
      m_figures(new TextLabel), m_steps(new QWidget), m_bar(new ByteProgress),
      m_up(new Button(tr("Move Up"))), m_down(new Button(tr("Move Down"))),
      m_pause(new Button(tr("Pause"))), m_stop(new Button(tr("Cancel"))), m_end(new MessageStrip),
      m_log(new QPlainTextEdit) {
    m_stop->setProperty(kRisky, true);
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
    new FlowLayout(2 * theme::kGrid, m_steps); // wraps in a small window
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
    foot->addWidget(m_steps, 1, Qt::AlignVCenter);
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
        m_jobController.queue().forget(m_id);
        m_watcher.wake();
    });
    const auto mover = [this](JobQueue::Shift shift) {
        return [this, shift] {
            m_jobController.queue().move(m_id, shift);
            m_watcher.wake();
        };
    };
    connect(&m_jobController, &JobController::undone, this, [this](JobId id, const auto& movedTo) {
        if (id == m_id) {
            showUndone(movedTo);
        }
    });
    connect(m_up, &QPushButton::clicked, this, mover(JobQueue::Shift::Earlier));
    connect(m_down, &QPushButton::clicked, this, mover(JobQueue::Shift::Later));
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_pause->text() == tr("Pause")) {
            m_jobController.queue().pause(m_id);
        } else {
            m_jobController.queue().resume(m_id);
        }
        m_watcher.wake();
    });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        m_jobController.queue().cancel(m_id);
        m_watcher.wake();
    });
}

void JobView::setMovable(bool up, bool down) {
    m_up->setVisible(up || down);
    m_down->setVisible(up || down);
    m_up->setEnabled(up);
    m_down->setEnabled(down);
}

void JobView::focusFirst() {
    if (QWidget* button = firstButton(m_ended ? *m_end : *static_cast<QWidget*>(m_card))) {
        button->setFocus(Qt::OtherFocusReason);
    }
}

void JobView::toggleLog() {
    m_log->setVisible(m_log->isHidden());
    if (const auto job = m_jobController.queue().snapshot(m_id)) {
        showLog(*job);
    }
}

void JobView::copyCommand() {
    if (const auto record = m_jobController.record(m_id)) {
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
    for (const Sentence& line : job.log) {
        lines << text::coreText(line);
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
    showSteps(job);
    m_pause->setText(job.state == JobState::Paused || job.held ? tr("Resume") : tr("Pause"));
    m_figures->setText(progressWords(job, m_watcher.pace(job)));
    const double total = static_cast<double>(progress.total);
    const double ahead = total > 0 ? 0.5 * static_cast<double>(progress.read) / total : 0;
    m_bar->setShares(progress.fraction(), progress.phase == JobPhase::Writing ? ahead : 0);
}

void JobView::showEnd(const JobSnapshot& job) {
    const auto record = m_jobController.record(m_id);
    const text::ErrorWords words = endWords(job, record.get());
    Message message{endTone(job, record.get()), words.title, words.detail, {}, {}};
    if (job.state == JobState::Failed) {
        message.actions = failedActions(job, record.get());
    } else if (record && record->report) {
        message.actions = doneActions(*record);
    } else if (record && record->check) {
        message.actions = {{tr("Open Folder"), [this, output = record->output] {
                                Q_EMIT openFolderRequested(output);
                            }}};
    }
    if (record) {
        message.more = furtherActions(*record);
    }
    replaceMessage(std::move(message));
    showLog(job);
}

/// "✓ planned", "● writing 2.06 GB of 3.22 GB", "○ verify": what was done, is done, and follows.
void JobView::showSteps(const JobSnapshot& job) {
    const auto record = m_jobController.record(m_id);
    const std::vector<JobStep> steps = jobSteps(job, record.get());
    QLayout* line = m_steps->layout();
    while (line->count() > static_cast<int>(steps.size())) {
        QLayoutItem* item = line->takeAt(line->count() - 1);
        delete item->widget();
        delete item;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (line->count() <= static_cast<int>(i)) {
            line->addWidget(new TextLabel);
        }
        auto* label = static_cast<TextLabel*>(line->itemAt(static_cast<int>(i))->widget());
        label->setTone(steps[i].state == JobStep::State::Done      ? theme::Tone::Good
                       : steps[i].state == JobStep::State::Running ? theme::Tone::Plain
                                                                   : theme::Tone::Dim);
        label->setText((steps[i].state == JobStep::State::Done      ? QStringLiteral("✓ ")
                        : steps[i].state == JobStep::State::Running ? QStringLiteral("● ")
                                                                    : QStringLiteral("○ ")) +
                       steps[i].text);
    }
}

/// The strip in place of the card or of another message.
void JobView::replaceMessage(Message message) {
    const bool focused = isAncestorOf(QApplication::focusWidget());
    m_end->show(std::move(message));
    if (focused) {
        focusFirst(); // hiding a focused button would move the focus to the next widget of the page
    }
    m_card->hide();
}

std::vector<Message::Action> JobView::doneActions(const JobRecord& record) {
    std::vector<Message::Action> actions{
        {tr("Open Folder"), [this, output = record.output] { Q_EMIT openFolderRequested(output); }},
        {tr("Show in Cairn"),
         [this, output = record.output] { Q_EMIT checkpointRequested(output); }}};
    for (const ServeCommand& each : record.commands) {
        const bool isPython = &each == &record.commands.back();
        if (isPython || &each == &record.commands.front()) { // the others are beside the plan
            actions.push_back({isPython ? tr("Copy Python") : tr("Copy “%1”").arg(each.name),
                               [this, text = each.text, isPython] {
                                   QGuiApplication::clipboard()->setText(text);
                                   Q_EMIT copied(isPython
                                                     ? tr("Python code copied to the clipboard")
                                                     : tr("Command copied to the clipboard"));
                               }});
        }
    }
    if (!record.source.empty()) {
        actions.push_back(
            {tr("Compare with Source"), [this, source = record.source, output = record.output] {
                 Q_EMIT compareRequested(source, output);
             }});
    }
    if (!record.report->stamp.empty()) {
        actions.push_back({tr("Undo"), [this] { undo(); }});
    }
    return actions;
}

std::vector<Message::Action> JobView::failedActions(const JobSnapshot& job,
                                                    const JobRecord* record) {
    std::vector<Message::Action> actions;
    const text::Remedy remedy = text::remedy(job.error.value_or(Error()).code);
    if (remedy == text::Remedy::ChooseOtherFolder) {
        actions.push_back({tr("Choose Other Folder…"), [this] { Q_EMIT chooseFolderRequested(); }});
    } else if (record != nullptr && remedy == text::Remedy::ShowReadable) {
        actions.push_back({tr("Show Shards"),
                           [this, source = record->source] { Q_EMIT shardsRequested(source); }});
    }
    if (record != nullptr && !record->resumed) {
        actions.push_back({tr("Retry"), [this] {
                               if (m_jobController.retry(m_id)) {
                                   m_jobController.queue().forget(m_id);
                                   m_watcher.wake();
                               }
                           }});
    }
    return actions;
}

std::vector<Message::Action> JobView::furtherActions(const JobRecord& record) {
    std::vector<Message::Action> actions;
    if (record.report && record.report->verified) {
        actions.push_back({tr("Verify Again"), [this] {
                               if (const auto again = m_jobController.record(m_id)) {
                                   m_jobController.verifyAgain(*again);
                               }
                           }});
    }
    if (record.report) {
        actions.push_back({tr("Run Again"), [this] { m_jobController.runAgain(m_id); }});
    }
    actions.push_back({tr("Copy as Command"), [this] { copyCommand(); }});
    actions.push_back({tr("Show Log"), [this] { toggleLog(); }});
    return actions;
}

void JobView::undo() {
    if (!m_jobController.undo(m_id)) {
        const text::ErrorWords words = outputInUseWords(m_jobController.record(m_id).get());
        replaceMessage({theme::Tone::Attention, words.title, words.detail, {{tr("Retry"), [this] {
                                                                                 undo();
                                                                             }}}});
    }
}

void JobView::showUndone(const Result<std::filesystem::path>& movedTo) {
    const auto record = m_jobController.record(m_id);
    const QString output = record ? text::fromPath(record->output) : QString();
    if (movedTo) {
        replaceMessage({theme::Tone::Good,
                        tr("Moved to the wastebasket"),
                        output + QStringLiteral(" → ") + text::fromPath(*movedTo),
                        {}});
        return;
    }
    const text::ErrorWords words = text::describe(movedTo.error());
    replaceMessage({theme::Tone::Attention,
                    words.title,
                    words.detail,
                    {{tr("Open Folder"),
                      [this, path = record->output] { Q_EMIT openFolderRequested(path); }}}});
}

} // namespace cairn::ui
