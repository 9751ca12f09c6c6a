// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_strip.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"

#include <QBoxLayout>
#include <QMenu>
#include <QResizeEvent>
#include <QToolButton>

#include <algorithm>

namespace cairn::ui {
namespace {
constexpr int kLeastCharacters = 36; ///< the width that texts keep beside the buttons
} // namespace

MessageStrip::MessageStrip(QWidget* parent)
    : QWidget(parent), m_card(new Card({}, this)), m_mark(new TextLabel), m_title(new TextLabel),
      m_detail(new TextLabel({}, theme::Tone::Dim)), m_buttons(new QWidget),
      m_body(new QBoxLayout(QBoxLayout::LeftToRight)) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_card);
    setAccessibleRole(this, QAccessible::AlertMessage);
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
    m_buttons->setLayout(new FlowLayout(theme::kGrid));
    m_body->setSpacing(theme::kGrid);
    m_body->addLayout(texts, 1);
    m_body->addWidget(m_buttons);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kGrid);
    row->addWidget(m_mark);
    row->addLayout(m_body, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    m_card->content()->addLayout(row);
}

void MessageStrip::show(Message message) {
    m_card->setEdge(message.tone);
    m_mark->setTone(message.tone);
    m_mark->setText(message.tone == theme::Tone::Good        ? QStringLiteral("✓")
                    : message.tone == theme::Tone::Attention ? QStringLiteral("!")
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
    m_buttons->setVisible(!m_actionButtons.empty());
    QWidget::show();
    arrange();
    announce(this, message.detail.isEmpty()
                       ? message.title
                       : message.title + QStringLiteral(". ") + message.detail);
}

/// Buttons are next to the texts if these keep a few words per line, otherwise below them; never
/// higher than the texts.
void MessageStrip::arrange() {
    const int wanted =
        m_buttons->sizeHint().width() + kLeastCharacters * fontMetrics().averageCharWidth();
    const bool below = width() < wanted;
    m_body->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_mark->setAlignment(Qt::AlignHCenter | (below ? Qt::AlignTop : Qt::AlignVCenter));
    m_buttons->setSizePolicy(below ? QSizePolicy::Preferred : QSizePolicy::Fixed,
                             QSizePolicy::Preferred);
    m_card->layout()->activate(); // which forgets the height of the other direction
    setMaximumHeight(heightForWidth(width()));
    updateGeometry();
}

void MessageStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        arrange();
    }
}

void MessageStrip::addButton(QWidget* button) {
    m_buttons->layout()->addWidget(button);
    button->show(); // hidden ones have no size, and arrange() counts all of them
    m_actionButtons.push_back(button);
}

void MessageStrip::setClosable(bool closable) {
    m_close->setVisible(closable);
}

QSize MessageStrip::minimumSizeHint() const {
    const QSize all = layout()->totalMinimumSize();
    return {std::min(all.width(), kLeastCharacters * fontMetrics().averageCharWidth()),
            all.height()};
}

QString MessageStrip::title() const {
    return m_title->text();
}

} // namespace cairn::ui
