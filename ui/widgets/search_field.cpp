// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_field.h"

#include "ui/text/text_flags.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>

namespace cairn::ui {

SearchField::SearchField(const QString& placeholder, const QKeySequence& shortcut, QWidget* parent)
    : TextField(parent), m_shortcut(shortcut.toString(QKeySequence::NativeText)) {
    setPlaceholderText(placeholder);
    setClearButtonEnabled(true);
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) {
            setProblem({});
        }
    });
}

void SearchField::setShortcut(const QKeySequence& shortcut) {
    m_shortcut = shortcut.toString(QKeySequence::NativeText);
    update();
}

void SearchField::setProblem(const QString& problem) {
    setAccessibleDescription(problem);
    if (problem.isEmpty()) {
        delete m_problem;
        return;
    }
    if (!m_problem) {
        m_problem = plainLabel({});
        m_problem->setParent(window());
        m_problem->setObjectName(QStringLiteral("filterProblem"));
        m_problem->setWordWrap(true);
        m_problem->setMargin(theme::kGrid);
        m_problem->setFrameShape(QFrame::Box);
        m_problem->setAutoFillBackground(true);
        QPalette colors = window()->palette();
        colors.setColor(QPalette::Window, theme::cardGround(colors));
        colors.setColor(QPalette::WindowText, theme::color(theme::Tone::Attention, colors));
        m_problem->setPalette(colors);
    }
    m_problem->setText(problem);
    placeProblem();
    m_problem->show();
    m_problem->raise();
}

QString SearchField::problem() const {
    return m_problem ? m_problem->text() : QString();
}

void SearchField::placeProblem() {
    if (!m_problem) {
        return;
    }
    const QPoint below = mapTo(window(), QPoint(0, height() + theme::kGrid / 2));
    m_problem->setFixedWidth(width());
    m_problem->setGeometry(below.x(), below.y(), width(), m_problem->heightForWidth(width()));
}

void SearchField::resizeEvent(QResizeEvent* event) {
    TextField::resizeEvent(event);
    placeProblem();
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        if (text().isEmpty()) {
            Q_EMIT left();
        } else {
            clear();
        }
        return;
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT left();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void SearchField::paintEvent(QPaintEvent* event) {
    TextField::paintEvent(event);
    if (text().isEmpty() && isEnabled()) {
        QPainter painter(this);
        painter.setFont(theme::small(font()));
        painter.setPen(theme::color(theme::Tone::Dim, palette()));
        const QRect room = rect().adjusted(theme::kGrid, 0, -theme::kGrid - 2, 0);
        if (fontMetrics().horizontalAdvance(placeholderText()) + theme::kGrid +
                painter.fontMetrics().horizontalAdvance(m_shortcut) <=
            room.width()) {
            const auto direction =
                placeholderText().isRightToLeft() ? Qt::RightToLeft : Qt::LeftToRight;
            painter.drawText(
                room, text::textFlags(direction, Qt::AlignRight | Qt::AlignVCenter, m_shortcut),
                m_shortcut);
        }
    }
}

} // namespace cairn::ui
