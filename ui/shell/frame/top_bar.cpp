// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/top_bar.h"

#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/forecast_label.h"
#include "ui/shell/frame/job_chip.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/search_field.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace cairn::ui {

TopBar::TopBar(Actions& actions, QWidget* parent)
    : QWidget(parent), m_open(new Button(actions.openFolder)),
      m_consolidate(new Button(actions.consolidate)), m_forecast(new ForecastLabel),
      m_details(new Button(tr("Details"))), m_chip(new JobChip),
      m_refresh(new Button(actions.refresh)), m_compare(new Button(tr("Compare"))),
      m_filter(new SearchField(tr("Filter tensors…"), actions.filter->shortcut())) {
    setAutoFillBackground(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::kGrid + 4, theme::kGrid, theme::kGrid + 4, theme::kGrid + 1);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_open);
    layout->addWidget(m_refresh);
    setComparable(false);
    connect(m_compare, &QPushButton::clicked, this, &TopBar::compareClicked);
    layout->addWidget(m_compare);
    m_consolidate->setPrimary(true);
    layout->addWidget(m_consolidate);
    layout->addWidget(m_forecast, 1);
    m_details->hide();
    text::setToolTip(m_details, tr("Show what prevents it, and what helps"));
    connect(m_details, &QPushButton::clicked, this, &TopBar::detailsClicked);
    layout->addWidget(m_details);
    layout->addWidget(m_chip);
    m_filter->setMaximumWidth(std::max(300, 44 * fontMetrics().averageCharWidth()));
    m_filter->setMinimumWidth(std::max(180, 26 * fontMetrics().averageCharWidth()));
    m_filter->setAccessibleName(tr("Filter tensors"));
    layout->addWidget(m_filter);
}

void TopBar::setForecast(const QStringList& parts, const QString& tip, theme::Tone tone) {
    m_forecast->setParts(parts, tip, tone);
    text::setDescription(m_consolidate, tip);
    m_isRefused = tone == theme::Tone::Broken;
    leaveOut();
}

void TopBar::setFilterShown(bool shown) {
    m_filter->setVisible(shown);
    leaveOut();
}

void TopBar::setFilterHint(const QString& hint) {
    m_filter->setPlaceholderText(hint);
}

void TopBar::setComparable(bool comparable) {
    m_compare->setEnabled(comparable);
    text::setToolTip(m_compare,
                     comparable
                         ? tr("Compare curves, settings and weights of two runs, or two selected "
                              "checkpoints. Mark runs on the left with X or choose them on the "
                              "page.")
                         : tr("There is only one run; open another folder to compare"));
}

QString TopBar::forecast() const {
    return m_forecast->text();
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    leaveOut();
}

/// Where texts are long and the window is narrow, the buttons go that a key or a tab replaces.
void TopBar::leaveOut() {
    const auto* row = layout();
    int needed = row->contentsMargins().left() + row->contentsMargins().right();
    for (const QWidget* each : std::initializer_list<const QWidget*>{
             m_open, m_refresh, m_compare, m_consolidate, m_details, m_chip, m_filter}) {
        const bool counts = each == m_chip      ? !m_chip->isHidden()
                            : each == m_details ? m_isRefused
                            : each == m_filter  ? !m_filter->isHidden()
                                                : true;
        needed += counts ? row->spacing() + each->minimumSizeHint().width() : 0;
    }
    needed +=
        m_filter->isHidden() ? 0 : m_filter->minimumWidth() - m_filter->minimumSizeHint().width();
    for (QWidget* each : std::initializer_list<QWidget*>{m_compare, m_refresh, m_details}) {
        if (each == m_details && !m_isRefused) {
            each->hide();
            continue;
        }
        const bool fits = needed <= width();
        each->setVisible(fits);
        needed -= fits ? 0 : row->spacing() + each->minimumSizeHint().width();
    }
}

void TopBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme::hairline(palette()));
}

} // namespace cairn::ui
