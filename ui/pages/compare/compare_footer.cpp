// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_footer.h"

#include "ui/pages/compare/settings_card.h"
#include "ui/pages/compare/weights_card.h"

#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kWide = 720; ///< px from which both cards fit in one row

} // namespace

CompareFooter::CompareFooter(WeightDistance& distance, QWidget* parent)
    : QWidget(parent), m_cards(new QBoxLayout(QBoxLayout::TopToBottom)),
      m_settings(new SettingsCard), m_weights(new WeightsCard(distance)),
      m_alone(new TextLabel({}, theme::Tone::Dim)), m_sources(new TextLabel({}, theme::Tone::Dim)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    m_cards->setSpacing(2 * theme::kGrid - 2);
    m_cards->addWidget(m_settings, 5);
    m_cards->addWidget(m_weights, 7);
    layout->addLayout(m_cards);
    for (TextLabel* label : {m_alone, m_sources}) {
        label->setFont(theme::small(label->font()));
        label->setWordWrap(true);
        label->hide();
        layout->addWidget(label);
    }
}

void CompareFooter::showLines(const QStringList& alone, const QStringList& sources) {
    m_alone->setText(alone.join(QLatin1Char('\n')));
    m_alone->setVisible(!alone.isEmpty());
    m_sources->setText(sources.join(QLatin1Char('\n')));
    m_sources->setVisible(!sources.isEmpty());
}

void CompareFooter::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_cards->setDirection(width() >= kWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace cairn::ui
