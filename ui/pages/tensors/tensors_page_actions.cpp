// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/python_snippet.h"
#include "ui/models/row_view.h"
#include "ui/pages/tensors/tensors_page.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace cairn::ui {

bool TensorsPage::copySelection(CopyAs what) {
    return what == CopyAs::Rows ? m_view->copyRows() : copyPython();
}

void TensorsPage::copyNames() {
    m_view->copyNames();
}

bool TensorsPage::copyPython() {
    const std::optional<TensorIndex> tensor = m_model->tensorAt(m_view->currentIndex());
    if (!tensor) {
        return false;
    }
    m_snippet.start(
        [checkpoint = m_checkpoint, tensor = *tensor](const CancelToken& cancel) {
            return pythonSnippet(checkpoint, tensor, cancel);
        },
        [](Result<QString> snippet) {
            if (snippet) {
                QApplication::clipboard()->setText(*snippet);
            }
        });
    return true;
}

void TensorsPage::showContextMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    if (!index.isValid()) {
        return;
    }
    QMenu menu;
    menu.addAction(tr("Copy"), m_view, [this] { m_view->copyRows(); });
    menu.addAction(tr("Copy Name"), this, &TensorsPage::copyNames);
    QAction* python = menu.addAction(tr("Copy as Python"), this, [this] { copyPython(); });
    python->setEnabled(m_model->tensorAt(index).has_value());
    menu.addSeparator();
    const bool isGroup = m_model->hasChildren(index.siblingAtColumn(0));
    QAction* expand = menu.addAction(tr("Expand All Below"), this, [this, index] {
        m_view->expandRecursively(index.siblingAtColumn(0));
    });
    QAction* collapse = menu.addAction(
        tr("Collapse"), this, [this, index] { m_view->collapse(index.siblingAtColumn(0)); });
    expand->setEnabled(isGroup);
    collapse->setEnabled(isGroup);
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

} // namespace cairn::ui
