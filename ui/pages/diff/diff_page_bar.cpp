// SPDX-License-Identifier: GPL-3.0-or-later
// What is above the tables of the Diff page: the sides, the choices, reading, the adapter.
#include "core/compute/device_choice.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/diff/diff_tables.h"
#include "ui/pages/diff/equality_button.h"
#include "ui/pages/diff/fold_answer.h"
#include "ui/pages/diff/layer_strip.h"
#include "ui/pages/diff/reading_bar.h"
#include "ui/pages/diff/role_switches.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/device_button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/run_letter.h"
#include "ui/widgets/segments.h"

#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {

void DiffPage::buildBar(QVBoxLayout& layout) {
    auto* names = new QHBoxLayout;
    names->setSpacing(theme::kGrid);
    names->addWidget(new RunLetter(0, Qt::AlignLeft | Qt::AlignVCenter, false));
    names->addWidget(m_leftName, 1);
    names->addWidget(new RunLetter(1, Qt::AlignLeft | Qt::AlignVCenter, false));
    names->addWidget(m_rightName, 1);
    auto* other = new Button(tr("Change…"));
    other->setToolTip(tr("Compare with another checkpoint"));
    connect(other, &QPushButton::clicked, this, &DiffPage::showNeighbours);
    names->addWidget(m_fold->button());
    names->addWidget(other);
    layout.addWidget(m_answer);
    layout.addLayout(names);
    m_counts->setWordWrap(true);
    layout.addWidget(m_counts);

    auto* choices = new QWidget;
    auto* row = new FlowLayout(theme::kGrid + 4, choices);
    m_which->setAccessibleName(tr("Rows to list"));
    m_table->setAccessibleName(tr("Table to show"));
    row->addWidget(m_table);
    row->addWidget(m_which);
    row->addWidget(m_equality);
    row->addWidget(m_device);
    row->addWidget(m_switches);
    m_device->setVisible(hasCudaDriver());
    layout.addWidget(choices);

    m_rulesField->setPlaceholderText(
        tr("Rename rules for A: FROM=TO, separated by semicolons, then Enter"));
    m_rulesField->setToolTip(
        text::toolTip(tr("“encoder.=enc.” replaces a prefix of A's names to match B's. With “re:” "
                         "in front, FROM is a regular expression and TO may use its groups $1 …")));
    m_rulesField->setAccessibleName(tr("Rename rules from A to B"));
    m_rulesField->setClearButtonEnabled(true);
    connect(m_rulesField, &QLineEdit::returnPressed, this, &DiffPage::applyRules);
    layout.addWidget(m_rulesField);

    layout.addWidget(m_reading);
    layout.addWidget(m_fold);
    connect(m_fold, &FoldAnswer::tensorChosen, this, &DiffPage::goToTensor);
    m_layersCard->content()->addWidget(m_layers);
    layout.addWidget(m_layersCard);
    connect(m_table, &Segments::chosenByUser, this, &DiffPage::chooseTable);
    connect(m_equality, &EqualityButton::chosenByUser, this, &DiffPage::setEquality);
    connect(m_which, &Segments::chosenByUser, this, [this](int index) {
        m_request.onlyDifferent = index == 0;
        rearrange();
    });
    connect(m_switches, &RoleSwitches::chosenByUser, this, &DiffPage::showRoles);
    connect(m_reading, &ReadingBar::started, this, &DiffPage::compareValues);
    connect(m_reading, &ReadingBar::stopped, this, [this] {
        m_values.cancel();
        m_reading->offer(m_document->bytes);
    });
}

/// By its name in either side: rows have the names of A.
void DiffPage::goToTensor(const QString& name) {
    const std::string wanted = name.toStdString();
    const std::vector<TensorPair>& pairs = m_document->structure.pairs;
    const auto found = std::ranges::find_if(pairs, [&](const TensorPair& pair) {
        return m_left->tensor(pair.left).name == wanted ||
               m_right->tensor(pair.right).name == wanted;
    });
    m_tables->goTo(found != pairs.end() ? text::fromCore(m_left->tensor(found->left).name) : name);
}

} // namespace cairn::ui
