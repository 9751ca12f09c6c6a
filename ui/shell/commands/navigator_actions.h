// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QPoint;

namespace cairn::ui {

class WindowParts;

/// The actions on what is selected in the navigator, its context menu, and the steps from one
/// checkpoint to another.
class NavigatorActions : public QObject {
    Q_OBJECT

public:
    /// The parts outlive this.
    explicit NavigatorActions(WindowParts& parts);

private:
    void connectSelection();
    void popUpMenu(const QPoint& at);
    void updateActions();

    WindowParts& m_parts;
};

} // namespace cairn::ui
