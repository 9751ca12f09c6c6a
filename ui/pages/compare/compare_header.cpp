// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_header.h"

#include "ui/pages/compare/settings_card.h"

#include <QVBoxLayout>

namespace cairn::ui {

CompareHeader::CompareHeader(QWidget* parent)
    : QWidget(parent), m_sentence(new TextLabel), m_settings(new SettingsCard) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid + 4);
    m_sentence->setWordWrap(true);
    QFont font = m_sentence->font();
    font.setWeight(QFont::DemiBold);
    m_sentence->setFont(font);
    layout->addWidget(m_sentence);
    layout->addWidget(m_settings);
}

void CompareHeader::setSentence(const QString& sentence) {
    m_sentence->setText(sentence);
    m_sentence->setAccessibleName(sentence);
}

QString CompareHeader::sentence() const {
    return m_sentence->text();
}

} // namespace cairn::ui
