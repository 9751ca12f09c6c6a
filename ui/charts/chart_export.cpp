// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include "ui/charts/curve_ink.h"
#include "ui/charts/line_layer.h"
#include "ui/charts/plot_scene.h"
#include "ui/theme/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

const QString& metricOf(const ChartContent& chart, const ChartCurve& curve) {
    return curve.metric.isEmpty() ? chart.name : curve.metric;
}

struct ExportWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::ChartExport)
};

constexpr int kCellWidth = 480;
constexpr int kCellHeight = 260;
constexpr int kLegendHeight = 28;
constexpr int kPadding = 16;
constexpr std::size_t kMaxPictured = 60; ///< charts in one picture

QByteArray number(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "Infinity" : "-Infinity";
    }
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

QByteArray csvCell(const QString& text) {
    QByteArray bytes = text.toUtf8();
    if (bytes.contains('"') || bytes.contains(',') || bytes.contains('\n') ||
        bytes.contains('\r')) {
        bytes.replace("\"", "\"\"");
        return '"' + bytes + '"';
    }
    return bytes;
}

QByteArray jsonText(const QString& text) {
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

/// Calls `each` with the index of every point in the range, in the order of writing.
template <class Each> void pointsIn(const CurveData& data, Range range, const Each& each) {
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (data.x()[i] >= range.low && data.x()[i] <= range.high) {
            each(i);
        }
    }
}

QByteArray jsonColumn(const char* name, const std::vector<double>& values) {
    QByteArray column = QByteArray(", \"") + name + "\": [";
    QByteArray odd;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool finite = std::isfinite(values[i]);
        column += i == 0 ? "" : ", ";
        column += finite ? number(values[i]) : QByteArray("null");
        if (!finite) {
            odd += (odd.isEmpty() ? "\"" : ", \"") + QByteArray::number(qulonglong{i}) + "\": " +
                   (std::isnan(values[i]) ? "\"nan\""
                    : values[i] > 0       ? "\"inf\""
                                          : "\"-inf\"");
        }
    }
    column += "]";
    return odd.isEmpty() ? column : column + ", \"" + name + "_nonfinite\": {" + odd + "}";
}

} // namespace

QString exportSuffix(ExportFormat format) {
    switch (format) {
    case ExportFormat::Png:
        return QStringLiteral("png");
    case ExportFormat::Svg:
        return QStringLiteral("svg");
    case ExportFormat::Pdf:
        return QStringLiteral("pdf");
    case ExportFormat::Csv:
        return QStringLiteral("csv");
    case ExportFormat::Json:
        break;
    }
    return QStringLiteral("json");
}

QString exportTitle(ExportFormat format) {
    switch (format) {
    case ExportFormat::Png:
        return ExportWords::tr("PNG Image…");
    case ExportFormat::Svg:
        return ExportWords::tr("SVG Image…");
    case ExportFormat::Pdf:
        return ExportWords::tr("PDF Document…");
    case ExportFormat::Csv:
        return ExportWords::tr("All Points as CSV…");
    case ExportFormat::Json:
        break;
    }
    return ExportWords::tr("All Points as JSON…");
}

bool isPicture(ExportFormat format) {
    return format != ExportFormat::Csv && format != ExportFormat::Json;
}

QByteArray drawnPicture(ExportFormat format, const QSize& size,
                        const std::function<void(QPainter&)>& draw) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (format == ExportFormat::Png) {
        QImage image(size * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        QPainter painter(&image);
        draw(painter);
        painter.end();
        image.save(&buffer, "PNG");
    } else if (format == ExportFormat::Svg) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setResolution(96);
        QPainter painter(&generator);
        draw(painter);
    } else {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Cairn"));
        writer.setResolution(96);
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / 96.0, QPageSize::Point));
        QPainter painter(&writer);
        draw(painter);
    }
    return bytes;
}

ChartExport::ChartExport(std::vector<ChartContent> charts, const ChartBoard& board)
    : m_charts(std::move(charts)), m_options(board.options()), m_view(board.view()),
      m_shown(board.shown()) {}

QSize ChartExport::size() const {
    const int count = static_cast<int>(std::min(m_charts.size(), kMaxPictured));
    const int columns = count > 1 ? 2 : 1;
    const int rows = (count + columns - 1) / columns;
    return {columns * kCellWidth + (columns + 1) * kPadding,
            rows * kCellHeight + (rows + 1) * kPadding + kLegendHeight};
}

