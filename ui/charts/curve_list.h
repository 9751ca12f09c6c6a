// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_content.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace cairn::ui {

/// Beside a chart of many curves: the scale of their colours, the place that is read out, and the
/// curves with the best values there. The one under the pointer is told, so that it stands out in
/// the chart. GUI thread only.
class CurveList : public QWidget {
    Q_OBJECT

public:
    struct Row {
        int series = 0;
        QString name;
        QString value;
        QColor color;
    };

    explicit CurveList(QWidget* parent = nullptr);

    /// `place`: "step 655"; `others`: curves beside these.
    void show(CurveScalePtr scale, const QString& place, std::vector<Row> rows, std::size_t others);
    /// Its row is bold.
    void setHighlighted(std::optional<int> series);
    const std::vector<Row>& rows() const { return m_rows; }
    /// "sweep-039 1.7", one part a row, then "52 more".
    QString text() const;
    QPoint placeOfRow(std::size_t row) const; ///< its middle
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {sizeHint().width(), 0}; }

Q_SIGNALS:
    void hovered(std::optional<int> series);
    void clicked(int series);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int rowHeight() const;
    int top() const; ///< of the first row
    std::size_t shownRows() const;
    std::optional<std::size_t> rowAt(const QPointF& place) const;

    CurveScalePtr m_scale;
    QString m_place;
    std::vector<Row> m_rows;
    std::size_t m_others = 0;
    std::optional<int> m_highlighted;
};

} // namespace cairn::ui
