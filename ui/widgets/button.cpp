// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/button.h"

#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QMenu>
#include <QPainter>
#include <QStyle>

namespace cairn::ui {
namespace {
constexpr int kButtonPadding = 12;
constexpr int kArrowSpace = 14;
} // namespace

Button::Button(const QString& text, QWidget* parent) : QPushButton(text, parent) {
    setAttribute(Qt::WA_Hover);
    setAutoDefault(false);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

Button::Button(QAction* action, QWidget* parent) : Button(QString(), parent) {
    m_action = action;
    followAction();
    connect(action, &QAction::changed, this, &Button::followAction);
    connect(this, &QPushButton::clicked, action, [action] { action->trigger(); });
}

void Button::followAction() {
    QString label = m_action->text();
    setText(label.remove(QLatin1Char('&'))); // the menu defines the mnemonic
    setEnabled(m_action->isEnabled());
    QString tip = m_action->toolTip();
    if (!m_action->shortcut().isEmpty()) {
        tip += QStringLiteral(" (%1)").arg(m_action->shortcut().toString(QKeySequence::NativeText));
    }
    text::setToolTip(this, tip);
}

void Button::setPrimary(bool primary) {
    m_primary = primary;
    update();
}

void Button::setOpensList(bool opens) {
    m_opensList = opens;
    updateGeometry();
    update();
}

QSize Button::sizeHint() const {
    QFont font = this->font();
    font.setWeight(QFont::DemiBold); // the width does not jump when a button becomes primary
    const QFontMetrics metrics(font);
    const int arrow = hasArrow() ? kArrowSpace : 0;
    return {metrics.size(Qt::TextShowMnemonic, text()).width() + 2 * kButtonPadding + arrow,
            std::max(theme::kControlHeight, metrics.height() + 10)};
}

void Button::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette& colors = palette();
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool filled = m_primary && isEnabled();
    QColor ground = filled ? theme::accent(colors) : colors.color(QPalette::Base);
    QColor ink = filled ? theme::onAccent(colors) : colors.color(QPalette::Text);
    if (!isEnabled()) {
        ink = theme::color(theme::Tone::Dim, colors);
        ink.setAlphaF(0.7F);
        ground = colors.color(QPalette::Window);
    } else if (isDown() || isChecked()) {
        ground = filled ? ground.darker(120) : theme::track(colors);
    } else if (underMouse()) {
        ground = filled ? ground.darker(108) : colors.color(QPalette::Window);
    }
    painter.setBrush(ground);
    painter.setPen(filled ? ground : theme::hairline(colors));
    painter.drawRoundedRect(frame, theme::kControlRadius, theme::kControlRadius);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(
            filled ? theme::onAccent(colors) : theme::color(theme::Tone::Accent, colors), 1.0));
        painter.drawRoundedRect(frame.adjusted(1.5, 1.5, -1.5, -1.5), theme::kControlRadius - 1,
                                theme::kControlRadius - 1);
    }
    if (m_primary) {
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
    }
    painter.setPen(ink);
    const bool underline = style()->styleHint(QStyle::SH_UnderlineShortcut, nullptr, this) != 0;
    const Qt::Alignment side =
        hasArrow() ? Qt::AlignVCenter | Qt::AlignLeft : Qt::Alignment(Qt::AlignCenter);
    const int flags = text::textFlags(layoutDirection(), side, text()) |
                      (underline ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
    const int arrow = hasArrow() ? kArrowSpace : 0;
    const QRect room = QStyle::visualRect(
        layoutDirection(), rect(), rect().adjusted(arrow > 0 ? kButtonPadding : 0, 0, -arrow, 0));
    const QString whole = text(); // in a window that is too narrow for a large font, its beginning
    painter.drawText(room, flags,
                     painter.fontMetrics().elidedText(whole, Qt::ElideRight, room.width(),
                                                      Qt::TextShowMnemonic));
    if (arrow > 0) {
        const double inset = kButtonPadding + 2.0;
        const QPointF tip(isRightToLeft() ? inset : width() - inset, height() / 2.0 + 2.0);
        painter.setPen(QPen(ink, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF({tip + QPointF(-3.5, -3.5), tip, tip + QPointF(3.5, -3.5)}));
    }
}

} // namespace cairn::ui
