// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_table.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::ui {

CurveTable::CurveTable(QObject* parent) : OrderedTable(parent) {}

void CurveTable::setContent(const ChartContent& content, AxisUnit unit, const QString& axisWord) {
    beginResetModel();
    m_curves = content.curves;
    m_unit = unit;
    m_axisWord = axisWord;
    forgetOrder();
    merge();
    endResetModel();
}

void CurveTable::merge() {
    m_rows.clear();
    m_stretches.clear();
    if (m_curves.size() < 2) {
        return;
    }
    // Proceeds by segments of all curves: the smallest next position is the next row. A curve with
    // a new segment waits until the others have reached the end of theirs.
    struct Reader {
        const CurveData* data;
        std::size_t at = 0;
        std::size_t segment = 0;
    };
    std::vector<Reader> readers;
    std::size_t last = std::numeric_limits<std::size_t>::max(); ///< round of the row before
    for (const ChartCurve& curve : m_curves) {
        readers.push_back({curve.data.get()});
    }
    while (true) {
        std::size_t round = std::numeric_limits<std::size_t>::max();
        double next = std::numeric_limits<double>::infinity();
        for (const Reader& reader : readers) {
            if (reader.at < reader.data->size() && reader.segment <= round) {
                const double x = reader.data->x()[reader.at];
                next = reader.segment < round ? x : std::min(next, x);
                round = reader.segment;
            }
        }
        if (round == std::numeric_limits<std::size_t>::max()) {
            return;
        }
        if (std::exchange(last, round) != round) {
            m_stretches.push_back(static_cast<int>(m_rows.size() / m_curves.size()));
        }
        for (Reader& reader : readers) {
            const bool here = reader.at < reader.data->size() && reader.segment == round &&
                              reader.data->x()[reader.at] == next;
            m_rows.push_back(here ? static_cast<std::uint32_t>(reader.at) : kNone);
            if (here) {
                ++reader.at;
                const auto& segments = reader.data->segments();
                if (reader.segment + 1 < segments.size() &&
                    reader.at == segments[reader.segment].last) {
                    ++reader.segment;
                }
            }
        }
    }
}

int CurveTable::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || m_curves.empty()) {
        return 0;
    }
    const std::size_t rows =
        m_curves.size() == 1 ? m_curves.front().data->size() : m_rows.size() / m_curves.size();
    return static_cast<int>(std::min<std::size_t>(rows, std::numeric_limits<int>::max()));
}

int CurveTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_curves.size()) + 1;
}

double CurveTable::placeOf(int row) const {
    return storedPlace(storedRow(row));
}

double CurveTable::storedPlace(std::size_t index) const {
    if (m_curves.size() == 1) {
        return m_curves.front().data->x()[index];
    }
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const std::uint32_t point = m_rows[index * m_curves.size() + i];
        if (point != kNone) {
            return m_curves[i].data->x()[point];
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<int> CurveTable::stretches() const {
    std::vector<int> starts = m_stretches;
    if (m_curves.size() == 1) {
        for (const CurveData::Segment& segment : m_curves.front().data->segments()) {
            starts.push_back(static_cast<int>(segment.first));
        }
    }
    starts.push_back(rowCount());
    return starts;
}

int CurveTable::rowAt(double x) const {
    const std::vector<int> starts = stretches();
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        int first = starts[i];
        int count = starts[i + 1] - first;
        while (count > 0) { // the first row of this stretch that is not before x
            const int half = count / 2;
            const bool before = storedPlace(static_cast<std::size_t>(first + half)) < x;
            first += before ? half + 1 : 0;
            count = before ? count - half - 1 : half;
        }
        if (first < starts[i + 1]) {
            return rowOfStored(static_cast<std::size_t>(first));
        }
    }
    return rowCount() == 0 ? -1 : rowOfStored(static_cast<std::size_t>(rowCount()) - 1);
}

QVariant CurveTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != RowRoles::SortValue) {
        return {};
    }
    if (index.column() == 0) {
        return role == RowRoles::SortValue ? QVariant(placeOf(index.row()))
                                           : axisValue(placeOf(index.row()), m_unit);
    }
    const auto curve = static_cast<std::size_t>(index.column() - 1);
    const std::size_t row = storedRow(index.row());
    const std::uint32_t point = m_curves.size() == 1 ? static_cast<std::uint32_t>(row)
                                                     : m_rows[row * m_curves.size() + curve];
    if (point == kNone) {
        return {};
    }
    const double value = m_curves[curve].data->y()[point];
    return role == RowRoles::SortValue ? QVariant(value)
           : role == Qt::ToolTipRole   ? QVariant(text::inLocale(QString::number(value, 'g', 17)))
                                       : QVariant(text::number(value));
}

QVariant CurveTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section > static_cast<int>(m_curves.size())) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (section == 0) {
        return m_axisWord;
    }
    const ChartCurve& curve = m_curves[static_cast<std::size_t>(section - 1)];
    return curve.letter.isEmpty() ? tr("value") : curve.letter;
}

} // namespace cairn::ui
