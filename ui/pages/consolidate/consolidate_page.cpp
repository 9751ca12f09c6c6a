// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/consolidate_page.h"

#include "ui/pages/consolidate/adapter_rows.h"
#include "ui/pages/consolidate/checks_card.h"
#include "ui/pages/consolidate/choice_bar.h"
#include "ui/pages/consolidate/continue_card.h"
#include "ui/pages/consolidate/job_cards.h"
#include "ui/pages/consolidate/job_view.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/pages/consolidate/more_options.h"
#include "ui/pages/consolidate/plan_cards.h"
#include "ui/pages/consolidate/problem_strip.h"
#include "ui/pages/consolidate/shown_adapter_card.h"
#include "ui/pages/consolidate/target_cards.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/pages/page_info.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/focus_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {
const QString kChecksName = QStringLiteral("checks");
} // namespace

ConsolidatePage::ConsolidatePage(Deployment& deployment, JobsWatcher& watcher, QWidget* parent)
    : Page(parent), m_deployment(deployment), m_watcher(watcher), m_targets(new TargetCards),
      m_shownAdapter(new ShownAdapterCard), m_continue(new ContinueCard), m_bar(new ChoiceBar),
      m_adapters(new AdapterRows), m_more(new MoreOptions(m_bar, m_adapters)),
      m_start(new Button(tr("Deploy"))), m_scroll(new QScrollArea), m_options(new Card),
      m_problem(new QVBoxLayout), m_plan(new QVBoxLayout),
      m_jobs(new JobCards(deployment, watcher)), m_written(new WrittenPanel(this)) {
    m_written->hide();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    new FocusMark(m_scroll, tr("Jobs and plan"));
    outer->addWidget(m_scroll);
    auto* body = new QWidget;
    m_scroll->setWidget(body);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(2 * theme::kGrid - 2);
    layout->addWidget(m_jobs);
    m_problem->setSpacing(layout->spacing());
    layout->addLayout(m_problem);
    buildOptions(*layout);
    m_plan->setSpacing(layout->spacing());
    layout->addLayout(m_plan);
    layout->addStretch(1);

    connect(m_start, &QPushButton::clicked, this, &ConsolidatePage::startRequested);
    connect(m_bar, &ChoiceBar::changed, &m_deployment, &Deployment::change);
    connect(m_bar, &ChoiceBar::moreToggled, m_more, &QWidget::setVisible);
    connect(m_more, &MoreOptions::changed, &m_deployment, &Deployment::change);
    connect(m_adapters, &AdapterRows::changed, &m_deployment, &Deployment::change);
    connect(m_shownAdapter, &ShownAdapterCard::changed, &m_deployment, &Deployment::change);
    connect(m_continue, &ContinueCard::changed, &m_deployment, &Deployment::change);
    connect(m_more, &MoreOptions::runOnRequested, this, &ConsolidatePage::runOnRequested);
    connect(m_targets, &TargetCards::chosen, this, [this](Target target) {
        m_deployment.change([target](JobChoices& choices) { chooseTarget(choices, target); });
    });
    connect(m_bar, &ChoiceBar::outputRequested, this, &ConsolidatePage::outputRequested);
    connect(m_written, &WrittenPanel::copyRequested, this, [this] {
        QGuiApplication::clipboard()->setText(m_deployment.command());
        Q_EMIT copied(tr("Command copied to the clipboard"));
    });
    connect(&m_deployment, &Deployment::changed, this, &ConsolidatePage::refresh);
    connect(&m_deployment, &Deployment::rolesCounted, this, &ConsolidatePage::showChoices);
    connect(&m_deployment, &Deployment::adaptersFound, this, &ConsolidatePage::showChoices);
    connect(&m_deployment, &Deployment::outlookChanged, this, &ConsolidatePage::showChoices);
    m_checking.setInterval(500);
    connect(&m_checking, &QTimer::timeout, this, &ConsolidatePage::refresh);
    connect(m_written, &WrittenPanel::textCopied, this, &ConsolidatePage::copied);
    connect(m_jobs, &JobCards::newestMoved, this, &ConsolidatePage::keepInSight);
    connect(m_jobs, &JobCards::added, this, &ConsolidatePage::connectJob);
    connect(&m_watcher, &JobsWatcher::updated, this, &ConsolidatePage::refreshJobs);
    connect(&m_watcher, &JobsWatcher::ended, this, &ConsolidatePage::noteBadValues);
    refresh();
    refreshJobs();
}

