// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/appearance.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QToolTip>
#include <QWidget>

#include <algorithm>

namespace cairn::ui::theme {
namespace {

Scheme usedScheme = Scheme::System;
FontSizes usedSizes;

QPalette paletteOf(std::initializer_list<std::pair<QPalette::ColorRole, QRgb>> colors,
                   QRgb disabled) {
    QPalette palette;
    for (const auto& [role, color] : colors) {
        palette.setColor(role, QColor(color));
    }
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, QColor(disabled));
    }
    return palette;
}

/// The usual size of monospace text.
double monoSize() {
    return theme::mono(QApplication::font()).pointSizeF();
}

/// Widgets that have a size of their own, derived from the application's when they were made.
void scaleFonts(double factor, double monoFactor) {
    const QString fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    for (QWidget* widget : QApplication::allWidgets()) {
        QFont font = widget->font();
        const bool own = widget->testAttribute(Qt::WA_SetFont) &&
                         (font.resolveMask() & QFont::SizeResolved) != 0 && font.pointSizeF() > 0;
        const double by = font.family() == fixed ? monoFactor : factor;
        if (own && by != 1) {
            font.setPointSizeF(font.pointSizeF() * by);
            widget->setFont(font);
        }
    }
}

/// Keeps the colours of tooltips those of cards.
class ToolTipColors : public QObject {
public:
    using QObject::QObject;

    static void apply() {
        QPalette tips = QApplication::palette();
        tips.setColor(QPalette::ToolTipBase, cardGround(tips));
        tips.setColor(QPalette::ToolTipText, tips.color(QPalette::Text));
        QToolTip::setPalette(tips);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == qApp && event->type() == QEvent::ApplicationPaletteChange) {
            apply();
        }
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

QPalette lightPalette() {
    return paletteOf({{QPalette::Window, 0xf4f6f8},
                      {QPalette::WindowText, 0x1c2128},
                      {QPalette::Base, 0xffffff},
                      {QPalette::AlternateBase, 0xf7f8fa},
                      {QPalette::Text, 0x1c2128},
                      {QPalette::Button, 0xf4f6f8},
                      {QPalette::ButtonText, 0x1c2128},
                      {QPalette::BrightText, 0xffffff},
                      {QPalette::Highlight, 0x2f6fe4},
                      {QPalette::HighlightedText, 0xffffff},
                      {QPalette::ToolTipBase, 0xffffff},
                      {QPalette::ToolTipText, 0x1c2128},
                      {QPalette::PlaceholderText, 0x6b7480},
                      {QPalette::Link, 0x1f5fd0},
                      {QPalette::Light, 0xffffff},
                      {QPalette::Midlight, 0xeceff2},
                      {QPalette::Mid, 0xc3c9d0},
                      {QPalette::Dark, 0x9aa3ad},
                      {QPalette::Shadow, 0x6c757e}},
                     0x8c949c);
}

QPalette darkPalette() {
    return paletteOf({{QPalette::Window, 0x212529},
                      {QPalette::WindowText, 0xe6e8ea},
                      {QPalette::Base, 0x1a1d21},
                      {QPalette::AlternateBase, 0x24282d},
                      {QPalette::Text, 0xe6e8ea},
                      {QPalette::Button, 0x2b3036},
                      {QPalette::ButtonText, 0xe6e8ea},
                      {QPalette::BrightText, 0xffffff},
                      {QPalette::Highlight, 0x6ea8fe},
                      {QPalette::HighlightedText, 0x101418},
                      {QPalette::ToolTipBase, 0x2b3036},
                      {QPalette::ToolTipText, 0xe6e8ea},
                      {QPalette::PlaceholderText, 0x9aa2aa},
                      {QPalette::Link, 0x6ea8fe},
                      {QPalette::Light, 0x3a4047},
                      {QPalette::Midlight, 0x32373d},
                      {QPalette::Mid, 0x2b3036},
                      {QPalette::Dark, 0x15181b},
                      {QPalette::Shadow, 0x0b0d0f}},
                     0x7c848c);
}

void followToolTips() {
    static bool follows = false;
    if (!follows) {
        follows = true;
        ToolTipColors::apply();
        qApp->installEventFilter(new ToolTipColors(qApp));
    }
}

void setScheme(Scheme scheme) {
    if (scheme == usedScheme) {
        return;
    }
    usedScheme = scheme;
    QApplication::setPalette(scheme == Scheme::Light  ? lightPalette()
                             : scheme == Scheme::Dark ? darkPalette()
                                                      : QPalette());
}

void setFontSizes(const FontSizes& sizes) {
    static const QFont desktop = QApplication::font();
    const auto sane = [](double points) {
        return points > 0 ? std::clamp(points, kSmallestFont, kLargestFont) : 0;
    };
    const FontSizes wanted{sane(sizes.interface), sane(sizes.mono)};
    if (wanted == usedSizes) {
        return;
    }
    const double before = QApplication::font().pointSizeF();
    const double monoBefore = monoSize();
    usedSizes = wanted;
    QFont font = desktop;
    if (wanted.interface > 0) {
        font.setPointSizeF(wanted.interface);
    }
    QApplication::setFont(font);
    if (before > 0 && monoBefore > 0) {
        scaleFonts(font.pointSizeF() / before, monoSize() / monoBefore);
    }
}

double monoPoints(const QFont& base) {
    const double whole = QApplication::font().pointSizeF();
    const double share = whole > 0 && base.pointSizeF() > 0 ? base.pointSizeF() / whole : 1;
    return usedSizes.mono * share;
}

} // namespace cairn::ui::theme
