// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/navigator/run_place.h"
#include "ui/pages/history/history_follower.h"

#include <QWidget>

#include <filesystem>

class QVBoxLayout;

namespace cairn::ui {

class Card;
class CheckpointTable;
class LossCard;
class RowView;
class SortedRows;

/// What is known of a run: how far it is, its best checkpoint, its loss, and all its checkpoints.
/// Shows what the listing found; reads no file. GUI thread only.
class RunSummary : public QWidget {
    Q_OBJECT

public:
    explicit RunSummary(QWidget* parent = nullptr);

    /// The same run again keeps selection and order of the table.
    void show(const RunPlace& place);
    void showHistory(const HistoryPtr& history); ///< null: not read yet, or none
    RowView* table() const { return m_table; }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void historyRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillHead(const ScannedRun& run);
    void fitTable();

    RunPlace m_place;
    QVBoxLayout* m_head; ///< of the first card
    LossCard* m_loss;
    Card* m_tableCard;
    RowView* m_table;
    CheckpointTable* m_rows;
    SortedRows* m_sorted;
};

} // namespace cairn::ui
