// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/bridge/async_runner.h"
#include "ui/models/ordered_table.h"
#include "ui/models/row_sort.h"
#include "ui/pages/compare/weight_distance.h"

#include <QString>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::ui {

/// Checkpoints of two runs side by side: position in training, the checkpoint of A, that of B, the
/// distance of their weights. Naturally the latest first. GUI thread only.
class PairTable : public OrderedTable {
    Q_OBJECT

public:
    enum Column { Position, Left, Right, Distance, Columns };

    explicit PairTable(QObject* parent = nullptr);

    void show(const std::vector<CheckpointPair>& pairs, const ScannedRun& left,
              const ScannedRun& right);
    void showWeights(const WeightDistance& distance);
    /// Sorts on a worker; the rows stay as they are meanwhile.
    void setSort(const RowSort& sort);
    bool isSorting() const { return m_sorter.isRunning(); }
    /// Both checkpoints of a row; an empty path if a run has none.
    std::pair<std::filesystem::path, std::filesystem::path> paths(int row) const;
    /// Position in RunComparison::checkpoints; nothing for no row.
    std::optional<std::size_t> pair(int row) const;
    /// "step 400", or "step 400 against step 384".
    QString words(int row) const;
    int rowOf(std::size_t pair) const;
    /// The row of a checkpoint of either side; -1: none.
    int rowOf(const std::filesystem::path& checkpoint) const;
    /// The first row with both; -1: none.
    int firstComplete() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Side {
        QString text;
        QString state; ///< in full, for screen readers
        QString tip;
        QString position;
        bool broken = false;
        std::filesystem::path path;
    };
    struct Row {
        std::size_t pair = 0;
        bool exact = true;
        QString whole; ///< the full position, for the tooltip
        Side left;
        Side right;
        std::optional<double> place;    ///< step, else epoch
        bool steps = false;             ///< `place` is a step
        std::optional<double> relative; ///< the distance, as a number
        QString distance;
        QString plainDistance; ///< for copying
        QString distanceTip;
    };
    static Side side(const std::optional<std::size_t>& index, const ScannedRun& run);
    QVariant sideData(const Side& side, int role) const;
    static QString shortPosition(const Row& row);
    QVariant sortValue(const Row& row, int column) const;
    const Row& shown(int row) const { return m_rows[storedRow(row)]; }
    void sort();

    RowSort m_sort;
    AsyncRunner m_sorter;
    std::vector<Row> m_rows;
};

} // namespace cairn::ui
