// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/decided.h"
#include "core/model/value.h"
#include "ui/bridge/async_runner.h"
#include "ui/models/value_search.h"
#include "ui/models/value_sort.h"
#include "ui/pages/kept_state.h"
#include "ui/pages/page.h"

class QLabel;
class QStackedLayout;

namespace cairn::ui {

class FactsPane;
class NoticePane;
class RowView;
class TextLabel;
class ValueModel;

/// The plain values of a checkpoint (epoch, loss, args, hyper-parameters, config) as one tree that
/// can be searched; below it the chosen value in full. Values are read by a worker when the page is
/// first shown.
class MetadataPage : public Page, public KeepsState {
    Q_OBJECT

public:
    explicit MetadataPage(QWidget* parent = nullptr);

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QWidget* filterTarget() override;
    QWidget* sidePanel() override;
    bool copySelection(CopyAs what) override;
    QJsonObject keptState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    void clearFilterRequested();
    void settled(); ///< values or search results are shown, or why not; for tests

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildView();
    void read();
    struct Read {
        Value root;
        Decided<bool> saved;
    };
    void showValues(Read read);
    void search();
    void sort();
    void showMatches(const ValueMatchesPtr& matches);
    void updateKeyCount();
    void openSmallContainers();
    void announce(const QModelIndex& current);
    void showFacts(const QModelIndex& current, const QString& value);
    void showContextMenu(const QPoint& at);
    bool copyPython(const QModelIndex& index);

    CheckpointPtr m_checkpoint;
    Value m_root;
    Decided<bool> m_saved; ///< whether the values are what was saved: decideSaved()
    QString m_filter;
    bool m_isRead = false;
    bool m_quiet = false;
    AsyncRunner m_reading;
    RowSort m_sort;
    ValueMatchesPtr m_matches; ///< shown; null: everything
    ValueOrdersPtr m_orders;   ///< shown
    AsyncRunner m_searching;
    AsyncRunner m_sorting;
    AsyncRunner m_snippet;

    ValueModel* m_model;
    RowView* m_view;
    NoticePane* m_notice;
    QStackedLayout* m_stack;
    TextLabel* m_counts;
    FactsPane* m_facts; ///< the right column: the chosen value
    QWidget* m_detail;
    TextLabel* m_path;
    QLabel* m_value;
};

} // namespace cairn::ui
