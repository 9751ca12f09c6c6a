// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_mark.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QFocusEvent>
#include <QPainter>

namespace cairn::ui {
namespace {

constexpr int kWidth = 3; ///< px

} // namespace

FocusMark::FocusMark(QWidget* target, const QString& name) : QWidget(target), m_target(target) {
    if (!name.isEmpty()) {
        target->setAccessibleName(name);
    }
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    target->installEventFilter(this);
}

bool FocusMark::eventFilter(QObject* watched, QEvent* event) {
    const auto isClick = [event] { // whoever clicks sees where
        return static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason;
    };
    if (watched == m_target && event->type() == QEvent::FocusIn && !isClick()) {
        place();
        raise();
        show();
    } else if (watched == m_target && event->type() == QEvent::FocusOut) {
        hide();
    } else if (watched == m_target && event->type() == QEvent::Resize) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

void FocusMark::place() {
    const int x = isRightToLeft() ? m_target->width() - kWidth : 0;
    setGeometry(x, 0, kWidth, m_target->height());
}

void FocusMark::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), theme::accent(palette()));
}

} // namespace cairn::ui
