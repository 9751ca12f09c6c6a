// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/pair_table.h"

#include "ui/models/row_roles.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/text/program_numbers.h"
#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

const QString kNoFigure = QStringLiteral("—");

} // namespace

PairTable::PairTable(QObject* parent) : OrderedTable(parent) {}

/// "400": the unit is in the column's header.
QString PairTable::shortPosition(const Row& row) {
    const QString number = !row.place  ? kNoFigure
                           : row.steps ? text::count(static_cast<std::uint64_t>(*row.place))
                                       : text::number(*row.place);
    return row.exact ? number : QStringLiteral("≈ ") + number;
}

PairTable::Side PairTable::side(const std::optional<std::size_t>& index, const ScannedRun& run) {
    if (!index || *index >= run.checkpoints.size()) {
        return {kNoFigure, tr("no checkpoint"), {}, {}, false, {}};
    }
    const ScannedCheckpoint& checkpoint = run.checkpoints[*index];
    const Badge badge = words::badge(checkpoint);
    const QString state = words::state(checkpoint);
    QStringList tip{text::fromCore(checkpoint.name),
                    words::position(checkpoint.step, checkpoint.epoch), state,
                    text::bytes(checkpoint.bytes)};
    tip.removeAll(QString());
    const bool isIncomplete = checkpoint.state == CheckpointState::Incomplete;
    const bool isPlain = checkpoint.state == CheckpointState::Complete;
    return {isIncomplete            ? words::completeness(Completeness::Incomplete)
            : !badge.text.isEmpty() ? badge.text
            : isPlain               ? QStringLiteral("✓")
                                    : state,
            badge.text.isEmpty() ? state : badge.text,
            tip.join(QStringLiteral(" · ")) + QLatin1Char('\n') + words::decisions(run, checkpoint),
            words::position(checkpoint.step, checkpoint.epoch),
            badge.tone == theme::Tone::Broken,
            checkpoint.path};
}

void PairTable::show(const std::vector<CheckpointPair>& pairs, const ScannedRun& left,
                     const ScannedRun& right) {
    beginResetModel();
    forgetOrder();
    m_rows.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const CheckpointPair& pair = pairs[i];
        Row row;
        row.pair = i;
        row.exact = pair.exact;
        row.steps = pair.step.has_value();
        row.place = pair.step
                        ? std::optional(static_cast<double>(std::max<std::int64_t>(0, *pair.step)))
                        : pair.epoch;
        row.left = side(pair.left, left);
        row.right = side(pair.right, right);
        row.whole =
            pair.exact
                ? words::position(pair.step, pair.epoch)
                : tr("A at %1, B at %2 (nearest match)").arg(row.left.position, row.right.position);
        m_rows.push_back(std::move(row));
    }
    std::reverse(m_rows.begin(), m_rows.end());
    endResetModel();
    sort();
}

void PairTable::showWeights(const WeightDistance& distance) {
    for (Row& row : m_rows) {
        const WeightChange* change = distance.change(row.pair);
        row.distance.clear();
        row.plainDistance.clear();
        row.relative.reset();
        row.distanceTip.clear();
        if (change == nullptr) {
            continue;
        }
        row.distance = distanceText(*change);
        row.plainDistance = text::forPrograms([&] { return distanceText(*change); });
        if (change->error) {
            row.distanceTip = text::describe(*change->error).title;
        } else if (change->tensors == 0) {
            row.distanceTip = tr("The two checkpoints have no tensor in common.");
        } else {
            row.relative = change->equal() ? 0 : change->relative;
            row.distanceTip = tr("|B − A| / |A| over the weights: %1 of %2 tensors changed")
                                  .arg(text::count(change->changed), text::count(change->tensors));
        }
    }
    if (!m_rows.empty()) {
        Q_EMIT dataChanged(index(0, Distance), index(rowCount() - 1, Distance));
    }
    sort();
}

void PairTable::setSort(const RowSort& sort) {
    m_sort = sort;
    this->sort();
}

void PairTable::sort() {
    m_sorter.cancel();
    if (m_sort.column < 0) {
        setOrder({});
        return;
    }
    std::vector<QVariant> values;
    std::ranges::transform(m_rows, std::back_inserter(values),
                           [this](const Row& row) { return sortValue(row, m_sort.column); });
    m_sorter.start(
        [values = std::move(values), descending = m_sort.descending](const CancelToken& cancel) {
            return sortedRows(values, descending, cancel);
        },
        [this](Result<std::vector<std::uint32_t>> order) {
            if (order) {
                setOrder(std::move(*order));
            }
        });
}

