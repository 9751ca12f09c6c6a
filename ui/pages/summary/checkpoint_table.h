// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <filesystem>
#include <vector>

namespace cairn::ui {

/// A run's checkpoints as rows, the newest first; links are omitted. GUI thread only.
class CheckpointTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Step, Epoch, Score, Size, State, Saved, kColumns };
    static constexpr int kSortRole = Qt::UserRole + 100; ///< number, or text; invalid: no value

    using QAbstractTableModel::QAbstractTableModel;

    void show(const ScannedRun& run);
    const std::filesystem::path& pathAt(int row) const;
    int rowOf(const std::filesystem::path& checkpoint) const; ///< -1: not listed
    /// A column with no value in any row is not shown.
    bool isEmptyColumn(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex&) const override { return kColumns; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QString cell(const ScannedCheckpoint& checkpoint, int column) const;
    QVariant sortKey(const ScannedCheckpoint& checkpoint, int column) const;

    QString toolTip(const ScannedCheckpoint& checkpoint, int column) const;

    ScannedRun m_run;
    std::vector<const ScannedCheckpoint*> m_rows; ///< of m_run
    QString m_metric;                             ///< of Score
    QString m_bestText;                           ///< see words::badges()
};

/// Sorts rows by kSortRole, stable, rows without a value last in both directions. For tables of at
/// most some thousand rows.
class SortedRows : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit SortedRows(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace cairn::ui
