// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>

#include <filesystem>
#include <vector>

class QMainWindow;
class QSplitter;

namespace cairn::ui {

/// The window's state between starts: size (not position, which Wayland lacks), splitters, open
/// experiments, tab. The settings have a version; others are dropped and the defaults apply. Never
/// written into the user's folders.
class WindowState {
public:
    static constexpr int kVersion = 1;

    explicit WindowState(QSettings& settings);

    void restore(QMainWindow& window, QSplitter& splitter) const;
    void save(const QMainWindow& window, const QSplitter& splitter);
    int tab() const;
    void setTab(int tab);
    bool inspector() const;
    void setInspector(bool visible);
    std::vector<std::filesystem::path> experiments() const;
    void setExperiments(const std::vector<std::filesystem::path>& paths);
    /// Where the file dialog opens.
    QString lastFolder() const;
    void setLastFolder(const QString& folder);

private:
    QSettings& m_settings;
};

} // namespace cairn::ui
