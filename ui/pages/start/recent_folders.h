// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"

#include <QDateTime>
#include <QList>
#include <QObject>

#include <filesystem>

class QSettings;

namespace cairn::ui {

/// The ten folders opened last. Missing ones (cluster mounts come and go) stay, marked as absent;
/// their existence is checked off the GUI thread.
class RecentFolders : public QObject {
    Q_OBJECT

public:
    struct Entry {
        std::filesystem::path path;
        QDateTime opened;
        bool present = true;
    };
    static constexpr int kMost = 10;

    explicit RecentFolders(QSettings& settings, QObject* parent = nullptr);

    void add(const std::filesystem::path& path);
    bool contains(const std::filesystem::path& path) const;
    void clear();
    /// Nothing is written to the settings any more.
    void stopSaving() { m_saves = false; }
    /// Where a file dialog begins: around the folder opened last.
    QString startFolder() const;
    const QList<Entry>& entries() const { return m_entries; }
    /// Checks again which exist, then emits changed().
    void probe();

Q_SIGNALS:
    void changed();

private:
    void save();
    QSettings& m_settings;
    QList<Entry> m_entries;
    bool m_saves = true;
    AsyncRunner m_probe;
};

} // namespace cairn::ui
