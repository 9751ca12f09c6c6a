// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/shortcut_set.h"

#include <QAction>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

QString keyOf(const QAction& action) {
    return QStringLiteral("shortcuts/") + action.objectName();
}

QList<QKeySequence> withoutTaken(QList<QKeySequence> keys, const QList<QKeySequence>& taken) {
    keys.removeIf([&taken](const QKeySequence& each) { return taken.contains(each); });
    return keys;
}

} // namespace

ShortcutSet::ShortcutSet(QList<QAction*> actions, QSettings& settings, QObject* parent)
    : QObject(parent), m_actions(std::move(actions)), m_settings(settings) {
    for (const QAction* action : m_actions) {
        m_defaults.insert(action, action->shortcuts());
    }
    for (QAction* action : m_actions) {
        if (action->objectName().isEmpty() || !settings.contains(keyOf(*action))) {
            continue;
        }
        QList<QKeySequence> keys;
        for (const QString& text : settings.value(keyOf(*action)).toStringList()) {
            const QKeySequence sequence(text, QKeySequence::PortableText);
            if (!sequence.isEmpty() && obstacle(sequence).isEmpty()) {
                keys << sequence;
            }
        }
        give(*action, keys);
    }
}

QList<QKeySequence> ShortcutSet::defaults(const QAction& action) const {
    return m_defaults.value(&action);
}

bool ShortcutSet::isDefault(const QAction& action) const {
    return action.shortcuts() == defaults(action);
}

QString ShortcutSet::obstacle(const QKeySequence& keys) {
    if (keys.isEmpty()) {
        return {};
    }
    const QKeyCombination first = keys[0];
    const bool function = first.key() >= Qt::Key_F1 && first.key() <= Qt::Key_F35;
    const Qt::KeyboardModifiers held = first.keyboardModifiers();
    if (function || held.testFlag(Qt::ControlModifier) || held.testFlag(Qt::AltModifier) ||
        held.testFlag(Qt::MetaModifier)) {
        return {};
    }
    return tr("A shortcut needs Ctrl, Alt or a function key.");
}

QAction* ShortcutSet::holder(const QAction& action, const QKeySequence& keys) const {
    const auto found = std::ranges::find_if(m_actions, [&](const QAction* other) {
        return other != &action && !keys.isEmpty() && other->shortcuts().contains(keys);
    });
    return found != m_actions.end() ? *found : nullptr;
}

/// Other actions lose these keys.
void ShortcutSet::give(QAction& action, const QList<QKeySequence>& keys) {
    for (const QKeySequence& each : keys) {
        if (QAction* other = holder(action, each)) {
            other->setShortcuts(withoutTaken(other->shortcuts(), keys));
            save(*other);
        }
    }
    action.setShortcuts(keys);
    save(action);
}

void ShortcutSet::save(const QAction& action) {
    if (action.objectName().isEmpty()) {
        return;
    }
    if (isDefault(action)) {
        m_settings.remove(keyOf(action));
        return;
    }
    QStringList texts;
    for (const QKeySequence& each : action.shortcuts()) {
        texts << each.toString(QKeySequence::PortableText);
    }
    m_settings.setValue(keyOf(action), texts);
}

void ShortcutSet::assign(QAction& action, const QKeySequence& keys) {
    give(action, keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    Q_EMIT changed();
}

void ShortcutSet::reset(QAction& action) {
    give(action, defaults(action));
    Q_EMIT changed();
}

void ShortcutSet::resetAll() {
    for (QAction* action : m_actions) {
        action->setShortcuts(defaults(*action));
        save(*action);
    }
    Q_EMIT changed();
}

QString ShortcutSet::text(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& each : keys) {
        texts << each.toString(QKeySequence::NativeText);
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace cairn::ui
