// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/side_column.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cairn::ui {

QVBoxLayout* makeSideColumn(QWidget* owner) {
    auto* outer = new QVBoxLayout(owner);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    outer->addWidget(scroll);
    auto* inside = new QWidget;
    inside->setAutoFillBackground(false);
    scroll->setWidget(inside);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid - 2);
    return column;
}

QGridLayout* makeFactGrid(QWidget* box) {
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, theme::kGrid, 0, 0);
    grid->setHorizontalSpacing(2 * theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid - 2);
    grid->setColumnStretch(1, 1);
    return grid;
}

void addFactRow(QGridLayout& grid, const QString& name, const QString& value, const QString& tip) {
    auto* head = new TextLabel(name, theme::Tone::Dim);
    head->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QLabel* shown = plainLabel(value);
    shown->setWordWrap(true);
    shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
    shown->setAccessibleName(name);
    text::setToolTip(head, tip);
    text::setToolTip(shown, tip);
    const int row = (grid.count() + 1) / 2; // rowCount() keeps those that were emptied
    grid.addWidget(head, row, 0);
    grid.addWidget(shown, row, 1);
}

} // namespace cairn::ui
