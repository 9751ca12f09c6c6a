// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_header.h"

#include "ui/pages/compare/settings_card.h"
#include "ui/widgets/button.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace cairn::ui {

CompareHeader::CompareHeader(QWidget* parent)
    : QWidget(parent), m_sentence(new TextLabel), m_divergence(new TextLabel({}, theme::Tone::Dim)),
      m_settings(new SettingsCard), m_hiddenRow(new QWidget),
      m_hidden(new TextLabel({}, theme::Tone::Dim)), m_showAll(new Button(tr("Show All Metrics"))) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid + 4);
    m_sentence->setWordWrap(true);
    QFont font = m_sentence->font();
    font.setWeight(QFont::DemiBold);
    m_sentence->setFont(font);
    layout->addWidget(m_sentence);
    m_divergence->setWordWrap(true);
    m_divergence->hide();
    layout->addWidget(m_divergence);
    layout->addWidget(m_settings);
    auto* hidden = new QHBoxLayout(m_hiddenRow);
    hidden->setContentsMargins(0, 0, 0, 0);
    hidden->setSpacing(2 * theme::kGrid);
    hidden->addWidget(m_hidden);
    hidden->addWidget(m_showAll);
    hidden->addStretch(1);
    layout->addWidget(m_hiddenRow);
    m_hiddenRow->hide();
}

void CompareHeader::setHidden(int metrics) {
    m_hidden->setText(tr("No metric matches the filter; %Ln metrics are hidden", nullptr, metrics));
    m_hiddenRow->setVisible(metrics > 0);
}

void CompareHeader::setSentence(const QString& sentence) {
    if (sentence != m_sentence->accessibleName()) {
        QString shown = sentence;
        m_sentence->setText(shown.replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")));
        m_sentence->setAccessibleName(sentence);
    }
}

void CompareHeader::setDivergence(const QString& words) {
    m_divergence->setText(words);
    m_divergence->setVisible(!words.isEmpty());
}

QString CompareHeader::divergence() const {
    return m_divergence->text();
}

QString CompareHeader::sentence() const {
    return m_sentence->accessibleName();
}

} // namespace cairn::ui
