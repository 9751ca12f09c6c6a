// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/page.h"
#include "ui/pages/shards/shard_index.h"

class QLabel;
class QStackedLayout;

namespace cairn::ui {

class Card;
class FlowLayout;
class NoticePane;
class PieceGrid;
class ShardMap;
class TextLabel;

/// The placement map: every file with the boxes in it, and the pieces of the selected tensor with
/// their files. Files are mapped when the page is first shown for a checkpoint.
class ShardsPage : public Page {
    Q_OBJECT

public:
    explicit ShardsPage(QWidget* parent = nullptr);

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) override;
    bool copySelection(CopyAs what) override;

protected:
    void showEvent(QShowEvent* event) override;

Q_SIGNALS:
    void settled(); ///< the map, or the pieces of a newly selected tensor, are shown; for tests

private:
    void map();
    void showIndex(ShardIndexPtr index);
    void updateTotals();
    void reveal(TensorIndex tensor);
    void showPieces(TensorIndex tensor);
    void describePieces(const TensorEntry& tensor, const PieceLayout& layout);

    CheckpointPtr m_checkpoint;
    ShardIndexPtr m_index;
    std::optional<TensorIndex> m_tensor;
    AsyncRunner m_indexing;
    AsyncRunner m_layout;
    AsyncRunner m_snippet;

    QStackedLayout* m_stack;
    NoticePane* m_notice;
    TextLabel* m_totals;
    QWidget* m_legend;
    TextLabel* m_hint;
    FlowLayout* m_head = nullptr;
    ShardMap* m_map;
    Card* m_tensorCard;
    TextLabel* m_name;
    TextLabel* m_path;
    TextLabel* m_facts;
    TextLabel* m_problem;
    PieceGrid* m_grid;
    QLabel* m_files;
    TextLabel* m_flattened;
};

} // namespace cairn::ui
