// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"

#include <QByteArray>
#include <QFont>
#include <QPalette>
#include <QString>

#include <cstdint>
#include <functional>
#include <vector>

class QPainter;

namespace cairn::ui {

enum class ExportFormat : std::uint8_t { Png, Svg, Pdf, Csv, Json };

QString exportSuffix(ExportFormat format); ///< "png"
QString exportTitle(ExportFormat format);  ///< "PNG Picture…", for a menu

bool isPicture(ExportFormat format); ///< otherwise data

/// A picture at scale factor two (Png), or a drawing of one page (Svg, Pdf), of what `draw` draws
/// in `size` from the origin. GUI thread.
QByteArray drawnPicture(ExportFormat format, const QSize& size,
                        const std::function<void(QPainter&)>& draw);

/// Charts as they are shown: the same part of the axis, scales and smoothing. One picture of all of
/// them, or all their points in one file. The board is read in the constructor, on the GUI
/// thread; data() and save() may then be called from any thread.
class ChartExport {
public:
    ChartExport(std::vector<ChartContent> charts, const ChartBoard& board);

    /// GUI thread: a picture at scale factor two, or a drawing of one page.
    QByteArray picture(ExportFormat format, const QFont& font, const QPalette& palette) const;
    /// Csv: a row for each point: metric, run, source, position on the axis, value, and the
    /// smoothed value if the curve is smoothed; NaN and infinities as in Python. Json: columns,
    /// with null for non-finite values and their kind under "nonfinite".
    QByteArray data(ExportFormat format) const;

private:
    QByteArray csv() const;
    QByteArray json() const;
    void paint(QPainter& painter, const QFont& font, const QPalette& palette) const;
    QSize size() const;

    std::vector<ChartContent> m_charts;
    ChartBoard::Options m_options;
    ChartBoard::View m_view;
    Range m_shown;
};

/// Writes the bytes to a file that the user named: atomically. Any thread.
Result<QString> saveExport(const QString& path, const QByteArray& bytes, const CancelToken& cancel);

} // namespace cairn::ui
