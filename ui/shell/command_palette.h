// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace cairn::ui {

/// Finds any action by its text: a filter line over all actions with their shortcuts. Enter runs,
/// Esc leaves. Disabled actions are listed greyed, so that they can be found too.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(QList<QAction*> actions, QWidget* parent);

    /// Shows it over the parent, empty and focused.
    void popUp();
    QLineEdit* field() const { return m_field; }
    QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyFilter(const QString& words);
    void run();
    QList<QAction*> m_actions;
    QLineEdit* m_field;
    QListWidget* m_list;
};

} // namespace cairn::ui