void ConsolidatePage::connectJob(const JobView* view) {
    connect(view, &JobView::openFolderRequested, this, &ConsolidatePage::openFolderRequested);
    connect(view, &JobView::checkpointRequested, this, &ConsolidatePage::checkpointRequested);
    connect(view, &JobView::compareRequested, this, &ConsolidatePage::compareRequested);
    connect(view, &JobView::shardsRequested, this, &ConsolidatePage::shardsRequested);
    connect(view, &JobView::chooseFolderRequested, this, &ConsolidatePage::outputRequested);
    connect(view, &JobView::copied, this, &ConsolidatePage::copied);
}

void ConsolidatePage::buildOptions(QVBoxLayout& layout) {
    layout.addWidget(m_shownAdapter);
    layout.addWidget(m_targets);
    layout.addWidget(m_continue);
    m_options->content()->addWidget(m_more->firstRows());
    m_options->content()->addWidget(m_more);
    m_options->content()->addWidget(m_start, 0, Qt::AlignRight);
    layout.addWidget(m_options);
    m_more->hide();
}

extern const PageInfo kConsolidatePage;
const PageInfo kConsolidatePage{
    .id = "consolidate",
    .title = [] { return ConsolidatePage::tr("Deploy", "the page"); },
    .shows = Page::Subject::Experiment, // the jobs
    .make = [](const PageParts& parts) -> Page* {
        return new ConsolidatePage(parts.deployment, parts.jobs);
    },
};

const PageInfo& ConsolidatePage::info() const {
    return kConsolidatePage;
}

void ConsolidatePage::showCheckpoint(const CheckpointPtr&) {
    m_jobs->setWanted(0);
    refresh();
}

void ConsolidatePage::clear() {
    m_jobs->setWanted(0);
    refresh();
}

QWidget* ConsolidatePage::sidePanel() {
    return m_written;
}

void ConsolidatePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_watcher.setWatched(true);
    m_deployment.setWatched(true);
}

void ConsolidatePage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_watcher.setWatched(false);
    m_deployment.setWatched(false);
}

void ConsolidatePage::empty(QVBoxLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        item->widget()->hide();
        item->widget()->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
}

/// The choices in the form and for the trainer that were found, if the user left them open.
JobChoices ConsolidatePage::shownChoices() const {
    JobChoices choices = m_deployment.choices();
    if (choices.automatic) {
        choices.request.to = m_found.to.empty() ? usualFormat().id : m_found.to;
        choices.request.bundle = m_found.bundle;
    }
    if (choices.anyTrainer && !choices.request.trainer.empty() && !m_found.trainer.empty()) {
        chooseTrainer(choices, m_found.trainer);
    }
    return choices;
}

/// The controls as the choices are now; also while the plan is being made.
void ConsolidatePage::showChoices() {
    const Deployment::Planned* planned = m_deployment.planned();
    if (planned != nullptr) {
        m_found = planned->request;
        m_scaled = planned->scaled;
    }
    const JobChoices choices = shownChoices();
    const auto target = planned != nullptr                        ? targetOf(planned->request)
                        : choices.automatic && m_found.to.empty() ? std::nullopt
                                                                  : targetOf(choices.request);
    const bool single = !averages(choices) && m_deployment.checkpoint() != nullptr;
    m_targets->setVisible(single);
    m_targets->show(target, planned, m_deployment.outlook());
    if (planned != nullptr || m_deployment.checkpoint() == nullptr) {
        m_shownAdapter->show(planned != nullptr ? planned->adapter : std::nullopt, choices);
    }
    m_continue->show(planned, choices, m_deployment.offers());
    m_more->showPlan(planned, m_deployment.outlook());
    m_bar->setChoices(choices);
    m_adapters->show(choices, m_deployment.adapters());
    m_more->setChoices(choices, m_scaled, m_deployment.roles());
    const bool hasChoices = MoreOptions::hasChoices(choices);
    if (hasChoices) {
        if (m_more->isHidden() && !m_hadChoices) {
            m_bar->setMoreShown(true); // the options chosen there must be visible once
            m_moreOpened = true;
        }
    } else if (m_moreOpened && !m_more->isAncestorOf(QApplication::focusWidget())) {
        m_bar->setMoreShown(false);
        m_moreOpened = false;
    }
    m_hadChoices = hasChoices;
    const FormatInfo* format = findFormat(choices.request.to);
    const bool continues = kindOf(choices) == JobKind::Convert;
    const bool reshards = !continues && (kindOf(choices) == JobKind::Reshard ||
                                         (format != nullptr && format->writes.cutsTensors));
    const bool averaged = averages(choices);
    const QString subject = m_deployment.subject();
    m_options->setTitle(averaged            ? tr("Average %Ln Checkpoints", nullptr,
                                                 static_cast<int>(choices.request.sources.size()))
                        : reshards          ? tr("Reshard")
                        : continues         ? tr("Output")
                        : subject.isEmpty() ? tr("Consolidate for Deployment")
                                            : tr("Deploy %1").arg(subject),
                        !averaged && !reshards && !continues && !subject.isEmpty());
    m_blocked = m_deployment.isPlanning() ? m_blocked : m_deployment.isBlocked();
    const bool isFaulty = m_deployment.values().fault() != nullptr;
    m_start->setText(m_blocked      ? tr("Check Failed")
                     : averaged     ? tr("Average")
                     : reshards     ? tr("Reshard")
                     : continues    ? tr("Write Training State")
                     : isFaulty     ? tr("Deploy Anyway")
                     : wasWritten() ? tr("Deploy Again")
                                    : tr("Deploy"));
    m_start->updateGeometry();
}

