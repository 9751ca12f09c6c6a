// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/models/tensor_model.h"
#include "ui/pages/page.h"

#include <QSet>

#include <functional>

class QStackedLayout;

namespace cairn::ui {

class Button;
class NoticePane;
class RowView;
class Segments;
class TextLabel;

/// The tensors of a checkpoint as a module tree or a flat list; filtered by the toolbar's field
/// while typing. Slow work is done by workers; the view gets finished arrangements. Stores mode and
/// columns.
class TensorsPage : public Page {
    Q_OBJECT

public:
    explicit TensorsPage(QWidget* parent = nullptr);
    ~TensorsPage() override;

    QString title() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QWidget* filterTarget() override;
    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) override;

    bool copySelection(CopyAs what) override;

public Q_SLOTS:
    void copyNames();

Q_SIGNALS:
    /// A group of tensors was selected: its full name and contents.
    void groupSelected(const cairn::CheckpointPtr& checkpoint, const QString& name, quint64 tensors,
                       quint64 bytes);
    /// The list shows the latest request; for tests.
    void settled();

private:
    void buildBar();
    void buildView();
    void setTree(bool tree);
    void sortBy(int column, Qt::SortOrder order);
    void rearrange();
    void publish(TensorArrangementPtr arrangement);
    void restoreExpansion();
    void restoreCurrent();
    void showColumnsForMode();
    void updateCounts();
    void showEmptyNotice();
    bool copyPython();
    void announce(const QModelIndex& current);
    void showContextMenu(const QPoint& at);
    void remember() const;
    void recall();

    CheckpointPtr m_checkpoint;
    TensorTablePtr m_table;
    ArrangementRequest m_request;
    std::optional<TensorIndex> m_current;
    QSet<QString> m_expanded; ///< full names of open groups, for the unfiltered tree
    bool m_quiet = false;     ///< selection and expansion are being restored
    AsyncRunner m_indexing;
    AsyncRunner m_arranging;
    AsyncRunner m_snippet;

    TensorModel* m_model;
    RowView* m_view;
    NoticePane* m_notice;
    QStackedLayout* m_stack;
    Segments* m_mode;
    TextLabel* m_counts;
    Button* m_columns;
};

} // namespace cairn::ui
