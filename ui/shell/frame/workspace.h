// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/widgets/message_strip.h"

#include <QWidget>

#include <map>
#include <vector>

class QLineEdit;
class QSplitter;
class QStackedWidget;

namespace cairn::ui {

class CentreNotice;
class FlatTabBar;

/// The three columns: navigator, tabbed pages, inspector (or the current page's own side
/// panel). Uses pages only through Page. Owned by the window; owns the pages.
class Workspace : public QWidget {
    Q_OBJECT

public:
    Workspace(QWidget* navigator, std::vector<Page*> pages, QWidget* inspector,
              QWidget* parent = nullptr);

    void showCheckpoint(const CheckpointPtr& checkpoint);
    /// A run or an experiment was selected: enables the tabs that show it and clears the others. If
    /// the current one does not show it, `first` becomes the current tab until a subject is
    /// selected that the previous one shows.
    void showSubject(Page::Subject subject, const Page* first);
    void showQuiet(const QString& sentence); ///< in place of the pages
    void showProblem(Message message);       ///< in place of the pages
    void showPages();                        ///< those that need no checkpoint: the jobs
    bool isShowingPages() const;

    int currentTab() const;
    void setCurrentTab(int index);
    void showPage(const Page* page) { setCurrentTab(tabOf(page)); }
    /// The current tab is the user's choice, also if another one was replaced by it.
    void keepTab() { m_leftTab = -1; }
    int tabOf(const Page* page) const;
    bool isTabEnabled(int index) const; ///< the page shows what is selected
    Page* currentPage() const;
    const std::vector<Page*>& pages() const { return m_pages; }
    CentreNotice* notice() const { return m_notice; }

    /// Of the current page: each page has its own.
    void setFilter(const QString& text);
    QString filter() const { return filterOf(currentPage()); }
    void setFilterOf(Page* page, const QString& text);
    QString filterOf(const Page* page) const;
    /// What the user wants. In a window narrower than foldWidth() the inspector is hidden until it
    /// is asked for, so that the page has room.
    void setInspectorVisible(bool visible);
    bool isInspectorShown() const;
    bool wantsInspector() const { return m_sideVisible; }
    int foldWidth() const;
    void setNavigatorVisible(bool visible);
    void focusPage();
    /// From the left to the right; the tabs are above the pages.
    std::vector<const QWidget*> columns() const;
    void updateSide() { arrangeSide(); } ///< the current page has another side panel
    QSplitter* splitter() const { return m_splitter; }

Q_SIGNALS:
    void tabChanged(int index);
    void inspectorShownChanged(bool shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void currentTabChanged(int index);
    void enableTabs(Page::Subject subject, const Page* first);
    int scaled(int width) const;
    void arrangeSide();

    std::vector<Page*> m_pages;
    QSplitter* m_splitter;
    FlatTabBar* m_tabs;
    QStackedWidget* m_stack;
    QStackedWidget* m_centre;
    CentreNotice* m_notice;
    QStackedWidget* m_side;
    QWidget* m_inspector;
    QWidget* m_navigator;
    std::map<const Page*, QString> m_filters;
    Page::Subject m_subject = Page::Subject::Checkpoint;
    int m_leftTab = -1; ///< replaced because it does not show m_subject; the user chose no other
    bool m_sideVisible = true;
    bool m_folded = false; ///< hidden because the window is narrow
};

} // namespace cairn::ui
