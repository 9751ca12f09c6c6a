// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/widgets/card.h"

#include <vector>

class QCheckBox;
class QGridLayout;

namespace cairn::ui {

class ChoiceButton;
class RankGrid;

/// "Continue training": the trainer and its ranks, what goes along, what does not and the
/// consequence. Hidden unless a training state is to be written.
class ContinueCard : public Card {
    Q_OBJECT

public:
    explicit ContinueCard(QWidget* parent = nullptr);
    /// `planned`: null while it is being made. `offers`: empty until they are known, which offers
    /// all trainers.
    void show(const PlannedDeployment* planned, const JobChoices& choices,
              const std::vector<TrainerOffer>& offers);
    void clearPlan(); ///< there is none: the page has the reason
    ChoiceButton* trainer() const { return m_trainer; }
    RankGrid* ranks() const { return m_ranks; }
    QCheckBox* mustResume() const { return m_exact; }

Q_SIGNALS:
    void changed(const cairn::ui::ChoiceChange& change);

private:
    void showPlan(const PlannedDeployment& planned);
    void showOffers(const std::vector<TrainerOffer>& offers);
    QWidget* addRow(const QString& name, QWidget* value);

    QGridLayout* m_grid;
    ChoiceButton* m_trainer;
    RankGrid* m_ranks;
    QWidget* m_ranksName;
    TextLabel* m_was;
    TextLabel* m_along;
    QWidget* m_losses;
    QWidget* m_lossesName;
    QCheckBox* m_exact;
};

} // namespace cairn::ui
