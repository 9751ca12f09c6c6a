// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/top_bar.h"

#include "ui/shell/actions.h"
#include "ui/shell/forecast_label.h"
#include "ui/shell/job_chip.h"
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
    : QWidget(parent), m_consolidate(new Button(actions.consolidate)),
      m_forecast(new ForecastLabel), m_chip(new JobChip),
      m_filter(new SearchField(tr("Filter tensors…"), actions.filter->shortcut())) {
    setAutoFillBackground(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(theme::kGrid + 4, theme::kGrid, theme::kGrid + 4, theme::kGrid + 1);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(new Button(actions.openFolder));
    layout->addWidget(new Button(actions.refresh));
    auto* compare = new Button(tr("Compare"));
    text::setToolTip(compare, tr("Compare curves, settings and weights of two runs. Mark them on "
                                 "the left with X or choose them on the page."));
    connect(compare, &QPushButton::clicked, this, &TopBar::compareClicked);
    layout->addWidget(compare);
    m_consolidate->setPrimary(true);
    layout->addWidget(m_consolidate);
    layout->addWidget(m_forecast, 1);
    layout->addWidget(m_chip);
    m_filter->setMaximumWidth(std::max(300, 44 * fontMetrics().averageCharWidth()));
    m_filter->setMinimumWidth(std::max(180, 26 * fontMetrics().averageCharWidth()));
    m_filter->setAccessibleName(tr("Filter tensors"));
    layout->addWidget(m_filter);
}

void TopBar::setForecast(const QStringList& parts, const QString& tip, bool warns) {
    m_forecast->setParts(parts, tip, warns ? theme::Tone::Attention : theme::Tone::Dim);
    m_consolidate->setAccessibleDescription(tip);
}

void TopBar::setFilterHint(const QString& hint) {
    m_filter->setPlaceholderText(hint);
}

QString TopBar::forecast() const {
    return m_forecast->text();
}

void TopBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme::hairline(palette()));
}

} // namespace cairn::ui
