// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_footer.h"

#include "ui/pages/compare/weights_card.h"

#include <QVBoxLayout>

namespace cairn::ui {

CompareFooter::CompareFooter(WeightDistance& distance, QWidget* parent)
    : QWidget(parent), m_weights(new WeightsCard(distance)),
      m_alone(new TextLabel({}, theme::Tone::Dim)), m_sources(new TextLabel({}, theme::Tone::Dim)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_weights);
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

} // namespace cairn::ui
