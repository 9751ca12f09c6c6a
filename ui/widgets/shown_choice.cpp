// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/shown_choice.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QVariant>

namespace cairn::ui {
namespace {
constexpr const char* kMarksChoice = "marksChoice";
} // namespace

void markChoice(QPushButton* button) {
    button->setProperty(kMarksChoice, true);
    QObject::connect(button->menu(), &QMenu::aboutToShow, button, [button] {
        for (QAction* action : button->menu()->actions()) {
            const bool isChosen = !action->isSeparator() &&
                                  (action->text() == button->text() ||
                                   button->text().endsWith(QLatin1String(": ") + action->text()));
            action->setCheckable(isChosen);
            action->setChecked(isChosen);
        }
    });
}

bool marksChoice(const QPushButton& button) {
    return button.property(kMarksChoice).toBool();
}

} // namespace cairn::ui
