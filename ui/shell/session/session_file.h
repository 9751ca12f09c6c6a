// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <memory>

namespace cairn::ui {

/// The file of the window's state: one JSON object, replaced as a whole, so that it is complete
/// after a crash. Two programs may use it; the last one to write wins. Failures are harmless: a
/// file that is missing, damaged or of a newer version is treated as empty, and a state that cannot
/// be written is lost. GUI thread; write() leaves the disk to a worker.
class SessionFile {
public:
    static constexpr int kVersion = 1;
    static constexpr qint64 kMostBytes = qint64{8} << 20U;

    explicit SessionFile(QString path);

    const QString& path() const { return m_path; }
    QJsonObject read() const;
    /// Does nothing if this is what was last written.
    void write(QJsonObject state);
    /// The same, but returns after it is on the disk: for the end of the program.
    void writeNow(QJsonObject state);

private:
    struct Shared;
    /// False: nothing changed.
    bool prepare(QJsonObject state);

    QString m_path;
    QByteArray m_bytes; ///< last written, or being written
    quint64 m_number = 0;
    std::shared_ptr<Shared> m_shared; ///< used by the worker
    AsyncRunner m_writer;
};

} // namespace cairn::ui
