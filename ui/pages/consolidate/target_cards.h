// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/widgets/card.h"

#include <QAbstractButton>

#include <array>
#include <optional>

class QGridLayout;

namespace cairn::ui {

/// One purpose, as a button that stays pressed: its name, who reads it, its size, and whether it
/// loads.
class TargetButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit TargetButton(Target target, QWidget* parent = nullptr);
    Target target() const { return m_target; }
    /// Empty: not known yet.
    void setFacts(const std::optional<TargetFacts>& facts);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Target m_target;
    TextLabel* m_size;
    TextLabel* m_verdict;
};

/// "What for": the purposes beside each other; in two rows, or below each other, where there is no
/// room.
class TargetCards : public Card {
    Q_OBJECT

public:
    explicit TargetCards(QWidget* parent = nullptr);
    /// The chosen one is pressed; nothing: another form was chosen.
    void show(const std::optional<Target>& chosen, const PlannedDeployment* planned,
              const std::optional<Outlook>& outlook);
    TargetButton* button(Target target) const;

Q_SIGNALS:
    void chosen(cairn::ui::Target target);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    QGridLayout* m_grid;
    int m_columns = 0;
    std::array<TargetButton*, kTargets.size()> m_buttons{};
};

} // namespace cairn::ui
