// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_table.h"

#include "ui/text/plain_text.h"

#include <algorithm>
#include <limits>

namespace cairn::ui {

CurveTable::CurveTable(QObject* parent) : QAbstractTableModel(parent) {}

void CurveTable::setContent(const ChartContent& content, AxisUnit unit, const QString& axisWord) {
    beginResetModel();
    m_curves = content.curves;
    m_unit = unit;
    m_axisWord = axisWord;
    merge();
    endResetModel();
}

void CurveTable::merge() {
    m_rows.clear();
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
    const auto index = static_cast<std::size_t>(row);
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

int CurveTable::rowAt(double x) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (placeOf(row) >= x) {
            return row;
        }
    }
    return rowCount() - 1;
}

QVariant CurveTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    if (index.column() == 0) {
        return axisValue(placeOf(index.row()), m_unit);
    }
    const auto curve = static_cast<std::size_t>(index.column() - 1);
    const auto row = static_cast<std::size_t>(index.row());
    const std::uint32_t point = m_curves.size() == 1 ? static_cast<std::uint32_t>(row)
                                                     : m_rows[row * m_curves.size() + curve];
    if (point == kNone) {
        return {};
    }
    const double value = m_curves[curve].data->y()[point];
    return role == Qt::ToolTipRole ? QString::number(value, 'g', 17) : text::number(value);
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
