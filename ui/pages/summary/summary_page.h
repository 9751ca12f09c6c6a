// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/code_scan.h"
#include "ui/bridge/async_runner.h"
#include "ui/navigator/run_place.h"
#include "ui/pages/page.h"
#include "ui/pages/summary/checkpoint_tools.h"
#include "ui/pages/summary/summary_facts.h"

#include <QPointer>

#include <optional>
#include <vector>

class QBoxLayout;
class QGridLayout;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace cairn::ui {

class AbilitiesPane;
class HistoryFollower;
class LossCard;
class MemoryPane;
class RunSummary;
class TextLabel;
class ToolCards;

/// The summary of a checkpoint: its position in training, completeness, distribution of bytes, and
/// contents. Empty cards are not shown. A run has a summary, too (RunSummary).
class SummaryPage : public Page {
    Q_OBJECT

public:
    /// The follower, if any, provides the run's loss; it outlives the page.
    explicit SummaryPage(HistoryFollower* follower = nullptr, QWidget* parent = nullptr);
    ~SummaryPage() override;

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    bool copySelection(CopyAs what) override;
    /// Whose loss is drawn, and which of its checkpoints is shown.
    void showRun(const RunPlace& place, const std::filesystem::path& selected);
    /// The run itself is shown, until the next showCheckpoint().
    void showRun(const RunPlace& place);
    RunSummary* run() const { return m_run; }
    /// Runs a tool on the shown checkpoint; its card is at the top. REQUIRES: one is shown.
    void runTool(CheckpointTool tool, const std::filesystem::path& other = {});
    ToolCards* tools() const { return m_tools; }
    MemoryPane* memory() const { return m_memory; }
    AbilitiesPane* abilities() const { return m_abilities; }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void historyRequested();
    void shardsRequested();
    void deployRequested();
    void continueRequested(); ///< training, elsewhere
    void metadataRequested();
    void toolFinished();
    /// Of a file whose edit was interrupted.
    void recoveryRequested(const std::filesystem::path& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void show(const SummaryFacts& facts);
    /// Rows whose items stack vertically in a narrow page.
    QBoxLayout* foldingRow(int spacing);
    void fold();
    QWidget* headlineCard(const SummaryFacts& facts);
    QWidget* shards(const SummaryFacts& facts);
    QWidget* healthFigure();
    QWidget* attentionCard();
    std::optional<Notice> pickleNotice() const;
    const ScannedCheckpoint* listedCheckpoint() const;
    void refreshHeadline();
    void refreshAttention();
    QWidget* values(const SummaryFacts& facts);
    void emptyOut();
    void refreshLoss();
    void refreshPickles();

    CheckpointPtr m_checkpoint;
    AsyncRunner m_runner;
    AsyncRunner m_pickleRunner{AsyncRunner::Pool::Long}; ///< scans the pickles
    std::optional<formats::CodeScan> m_scan;
    std::optional<SummaryFacts> m_facts;
    QPointer<QWidget> m_headlineCard;
    QPointer<QWidget> m_attention;
    QPointer<TextLabel> m_pickles; ///< next to the state; hidden while it is empty
    QWidget* m_body;
    QVBoxLayout* m_cards;
    HistoryFollower* m_follower;
    std::vector<QPointer<QBoxLayout>> m_folding;
    QPointer<QBoxLayout> m_headline;           ///< the figures and the origin of the checkpoint
    std::vector<QPointer<TextLabel>> m_origin; ///< at the right edge, of a narrow page at the left
    ToolCards* m_tools;                        ///< stay like m_loss
    LossCard* m_loss;                          ///< stays while the other cards come and go
    AbilitiesPane* m_abilities;                ///< likewise
    MemoryPane* m_memory;                      ///< likewise
    QStackedWidget* m_stack;                   ///< the checkpoint's cards, or the run's
    QScrollArea* m_scroll;                     ///< of the checkpoint's cards
    RunSummary* m_run;
    RunPlace m_place;
    std::filesystem::path m_selected;
};

} // namespace cairn::ui
