// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/abilities_card.h"

#include "core/jobs/bundle/model_health.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kNameLetters = 17;

QString abilityWords(AbilityId id) {
    switch (id) {
    case AbilityId::Serve:
        return AbilitiesPane::tr("Serve");
    case AbilityId::Resume:
        return AbilitiesPane::tr("Resume as it was");
    case AbilityId::ResumeElsewhere:
        return AbilitiesPane::tr("Resume elsewhere");
    case AbilityId::Weights:
        break;
    }
    return AbilitiesPane::tr("Weights");
}

theme::Tone toneOf(const Ability& ability) {
    return !ability.can            ? theme::Tone::Dim
           : isExact(ability.lost) ? theme::Tone::Good
                                   : theme::Tone::Attention;
}

/// "yes, with new random numbers: moments of 21 of 21 parameters"
QString answerWords(const Ability& ability) {
    QStringList why;
    for (const Sentence& each : ability.why) {
        why << text::coreText(each);
    }
    const QString verdict = text::coreText(verdictOf(ability));
    return why.isEmpty() ? verdict
                         : AbilitiesPane::tr("%1: %2").arg(verdict, why.join(QStringLiteral(", ")));
}

/// What it does not get, a line each.
QString lostWords(const Ability& ability) {
    QStringList lines;
    for (const TrainingLoss& loss : ability.lost) {
        lines << AbilitiesPane::tr("without %1: %2")
                     .arg(text::coreText(loss.what), text::coreText(loss.why));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

AbilitiesPane::AbilitiesPane(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    hide();
}

void AbilitiesPane::clear() {
    m_runner.cancel();
    hide();
    delete m_card;
    m_card = nullptr;
}

void AbilitiesPane::show(const CheckpointPtr& checkpoint) {
    clear();
    m_runner.start(
        [checkpoint](const CancelToken& cancel) {
            return abilitiesWithConfig(*checkpoint, cancel);
        },
        [this](const Result<Abilities>& abilities) {
            if (abilities && std::ranges::any_of(*abilities, &Ability::can)) {
                showRows(*abilities);
            }
        });
}

void AbilitiesPane::showRows(const Abilities& abilities) {
    m_card = new Card(tr("What it can do"));
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2);
    grid->setColumnMinimumWidth(1, kNameLetters * fontMetrics().averageCharWidth());
    grid->setColumnStretch(2, 1);
    for (const Ability& ability : abilities) {
        const int row = grid->rowCount();
        const theme::Tone tone = toneOf(ability);
        auto* mark = new TextLabel(!ability.can                     ? QStringLiteral("–")
                                   : tone == theme::Tone::Attention ? QStringLiteral("!")
                                                                    : QStringLiteral("✓"),
                                   tone);
        mark->setMinimumWidth(2 * theme::kGrid);
        mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
        auto* name = new TextLabel(abilityWords(ability.id));
        auto* answer = new TextLabel(answerWords(ability), theme::Tone::Dim);
        answer->setWordWrap(true);
        text::setToolTip(answer, lostWords(ability));
        text::setDescription(answer, lostWords(ability));
        for (TextLabel* label : {mark, name, answer}) {
            label->setMinimumHeight(theme::kControlHeight);
            label->setAlignment((label == mark ? Qt::AlignHCenter : Qt::AlignLeft) |
                                Qt::AlignVCenter);
        }
        grid->addWidget(mark, row, 0, Qt::AlignTop);
        grid->addWidget(name, row, 1, Qt::AlignTop);
        name->setWordWrap(true); // in a small window
        auto* answers = new QVBoxLayout;
        answers->setSpacing(theme::kGrid / 2);
        answers->addWidget(answer);
        grid->addLayout(answers, row, 2);
        if (ability.can && ability.id == AbilityId::Serve) {
            auto* deploy = new Button(tr("Deploy…"));
            connect(deploy, &QPushButton::clicked, this, &AbilitiesPane::deployRequested);
            answers->addWidget(deploy, 0, Qt::AlignLeft);
        } else if (ability.can && ability.id == AbilityId::ResumeElsewhere) {
            auto* resume = new Button(tr("Continue Training…"));
            connect(resume, &QPushButton::clicked, this, &AbilitiesPane::continueRequested);
            answers->addWidget(resume, 0, Qt::AlignLeft);
        }
    }
    m_card->content()->addLayout(grid);
    layout()->addWidget(m_card);
    setVisible(true);
}

} // namespace cairn::ui