QVariant PairTable::sortValue(const Row& row, int column) const {
    const auto number = [](const std::optional<double>& value) {
        return value ? QVariant(*value) : QVariant();
    };
    switch (column) {
    case Position:
        return number(row.place);
    case Left:
        return row.left.path.empty() ? QVariant() : QVariant(row.left.state);
    case Right:
        return row.right.path.empty() ? QVariant() : QVariant(row.right.state);
    default:
        return number(row.relative);
    }
}

std::pair<std::filesystem::path, std::filesystem::path> PairTable::paths(int row) const {
    if (row < 0 || row >= rowCount()) {
        return {};
    }
    const Row& pair = shown(row);
    return {pair.left.path, pair.right.path};
}

std::optional<std::size_t> PairTable::pair(int row) const {
    return row < 0 || row >= rowCount() ? std::nullopt : std::optional(shown(row).pair);
}

QString PairTable::words(int row) const {
    if (row < 0 || row >= rowCount()) {
        return {};
    }
    const Row& pair = shown(row);
    if (pair.left.path.empty() || pair.right.path.empty()) {
        return pair.left.path.empty() ? tr("only in B: %1").arg(pair.right.position)
                                      : tr("only in A: %1").arg(pair.left.position);
    }
    return pair.exact ? tr("A vs B at %1").arg(pair.left.position)
                      : tr("A %1 vs B %2").arg(pair.left.position, pair.right.position);
}

int PairTable::rowOf(std::size_t pair) const {
    const auto at = std::ranges::find(m_rows, pair, &Row::pair);
    return rowOfStored(static_cast<std::size_t>(at - m_rows.begin()));
}

int PairTable::rowOf(const std::filesystem::path& checkpoint) const {
    const auto at = std::ranges::find_if(m_rows, [&](const Row& row) {
        return row.left.path == checkpoint || row.right.path == checkpoint;
    });
    return rowOfStored(static_cast<std::size_t>(at - m_rows.begin()));
}

int PairTable::firstComplete() const {
    for (const bool sound : {true, false}) {
        for (int row = 0; row < rowCount(); ++row) {
            const Row& each = shown(row);
            const bool both = !each.left.path.empty() && !each.right.path.empty();
            if (both && !(sound && (each.left.broken || each.right.broken))) {
                return row;
            }
        }
    }
    return -1;
}

int PairTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PairTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

QVariant PairTable::sideData(const Side& side, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return side.text;
    case Qt::ToolTipRole:
        return text::toolTip(side.path.empty() ? tr("This run has no checkpoint at this position")
                                               : side.tip);
    case RowRoles::Warning:
        return side.broken;
    case RowRoles::Dim:
        return side.path.empty();
    case Qt::AccessibleTextRole:
        return side.state;
    default:
        return {};
    }
}

QVariant PairTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = shown(index.row());
    if (role == RowRoles::SortValue) {
        return sortValue(row, index.column());
    }
    if (role == Qt::TextAlignmentRole) {
        const bool figure = index.column() == Position || index.column() == Distance;
        return static_cast<int>((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    switch (index.column()) {
    case Left:
        return sideData(row.left, role);
    case Right:
        return sideData(row.right, role);
    case Position:
        return role == Qt::DisplayRole   ? QVariant(shortPosition(row))
               : role == Qt::ToolTipRole ? QVariant(text::toolTip(row.whole))
                                         : QVariant();
    default:
        return role == Qt::DisplayRole      ? QVariant(row.distance)
               : role == RowRoles::CopyText ? QVariant(row.plainDistance)
               : role == Qt::ToolTipRole && !row.distanceTip.isEmpty()
                   ? QVariant(text::toolTip(row.distanceTip))
                   : QVariant();
    }
}

QVariant PairTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Position:
            return tr("at");
        case Left:
            return QStringLiteral("A");
        case Right:
            return QStringLiteral("B");
        default:
            return tr("distance");
        }
    }
    if (role == Qt::ForegroundRole && (section == Left || section == Right)) {
        return theme::series(section - Left, QGuiApplication::palette());
    }
    if (role == Qt::TextAlignmentRole) {
        const bool figure = section == Position || section == Distance;
        return static_cast<int>((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

} // namespace cairn::ui
