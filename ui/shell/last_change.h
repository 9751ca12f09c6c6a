// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QAction;

namespace cairn::ui {

/// Edit > Undo: the last change of files on the disk that can be taken back. The action names it
/// and is disabled while there is none. GUI thread.
class LastChange {
public:
    /// The action outlives this.
    explicit LastChange(QAction& action);

    /// `what`: "Move of 3 Checkpoints"; `undo` starts to take it back, and says how that went.
    void offer(const QString& what, std::function<void()> undo);
    /// It was taken back, or cannot be any more.
    void forget();
    void undo();

private:
    QAction& m_action;
    std::function<void()> m_undo;
};

} // namespace cairn::ui