/// A job found numbers that are not published without being told to.
void ConsolidatePage::noteBadValues(JobId id) {
    const auto record = m_deployment.jobController().record(id);
    const auto job = std::ranges::find(m_watcher.jobs(), id, &JobSnapshot::id);
    const bool isBad = job != m_watcher.jobs().end() && job->state == JobState::Failed &&
                       job->error && job->error->code == ErrorCode::NonFinite;
    if (isBad && record && m_deployment.checkpoint() &&
        record->shown == m_deployment.checkpoint()->path()) {
        m_deployment.values().setFound(*job->error);
    }
}

/// A job of this window has already written an output of the shown checkpoint.
bool ConsolidatePage::wasWritten() const {
    const Deployment::Planned* planned = m_deployment.planned();
    const bool isShown = planned != nullptr && m_deployment.checkpoint() != nullptr;
    return isShown && std::ranges::any_of(m_watcher.jobs(), [&](const JobSnapshot& job) {
               const auto record = m_deployment.jobController().record(job.id);
               return record && record->report && job.state == JobState::Done &&
                      record->shown == m_deployment.checkpoint()->path();
           });
}

/// The same plan cannot be started again while its output is being written.
void ConsolidatePage::showStart() {
    const bool taken = m_deployment.isTaken();
    m_start->setEnabled(m_deployment.isRunnable() && !taken);
    const bool blocked = m_deployment.isBlocked();
    text::setToolTip(m_start, taken || blocked ? m_deployment.forecastTip() : QString());
    text::setDescription(m_start, blocked ? m_deployment.forecastTip() : QString());
}

Card* ConsolidatePage::averageCard() {
    const JobChoices& choices = m_deployment.choices();
    const std::string weights = textOf(choices, "weights");
    auto* card =
        new Card(weights.empty() ? tr("Average with equal weights")
                                 : tr("Average with weights %1").arg(text::fromCore(weights)));
    for (const Location& member : choices.request.sources) {
        auto* label = new TextLabel(text::fromPath(member.path()));
        label->setElideMiddle(true);
        card->content()->addWidget(label);
    }
    auto* single = new Button(tr("Use Only the Current Checkpoint"));
    connect(single, &QPushButton::clicked, this, [this] {
        m_deployment.change([](JobChoices& changed) {
            changed.request.sources.clear(); // the shown one is always there
            changed.typed.erase("weights");
        });
    });
    card->content()->addWidget(single, 0, Qt::AlignLeft);
    return card;
}

void ConsolidatePage::refresh() {
    const Deployment::Planned* planned = m_deployment.planned();
    showChoices();
    if (planned == nullptr && m_deployment.isPlanning()) {
        m_start->setEnabled(false); // the old cards stay until the new plan is made: no flicker
        return;
    }
    empty(*m_problem);
    empty(*m_plan);
    if (m_jobsOf != m_deployment.checkpoint()) {
        m_jobsOf = m_deployment.checkpoint();
        refreshJobs();
    }
    const bool chosen = planned != nullptr || m_deployment.planError();
    m_bar->setEnabled(chosen);
    m_more->setEnabled(chosen);
    m_adapters->setEnabled(chosen);
    showStart();
    if (averages(m_deployment.choices())) {
        m_plan->addWidget(averageCard());
    }
    if (planned == nullptr) {
        m_continue->clearPlan();
        m_written->clear();
        if (const auto& error = m_deployment.planError()) {
            showProblem(text::describe(*error), error->code, {});
        }
        return;
    }
    if (const auto blocking = blockingOf(planned->plan)) {
        showProblem(blocking->words, blocking->code, planned->plan.source->path());
    }
    addChecks(*planned);
    m_plan->addWidget(forecastCard(*planned));
    m_written->show(*planned, m_deployment.shortCommand(), m_deployment.command());
    showServe();
    const bool checking = m_deployment.values().isChecking();
    checking ? m_checking.start() : m_checking.stop();
}

