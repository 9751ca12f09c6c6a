// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace cairn::ui {

/// The letter of one of the things that are compared, in its colour: "A" blue, "B" orange, …
/// Follows palette changes.
class RunLetter : public QLabel {
    Q_OBJECT

public:
    explicit RunLetter(int series, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_series;
};

} // namespace cairn::ui
