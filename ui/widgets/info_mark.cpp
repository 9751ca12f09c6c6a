// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/info_mark.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace cairn::ui {
namespace {

constexpr int kInfoCircle = 14; ///< px
constexpr int kInfoReach = 24;  ///< px that take a click
constexpr int kInfoReachDown = 18;

} // namespace

InfoMark::InfoMark(const QString& name, std::function<QString()> text, QWidget* parent)
    : QAbstractButton(parent), m_text(std::move(text)) {
    setAttribute(Qt::WA_Hover);
    setAccessibleName(name);
    setFocusPolicy(Qt::NoFocus); // what it belongs to has a key for it
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, &InfoMark::showText);
}

void InfoMark::showText() {
    const QString words = m_text();
    announce(this, words);
    QToolTip::showText(mapToGlobal(QPoint(0, height())), text::toolTip(words), this);
}

QSize InfoMark::sizeHint() const {
    return {kInfoReach, kInfoReachDown};
}

bool InfoMark::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(mapToGlobal(QPoint(0, height())), text::toolTip(m_text()), this);
        return true;
    }
    return QAbstractButton::event(event);
}

void InfoMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink =
        underMouse() ? palette().color(QPalette::Text) : theme::color(theme::Tone::Dim, palette());
    const QRectF circle((width() - kInfoCircle) / 2.0, (height() - kInfoCircle) / 2.0, kInfoCircle,
                        kInfoCircle);
    painter.setPen(QPen(ink, 1));
    painter.drawEllipse(circle.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.fillRect(QRectF(circle.center() + QPointF(-0.75, -3.5), QSizeF(1.5, 1.5)), ink);
    painter.fillRect(QRectF(circle.center() + QPointF(-0.75, -1), QSizeF(1.5, 4.5)), ink);
}

} // namespace cairn::ui
