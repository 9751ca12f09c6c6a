// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/header_facts.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/check_box.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace cairn::ui {

HeaderFacts::HeaderFacts(QWidget* parent)
    : Card(QString(), parent), m_grid(new QGridLayout), m_how(addFact(tr("how"))),
      m_over(addFact(tr("overwritten"))), m_backup(addFact(tr("old header"))),
      m_keep(new CheckBox(tr("Keep the old header"))) {
    setTitle(tr("How it would be done"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGrid);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnMinimumWidth(0, 11 * theme::kGrid);
    m_grid->setColumnStretch(1, 1);
    content()->addLayout(m_grid);
    text::setToolTip(m_keep, tr("It stays beside the file, to look at or to put back by hand"));
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
    m_backup.remark->setText(keep ? tr("stays beside the file")
                                  : tr("beside the file until the new one is written and read"));
}

void HeaderFacts::showRefused() {
    m_how.value->setText(tr("not like this"));
    m_over.value->setText(tr("nothing"));
    m_how.remark->clear();
    m_over.remark->clear();
}

void HeaderFacts::show(const HeaderEditPlan& plan) {
    m_name = plan.name;
    const QString name = text::fromCore(plan.name);
    m_over.value->setText(
        tr("the first %1 of %2").arg(text::exactBytes(plan.dataBefore), name));
    m_over.remark->setText(tr("its header; the data behind it are not touched"));
    switch (plan.method) {
    case EditMethod::Nothing:
        m_how.value->setText(tr("nothing to do yet"));
        m_how.remark->setText(tr("the header has %1").arg(text::exactBytes(plan.dataBefore)));
        m_over.value->setText(tr("nothing"));
        m_over.remark->setText({});
        break;
    case EditMethod::InRoom:
        m_how.value->setText(tr("in the header's own room"));
        m_how.remark->setText(tr("the file keeps its size"));
        break;
    case EditMethod::Insert:
        m_how.value->setText(tr("%1 are inserted before the data")
                                 .arg(text::exactBytes(plan.inserted())));
        m_how.remark->setText(tr("who has the file open sees its data move"));
        break;
    case EditMethod::NotInPlace:
        m_how.value->setText(tr("not possible in place here"));
        m_how.remark->setText(tr("%1 where there is room for %2")
                                  .arg(text::exactBytes(plan.edited.leastSize),
                                       text::exactBytes(plan.dataBefore)));
        m_over.value->setText(tr("nothing"));
        m_over.remark->setText({});
        break;
    }
    showBackup();
}

} // namespace cairn::ui
