// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/page.h"
#include "ui/text/error_text.h"

#include <QTimer>

#include <filesystem>
#include <map>

class QScrollArea;
class QVBoxLayout;

namespace cairn::ui {

class AdapterRows;
class Button;
class Card;
class ChoiceBar;
class ContinueCard;
class JobsWatcher;
class JobCards;
class JobView;
class MessageStrip;
class MoreOptions;
class ShownAdapterCard;
class TargetCards;
class TextLabel;
class WrittenPanel;

/// The jobs, which stand at the top; below them the planned output, its cost, and whether it can be
/// loaded. The window's primary button is in the toolbar; the one here runs the same plan.
class ConsolidatePage : public Page {
    Q_OBJECT

public:
    ConsolidatePage(Deployment& deployment, JobsWatcher& watcher, QWidget* parent = nullptr);

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    QWidget* sidePanel() override;
    /// Makes the card of this job visible; 0: the newest's.
    void scrollToJobs(JobId id = 0);
    void focusJob(); ///< the newest one's first button
    /// Makes the reason visible why the plan cannot run.
    void scrollToProblem();
    Button* startButton() const { return m_start; }
    AdapterRows* adapters() const { return m_adapters; }
    TargetCards* targets() const { return m_targets; }
    ShownAdapterCard* shownAdapter() const { return m_shownAdapter; }
    ContinueCard* continueCard() const { return m_continue; }

Q_SIGNALS:
    void startRequested();
    void outputRequested();
    void runOnRequested(); ///< on a scheduler
    void openFolderRequested(const std::filesystem::path& path);
    void checkpointRequested(const std::filesystem::path& output);
    void compareRequested(const std::filesystem::path& source, const std::filesystem::path& output);
    void shardsRequested(const std::filesystem::path& checkpoint);
    /// A lost shard of this checkpoint is somewhere else.
    void locateRequested(const std::filesystem::path& checkpoint);
    void copied(const QString& what);
    void refreshRequested(); ///< re-read from disk

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    void buildOptions(QVBoxLayout& layout);
    void connectJob(const JobView* view);
    void refreshJobs();
    void keepInSight(QWidget* card, const QRect& before);
    void bringIntoSight(QWidget* card); ///< null: does nothing
    void showStart();
    void noteBadValues(JobId id);
    bool wasWritten() const;
    JobChoices shownChoices() const;
    void showChoices();
    Card* averageCard();
    static void empty(QVBoxLayout& layout);
    void showProblem(const text::ErrorWords& words, ErrorCode code,
                     const std::filesystem::path& source);
    void addChecks(const Deployment::Planned& planned);
    void showServe();

    Deployment& m_deployment;
    JobsWatcher& m_watcher;
    TargetCards* m_targets;
    ShownAdapterCard* m_shownAdapter;
    ContinueCard* m_continue;
    ChoiceBar* m_bar;
    AdapterRows* m_adapters;
    MoreOptions* m_more;
    Button* m_start;
    QScrollArea* m_scroll;
    Card* m_options;
    QVBoxLayout* m_problem; ///< what prevents a start
    QVBoxLayout* m_plan;
    JobCards* m_jobs;
    WrittenPanel* m_written;
    JobRequest m_found; ///< of the last plan: the form that was chosen for it
    bool m_scaled = false;
    bool m_blocked = false;   ///< by a failed check of the last plan
    bool m_allChecks = false; ///< those that passed too
    QTimer m_checking;        ///< shows how far the values are checked
    CheckpointPtr m_jobsOf;   ///< whose results are shown
    bool m_hadChoices = false;
    bool m_moreOpened = false; ///< opened automatically, for the choices in it
};

} // namespace cairn::ui
