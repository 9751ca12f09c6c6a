// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/notice_pane.h"

#include "ui/text/error_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QVBoxLayout>

namespace cairn::ui {

NoticePane::NoticePane(QWidget* parent)
    : QWidget(parent), m_headline(new TextLabel), m_sentence(new TextLabel({}, theme::Tone::Dim)),
      m_button(new Button(QString())) {
    m_headline->setFont(theme::headline(m_headline->font()));
    m_headline->setAlignment(Qt::AlignCenter);
    m_headline->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_sentence->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * theme::kGrid, 4 * theme::kGrid, 4 * theme::kGrid,
                               4 * theme::kGrid);
    layout->setSpacing(theme::kGrid);
    layout->addStretch(2);
    layout->addWidget(m_headline);
    layout->addWidget(m_sentence);
    layout->addSpacing(theme::kGrid);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &NoticePane::actionChosen);
}

void NoticePane::showMessage(const QString& headline, const QString& sentence,
                             const QString& action) {
    const bool isNew = headline != m_headline->text(); // not only more progress
    m_headline->setText(headline);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    if (isVisible() && isNew) {
        announce(this, headline);
    }
}

void NoticePane::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    announce(this, m_headline->text());
}

void NoticePane::showError(const QString& headline, const Error& error, const QString& action) {
    const text::ErrorWords words = text::describe(error);
    showMessage(headline, words.title + QLatin1Char('\n') + words.detail, action);
}

QString NoticePane::headline() const {
    return m_headline->text();
}

} // namespace cairn::ui