void ConsolidatePage::showProblem(const text::ErrorWords& words, ErrorCode code,
                                  const std::filesystem::path& source) {
    auto* strip = new ProblemStrip(words, code, source);
    connect(strip, &ProblemStrip::castRequested, this, [this] {
        m_deployment.change([](JobChoices& choices) { choices.request.dtype = "fp32"; });
    });
    connect(strip, &ProblemStrip::outputRequested, this, &ConsolidatePage::outputRequested);
    connect(strip, &ProblemStrip::shardsRequested, this, &ConsolidatePage::shardsRequested);
    connect(strip, &ProblemStrip::openFolderRequested, this, &ConsolidatePage::openFolderRequested);
    connect(strip, &ProblemStrip::locateRequested, this, &ConsolidatePage::locateRequested);
    connect(strip, &ProblemStrip::refreshRequested, this, &ConsolidatePage::refreshRequested);
    m_problem->addWidget(strip);
}

void ConsolidatePage::addChecks(const Deployment::Planned& planned) {
    auto* checks = new ChecksCard(planned, m_deployment.values(), m_allChecks);
    checks->setObjectName(kChecksName);
    connect(checks, &ChecksCard::unfoldedChanged, this, [this](bool unfolded) {
        m_allChecks = unfolded;
        refresh();
        if (auto* again = findChild<ChecksCard*>(kChecksName)) {
            const QString text =
                unfolded ? ChecksCard::tr("Show Fewer") : ChecksCard::tr("Show All");
            for (Button* each : again->findChildren<Button*>()) { // the same one, made anew
                if (each->text() == text) {
                    each->setFocus(Qt::OtherFocusReason);
                }
            }
        }
    });
    connect(checks, &ChecksCard::checkRequested, &m_deployment.values(), &ValueCheck::check);
    connect(checks, &ChecksCard::stopRequested, &m_deployment.values(), &ValueCheck::stop);
    connect(checks, &ChecksCard::filesRequested, m_more, &MoreOptions::pickLike);
    m_plan->addWidget(checks);
}

/// How to use the newest output of the shown checkpoint, of those that are for the plan's purpose:
/// to serve, or to continue a training.
void ConsolidatePage::showServe() {
    std::vector<ServeCommand> commands;
    const Deployment::Planned* planned = m_deployment.planned();
    const bool continues = planned != nullptr && !planned->request.trainer.empty();
    for (const JobSnapshot& job : m_watcher.jobs()) {
        const auto record = m_deployment.jobController().record(job.id);
        if (record && record->report && job.state == JobState::Done && record->loads &&
            m_deployment.checkpoint() != nullptr &&
            record->shown == m_deployment.checkpoint()->path() &&
            (record->request && !record->request->trainer.empty()) == continues) {
            commands = record->commands;
        }
    }
    if (continues && commands.empty()) { // of the planned output
        commands = serveCommands(planned->request, planned->plan.layout.folder, false);
    }
    m_written->showServe(commands, continues ? tr("Resume There") : tr("Serve It"));
}

void ConsolidatePage::refreshJobs() {
    m_jobs->refresh();
    showStart();
    showServe();
}

/// A card in sight stays there when it or those before it grow: a job that starts to run has more
/// rows.
void ConsolidatePage::keepInSight(QWidget* card, const QRect& before) {
    const QRect old(m_jobs->mapTo(m_scroll->viewport(), before.topLeft()), before.size());
    if (m_scroll->viewport()->rect().contains(old)) {
        QTimer::singleShot(0, card, [this, card] { bringIntoSight(card); });
    }
}

void ConsolidatePage::bringIntoSight(QWidget* card) {
    m_scroll->widget()->layout()->activate(); // new cards have their places
    if (card != nullptr) {
        m_scroll->ensureWidgetVisible(card, 0, 2 * theme::kGrid);
    }
}

void ConsolidatePage::scrollToJobs(JobId id) {
    m_jobs->setWanted(id);
    QTimer::singleShot(0, this, [this, id] {
        QWidget* card = m_jobs->cardOf(id);
        bringIntoSight(card);
        if (card == nullptr) {
            m_scroll->verticalScrollBar()->setValue(0);
        }
    });
}

void ConsolidatePage::focusJob() {
    QTimer::singleShot(0, this, [this] { m_jobs->focusNewest(); });
}

void ConsolidatePage::scrollToProblem() {
    QTimer::singleShot(0, this, [this] {
        const QLayoutItem* problem = m_problem->itemAt(0);
        const QLayoutItem* first = problem != nullptr ? problem : m_plan->itemAt(0);
        bringIntoSight(first != nullptr ? first->widget() : nullptr);
    });
}

} // namespace cairn::ui
