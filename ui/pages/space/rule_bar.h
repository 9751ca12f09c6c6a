// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/retention_controller.h"

#include <QWidget>

namespace cairn::ui {

class Button;
class TextLabel;

/// The rules of a retention as buttons with menus, and the button that moves.
class RuleBar : public QWidget {
    Q_OBJECT

public:
    explicit RuleBar(QWidget* parent = nullptr);
    /// `offersUndo`: the last move can be undone, and nothing else on the page offers that.
    void show(const RetentionController& controller, bool offersUndo);
    Button* last() const { return m_last; }
    Button* best() const { return m_best; }
    Button* moveButton() const { return m_move; }
    /// Shown while a plan waits for it: which values are better is only assumed.
    Button* confirmButton() const { return m_confirm; }
    Button* undoButton() const { return m_undo; }

Q_SIGNALS:
    void chosen(const cairn::RetentionRules& rules);
    void moveRequested();
    void stopRequested();
    void planRequested(); ///< after a stop
    void undoRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void nameRules();
    void addChoice(Button* button, const QString& text, std::size_t RetentionRules::*rule,
                   std::size_t value);

    RetentionRules m_rules;
    std::string m_metric; ///< by which "best" is decided; empty: several, or not known
    bool m_isBusy = false;
    Button* m_last;
    Button* m_best;
    Button* m_confirm;
    TextLabel* m_busy;
    Button* m_stop;
    Button* m_undo;
    Button* m_move;
};

} // namespace cairn::ui
