// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QStyleFactory>
#include <QWidget>

namespace cairn::ui::test {

/// The palettes that the drawings use, so that pictures do not depend on the desktop that runs the
/// tests.
inline QPalette lightPalette() {
    QPalette palette(QColor(0xf4, 0xf6, 0xf8));
    palette.setColor(QPalette::Window, QColor(0xf4, 0xf6, 0xf8));
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::AlternateBase, QColor(0xf7, 0xf8, 0xfa));
    palette.setColor(QPalette::Highlight, QColor(0x2f, 0x6f, 0xe4));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        palette.setColor(role, QColor(0x1c, 0x21, 0x28));
    }
    return palette;
}

inline QPalette darkPalette() {
    QPalette palette(QColor(0x22, 0x26, 0x2b));
    palette.setColor(QPalette::Window, QColor(0x22, 0x26, 0x2b));
    palette.setColor(QPalette::Base, QColor(0x1a, 0x1d, 0x21));
    palette.setColor(QPalette::AlternateBase, QColor(0x1e, 0x22, 0x26));
    palette.setColor(QPalette::Button, QColor(0x2a, 0x2f, 0x35));
    palette.setColor(QPalette::Highlight, QColor(0x6e, 0xa3, 0xff));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        palette.setColor(role, QColor(0xe4, 0xe7, 0xeb));
    }
    return palette;
}

/// $CAIRN_SCREENSHOTS, or empty: pictures are not saved.
inline QString screenshotFolder() {
    return qEnvironmentVariable("CAIRN_SCREENSHOTS");
}

/// Draws the widget in both palettes, at scale factors one and two; false if a picture is empty.
inline bool saveScreenshots(QWidget& widget, const QString& name) {
    bool good = true;
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? darkPalette() : lightPalette());
        QApplication::processEvents();
        for (const int scale : {1, 2}) {
            QImage image(widget.size() * scale, QImage::Format_RGB32);
            image.setDevicePixelRatio(scale);
            image.fill(widget.palette().color(QPalette::Window));
            widget.render(&image);
            good = good && !image.isNull();
            if (!screenshotFolder().isEmpty()) {
                QDir().mkpath(screenshotFolder());
                const QString file = QStringLiteral("%1%2%3.png")
                                         .arg(name, dark ? QStringLiteral("-dark") : QString(),
                                              scale == 2 ? QStringLiteral("@2x") : QString());
                good = image.save(screenshotFolder() + QLatin1Char('/') + file) && good;
            }
        }
    }
    QApplication::setPalette(lightPalette());
    return good;
}

} // namespace cairn::ui::test
