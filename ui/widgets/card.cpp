// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

void setNamed(QLabel& caption, bool hasName) {
    QFont font = caption.font();
    font.setCapitalization(hasName ? QFont::MixedCase : QFont::AllUppercase);
    caption.setFont(font);
}

} // namespace

TextLabel::TextLabel(const QString& text, theme::Tone tone, QWidget* parent)
    : QLabel(parent), m_tone(tone) {
    setTextFormat(Qt::PlainText);
    setText(text);
}

void TextLabel::setTone(theme::Tone tone) {
    m_tone = tone;
    update();
}

void TextLabel::setElideMiddle(bool elide) {
    m_elide = elide;
    updateGeometry();
    update();
}

QSize TextLabel::minimumSizeHint() const {
    const QSize hint = QLabel::minimumSizeHint();
    return m_elide
               ? QSize(std::min(hint.width(), fontMetrics().averageCharWidth() * 6), hint.height())
               : hint;
}

void TextLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect area = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
    painter.setPen(isEnabled() ? theme::color(m_tone, palette())
                               : palette().color(QPalette::Disabled, QPalette::Text));
    const int flags = text::textFlags(layoutDirection(), alignment(), text());
    if (m_elide) {
        const QString shown = text::elided(text(), fontMetrics(), area.width());
        const QString whole = shown == text() ? QString() : text::toolTip(text());
        if (toolTip() != whole) {
            setToolTip(whole);
        }
        painter.drawText(area, flags | Qt::TextSingleLine | Qt::TextDontClip, shown);
        return;
    }
    painter.drawText(area, flags | (wordWrap() ? Qt::TextWordWrap : 0), text());
}

Card::Card(const QString& title, QWidget* parent)
    : QFrame(parent), m_caption(captionLabel(QString(), this)), m_content(new QVBoxLayout) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid - 2, 2 * theme::kGrid,
                               2 * theme::kGrid - 2);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_caption);
    m_content->setSpacing(theme::kGrid);
    layout->addLayout(m_content, 1);
    setTitle(title);
}

void Card::setTitle(const QString& title, bool hasName) {
    setNamed(*m_caption, hasName);
    m_caption->setText(title);
    m_caption->setVisible(!title.isEmpty());
    setAccessibleName(title);
}

void Card::setEdge(theme::Tone tone) {
    m_edge = tone;
    update();
}

void Card::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kCardRadius,
                           theme::kCardRadius);
    painter.fillPath(outline, theme::cardGround(palette()));
    if (m_edge != theme::Tone::Plain) {
        painter.setClipPath(outline);
        const int x = layoutDirection() == Qt::RightToLeft ? width() - 4 : 0;
        painter.fillRect(QRect(x, 0, 4, height()), theme::color(m_edge, palette()));
        painter.setClipping(false);
    }
    painter.setPen(theme::hairline(palette()));
    painter.drawPath(outline);
}

TextLabel* captionLabel(const QString& text, QWidget* parent) {
    auto* label = new TextLabel(text, theme::Tone::Dim, parent);
    label->setFont(theme::caption(label->font()));
    label->setContentsMargins(0, 1, 0, 0); // the dots of a capital umlaut are above the ascent
    label->setElideMiddle(true);           // no column is as wide as its caption in every language
    return label;
}

TextLabel* nameCaption(const QString& text, QWidget* parent) {
    TextLabel* label = captionLabel(text, parent);
    setNamed(*label, true);
    return label;
}

QLabel* plainLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

} // namespace cairn::ui
