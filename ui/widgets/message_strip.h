// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;

namespace cairn::ui {

class Card;
class TextLabel;

/// The content of a strip: title (what happened), detail (found, consequence), and actions.
struct Message {
    struct Action {
        QString label;
        std::function<void()> run;
    };
    theme::Tone tone = theme::Tone::Broken; ///< Good, LookHere or Broken
    QString title;
    QString detail;
    std::vector<Action> actions;
    std::vector<Action> more = {}; ///< in the menu of one button
};

/// A card with a coloured edge, a mark, two lines of plain text and buttons; stays until it is
/// closed or replaced.
class MessageStrip : public QWidget {
    Q_OBJECT

public:
    explicit MessageStrip(QWidget* parent = nullptr);

    void show(Message message);
    /// Without a close button: for strips that belong to their surroundings.
    void setClosable(bool closable);
    QString title() const;
    /// As narrow as its texts and one button: the buttons beside the texts go below them first.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void closed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addButton(QWidget* button);
    void arrange();

    Card* m_card;
    TextLabel* m_mark;
    TextLabel* m_title;
    TextLabel* m_detail;
    QWidget* m_buttons;
    QBoxLayout* m_body; ///< texts and buttons
    QWidget* m_close;
    std::vector<QWidget*> m_actionButtons;
};

} // namespace cairn::ui
