// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/page.h"
#include "ui/text/error_text.h"

#include <filesystem>
#include <map>

class QScrollArea;
class QVBoxLayout;

namespace cairn::ui {

class Button;
class Card;
class JobsWatcher;
class JobView;
class MessageStrip;
class MoreOptions;
class RecipeBar;
class TextLabel;
class WrittenPanel;

/// The planned output, its cost, whether it can be loaded, and the button; below it the jobs.
class ConsolidatePage : public Page {
    Q_OBJECT

public:
    ConsolidatePage(Deployment& deployment, JobsWatcher& watcher, QWidget* parent = nullptr);

    QString title() const override;
    bool shows(Subject) const override { return true; } ///< the jobs
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    QWidget* sidePanel() override;
    void scrollToJobs();
    Button* startButton() const { return m_start; }

Q_SIGNALS:
    void startRequested();
    void outputRequested();
    void openFolderRequested(const std::filesystem::path& path);
    void shardsRequested(const std::filesystem::path& checkpoint);
    void copied(const QString& what);
    void refreshRequested(); ///< re-read from disk

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    void refreshJobs();
    void arrangeJobs(const std::vector<JobSnapshot>& jobs);
    JobView* addJob(JobId id);
    void showChoices();
    Card* averageCard();
    void emptyPlan();
    void addProblem(const text::ErrorWords& words, ErrorCode code,
                    const std::filesystem::path& source);

    Deployment& m_deployment;
    JobsWatcher& m_watcher;
    TextLabel* m_headline;
    RecipeBar* m_recipe;
    MoreOptions* m_more;
    Button* m_start;
    QScrollArea* m_scroll;
    QVBoxLayout* m_plan;
    TextLabel* m_jobsHead;
    QVBoxLayout* m_jobs;
    WrittenPanel* m_written;
    std::map<JobId, JobView*> m_views;
    Recipe::Target m_found = Recipe::Target::Safetensors; ///< the last target chosen for Auto
    bool m_scaled = false;
    bool m_hadChoices = false;
    bool m_moreOpened = false; ///< opened automatically, for the choices in it
};

} // namespace cairn::ui
