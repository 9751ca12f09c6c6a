// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/recent_folders.h"

#include "core/base/other_machine.h"
#include "ui/text/plain_text.h"

#include <QDir>
#include <QSettings>
#include <system_error>

#include <algorithm>
#include <vector>

namespace cairn::ui {
namespace {
const QString kKey = QStringLiteral("recent");
} // namespace

RecentFolders::RecentFolders(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
    const int count = m_settings.beginReadArray(kKey);
    for (int i = 0; i < std::min(count, kMost); ++i) {
        m_settings.setArrayIndex(i);
        const QByteArray path = m_settings.value(QStringLiteral("path")).toByteArray();
        if (!path.isEmpty()) {
            m_entries << Entry{std::filesystem::path(path.toStdString()),
                               m_settings.value(QStringLiteral("opened")).toDateTime(), true};
        }
    }
    m_settings.endArray();
}

void RecentFolders::add(const std::filesystem::path& path) {
    m_entries.removeIf([&](const Entry& entry) { return entry.path == path; });
    m_entries.prepend({path, QDateTime::currentDateTime(), true});
    while (m_entries.size() > kMost) {
        m_entries.removeLast();
    }
    save();
    Q_EMIT changed();
}

bool RecentFolders::contains(const std::filesystem::path& path) const {
    return std::ranges::any_of(m_entries, [&](const Entry& entry) { return entry.path == path; });
}

void RecentFolders::clear() {
    m_entries.clear();
    save();
    Q_EMIT changed();
}

QString RecentFolders::startFolder() const {
    return m_entries.isEmpty()
               ? QDir::homePath()
               : QString::fromLocal8Bit(m_entries.front().path.parent_path().c_str());
}

void RecentFolders::probe() {
    std::vector<std::filesystem::path> paths;
    for (const Entry& entry : m_entries) {
        paths.push_back(entry.path);
    }
    m_probe.start(
        [paths](const CancelToken&) -> Result<std::vector<bool>> {
            std::vector<bool> present;
            for (const auto& path : paths) {
                std::error_code ignored;
                // A host is not asked before it is opened.
                present.push_back(std::filesystem::exists(path, ignored) ||
                                  namesRemote(path.native()));
            }
            return present;
        },
        [this, paths](const Result<std::vector<bool>>& present) {
            for (std::size_t i = 0; present && i < paths.size(); ++i) {
                for (Entry& entry : m_entries) {
                    if (entry.path == paths[i]) {
                        entry.present = (*present)[i];
                    }
                }
            }
            Q_EMIT changed();
        });
}

void RecentFolders::save() {
    if (!m_saves) {
        return;
    }
    m_settings.remove(kKey);
    m_settings.beginWriteArray(kKey, static_cast<int>(m_entries.size()));
    for (int i = 0; i < m_entries.size(); ++i) {
        m_settings.setArrayIndex(i);
        m_settings.setValue(QStringLiteral("path"),
                            QByteArray::fromStdString(m_entries[i].path.native()));
        m_settings.setValue(QStringLiteral("opened"), m_entries[i].opened);
    }
    m_settings.endArray();
}

} // namespace cairn::ui
