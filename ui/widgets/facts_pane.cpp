// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/facts_pane.h"

#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cairn::ui {

FactsPane::FactsPane(QWidget* parent)
    : QWidget(parent), m_title(new TextLabel), m_path(new TextLabel({}, theme::Tone::Dim)),
      m_hint(new TextLabel({}, theme::Tone::Dim)), m_groups(new QVBoxLayout) {
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    auto* inside = new QWidget;
    inside->setAutoFillBackground(false);
    scroll->setWidget(inside);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid - 2);
    m_title->setFont(theme::headline(m_title->font()));
    m_title->setElideMiddle(true);
    m_path->setElideMiddle(true);
    m_hint->setWordWrap(true);
    m_groups->setSpacing(theme::kGrid);
    column->addWidget(captionLabel(tr("Inspector")));
    column->addWidget(m_title);
    column->addWidget(m_path);
    column->addLayout(m_groups);
    column->addWidget(m_hint);
    column->addStretch(1);
}

void FactsPane::empty() {
    while (QLayoutItem* item = m_groups->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

void FactsPane::show(const QString& title, const QString& path, const std::vector<Group>& groups) {
    empty();
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    m_path->setText(path);
    m_path->setVisible(!path.isEmpty());
    m_hint->hide();
    for (const Group& group : groups) {
        auto* box = new QWidget;
        auto* grid = new QGridLayout(box);
        grid->setContentsMargins(0, theme::kGrid, 0, 0);
        grid->setHorizontalSpacing(2 * theme::kGrid);
        grid->setVerticalSpacing(theme::kGrid - 2);
        grid->setColumnStretch(1, 1);
        int row = 0;
        if (!group.caption.isEmpty()) {
            grid->addWidget(captionLabel(group.caption), row++, 0, 1, 2);
        }
        for (const auto& [label, value] : group.facts) {
            auto* head = new TextLabel(label, theme::Tone::Dim);
            head->setAlignment(Qt::AlignLeft | Qt::AlignTop);
            QLabel* shown = plainLabel(value);
            shown->setWordWrap(true);
            shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
            shown->setAccessibleName(label);
            grid->addWidget(head, row, 0);
            grid->addWidget(shown, row, 1);
            ++row;
        }
        m_groups->addWidget(box);
    }
}

void FactsPane::showHint(const QString& hint) {
    show({}, {}, {});
    m_hint->setText(hint);
    m_hint->show();
}

} // namespace cairn::ui
