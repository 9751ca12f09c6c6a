// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/consolidate_page.h"

#include "ui/pages/consolidate/job_view.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/pages/consolidate/plan_cards.h"
#include "ui/pages/consolidate/recipe_bar.h"
#include "ui/text/error_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/message_strip.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {

ConsolidatePage::ConsolidatePage(Deployment& deployment, JobsWatcher& watcher, QWidget* parent)
    : Page(parent), m_deployment(deployment), m_watcher(watcher), m_recipe(new RecipeBar),
      m_start(new Button(tr("Consolidate"))), m_scroll(new QScrollArea), m_plan(new QVBoxLayout),
      m_jobsHead(captionLabel(tr("Jobs"))), m_jobs(new QVBoxLayout),
      m_written(new WrittenPanel(this)) {
    m_written->hide();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    outer->addWidget(m_scroll);
    auto* body = new QWidget;
    m_scroll->setWidget(body);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    layout->setSpacing(2 * theme::kGrid - 2);
    auto* headline = new TextLabel(tr("Consolidate for Deployment"));
    headline->setFont(theme::headline(headline->font()));
    layout->addWidget(headline);
    auto* choices = new QHBoxLayout;
    choices->addWidget(m_recipe);
    choices->addStretch(1);
    m_start->setPrimary(true);
    choices->addWidget(m_start);
    layout->addLayout(choices);
    m_plan->setSpacing(layout->spacing());
    layout->addLayout(m_plan);
    layout->addWidget(m_jobsHead);
    m_jobs->setSpacing(theme::kGrid + 4);
    layout->addLayout(m_jobs);
    layout->addStretch(1);

    connect(m_start, &QPushButton::clicked, this, &ConsolidatePage::startRequested);
    connect(m_recipe, &RecipeBar::recipeChosen, &m_deployment, &Deployment::setRecipe);
    connect(m_recipe, &RecipeBar::outputRequested, this, &ConsolidatePage::outputRequested);
    connect(m_written, &WrittenPanel::copyRequested, this, [this] {
        QGuiApplication::clipboard()->setText(m_deployment.command());
        Q_EMIT copied(tr("The command is in the clipboard"));
    });
    connect(&m_deployment, &Deployment::changed, this, &ConsolidatePage::refresh);
    connect(&m_watcher, &JobsWatcher::updated, this, &ConsolidatePage::refreshJobs);
    refresh();
    refreshJobs();
}

QString ConsolidatePage::title() const {
    return tr("Consolidate");
}

void ConsolidatePage::showCheckpoint(const CheckpointPtr&) {
    refresh();
}

void ConsolidatePage::clear() {
    refresh();
}

QWidget* ConsolidatePage::sidePanel() {
    return m_written;
}

void ConsolidatePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_watcher.setWatched(true);
}

void ConsolidatePage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_watcher.setWatched(false);
}

void ConsolidatePage::emptyPlan() {
    while (QLayoutItem* item = m_plan->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

void ConsolidatePage::refresh() {
    const Deployment::Planned* planned = m_deployment.planned();
    if (planned == nullptr && m_deployment.isPlanning()) {
        m_start->setEnabled(false); // the old cards stay until the new plan is there: no flicker
        return;
    }
    emptyPlan();
    m_recipe->setRecipe(m_deployment.recipe(),
                        planned != nullptr ? planned->target : Recipe::Target::Safetensors);
    m_recipe->setEnabled(planned != nullptr || m_deployment.planError());
    m_start->setEnabled(m_deployment.isRunnable());
    if (planned == nullptr) {
        m_written->clear();
        if (const auto& error = m_deployment.planError()) {
            addProblem(text::describe(*error), error->code, {});
        }
        return;
    }
    const auto& problems = planned->plan.problems;
    const auto blocking = std::ranges::find(problems, Severity::Error, &PlanProblem::severity);
    if (blocking != problems.end()) {
        text::ErrorWords words = text::describe(*blocking);
        words.detail =
            (words.detail + QLatin1Char(' ') + tr("Nothing is written until then.")).trimmed();
        addProblem(words, blocking->code, planned->plan.source->path());
    }
    m_plan->addWidget(forecastCard(*planned));
    m_plan->addWidget(checklistCard(planned->plan));
    m_written->show(*planned, m_deployment.shortCommand(), m_deployment.command());
}

void ConsolidatePage::addProblem(const text::ErrorWords& words, ErrorCode code,
                                 const std::filesystem::path& source) {
    auto* strip = new MessageStrip;
    strip->setClosable(false);
    Message message{theme::Tone::Broken, words.title, words.detail, {}};
    switch (text::remedy(code)) {
    case text::Remedy::ChooseOtherFolder:
        message.actions.push_back(
            {tr("Choose Other Folder…"), [this] { Q_EMIT outputRequested(); }});
        break;
    case text::Remedy::ShowReadable:
        message.actions.push_back(
            {tr("Show the Shards"), [this, source] { Q_EMIT shardsRequested(source); }});
        [[fallthrough]];
    default:
        message.actions.push_back({tr("Look Again"), [this] { Q_EMIT refreshRequested(); }});
    }
    strip->show(std::move(message));
    m_plan->addWidget(strip);
}

void ConsolidatePage::refreshJobs() {
    const std::vector<JobSnapshot>& jobs = m_watcher.jobs();
    std::erase_if(m_views, [&](const auto& view) {
        const bool gone = std::ranges::find(jobs, view.first, &JobSnapshot::id) == jobs.end();
        if (gone) {
            view.second->hide();
            view.second->deleteLater();
        }
        return gone;
    });
    for (const JobSnapshot& job : jobs) {
        JobView*& view = m_views[job.id];
        if (view == nullptr) {
            view = new JobView(job.id, m_deployment, m_watcher);
            m_jobs->insertWidget(0, view); // the newest on top
            connect(view, &JobView::openFolderRequested, this,
                    &ConsolidatePage::openFolderRequested);
            connect(view, &JobView::shardsRequested, this, &ConsolidatePage::shardsRequested);
            connect(view, &JobView::chooseFolderRequested, this, &ConsolidatePage::outputRequested);
            connect(view, &JobView::copied, this, &ConsolidatePage::copied);
        }
        view->showJob(job);
    }
    m_jobsHead->setVisible(!m_views.empty());
}

void ConsolidatePage::scrollToJobs() {
    QTimer::singleShot(0, this, [this] {
        m_scroll->widget()->layout()->activate();
        m_scroll->ensureWidgetVisible(m_views.empty() ? static_cast<QWidget*>(m_jobsHead)
                                                      : m_views.rbegin()->second);
    });
}

} // namespace cairn::ui
