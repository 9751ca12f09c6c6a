// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/filter_control.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/widgets/search_field.h"

#include <QAction>

namespace cairn::ui {

FilterControl::FilterControl(WindowParts& parts, const ShownSubject& subject)
    : m_parts(parts), m_subject(subject),
      m_field(*static_cast<SearchField*>(parts.topBar->filterField())) {
    connect(parts.navigator, &Navigator::checkpointChosen, this, [this] { setRole({}); });
    connect(parts.navigator, &Navigator::roleChosen, this,
            [this](const auto&, const QString& filter) { setRole(filter); });
    connect(parts.actions.filter, &QAction::triggered, this, [this] {
        QLineEdit* own = m_parts.workspace->currentPage()->filterField();
        QLineEdit& field = own != nullptr && own->isVisible() ? *own : m_field;
        field.setFocus(Qt::ShortcutFocusReason);
        field.selectAll();
    });
    connect(parts.actions.clearFilter, &QAction::triggered, &m_field, &QLineEdit::clear);
    connect(&m_field, &QLineEdit::textChanged, this, &FilterControl::setFilter);
    connect(parts.workspace, &Workspace::tabChanged, this, [this] {
        const QString filter = m_parts.workspace->filter();
        if (m_field.text() != filter) { // else its own undo is kept
            m_field.setText(filter);
        }
    });
    connect(&m_field, &SearchField::left, parts.workspace, &Workspace::focusPage);
    connect(&parts, &WindowParts::changed, this, &FilterControl::updateActions);
    connectPages();
}

/// What the pages say of the filter: that it is invalid, or "Clear Filter" where nothing matches.
void FilterControl::connectPages() {
    const PageSet& pages = m_parts.pages;
    const auto* tensors = static_cast<TensorsPage*>(pages.tensors);
    const auto* metadata = static_cast<MetadataPage*>(pages.metadata);
    connect(tensors, &TensorsPage::filterProblem, &m_field, &SearchField::setProblem);
    connect(pages.diff, &DiffPage::filterProblem, &m_field, &SearchField::setProblem);
    connect(tensors, &TensorsPage::clearFilterRequested, &m_field, &QLineEdit::clear);
    connect(pages.diff, &DiffPage::clearFilterRequested, &m_field, &QLineEdit::clear);
    connect(metadata, &MetadataPage::clearFilterRequested, &m_field, &QLineEdit::clear);
    connect(pages.history, &HistoryPage::clearFilterRequested, &m_field, &QLineEdit::clear);
    connect(pages.compare, &ComparePage::clearFilterRequested, &m_field, &QLineEdit::clear);
    connect(pages.runs, &RunsPage::clearFilterRequested, &m_field, &QLineEdit::clear);
    connect(pages.runs, &RunsPage::filterEdited, &m_field, &QLineEdit::setText);
    connect(static_cast<SearchField*>(pages.runs->filterField()), &SearchField::left,
            m_parts.workspace, &Workspace::focusPage);
}

void FilterControl::setFilter(const QString& text) {
    Workspace* workspace = m_parts.workspace;
    if (text == workspace->filter()) {
        return; // of the page that was gone to
    }
    if (!text.isEmpty() && workspace->isShowingPages() && !workspace->currentPage()->canFilter() &&
        m_parts.pages.tensors != nullptr) {
        workspace->setFilterOf(m_parts.pages.tensors, text);
        workspace->showPage(m_parts.pages.tensors);
        Q_EMIT m_parts.changed();
        return;
    }
    workspace->setFilter(text);
    Q_EMIT m_parts.changed();
}

void FilterControl::setRole(const QString& filter) {
    if (!filter.isEmpty()) {
        m_parts.workspace->showPage(m_parts.pages.tensors);
        m_field.setText(filter);
    } else if (!m_role.isEmpty() && m_parts.workspace->filterOf(m_parts.pages.tensors) == m_role) {
        // The checkpoint itself was chosen; a typed filter stays.
        m_parts.workspace->setFilterOf(m_parts.pages.tensors, {});
        m_field.setText(m_parts.workspace->filter());
    }
    m_role = filter;
}

void FilterControl::updateActions() {
    Page* page = m_parts.workspace->currentPage();
    const bool runs = m_parts.isWorking() && !m_subject.path().empty();
    const bool filters = m_subject.isCheckpointVisible() || (runs && page->canFilter());
    m_parts.actions.filter->setEnabled(filters);
    const QString hint = page->filterHint();
    m_parts.topBar->setFilterHint(hint.isEmpty() ? tr("Filter tensors…") : hint);
    m_field.setEnabled(filters);
    m_parts.topBar->setFilterShown(page->filterField() == nullptr ||
                                   !m_parts.workspace->isShowingPages());
    m_parts.actions.clearFilter->setEnabled(filters && !m_field.text().isEmpty());
}

} // namespace cairn::ui
