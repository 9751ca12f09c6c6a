// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/header_edit/metadata_card.h"

#include "ui/header_edit/metadata_edit_model.h"
#include "ui/models/row_view.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kMinRows = 3;

/// Tab goes from a key to its value.
class EntryView : public RowView {
public:
    using RowView::RowView;

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override {
        const QModelIndex at = currentIndex();
        if (action == MoveNext && at.column() == MetadataEditModel::Key) {
            return at.siblingAtColumn(MetadataEditModel::Value);
        }
        if (action == MovePrevious && at.column() == MetadataEditModel::Value) {
            return at.siblingAtColumn(MetadataEditModel::Key);
        }
        return RowView::moveCursor(action, modifiers);
    }
};

} // namespace

MetadataCard::MetadataCard(QWidget* parent)
    : Card(QString(), parent), m_model(new MetadataEditModel(this)), m_view(new EntryView),
      m_add(new Button(tr("Add Entry"))), m_remove(new Button(tr("Remove"))) {
    setTitle(tr("Metadata"));
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Metadata"));
    m_view->setRootIsDecorated(false);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked |
                            QAbstractItemView::EditKeyPressed);
    m_view->header()->setSectionsMovable(false);
    m_view->header()->setSectionResizeMode(MetadataEditModel::Value, QHeaderView::Stretch);
    m_view->header()->resizeSection(MetadataEditModel::Key,
                                    m_view->fontMetrics().averageCharWidth() * 28);
    m_view->setMinimumHeight((kMinRows + 1) * 28);
    for (Button* button : {m_add, m_remove}) { // of one width
        button->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    }
    text::setToolTip(
        m_view, tr("Double-click a value to edit it; the key of a new entry can be edited too"));
    text::setToolTip(m_add, tr("Add a key with a text value"));
    auto* keys = new QVBoxLayout;
    keys->setSpacing(theme::kGrid);
    keys->addWidget(m_add);
    keys->addWidget(m_remove);
    keys->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kGrid);
    row->addWidget(m_view, 1);
    row->addLayout(keys);
    content()->addLayout(row, 1);
    connect(m_add, &QPushButton::clicked, this, &MetadataCard::addEntry);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (m_view->currentIndex().isValid()) {
            m_model->toggleRemoved(m_view->currentIndex().row());
        }
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &MetadataCard::updateButtons);
    connect(m_model, &QAbstractItemModel::modelReset, this, &MetadataCard::updateButtons);
    connect(m_model, &MetadataEditModel::edited, this, &MetadataCard::updateButtons);
    updateButtons();
}

void MetadataCard::addEntry() {
    const QModelIndex index = m_model->index(m_model->add(), MetadataEditModel::Key);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
    m_view->edit(index);
}

void MetadataCard::updateButtons() {
    const QModelIndex current = m_view->currentIndex();
    m_remove->setEnabled(current.isValid());
    m_remove->setText(current.isValid() && m_model->isRemoved(current.row()) ? tr("Restore")
                                                                             : tr("Remove"));
    m_remove->updateGeometry();
}

} // namespace cairn::ui
