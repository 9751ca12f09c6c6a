// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/workspace.h"

#include "ui/shell/frame/centre_notice.h"
#include "ui/shell/frame/flat_tab_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/hairline_splitter.h"
#include "ui/widgets/page_stack.h"

#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace cairn::ui {

Workspace::Workspace(QWidget* navigator, std::vector<Page*> pages, QWidget* inspector,
                     QWidget* parent)
    : QWidget(parent), m_pages(std::move(pages)), m_splitter(new HairlineSplitter(Qt::Horizontal)),
      m_tabs(new FlatTabBar), m_stack(new PageStack), m_centre(new PageStack),
      m_notice(new CentreNotice), m_side(new PageStack), m_inspector(inspector),
      m_navigator(navigator) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_splitter);

    auto* paged = new QWidget;
    auto* column = new QVBoxLayout(paged);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* tabRow = new QHBoxLayout;
    tabRow->setContentsMargins(theme::kGrid, 0, 0, 0);
    tabRow->addWidget(m_tabs);
    column->addLayout(tabRow);
    column->addWidget(m_stack, 1);
    m_centre->addWidget(paged);
    m_centre->addWidget(m_notice);
    m_side->addWidget(m_inspector);
    for (Page* page : m_pages) {
        m_stack->addWidget(page);
        m_tabs->addTab(page->info().title());
        if (QWidget* side = page->sidePanel()) {
            m_side->addWidget(side);
        }
    }
    m_tabs->setAccessibleName(tr("Pages"));
    m_tabs->updateGeometry(); // tabs added while hidden do not update the layout
    m_side->setAutoFillBackground(true);
    m_side->setBackgroundRole(QPalette::Base);
    m_side->setMinimumWidth(236);
    m_navigator->setMinimumWidth(200);
    m_centre->setMinimumWidth(430);
    m_splitter->addWidget(m_navigator);
    m_splitter->addWidget(m_centre);
    m_splitter->addWidget(m_side);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_splitter->setSizes({scaled(300), 800, scaled(290)});
    connect(m_tabs, &QTabBar::currentChanged, this, &Workspace::currentTabChanged);
    arrangeSide();
}

void Workspace::showCheckpoint(const CheckpointPtr& checkpoint) {
    enableTabs(Page::Subject::Checkpoint, m_pages.front());
    for (Page* page : m_pages) {
        page->showCheckpoint(checkpoint);
    }
    m_centre->setCurrentIndex(0);
    arrangeSide();
}

void Workspace::showSubject(Page::Subject subject, const Page* first) {
    for (Page* page : m_pages) {
        page->clear();
    }
    enableTabs(subject, first);
    m_centre->setCurrentIndex(0);
    arrangeSide();
}

void Workspace::enableTabs(Page::Subject subject, const Page* first) {
    m_subject = subject;
    const auto shows = [&](int tab) {
        return subject >= m_pages.at(static_cast<std::size_t>(tab))->info().shows;
    };
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (shows(tab)) {
            m_tabs->setTabEnabled(tab, true);
        }
    }
    if (m_leftTab >= 0 && shows(m_leftTab)) {
        m_tabs->setCurrentIndex(std::exchange(m_leftTab, -1));
    } else if (!shows(currentTab())) {
        const int left = m_leftTab >= 0 ? m_leftTab : currentTab();
        m_tabs->setCurrentIndex(tabOf(first));
        m_leftTab = left;
    }
    for (int tab = 0; tab < m_tabs->count(); ++tab) { // QTabBar leaves a tab that is disabled
        if (!shows(tab)) {
            m_tabs->setTabEnabled(tab, false);
        }
    }
}

void Workspace::showQuiet(const QString& sentence) {
    for (Page* page : m_pages) {
        page->clear();
    }
    m_notice->showQuiet(sentence);
    m_centre->setCurrentIndex(1);
    arrangeSide();
}

void Workspace::showProblem(Message message) {
    showQuiet({});
    m_notice->showProblem(std::move(message));
}

void Workspace::showPages() {
    m_centre->setCurrentIndex(0);
    arrangeSide();
}

bool Workspace::isShowingPages() const {
    return m_centre->currentIndex() == 0;
}

int Workspace::currentTab() const {
    return m_tabs->currentIndex();
}

void Workspace::setCurrentTab(int index) {
    m_tabs->setCurrentIndex(index);
}

bool Workspace::isTabEnabled(int index) const {
    return m_tabs->isTabEnabled(index);
}

int Workspace::tabOf(const Page* page) const {
    return static_cast<int>(std::ranges::find(m_pages, page) - m_pages.begin());
}

Page* Workspace::currentPage() const {
    return m_pages.at(static_cast<std::size_t>(std::max(0, m_tabs->currentIndex())));
}

void Workspace::setFilter(const QString& text) {
    setFilterOf(currentPage(), text);
}

void Workspace::setFilterOf(Page* page, const QString& text) {
    m_filters[page] = text;
    page->setFilter(text);
}

QString Workspace::filterOf(const Page* page) const {
    const auto own = m_filters.find(page);
    return own != m_filters.end() ? own->second : QString();
}

void Workspace::currentTabChanged(int index) {
    m_leftTab = -1;
    m_stack->setCurrentIndex(index);
    currentPage()->setFilter(filter());
    arrangeSide();
    Q_EMIT tabChanged(index);
}

void Workspace::arrangeSide() {
    QWidget* side = isShowingPages() ? currentPage()->sidePanel() : nullptr;
    if (side != nullptr && m_side->indexOf(side) < 0) {
        m_side->addWidget(side);
    }
    m_side->setCurrentWidget(side != nullptr ? side : m_inspector);
    m_side->setVisible(isInspectorShown());
}

bool Workspace::isInspectorShown() const {
    return m_sideVisible && !m_folded;
}

/// The width of a column, with more room for a large font.
int Workspace::scaled(int width) const {
    constexpr int kUsualLine = 17; ///< px, height of the fonts that the widths are made for
    return std::max(width, width * fontMetrics().height() / kUsualLine);
}

int Workspace::foldWidth() const {
    return scaled(1000);
}

void Workspace::setInspectorVisible(bool visible) {
    m_sideVisible = visible;
    m_folded = false;
    arrangeSide();
}

void Workspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool wasNarrow = event->oldSize().isValid() && event->oldSize().width() < foldWidth();
    const bool narrow = event->size().width() < foldWidth();
    if (narrow == wasNarrow && event->oldSize().isValid()) {
        return;
    }
    m_folded = narrow;
    arrangeSide();
    if (m_sideVisible) {
        Q_EMIT inspectorShownChanged(!m_folded);
    }
}

void Workspace::setNavigatorVisible(bool visible) {
    m_navigator->setVisible(visible);
}

std::vector<const QWidget*> Workspace::columns() const {
    return {m_navigator, m_tabs, m_stack, m_notice, m_side};
}

void Workspace::focusPage() {
    QWidget* target = currentPage()->filterTarget();
    (target != nullptr ? target : currentPage())->setFocus(Qt::ShortcutFocusReason);
}

} // namespace cairn::ui
