// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/target_cards.h"

#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kLeastLetters = 20; ///< of a card in a row

theme::Tone toneOf(const TargetFacts& facts) {
    switch (facts.verdict.state) {
    case LoadVerdict::State::Loads:
        return theme::Tone::Good;
    case LoadVerdict::State::Fails:
        return theme::Tone::Broken;
    case LoadVerdict::State::Unknown:
        break;
    }
    return facts.lost ? theme::Tone::Attention : theme::Tone::Dim;
}

/// In a word; the sentence is in the tooltip.
QString shortVerdict(const TargetFacts& facts) {
    if (facts.lost && facts.verdict.state != LoadVerdict::State::Fails) {
        return facts.lost->empty()    ? TargetCards::tr("✓ resumes")
               : isExact(*facts.lost) ? TargetCards::tr("✓ resumes, new random numbers")
                                      : TargetCards::tr("! resumes, not everything");
    }
    switch (facts.verdict.state) {
    case LoadVerdict::State::Loads:
        return TargetCards::tr("✓ loads");
    case LoadVerdict::State::Fails:
        return TargetCards::tr("✕ not possible");
    case LoadVerdict::State::Unknown:
        break;
    }
    return TargetCards::tr("unknown");
}

} // namespace

TargetButton::TargetButton(Target target, QWidget* parent)
    : QAbstractButton(parent), m_target(target), m_size(new TextLabel),
      m_verdict(new TextLabel({}, theme::Tone::Dim)) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setText(targetName(target));
    setAccessibleName(targetName(target));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGrid + 4, theme::kGrid + 2, theme::kGrid + 4,
                               theme::kGrid + 2);
    column->setSpacing(3);
    auto* name = new TextLabel(targetName(target));
    QFont bold = name->font();
    bold.setWeight(QFont::DemiBold);
    name->setFont(bold);
    auto* readers = new TextLabel(targetReaders(target), theme::Tone::Dim);
    for (TextLabel* label : {name, readers, m_size, m_verdict}) {
        label->setWordWrap(true);
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        column->addWidget(label);
    }
    column->addStretch(1);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TargetButton::setFacts(const std::optional<TargetFacts>& facts) {
    const bool isPossible = facts && facts->verdict.state != LoadVerdict::State::Fails;
    m_size->setText(isPossible && facts->bytes > 0 ? text::bytes(facts->bytes) : QString());
    m_verdict->setTone(facts ? toneOf(*facts) : theme::Tone::Dim);
    m_verdict->setText(facts ? shortVerdict(*facts) : tr("planning…"));
    const QString why = facts ? text::coreText(facts->verdict.text) : QString();
    text::setToolTip(this, why);
    setAccessibleDescription(
        QStringList{targetReaders(m_target), m_size->text(), why}.join(QStringLiteral(". ")));
    updateGeometry();
}

/// Its name is whole; the other texts wrap.
QSize TargetButton::sizeHint() const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QMargins margins = layout()->contentsMargins();
    return {QFontMetrics(bold).horizontalAdvance(text()) + margins.left() + margins.right(),
            layout()->sizeHint().height()};
}

QSize TargetButton::minimumSizeHint() const {
    return {0, layout()->minimumSize().height()};
}

bool TargetButton::hasHeightForWidth() const {
    return true;
}

int TargetButton::heightForWidth(int width) const {
    return layout()->heightForWidth(width);
}

void TargetButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void TargetButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette& colors = palette();
    const bool chosen = isChecked() && isEnabled();
    const QColor accent = theme::color(theme::Tone::Accent, colors);
    QColor ground = theme::cardGround(colors);
    if (chosen) {
        ground = accent;
        ground.setAlphaF(0.10F);
    } else if (isEnabled() && underMouse()) {
        ground = colors.color(QPalette::Window);
    }
    const double width = chosen ? 2.0 : 1.0;
    const double inset = width / 2;
    const QRectF frame = QRectF(rect()).adjusted(inset, inset, -inset, -inset);
    painter.setBrush(ground);
    painter.setPen(QPen(chosen ? accent : theme::hairline(colors), width));
    painter.drawRoundedRect(frame, theme::kCardRadius, theme::kCardRadius);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(accent, 1.0));
        painter.drawRoundedRect(frame.adjusted(3, 3, -3, -3), theme::kCardRadius - 2,
                                theme::kCardRadius - 2);
    }
}

TargetCards::TargetCards(QWidget* parent) : Card(tr("What for"), parent), m_grid(new QGridLayout) {
    m_grid->setSpacing(theme::kGrid + 2);
    for (std::size_t i = 0; i < kTargets.size(); ++i) {
        auto* button = new TargetButton(kTargets.at(i));
        connect(button, &QAbstractButton::clicked, this, [this, button] {
            button->setChecked(true); // a second click does not take it back
            Q_EMIT chosen(button->target());
        });
        m_buttons.at(i) = button;
    }
    content()->addLayout(m_grid);
    arrange();
}

void TargetCards::show(const std::optional<Target>& chosen, const PlannedDeployment* planned,
                       const std::optional<Outlook>& outlook) {
    for (TargetButton* button : m_buttons) {
        const Target target = button->target();
        button->setChecked(chosen == target);
        std::optional<TargetFacts> facts;
        if (planned != nullptr && chosen == target) {
            facts = targetFacts(planned->plan, planned->verdict);
        } else if (outlook) {
            const auto found = outlook->targets.find(target);
            facts = found == outlook->targets.end() ? std::nullopt : std::optional(found->second);
        }
        button->setFacts(facts);
    }
}

TargetButton* TargetCards::button(Target target) const {
    for (TargetButton* each : m_buttons) {
        if (each->target() == target) {
            return each;
        }
    }
    return nullptr;
}

void TargetCards::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    arrange();
}

void TargetCards::arrange() {
    int widest = kLeastLetters * fontMetrics().averageCharWidth();
    for (const TargetButton* button : m_buttons) {
        widest = std::max(widest, button->sizeHint().width());
    }
    const int most = static_cast<int>(m_buttons.size());
    int columns = most; // all, half of them or one in a row
    while (columns > 1 && width() < columns * (widest + m_grid->spacing()) + 4 * theme::kGrid) {
        columns /= 2;
    }
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    for (int i = 0; i < most; ++i) {
        m_grid->addWidget(m_buttons.at(static_cast<std::size_t>(i)), i / columns, i % columns);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    updateGeometry();
}

} // namespace cairn::ui
