// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/checkpoint_table.h"

#include "core/runs/run_counts.h"
#include "ui/models/row_roles.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QCollator>

#include <algorithm>
#include <cmath>

namespace cairn::ui {

void CheckpointTable::show(const ScannedRun& run) {
    beginResetModel();
    m_run = run;
    m_rows = newestFirst(m_run);
    std::erase_if(m_rows, [](const ScannedCheckpoint* each) { return each->isLink(); });
    m_metric = text::fromCore(run.headline ? run.scoreMetric() : run.bestMetric);
    m_bestText = run.bestValue ? text::number(*run.bestValue) : QString();
    endResetModel();
}

const std::filesystem::path& CheckpointTable::pathAt(int row) const {
    return m_rows.at(static_cast<std::size_t>(row))->path;
}

int CheckpointTable::rowOf(const std::filesystem::path& checkpoint) const {
    const auto at = std::ranges::find(m_rows, checkpoint,
                                      [](const ScannedCheckpoint* each) { return each->path; });
    return at != m_rows.end() ? static_cast<int>(at - m_rows.begin()) : -1;
}

bool CheckpointTable::isEmptyColumn(int column) const {
    return std::ranges::none_of(m_rows, [&](const ScannedCheckpoint* checkpoint) {
        return sortKey(*checkpoint, column).isValid();
    });
}

int CheckpointTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

Qt::ItemFlags CheckpointTable::flags(const QModelIndex& index) const {
    return QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
}

QVariant CheckpointTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isFigure = section >= Step && section <= Size;
        return QVariant((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::InitialSortOrderRole && section == Size) {
        return Qt::DescendingOrder;
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("checkpoint");
    case Step:
        return tr("step");
    case Epoch:
        return tr("epoch");
    case Score:
        return m_metric;
    case Size:
        return tr("size");
    case State:
        return tr("state");
    case Saved:
        return tr("saved");
    default:
        return {};
    }
}

QString CheckpointTable::cell(const ScannedCheckpoint& checkpoint, int column) const {
    switch (column) {
    case Name:
        return text::fromCore(checkpoint.name);
    case Step:
        return checkpoint.step ? text::count(static_cast<std::uint64_t>(
                                     std::max<std::int64_t>(0, *checkpoint.step)))
                               : QString();
    case Epoch:
        return checkpoint.epoch ? text::number(*checkpoint.epoch) : QString();
    case Score:
        return checkpoint.score ? text::number(*checkpoint.score) : QString();
    case Size:
        return text::bytes(checkpoint.bytes);
    case State: {
        QStringList states;
        for (const Badge& badge : words::badges(checkpoint, m_bestText)) {
            states << badge.text;
        }
        if (states.isEmpty()) {
            states << words::state(checkpoint);
        }
        return states.join(QStringLiteral(" · "));
    }
    case Saved:
        return text::moment(checkpoint.modifiedNs / 1'000'000);
    default:
        return {};
    }
}

QVariant CheckpointTable::sortKey(const ScannedCheckpoint& checkpoint, int column) const {
    switch (column) {
    case Step:
        return checkpoint.step ? QVariant(static_cast<double>(*checkpoint.step)) : QVariant();
    case Epoch:
        return checkpoint.epoch ? QVariant(*checkpoint.epoch) : QVariant();
    case Score: {
        const bool isNumber = checkpoint.score && !std::isnan(*checkpoint.score);
        return isNumber ? QVariant(*checkpoint.score) : QVariant();
    }
    case Size:
        return static_cast<double>(checkpoint.bytes);
    case Saved:
        return static_cast<double>(checkpoint.modifiedNs);
    default: {
        const QString shown = cell(checkpoint, column);
        return shown.isEmpty() ? QVariant() : QVariant(shown);
    }
    }
}

QVariant CheckpointTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const ScannedCheckpoint& checkpoint = *m_rows.at(static_cast<std::size_t>(index.row()));
    switch (role) {
    case Qt::DisplayRole:
        return cell(checkpoint, index.column());
    case kSortRole:
        return sortKey(checkpoint, index.column());
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ToolTipRole:
        if (const QString tip = toolTip(checkpoint, index.column()); !tip.isEmpty()) {
            return text::toolTip(tip);
        }
        return {};
    case RowRoles::FullName:
        return text::fromCore(checkpoint.name);
    case RowRoles::Warning:
        return index.column() == State && (checkpoint.state == CheckpointState::Incomplete ||
                                           checkpoint.state == CheckpointState::Damaged);
    case RowRoles::Dim:
        return index.column() == Saved;
    default:
        return {};
    }
}

QString CheckpointTable::toolTip(const ScannedCheckpoint& checkpoint, int column) const {
    switch (column) {
    case Name:
        return text::fromPath(checkpoint.path);
    case Step:
    case Epoch:
        return words::stepDecision(m_run, checkpoint);
    case Score:
        return words::valueDecision(m_run, checkpoint);
    case State: {
        QStringList lines{text::coreText(explainState(checkpoint).answer),
                          words::explanation(explainExport(checkpoint)),
                          words::bestDecision(m_run, checkpoint)};
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    default:
        return {};
    }
}

SortedRows::SortedRows(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(CheckpointTable::kSortRole);
    setDynamicSortFilter(true);
}

bool SortedRows::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    if (!a.isValid() || !b.isValid()) {
        const bool ascending = sortOrder() == Qt::AscendingOrder;
        return ascending ? a.isValid() && !b.isValid() : !a.isValid() && b.isValid();
    }
    if (a.typeId() == QMetaType::Double && b.typeId() == QMetaType::Double) {
        return a.toDouble() < b.toDouble();
    }
    static const QCollator natural = [] {
        QCollator collator;
        collator.setNumericMode(true);
        return collator;
    }();
    return natural.compare(a.toString(), b.toString()) < 0;
}

} // namespace cairn::ui
