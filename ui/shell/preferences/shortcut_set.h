// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QSettings;

namespace cairn::ui {

/// The keys of all actions: those that they are made with, and those that the user chose instead,
/// which are in the settings under the action's objectName. No two actions have the same keys: who
/// assigns keys that are in use takes them from the other action. GUI thread.
class ShortcutSet : public QObject {
    Q_OBJECT

public:
    /// Applies the user's keys. The settings outlive this.
    ShortcutSet(QList<QAction*> actions, QSettings& settings, QObject* parent = nullptr);

    const QList<QAction*>& actions() const { return m_actions; }
    QList<QKeySequence> defaults(const QAction& action) const;
    bool isDefault(const QAction& action) const;
    /// Why keys cannot be used: without Ctrl, Alt or a function key they would be taken from
    /// typing. Empty: they can.
    static QString obstacle(const QKeySequence& keys);
    /// The other action that has the keys; null: none.
    QAction* holder(const QAction& action, const QKeySequence& keys) const;

    /// The only keys of the action; empty: none. REQUIRES: no obstacle.
    void assign(QAction& action, const QKeySequence& keys);
    void reset(QAction& action);
    void resetAll();

    static QString text(const QList<QKeySequence>& keys); ///< "Ctrl+R, F5"

Q_SIGNALS:
    void changed();

private:
    void give(QAction& action, const QList<QKeySequence>& keys);
    void save(const QAction& action);

    QList<QAction*> m_actions;
    QSettings& m_settings;
    QHash<const QAction*, QList<QKeySequence>> m_defaults;
};

} // namespace cairn::ui
