// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/status_line.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QPainter>

namespace cairn::ui {
namespace {

constexpr int kMessageMs = 4000;

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent), m_line(new TextLabel({}, theme::Tone::Dim)),
      m_counts(new TextLabel({}, theme::Tone::Dim)) {
    setAutoFillBackground(true);
    setAccessibleRole(this, QAccessible::StatusBar);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::kGrid + 4, 4, theme::kGrid + 4, 3);
    layout->setSpacing(3 * theme::kGrid);
    m_line->setElideMiddle(true);
    for (QWidget* part : {m_line, m_counts}) {
        part->setFont(theme::small(part->font()));
    }
    layout->addWidget(m_line);
    layout->addWidget(m_counts);
    layout->addStretch(1);
    setMinimumHeight(3 * theme::kGrid + 2);
    m_passing.setSingleShot(true);
    connect(&m_passing, &QTimer::timeout, this, [this] { m_line->setText(m_path); });
}

void StatusLine::setPath(const QString& path) {
    m_path = path;
    if (!m_passing.isActive()) {
        m_line->setText(path);
    }
}

void StatusLine::showMessage(const QString& line) {
    m_line->setText(line);
    announce(this, line);
    m_passing.start(kMessageMs);
}

void StatusLine::showTip(const QString& tip) {
    m_passing.stop();
    m_line->setText(tip.isEmpty() ? m_path : tip);
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
