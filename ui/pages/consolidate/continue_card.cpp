// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/continue_card.h"

#include "core/plan/request_fields.h"
#include "core/plan/trainers.h"
#include "ui/pages/consolidate/choice_button.h"
#include "ui/pages/consolidate/field_control.h"
#include "ui/pages/consolidate/plan_cards.h"
#include "ui/pages/consolidate/rank_grid.h"
#include "ui/pages/consolidate/resume_lines.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/check_box.h"

#include <QGridLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace cairn::ui {
namespace {

const char* const kExactly = "resumable"; ///< of --require

QString trainerWords(const std::string& id) {
    return trainerTitle(id);
}

/// "moments of 21 of 21 parameters · 1 parameter group · step 400"
QString alongWords(const PlannedTraining& training) {
    QStringList parts{
        ContinueCard::tr("weights"),
        ContinueCard::tr("moments of %1 of %2 parameters")
            .arg(text::count(training.withMoments), text::count(training.parameters))};
    if (training.groups > 0) { // a flat state records none
        parts << ContinueCard::tr("%Ln parameter groups", nullptr,
                                  static_cast<int>(training.groups));
    }
    if (training.step) {
        parts << ContinueCard::tr("step %1").arg(
            text::count(static_cast<std::uint64_t>(std::max<std::int64_t>(*training.step, 0))));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

ContinueCard::ContinueCard(QWidget* parent)
    : Card(tr("Continue training"), parent), m_grid(new QGridLayout),
      m_trainer(new ChoiceButton(tr("Trainer that continues"), valuesOf(*findRequestField("for")),
                                 trainerWords, ChoiceButton::Others::No)),
      m_ranks(new RankGrid), m_ranksName(nullptr), m_was(new TextLabel({}, theme::Tone::Dim)),
      m_along(new TextLabel), m_losses(new QWidget), m_lossesName(nullptr),
      m_exact(new CheckBox(tr("Only if it continues exactly"))) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGrid);
    m_grid->setVerticalSpacing(theme::kGrid);
    m_grid->setColumnMinimumWidth(0, kNameWidth);
    m_grid->setColumnStretch(1, 1);
    content()->addLayout(m_grid);
    addRow(tr("trainer"), m_trainer);
    auto* world = new QWidget;
    auto* worldColumn = new QVBoxLayout(world);
    worldColumn->setContentsMargins(0, 0, 0, 0);
    worldColumn->setSpacing(theme::kGrid / 2);
    worldColumn->addWidget(m_ranks);
    worldColumn->addWidget(m_was);
    m_ranksName = addRow(tr("world"), world);
    m_along->setWordWrap(true);
    addRow(tr("takes along"), m_along);
    auto* losses = new QVBoxLayout(m_losses);
    losses->setContentsMargins(0, 0, 0, 0);
    losses->setSpacing(theme::kGrid / 2);
    m_lossesName = addRow(tr("cannot"), m_losses);
    auto* proof = new TextLabel(tr("after writing, every byte is compared with the source"));
    proof->setWordWrap(true);
    addRow(tr("proof"), proof);
    text::setToolTip(m_exact, tr("Nothing is written if something is lost but random numbers and "
                                 "the order of the data"));
    addRow(QString(), m_exact);

    connect(m_trainer, &ChoiceButton::chosenByUser, this, [this](const std::string& id) {
        Q_EMIT changed([id](JobChoices& choices) { chooseTrainer(choices, id); });
    });
    connect(m_ranks, &RankGrid::changed, this, [this] {
        Q_EMIT changed([grid = m_ranks->axes()](JobChoices& choices) {
            choices.request.sharding.axes = grid;
        });
    });
    connect(m_exact, &QCheckBox::toggled, this, [this](bool on) {
        Q_EMIT changed([on](JobChoices& choices) {
            chooseText(choices, "require", on ? kExactly : std::string());
        });
    });
    hide();
}

QWidget* ContinueCard::addRow(const QString& name, QWidget* value) {
    const int row = m_grid->rowCount();
    auto* label = new TextLabel(name, theme::Tone::Dim);
    label->setBuddy(value);
    const auto* text = qobject_cast<TextLabel*>(value);
    label->setMinimumHeight(text != nullptr || value == m_losses ? 0 : theme::kControlHeight);
    m_grid->addWidget(label, row, 0, Qt::AlignTop);
    const bool isButton = qobject_cast<ChoiceButton*>(value) != nullptr;
    m_grid->addWidget(value, row, 1, isButton ? Qt::AlignLeft : Qt::Alignment());
    return label;
}

void ContinueCard::show(const PlannedDeployment* planned, const JobChoices& choices,
                        const std::vector<TrainerOffer>& offers) {
    const bool continues = kindOf(choices) == JobKind::Convert;
    setVisible(continues);
    if (!continues) {
        return;
    }
    const JobRequest& request = choices.request;
    m_trainer->setValue(request.trainer);
    showOffers(offers);
    const Trainer* trainer = findTrainer(request.trainer);
    const bool hasRanks = trainer != nullptr && trainer->cutsTensors;
    m_ranksName->setVisible(hasRanks);
    m_ranks->parentWidget()->setVisible(hasRanks);
    m_ranks->setAxes(request.sharding.axes);
    const QSignalBlocker quiet(m_exact);
    m_exact->setChecked(textOf(choices, "require") == kExactly);
    if (planned != nullptr && planned->plan.training) {
        showPlan(*planned);
    }
}

void ContinueCard::showOffers(const std::vector<TrainerOffer>& offers) {
    for (const Trainer& trainer : allTrainers()) {
        const auto known = std::ranges::find(offers, &trainer, &TrainerOffer::trainer);
        const bool can = known == offers.end() || known->can;
        const QString why = known == offers.end() ? QString() : text::coreText(known->why);
        m_trainer->setOffered(std::string(trainer.id), can,
                              can && !why.isEmpty() ? tr("Only by force: %1").arg(why) : why);
    }
}

void ContinueCard::clearPlan() {
    m_along->setText(QStringLiteral("–"));
    m_was->hide();
    m_losses->hide();
    m_lossesName->hide();
}

void ContinueCard::showPlan(const PlannedDeployment& planned) {
    const PlannedTraining& training = *planned.plan.training;
    m_along->setText(alongWords(training));
    const std::optional<std::int64_t> world = planned.read.front()->data().worldSize;
    m_was->setText(world ? tr("was %Ln ranks", nullptr, static_cast<int>(*world)) : QString());
    m_was->setVisible(world.has_value());
    qDeleteAll(m_losses->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    for (const TrainingLoss& loss : training.lost) {
        auto* what = new TextLabel(text::coreText(loss.what), theme::Tone::Attention);
        what->setWordWrap(true);
        auto* why = new TextLabel(text::coreText(loss.why), theme::Tone::Dim);
        why->setWordWrap(true);
        for (TextLabel* label : {what, why}) {
            m_losses->layout()->addWidget(label);
            label->show(); // at once: the layout would show it with a later event
        }
    }
    m_losses->setVisible(!training.lost.empty());
    m_lossesName->setVisible(!training.lost.empty());
}

} // namespace cairn::ui
