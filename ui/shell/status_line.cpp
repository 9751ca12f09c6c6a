// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QPainter>

namespace cairn::ui {

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent), m_path(new TextLabel({}, theme::Tone::Dim)),
      m_counts(new TextLabel({}, theme::Tone::Dim)) {
    setAutoFillBackground(true);
    setAccessibleRole(this, QAccessible::StatusBar);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::kGrid + 4, 4, theme::kGrid + 4, 3);
    layout->setSpacing(3 * theme::kGrid);
    m_path->setElideMiddle(true);
    for (QWidget* part : {m_path, m_counts}) {
        part->setFont(theme::small(part->font()));
    }
    layout->addWidget(m_path);
    layout->addWidget(m_counts);
    layout->addStretch(1);
    setMinimumHeight(3 * theme::kGrid + 2);
}

void StatusLine::setPath(const QString& path) {
    m_path->setText(path);
}

void StatusLine::setCounts(const QString& counts) {
    m_counts->setText(counts);
}

QString StatusLine::counts() const {
    return m_counts->text();
}

void StatusLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 1), theme::hairline(palette()));
}

} // namespace cairn::ui
