// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshots/screenshots_camera.h"

#include "ui/pages/page_info.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots/screenshots.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPainter>
#include <QThread>

namespace cairn::ui {

bool waitUntil(const std::function<bool()>& ready, int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (!ready()) {
        if (clock.elapsed() > milliseconds) {
            return false;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(2);
    }
    return true;
}

namespace pictures {
namespace {

/// Recorded in the picture, so that one that is kept can be compared with the window of today.
QString tabTitles() {
    QStringList titles;
    for (const PageInfo* page : pageInfos()) {
        titles << page->title();
    }
    return titles.join(QStringLiteral(", "));
}

} // namespace

void pause(int milliseconds) {
    waitUntil([] { return false; }, milliseconds);
}

Camera::Camera(MainWindow& window, const QString& folder)
    : m_window(window), m_folder(folder), m_light(QApplication::palette()) {}

bool Camera::take(const QString& name) {
    bool written = true;
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? darkDesktopPalette() : m_light);
        waitUntil([] { return false; }, 60); // palette changes are delivered as events
        for (const int scale : {1, 2}) {
            QImage picture(m_window.size() * scale, QImage::Format_RGB32);
            picture.setDevicePixelRatio(scale);
            m_window.render(&picture);
            if (m_popup != nullptr && m_popup->isVisible()) {
                QPainter painter(&picture);
                const QRect place(m_popup->mapToGlobal(QPoint()) - m_window.mapToGlobal(QPoint()),
                                  m_popup->size());
                m_popup->render(&painter, place.topLeft());
                painter.setPen(theme::hairline(m_popup->palette())); // a dialog's frame
                painter.drawRect(place);
            }
            picture.setText(QStringLiteral("Tabs"), tabTitles());
            const QString file = name +
                                 (dark ? QStringLiteral("-dark") : QStringLiteral("-light")) +
                                 (scale == 2 ? QStringLiteral("@2x.png") : QStringLiteral(".png"));
            written = picture.save(QDir(m_folder).filePath(file)) && written;
            ++m_count;
        }
    }
    QApplication::setPalette(m_light);
    return written;
}

} // namespace pictures
} // namespace cairn::ui
