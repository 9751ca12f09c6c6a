// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/facts_pane.h"

#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/side_column.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace cairn::ui {

FactsPane::FactsPane(QWidget* parent)
    : QWidget(parent), m_title(new TextLabel), m_path(new TextLabel({}, theme::Tone::Dim)),
      m_hint(new TextLabel({}, theme::Tone::Dim)), m_groups(new QVBoxLayout) {
    QVBoxLayout* column = makeSideColumn(this);
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
        QGridLayout* grid = makeFactGrid(box);
        if (!group.caption.isEmpty()) {
            grid->addWidget(group.isName ? nameCaption(group.caption) : captionLabel(group.caption),
                            0, 0, 1, 2);
        }
        for (const auto& [label, value] : group.facts) {
            addFactRow(*grid, label, value);
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
