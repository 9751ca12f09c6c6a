// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/diff/diff_model.h"
#include "ui/widgets/card.h"

#include <QJsonObject>

#include <map>
#include <optional>

class QStackedWidget;

namespace cairn::ui {

class DifferenceMap;
class NoticePane;
class PlainValuesModel;
class RowView;

/// The module tree of both checkpoints side by side, or the plain values that differ, or the reason
/// why there is nothing to list.
class DiffTables : public Card {
    Q_OBJECT

public:
    enum Table : int { Tensors, Values };

    explicit DiffTables(QWidget* parent = nullptr);

    void clear();
    void showPlainValues(const DiffDocumentPtr& document);
    /// Keeps the current row if it is still listed. `filter`: the filter of these rows.
    void showRows(DiffRowsPtr rows, const QString& filter);
    void choose(Table table);
    /// "model.layers.3", or as much of it as is listed.
    void goTo(const QString& name);
    void goToDifference(bool forward);
    bool copyRows();
    /// Widths of columns that the user chose, by number.
    QJsonObject chosenWidths() const;
    void chooseWidths(const QJsonObject& widths);
    RowView* tree() const { return m_tree; }
    DifferenceMap* map() const { return m_map; }
    const DiffModel& model() const { return *m_model; }

Q_SIGNALS:
    /// A tensor that both sides have became current, or none.
    void pairSelected(std::optional<std::size_t> pair);
    /// The tensors are to be listed in this order.
    void sortRequested(const RowSort& sort);
    void clearFilterRequested();
    void widthsChosen();

private:
    void arrangeColumns();
    void sortValues(RowSort sort);
    void goToNode(std::uint32_t node);
    void fitSides();
    void fit(int column, int width); ///< unless the user chose another width
    void expandToFit();

    DiffModel* m_model;
    PlainValuesModel* m_plain;
    QStackedWidget* m_stack;
    QWidget* m_tensors; ///< the tree, and the map beside it
    RowView* m_tree;
    DifferenceMap* m_map;
    RowView* m_values;
    NoticePane* m_nothing;
    AsyncRunner m_sorting; ///< of the plain values
    RowSort m_valuesSort;
    QString m_noTensors;     ///< why the tree is empty
    bool m_canClear = false; ///< the filter is the reason
    QString m_noValues;
    Table m_table = Tensors;
    std::map<int, int> m_widths; ///< chosen by the user
    bool m_fitting = false;
};

} // namespace cairn::ui
