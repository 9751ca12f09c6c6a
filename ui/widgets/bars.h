// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// One horizontal bar per row: label, bar against the largest value, value text. Rows marked Broken
/// draw an empty, dashed track. At most kMaxRows rows are drawn; the owner summarises the rest in a
/// sentence.
class RowBars : public QWidget {
    Q_OBJECT

public:
    struct Row {
        QString label;
        QString value;
        QString whole; ///< for the tooltip
        double amount = 0;
        theme::Tone tone = theme::Tone::Plain; ///< Plain: the first series colour
    };
    static constexpr std::size_t kMaxRows = 12;

    explicit RowBars(QWidget* parent = nullptr);
    void setRows(std::vector<Row> rows);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int labelWidth() const;
    std::vector<Row> m_rows;
};

/// One stacked bar: the parts of a total. Parts get the series colours in order.
class StackedBar : public QWidget {
    Q_OBJECT

public:
    explicit StackedBar(QWidget* parent = nullptr);
    void setParts(std::vector<double> parts);
    QSize sizeHint() const override { return {200, 14}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_parts;
};

/// A small square in a series colour, for legends.
class Swatch : public QWidget {
    Q_OBJECT

public:
    explicit Swatch(int index, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {10, 10}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_index;
};

/// Progress by bytes: `done` in the accent, `ahead` (read but not written yet) in a lighter tone of
/// it. Shares 0 to 1; negative `done`: not countable, drawn as an empty track.
class ByteProgress : public QWidget {
    Q_OBJECT

public:
    explicit ByteProgress(QWidget* parent = nullptr);
    void setShares(double done, double ahead, theme::Tone tone = theme::Tone::Accent);
    QSize sizeHint() const override { return {200, 8}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_done = 0;
    double m_ahead = 0;
    theme::Tone m_tone = theme::Tone::Accent;
};

/// A horizontal rule of one hairline.
class Hairline : public QWidget {
    Q_OBJECT

public:
    explicit Hairline(QWidget* parent = nullptr, Qt::Orientation orientation = Qt::Horizontal);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace cairn::ui
