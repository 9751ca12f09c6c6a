// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/widgets/card.h"

class QDoubleSpinBox;
class QRadioButton;

namespace cairn::ui {

class Button;

/// "This is a LoRA adapter (r 4) for lora/base": whether it is folded into its base, or stays a
/// folder for PEFT. Hidden unless the shown checkpoint is an adapter.
class ShownAdapterCard : public Card {
    Q_OBJECT

public:
    explicit ShownAdapterCard(QWidget* parent = nullptr);
    void show(const std::optional<ShownAdapter>& adapter, const JobChoices& choices);
    QRadioButton* fold() const { return m_fold; }
    QRadioButton* alone() const { return m_alone; }
    void setBase(const std::filesystem::path& base); ///< as the user chooses it

Q_SIGNALS:
    void changed(const cairn::ui::ChoiceChange& change);

private:
    void pickBase();

    TextLabel* m_what;
    TextLabel* m_where;
    QRadioButton* m_fold;
    QRadioButton* m_alone;
    QDoubleSpinBox* m_scale;
    Button* m_choose;
    std::filesystem::path m_base;
};

} // namespace cairn::ui
