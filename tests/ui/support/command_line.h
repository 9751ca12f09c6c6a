// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

#include <filesystem>

/// What other programs write, for tests that compare it with the window.
namespace cairn::ui::test {

/// Standard output; empty unless it ended with the expected code.
inline QByteArray outputOf(const QString& program, const QStringList& arguments, int expected = 0) {
    constexpr int kProcessMs = 60'000;
    QProcess process;
    process.start(program, arguments);
    const bool ended = process.waitForFinished(kProcessMs);
    return ended && process.exitCode() == expected ? process.readAllStandardOutput() : QByteArray();
}

inline QString inText(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

} // namespace cairn::ui::test
