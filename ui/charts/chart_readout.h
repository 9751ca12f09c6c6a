// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace cairn::ui {

/// Values in the colours of their curves, set right; plain text. GUI thread only.
class ChartReadout : public QWidget {
    Q_OBJECT

public:
    struct Part {
        QString text;
        int series = -1;         ///< -1: dim
        bool isOptional = false; ///< left out first where there is no room
    };

    explicit ChartReadout(QWidget* parent = nullptr);
    void setParts(std::vector<Part> parts);
    QString text() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Part> m_parts;
};

} // namespace cairn::ui
