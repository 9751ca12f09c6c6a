// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <cstddef>
#include <vector>

namespace cairn::ui {

class CommandPalette;
struct PaletteEntry;
class PreferencesControl;
class ShownSubject;
class WindowParts;

/// What the command palette finds besides actions: the controls of the page, runs, checkpoints,
/// preferences, and tensors of the shown checkpoint.
class PaletteContent : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    PaletteContent(WindowParts& parts, const ShownSubject& subject,
                   PreferencesControl& preferences);

    CommandPalette* palette() const { return m_palette; }

private:
    std::vector<PaletteEntry> find(const QStringList& words, std::size_t most);

    WindowParts& m_parts;
    PreferencesControl& m_preferences;
    CommandPalette* m_palette;
};

} // namespace cairn::ui
