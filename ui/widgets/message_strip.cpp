// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_strip.h"

#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace cairn::ui {

MessageStrip::MessageStrip(QWidget* parent)
    : QWidget(parent), m_card(new Card({}, this)), m_mark(new TextLabel), m_title(new TextLabel),
      m_detail(new TextLabel({}, theme::Tone::Dim)), m_buttons(new QHBoxLayout) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_card);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_detail->setWordWrap(true);
    m_mark->setFont(theme::headline(m_mark->font()));
    m_mark->setFixedWidth(3 * theme::kGrid);
    m_mark->setAlignment(Qt::AlignHCenter | Qt::AlignVCenter);

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_title);
    texts->addWidget(m_detail);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    close->setMinimumSize(24, 24);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
    m_close = close;
    m_buttons->setSpacing(theme::kGrid);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kGrid);
    row->addWidget(m_mark);
    row->addLayout(texts, 1);
    row->addLayout(m_buttons);
    row->addWidget(m_close);
    m_card->content()->addLayout(row);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

void MessageStrip::show(Message message) {
    m_card->setEdge(message.tone);
    m_mark->setTone(message.tone);
    m_mark->setText(message.tone == theme::Tone::Good       ? QStringLiteral("✓")
                    : message.tone == theme::Tone::LookHere ? QStringLiteral("!")
                                                            : QStringLiteral("✕"));
    m_title->setText(message.title);
    m_detail->setText(message.detail);
    m_detail->setVisible(!message.detail.isEmpty());
    setAccessibleName(message.title);
    setAccessibleDescription(message.detail);
    for (QWidget* button : m_actionButtons) {
        button->hide();
        button->deleteLater();
    }
    m_actionButtons.clear();
    for (Message::Action& action : message.actions) {
        auto* button = new Button(action.label);
        connect(button, &QPushButton::clicked, this, [run = std::move(action.run)] { run(); });
        addButton(button);
    }
    if (!message.more.empty()) {
        auto* button = new Button(tr("More"));
        auto* menu = new QMenu(button);
        for (Message::Action& action : message.more) {
            connect(menu->addAction(action.label), &QAction::triggered, this,
                    [run = std::move(action.run)] { run(); });
        }
        button->setMenu(menu);
        addButton(button);
    }
    QWidget::show();
    updateGeometry();
}

void MessageStrip::addButton(QWidget* button) {
    m_buttons->addWidget(button);
    m_actionButtons.push_back(button);
}

void MessageStrip::setClosable(bool closable) {
    m_close->setVisible(closable);
}

QString MessageStrip::title() const {
    return m_title->text();
}

} // namespace cairn::ui