void ChartExport::paint(QPainter& painter, const QFont& font, const QPalette& palette) const {
    painter.setFont(font);
    painter.fillRect(QRect(QPoint(), size()), theme::cardGround(palette));
    // A separate board, so that the charts are drawn as they were when the export was requested.
    ChartBoard board;
    board.setOptions(m_options);
    board.include(m_shown, m_shown);
    board.setView(m_view);
    int x = kPadding;
    const QFontMetrics metrics(font);
    if (!m_charts.empty()) {
        for (const ChartCurve& curve : m_charts.front().curves) { // the runs
            const QString text = curve.letter.isEmpty()
                                     ? curve.run
                                     : curve.letter + QStringLiteral("  ") + curve.run;
            painter.setPen(smoothPen(m_charts.front(), curve, palette));
            painter.drawLine(x, kPadding + kLegendHeight / 2, x + 26, kPadding + kLegendHeight / 2);
            painter.setPen(palette.color(QPalette::Text));
            painter.drawText(QRect(x + 34, kPadding, 1000, kLegendHeight),
                             Qt::AlignLeft | Qt::AlignVCenter, text);
            x += 34 + metrics.horizontalAdvance(text) + 2 * kPadding;
        }
    }
    LineRenderer lines;
    for (std::size_t i = 0; i < std::min(m_charts.size(), kMaxPictured); ++i) {
        const ChartContent& chart = m_charts[i];
        const int column = static_cast<int>(i % 2);
        const int row = static_cast<int>(i / 2);
        painter.save();
        painter.translate(kPadding + column * (kCellWidth + kPadding),
                          kPadding + kLegendHeight + row * (kCellHeight + kPadding));
        painter.setFont(theme::caption(font));
        painter.setPen(theme::color(theme::Tone::Dim, palette));
        const QRect head(0, 0, kCellWidth, 20);
        painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, chart.name);
        painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, m_options.axisWord);
        std::vector<CurveDataPtr> smoothed;
        for (const ChartCurve& curve : chart.curves) {
            smoothed.push_back(smoothedCurve(*curve.data, m_options.smoothing));
        }
        PlotScene scene;
        const QRectF all(0, 24, kCellWidth, kCellHeight - 24);
        scene.arrange(chart, smoothed, board, all, font);
        scene.paintGround(painter, font, palette);
        scene.paintBands(painter, chart, palette);
        lines.show(scene, chart, palette);
        for (std::size_t part = 0; part < lines.parts(); ++part) {
            lines.paint(painter, scene.frame().area, part);
        }
        scene.paintMarks(painter, chart, palette, 0, chart.curves.size());
        scene.paintTicks(painter, chart, palette);
        painter.restore();
    }
}

QByteArray ChartExport::picture(ExportFormat format, const QFont& font,
                                const QPalette& palette) const {
    return drawnPicture(format, size(), [&](QPainter& painter) { paint(painter, font, palette); });
}

QByteArray ChartExport::data(ExportFormat format) const {
    return format == ExportFormat::Csv ? csv() : json();
}

QByteArray ChartExport::csv() const {
    const bool smooth = m_options.smoothing > 0;
    QByteArray bytes = "metric,run,source," + csvCell(m_options.axisWord) + ",value";
    bytes += smooth ? ",smoothed\n" : "\n";
    for (const ChartContent& chart : m_charts) {
        for (const ChartCurve& curve : chart.curves) {
            const QByteArray head = csvCell(metricOf(chart, curve)) + ',' + csvCell(curve.run) +
                                    ',' + csvCell(curve.source) + ',';
            const CurveDataPtr smoothed = smoothedCurve(*curve.data, m_options.smoothing);
            pointsIn(*curve.data, m_shown, [&](std::size_t i) {
                bytes += head + number(curve.data->x()[i]) + ',' + number(curve.data->y()[i]);
                bytes += smooth ? "," : "";
                bytes += smoothed ? number(smoothed->y()[i]) + '\n' : QByteArray("\n");
            });
        }
    }
    return bytes;
}

QByteArray ChartExport::json() const {
    QByteArray bytes = "{\"schema\": \"cairn/1\", \"axis\": " + jsonText(m_options.axisWord) +
                       ", \"smoothing\": " + number(m_options.smoothing) + ", \"curves\": [";
    bool first = true;
    for (const ChartContent& chart : m_charts) {
        for (const ChartCurve& curve : chart.curves) {
            std::vector<double> x;
            std::vector<double> y;
            std::vector<double> smooth;
            const CurveDataPtr smoothed = smoothedCurve(*curve.data, m_options.smoothing);
            pointsIn(*curve.data, m_shown, [&](std::size_t i) {
                x.push_back(curve.data->x()[i]);
                y.push_back(curve.data->y()[i]);
                if (smoothed) {
                    smooth.push_back(smoothed->y()[i]);
                }
            });
            bytes += (first ? "\n{\"metric\": " : ",\n{\"metric\": ") +
                     jsonText(metricOf(chart, curve)) + ", \"run\": " + jsonText(curve.run) +
                     ", \"source\": " + jsonText(curve.source) + jsonColumn("x", x) +
                     jsonColumn("values", y);
            if (smoothed) {
                bytes += jsonColumn("smoothed", smooth);
            }
            bytes += "}";
            first = false;
        }
    }
    return bytes + "\n]}\n";
}

Result<QString> saveExport(const QString& path, const QByteArray& bytes, const CancelToken&) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return fail(ErrorCode::WriteFailed, "Cannot write the file")
            .inFile(path.toStdString())
            .butFound(verbatim(file.errorString().toStdString()))
            .withHint("Choose another folder");
    }
    return path;
}

} // namespace cairn::ui
