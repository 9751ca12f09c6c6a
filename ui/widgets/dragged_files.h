// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMimeData>
#include <QString>
#include <QUrl>

#include <functional>
#include <vector>

namespace cairn::ui {

/// What is dragged out of the window as files: they are made when the target asks for them, in a
/// folder for temporary files that is removed with the program. GUI thread.
class DraggedFiles final : public QMimeData {
    Q_OBJECT

public:
    struct File {
        QString name;
        QByteArray bytes; ///< empty: it could not be made, and is left out
    };
    using Make = std::function<File()>;
    explicit DraggedFiles(std::vector<Make> files);

    QStringList formats() const override;
    bool hasFormat(const QString& mimeType) const override;

protected:
    QVariant retrieveData(const QString& mimeType, QMetaType type) const override;

private:
    std::vector<Make> m_files;
    mutable QList<QUrl> m_written;
    mutable bool m_isWritten = false;
};

/// Starts a drag of copies; takes the data over.
void startDrag(QWidget* from, QMimeData* data);
/// Receives what startDrag() gets, in place of the desktop: for tests. Empty: the desktop.
void setDragReceiver(std::function<void(QMimeData* data)> receiver);

} // namespace cairn::ui
