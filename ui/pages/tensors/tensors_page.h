// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/models/tensor_model.h"
#include "ui/pages/kept_state.h"
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
/// while typing. Slow work is done by workers; the view gets finished arrangements. Mode and
/// columns survive a restart.
class TensorsPage : public Page, public KeepsState {
    Q_OBJECT

public:
    explicit TensorsPage(QWidget* parent = nullptr);
    ~TensorsPage() override;

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QWidget* filterTarget() override;
    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) override;

    bool copySelection(CopyAs what) override;
    QJsonObject keptState() const override;
    void restoreState(const QJsonObject& state) override;

public Q_SLOTS:
    void copyNames();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

Q_SIGNALS:
    /// Several rows are selected: these tensors, each once.
    void tensorsSelected(const cairn::CheckpointPtr& checkpoint,
                         const std::vector<cairn::TensorIndex>& tensors);
    /// A group of tensors was selected: its full name and contents.
    void groupSelected(const cairn::CheckpointPtr& checkpoint, const QString& name, quint64 tensors,
                       quint64 bytes);
    /// What is wrong with the typed filter, while the rows of the last valid one stay; empty:
    /// nothing.
    void filterProblem(const QString& problem);
    void clearFilterRequested();
    /// The list shows the latest request; for tests.
    void settled();

private:
    void buildBar();
    void buildView();
    void setTree(bool tree);
    void sortBy(int column, Qt::SortOrder order);
    void rearrange();
    void arrange(const ArrangementRequest& request);
    void publish(TensorArrangementPtr arrangement);
    void showProblem(const QString& problem);
    void restoreExpansion();
    void restoreCurrent();
    void updateCounts();
    void showEmptyNotice();
    bool copyPython();
    void announce(const QModelIndex& current);
    void announceSeveral();
    void showContextMenu(const QPoint& at);

    CheckpointPtr m_checkpoint;
    TensorTablePtr m_table;
    ArrangementRequest m_request;
    TensorArrangementPtr m_whole; ///< the last one without a filter, shown when it is cleared
    QString m_problem;
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
