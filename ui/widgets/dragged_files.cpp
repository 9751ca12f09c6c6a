// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dragged_files.h"

#include <QDrag>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QWidget>

#include <memory>

namespace cairn::ui {
namespace {

const QString kUris = QStringLiteral("text/uri-list");

std::function<void(QMimeData*)>& receiver() {
    static std::function<void(QMimeData*)> used;
    return used;
}

/// A folder of its own for each drag: the target may still read while the next one starts.
QString newFolder() {
    static std::vector<std::unique_ptr<QTemporaryDir>> folders;
    folders.push_back(std::make_unique<QTemporaryDir>());
    return folders.back()->isValid() ? folders.back()->path() : QString();
}

QString fileName(QString name) {
    static const QRegularExpression odd(QStringLiteral("[^\\w.=-]+"));
    name.replace(odd, QStringLiteral("-"));
    return name.startsWith(QLatin1Char('.')) ? QLatin1Char('_') + name : name;
}

} // namespace

DraggedFiles::DraggedFiles(std::vector<Make> files) : m_files(std::move(files)) {}

QStringList DraggedFiles::formats() const {
    return QStringList{kUris} + QMimeData::formats();
}

bool DraggedFiles::hasFormat(const QString& mimeType) const {
    return mimeType == kUris || QMimeData::hasFormat(mimeType);
}

QVariant DraggedFiles::retrieveData(const QString& mimeType, QMetaType type) const {
    if (mimeType != kUris) {
        return QMimeData::retrieveData(mimeType, type);
    }
    const QString folder = m_isWritten ? QString() : newFolder();
    m_isWritten = true;
    for (const Make& make : folder.isEmpty() ? std::vector<Make>() : m_files) {
        const File made = make();
        const QString name = fileName(made.name);
        QString path = folder + QLatin1Char('/') + name;
        for (int i = 2; QFile::exists(path); ++i) { // names may differ in what a file's cannot have
            path = folder + QStringLiteral("/%1-").arg(i) + name;
        }
        QFile file(path);
        if (!made.bytes.isEmpty() && file.open(QFile::WriteOnly | QFile::NewOnly) &&
            file.write(made.bytes) == made.bytes.size() && file.flush()) {
            m_written.append(QUrl::fromLocalFile(file.fileName()));
        }
    }
    if (type.id() == QMetaType::QVariantList) {
        QVariantList urls;
        for (const QUrl& url : m_written) {
            urls.append(url);
        }
        return urls;
    }
    if (type.id() == QMetaType::QUrl) {
        return m_written.isEmpty() ? QVariant() : QVariant(m_written.front());
    }
    QByteArray lines;
    for (const QUrl& url : m_written) {
        lines += url.toEncoded() + "\r\n";
    }
    return lines;
}

void startDrag(QWidget* from, QMimeData* data) {
    if (receiver()) {
        receiver()(data);
        return;
    }
    auto* drag = new QDrag(from);
    drag->setMimeData(data);
    drag->exec(Qt::CopyAction);
}

void setDragReceiver(std::function<void(QMimeData* data)> used) {
    receiver() = std::move(used);
}

} // namespace cairn::ui
