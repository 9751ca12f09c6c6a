// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session/session_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

#include <mutex>
#include <utility>

namespace cairn::ui {
namespace {

const QString kVersionKey = QStringLiteral("version");

bool replaceFile(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

} // namespace

/// Orders the writes: one that was overtaken by a later one is dropped.
struct SessionFile::Shared {
    std::mutex mutex;
    quint64 written = 0; ///< number of the last write; guarded by mutex

    void write(const QString& path, const QByteArray& bytes, quint64 number) {
        const std::scoped_lock lock(mutex);
        if (number > written) {
            written = number;
            (void)replaceFile(path, bytes);
        }
    }
};

SessionFile::SessionFile(QString path)
    : m_path(std::move(path)), m_shared(std::make_shared<Shared>()) {}

QJsonObject SessionFile::read() const {
    QFile file(m_path);
    if (file.size() > kMostBytes || !file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QJsonObject state = QJsonDocument::fromJson(file.read(kMostBytes)).object();
    const int version = state.value(kVersionKey).toInt();
    return version >= 1 && version <= kVersion ? state : QJsonObject();
}

bool SessionFile::prepare(QJsonObject state) {
    state.insert(kVersionKey, kVersion);
    QByteArray bytes = QJsonDocument(state).toJson(QJsonDocument::Indented);
    if (bytes == m_bytes || bytes.size() > kMostBytes) {
        return false;
    }
    m_bytes = std::move(bytes);
    ++m_number;
    return true;
}

void SessionFile::write(QJsonObject state) {
    if (!prepare(std::move(state))) {
        return;
    }
    m_writer.start(
        [shared = m_shared, path = m_path, bytes = m_bytes,
         number = m_number](const CancelToken&) -> Result<int> {
            shared->write(path, bytes, number);
            return 0;
        },
        [](const Result<int>&) {});
}

void SessionFile::writeNow(QJsonObject state) {
    if (prepare(std::move(state)) || m_writer.isRunning()) {
        m_shared->write(m_path, m_bytes, ++m_number);
    }
}

} // namespace cairn::ui
