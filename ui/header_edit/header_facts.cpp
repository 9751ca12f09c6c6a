// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/header_facts.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/check_box.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace cairn::ui {

HeaderFacts::HeaderFacts(QWidget* parent)
    : Card(QString(), parent), m_grid(new QGridLayout), m_how(addFact(tr("method"))),
      m_over(addFact(tr("overwrites"))), m_backup(addFact(tr("old header"))),
      m_keep(new CheckBox(tr("Keep the old header"))) {
    setTitle(tr("Edit Plan"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGrid);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnMinimumWidth(0, 11 * theme::kGrid);
    m_grid->setColumnStretch(1, 1);
    content()->addLayout(m_grid);
    text::setToolTip(m_keep, tr("Kept next to the file, to inspect it or to restore it by hand"));
    m_grid->addWidget(m_keep, m_grid->rowCount() - 1, 2, Qt::AlignRight);
    connect(m_keep, &QCheckBox::toggled, this, [this] {
        showBackup();
        Q_EMIT keepChanged();
    });
}

HeaderFacts::Fact HeaderFacts::addFact(const QString& name) {
    const Fact fact{new TextLabel, new TextLabel({}, theme::Tone::Dim)};
    const int row = m_grid->rowCount();
    m_grid->addWidget(new TextLabel(name, theme::Tone::Dim), row, 0);
    m_grid->setRowMinimumHeight(row, 3 * theme::kGrid);
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kGrid);
    fact.value->setElideMiddle(true);
    fact.remark->setElideMiddle(true);
    line->addWidget(fact.value);
    line->addWidget(fact.remark, 1);
    m_grid->addLayout(line, row, 1);
    return fact;
}

bool HeaderFacts::keepsBackup() const {
    return m_keep->isChecked();
}

void HeaderFacts::showBackup() {
    const bool keep = keepsBackup();
    m_backup.value->setText(text::fromCore(keep ? keptBackupName(m_name) : editBackupName(m_name)));
    m_backup.remark->setText(keep ? tr("kept next to the file")
                                  : tr("next to the file until the new header is verified"));
}

void HeaderFacts::showRefused() {
    m_how.value->setText(tr("not possible"));
    m_over.value->setText(tr("nothing"));
    m_how.remark->clear();
    m_over.remark->clear();
}

void HeaderFacts::show(const HeaderEditPlan& plan) {
    m_name = plan.name;
    const QString name = text::fromCore(plan.name);
    m_over.value->setText(tr("the first %1 of %2").arg(text::exactBytes(plan.dataBefore), name));
    m_over.remark->setText(tr("the header only; tensor data does not change"));
    switch (plan.method) {
    case EditMethod::Nothing:
        m_how.value->setText(tr("no changes"));
        m_how.remark->setText(tr("the header has %1").arg(text::exactBytes(plan.dataBefore)));
        m_over.value->setText(tr("nothing"));
        m_over.remark->setText({});
        break;
    case EditMethod::InRoom:
        m_how.value->setText(tr("within the existing header"));
        m_how.remark->setText(tr("the file size does not change"));
        break;
    case EditMethod::Insert:
        m_how.value->setText(
            tr("inserts %1 before the data").arg(text::exactBytes(plan.inserted())));
        m_how.remark->setText(tr("programs that have the file open will see its data change"));
        break;
    case EditMethod::NotInPlace:
        m_how.value->setText(tr("not possible in place"));
        m_how.remark->setText(
            tr("needs %1, but only %2 are available")
                .arg(text::exactBytes(plan.edited.leastSize), text::exactBytes(plan.dataBefore)));
        m_over.value->setText(tr("nothing"));
        m_over.remark->setText({});
        break;
    }
    showBackup();
}

} // namespace cairn::ui
