// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace cairn::ui {

/// The letter of a run in the colour of its curves, optionally followed by a piece of its line, to
/// show letter, colour and dash together.
class RunLetter : public QWidget {
    Q_OBJECT

public:
    explicit RunLetter(int series, Qt::Alignment alignment, bool line, QWidget* parent = nullptr);
    static QString text(int series); ///< "A"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont bold() const;
    int m_series;
    Qt::Alignment m_alignment;
    bool m_line;
};

} // namespace cairn::ui
