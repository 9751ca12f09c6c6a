// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/last_change.h"

#include <QAction>
#include <QCoreApplication>

#include <utility>

namespace cairn::ui {
namespace {

struct UndoWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::LastChange)
};

} // namespace

LastChange::LastChange(QAction& action) : m_action(action) {
    forget();
}

void LastChange::offer(const QString& what, std::function<void()> undo) {
    m_undo = std::move(undo);
    m_action.setText(UndoWords::tr("&Undo %1").arg(what));
    m_action.setEnabled(true);
}

void LastChange::forget() {
    m_undo = nullptr;
    m_action.setText(UndoWords::tr("&Undo"));
    m_action.setEnabled(false);
}

void LastChange::undo() {
    if (m_undo) {
        std::exchange(m_undo, nullptr)();
        forget();
    }
}

} // namespace cairn::ui
