// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/shell/preferences/preferences.h"
#include "ui/shell/preferences/preferences_dialog.h"
#include "ui/shell/preferences/shortcut_set.h"

#include <QObject>
#include <QPointer>

#include <vector>

class QSettings;

namespace cairn::ui {

struct PaletteEntry;
class ShownSubject;
class WindowParts;

/// The preferences and the keys: applies them to the window, and shows the dialog.
class PreferencesControl : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    PreferencesControl(WindowParts& parts, const ShownSubject& subject, QSettings& settings);

    /// The preferences whose names contain all words.
    std::vector<PaletteEntry> find(const QStringList& words);
    Preferences& preferences() { return m_preferences; }
    ShortcutSet& shortcuts() { return m_shortcuts; }
    PreferencesDialog* dialog() const { return m_dialog; } ///< null: not opened yet

private:
    void apply(const Preferences::Values& before);
    void showAgain();
    void show(PreferencesDialog::Item item);

    WindowParts& m_parts;
    const ShownSubject& m_subject;
    Preferences m_preferences;
    ShortcutSet m_shortcuts;
    QPointer<PreferencesDialog> m_dialog;
    AsyncRunner m_cacheLimit;
};

} // namespace cairn::ui
