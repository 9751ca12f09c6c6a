// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_state.h"

#include <QDir>
#include <QMainWindow>
#include <QScreen>
#include <QSplitter>

namespace cairn::ui {
namespace {
const QSize kDefaultSize(1440, 900);
const QSize kSmallest(880, 560);
} // namespace

WindowState::WindowState(QSettings& settings) : m_settings(settings) {
    if (m_settings.value(QStringLiteral("version")).toInt() != kVersion) {
        m_settings.clear();
        m_settings.setValue(QStringLiteral("version"), kVersion);
    }
}

void WindowState::restore(QMainWindow& window, QSplitter& splitter) const {
    const QSize wanted = m_settings.value(QStringLiteral("window/size"), kDefaultSize).toSize();
    const QSize room = window.screen()->availableSize();
    const bool sane = wanted.width() >= kSmallest.width() && wanted.height() >= kSmallest.height();
    window.setMinimumSize(kSmallest);
    window.resize((sane ? wanted : kDefaultSize).boundedTo(room));
    if (m_settings.value(QStringLiteral("window/maximized")).toBool()) {
        window.setWindowState(Qt::WindowMaximized);
    }
    QList<int> sizes;
    for (const QVariant& size : m_settings.value(QStringLiteral("window/columns")).toList()) {
        sizes << size.toInt();
    }
    if (sizes.size() == splitter.count() &&
        std::all_of(sizes.begin(), sizes.end(), [](int size) { return size >= 0; })) {
        splitter.setSizes(sizes);
    }
}

void WindowState::save(const QMainWindow& window, const QSplitter& splitter) {
    m_settings.setValue(QStringLiteral("window/maximized"), window.isMaximized());
    if (!window.isMaximized()) {
        m_settings.setValue(QStringLiteral("window/size"), window.size());
    }
    QVariantList sizes;
    bool whole = true; // the width of a hidden column is not stored
    for (const int size : splitter.sizes()) {
        whole = whole && size > 0;
        sizes << size;
    }
    if (whole) {
        m_settings.setValue(QStringLiteral("window/columns"), sizes);
    }
}

int WindowState::tab() const {
    return m_settings.value(QStringLiteral("window/tab"), 0).toInt();
}
void WindowState::setTab(int tab) {
    m_settings.setValue(QStringLiteral("window/tab"), tab);
}
bool WindowState::inspector() const {
    return m_settings.value(QStringLiteral("window/inspector"), true).toBool();
}
void WindowState::setInspector(bool visible) {
    m_settings.setValue(QStringLiteral("window/inspector"), visible);
}

std::vector<std::filesystem::path> WindowState::experiments() const {
    std::vector<std::filesystem::path> paths;
    for (const QVariant& path : m_settings.value(QStringLiteral("session/experiments")).toList()) {
        paths.emplace_back(path.toByteArray().toStdString());
    }
    return paths;
}

void WindowState::setExperiments(const std::vector<std::filesystem::path>& paths) {
    QVariantList list;
    for (const auto& path : paths) {
        list << QByteArray::fromStdString(path.native());
    }
    m_settings.setValue(QStringLiteral("session/experiments"), list);
}

QString WindowState::lastFolder() const {
    return m_settings.value(QStringLiteral("session/folder"), QDir::homePath()).toString();
}
void WindowState::setLastFolder(const QString& folder) {
    m_settings.setValue(QStringLiteral("session/folder"), folder);
}

} // namespace cairn::ui
