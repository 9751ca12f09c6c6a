// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/diff/diff_model.h"
#include "ui/pages/kept_state.h"
#include "ui/pages/page.h"

#include <filesystem>
#include <optional>
#include <vector>

class QLineEdit;
class QStackedLayout;
class QVBoxLayout;

namespace cairn::ui {

class Card;
class DiffTables;
class DeviceButton;
class EqualityButton;
class FoldAnswer;
class LayerStrip;
class NoticePane;
class PairDetails;
class PartnerChooser;
class ReadingBar;
class RoleSwitches;
class RowView;
class Segments;
class TextLabel;

/// The shown checkpoint compared with a second one of any format: structure at once; values too if
/// that reads little, otherwise on request, with progress and a stop button. The answer comes
/// first, in one sentence. Of two checkpoints of a run, A is the earlier one; otherwise the shown
/// one is. Offers the run's other checkpoints for comparison. Workers do all reading.
class DiffPage : public Page, public KeepsState {
    Q_OBJECT

public:
    explicit DiffPage(QWidget* parent = nullptr);

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QWidget* filterTarget() override;
    QWidget* sidePanel() override { return m_side; }
    bool copySelection(CopyAs what) override;
    QJsonObject keptState() const override;
    void restoreState(const QJsonObject& state) override;

    /// The run of the shown checkpoint, as far as it is known; its other checkpoints are offered.
    void showRun(const ScannedRun& run);
    /// With the checkpoint at `path`, which is opened first.
    void compareWith(const std::filesystem::path& path);
    /// A and B in this order, of which one is shown, or A is going to be: then B waits for it. A
    /// folder of several checkpoints stands for that which is shown of it.
    void compare(const std::filesystem::path& left, const std::filesystem::path& right);
    void goToDifference(bool forward);
    const DiffDocumentPtr& document() const { return m_document; }
    RowView* view() const; ///< of the module tree
    FoldAnswer* foldAnswer() const { return m_fold; }
    /// "38 weights changed, most in layers.0"; empty while nothing is compared.
    QString answer() const;

    /// Up to this size both sides are read automatically.
    static constexpr std::uint64_t kAutoReadLimit = std::uint64_t{1} << 30U;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

Q_SIGNALS:
    /// What is wrong with the typed filter, while the rows of the last valid one stay; empty:
    /// nothing.
    void filterProblem(const QString& problem);
    void clearFilterRequested();
    /// The table shows the latest request; for tests.
    void settled();

private:
    void buildBar(QVBoxLayout& layout);
    void begin();
    void applyRules();
    void open(bool isPartnerLeft);
    bool isPartnerEarlier() const;
    void showRoles(const std::vector<Role>& shown);
    void showNeighbours();
    void fail(const QString& headline, const Error& error);
    void publish(DiffDocumentPtr document);
    void compareValues();
    void setEquality(const Equality& equality);
    void goToTensor(const QString& name);
    void rearrange();
    void arrange(const QString& filter);
    void showProblem(const QString& problem);
    void chooseTable(int index);
    void announce(std::optional<std::size_t> pair);
    QString summary() const;
    void showAnswer(const DiffRows& rows);

    ScannedRun m_run;
    CheckpointPtr m_shown;
    CheckpointPtr m_left; ///< of the document
    CheckpointPtr m_right;
    NameRules m_rules;
    std::filesystem::path m_partner;     ///< the other one, as requested
    std::optional<bool> m_partnerIsLeft; ///< as requested; empty: the earlier one is
    bool m_isPartnerLeft = false;        ///< of the latest request
    std::vector<Role> m_roles;           ///< chosen by the user; empty: those at first
    /// The sides of compare(), until the next checkpoint is shown.
    std::pair<std::filesystem::path, std::filesystem::path> m_requested;
    bool m_waiting = false; ///< nothing is read for a hidden page
    DiffDocumentPtr m_document;
    DiffRows::Request m_request;
    QString m_validFilter; ///< the last one that could be read
    QString m_problem;     ///< of the typed one
    AsyncRunner m_opening;
    AsyncRunner m_values{AsyncRunner::Pool::Long};
    AsyncRunner m_arranging;

    QStackedLayout* m_stack;
    PartnerChooser* m_chooser;
    NoticePane* m_notice;
    QWidget* m_result;
    TextLabel* m_leftName;
    TextLabel* m_rightName;
    TextLabel* m_answer; ///< the result in a sentence
    TextLabel* m_counts;
    QLineEdit* m_rulesField; ///< shown if both sides have tensors that the other lacks
    Segments* m_which;
    EqualityButton* m_equality;
    RoleSwitches* m_switches;
    DeviceButton* m_device; ///< shown where there is a choice
    Segments* m_table;
    ReadingBar* m_reading;
    FoldAnswer* m_fold;
    Card* m_layersCard;
    LayerStrip* m_layers;
    DiffTables* m_tables;
    QWidget* m_side;
    PairDetails* m_details;
};

} // namespace cairn::ui
