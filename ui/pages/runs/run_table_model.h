// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/navigator/run_marks.h"
#include "ui/pages/runs/run_rows.h"

#include <QAbstractTableModel>

namespace cairn::ui {

/// The table of the Runs page over RunRows: one row a run or a group. The first column has the box
/// that marks it. GUI thread only.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Roles {
        SlotRole = Qt::UserRole + 100, ///< of the row's mark: int; -1: none, see RunMarks
        OutlineRole,                   ///< bool: the cell is a picture of the curve
        GoodRole,                      ///< bool: the best value of the column
    };

    explicit RunTableModel(QObject* parent = nullptr);

    void show(RunRowsPtr rows);
    void setMarks(const RunMarks& marks);
    const RunRowsPtr& rows() const { return m_rows; }
    const RunRows::Row& row(const QModelIndex& index) const;
    /// Invalid: no such row.
    QModelIndex find(const QString& key) const;
    /// The row of a run, or of its group.
    QModelIndex findRun(const std::filesystem::path& run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    /// The user checked or unchecked the box of a row.
    void markEdited(const std::vector<std::filesystem::path>& runs, bool marked);

private:
    Qt::CheckState markState(const RunRows::Row& row) const;
    int slotOf(const RunRows::Row& row) const;
    QVariant cellData(const RunRows::Row& row, const RunRows::Cell& cell, int role) const;
    QString spoken(const RunRows::Row& row, std::size_t column) const;

    RunRowsPtr m_rows;
    RunMarks m_marks;
};

} // namespace cairn::ui
