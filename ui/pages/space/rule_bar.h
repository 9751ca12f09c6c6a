// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/retention_desk.h"

#include <QWidget>

namespace cairn::ui {

class Button;
class TextLabel;

/// The rules of a retention as buttons with menus, and the button that moves.
class RuleBar : public QWidget {
    Q_OBJECT

public:
    explicit RuleBar(QWidget* parent = nullptr);
    void show(const RetentionDesk& desk);
    Button* last() const { return m_last; }
    Button* best() const { return m_best; }
    Button* moveButton() const { return m_move; }

Q_SIGNALS:
    void chosen(const cairn::RetentionRules& rules);
    void moveRequested();
    void stopRequested();

private:
    void addChoice(Button* button, const QString& text, std::size_t RetentionRules::*rule,
                   std::size_t value);

    RetentionRules m_rules;
    Button* m_last;
    Button* m_best;
    TextLabel* m_busy;
    Button* m_stop;
    Button* m_move;
};

} // namespace cairn::ui
