// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cairn::ui {

/// A line in the accent at the leading edge of `target` while it has the focus, for widgets that
/// show nothing themselves: scroll areas, which the keys move. Owned by the target.
class FocusMark : public QWidget {
    Q_OBJECT

public:
    /// `name`: the target's, for screen readers; empty: it has one.
    explicit FocusMark(QWidget* target, const QString& name = {});

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();

    QWidget* m_target;
};

} // namespace cairn::ui
