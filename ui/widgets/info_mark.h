// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include <functional>

namespace cairn::ui {

/// An "i" in a circle, behind which there is more to know: as a tooltip, and on a click. Plain
/// text, asked for when it is shown. GUI thread only.
class InfoMark : public QAbstractButton {
    Q_OBJECT

public:
    InfoMark(const QString& name, std::function<QString()> text, QWidget* parent = nullptr);

    void showText();
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::function<QString()> m_text;
};

} // namespace cairn::ui
