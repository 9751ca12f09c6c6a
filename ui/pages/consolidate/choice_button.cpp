// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/choice_button.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/shown_choice.h"

#include <QInputDialog>
#include <QMenu>

namespace cairn::ui {

ChoiceButton::ChoiceButton(const QString& name, const std::vector<std::string>& values, Words words,
                           Others others, QWidget* parent)
    : Button(QString(), parent), m_words(words) {
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true); // why a value is not offered
    for (const std::string& value : values) {
        QAction* action = menu->addAction(text::withoutMnemonic(m_words(value)));
        m_actions[value] = action;
        connect(action, &QAction::triggered, this, [this, value] { Q_EMIT chosenByUser(value); });
    }
    if (others == Others::Yes) {
        menu->addSeparator();
        connect(menu->addAction(tr("Other…")), &QAction::triggered, this, &ChoiceButton::ask);
    }
    setMenu(menu);
    markChoice(this);
    setAccessibleName(name);
}

void ChoiceButton::setValue(const std::string& value) {
    m_value = value;
    setText(text::withoutMnemonic(m_words(value)));
    updateGeometry();
}

void ChoiceButton::setOffered(const std::string& value, bool offered, const QString& why) {
    QAction* action = m_actions.at(value);
    action->setEnabled(offered);
    action->setToolTip(text::toolTip(why)); // empty: its text
    action->setWhatsThis(why);
}

void ChoiceButton::ask() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(accessibleName());
    dialog->setLabelText(accessibleName());
    dialog->setTextValue(QString::fromStdString(m_value));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString& typed) { Q_EMIT chosenByUser(typed.trimmed().toStdString()); });
    dialog->open();
}

} // namespace cairn::ui
