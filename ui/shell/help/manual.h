// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QAction;
class QLabel;
class QListWidget;
class QTextBrowser;

namespace cairn::ui {

class TextField;

/// The manual: short pages by task, from the resources (resources/manual), with search. The list of
/// shortcuts is made from the actions. A window of its own, so that it can be read beside the main
/// window.
class Manual : public QWidget {
    Q_OBJECT

public:
    struct Page {
        QString name;  ///< "browse"
        QString title; ///< the first heading
        QString text;  ///< Markdown
    };

    /// The actions outlive the manual.
    explicit Manual(QList<QAction*> actions, QWidget* parent = nullptr);

    /// Comes to the front with this page; an unknown name shows the first one.
    void showPage(const QString& name);
    void reload(); ///< other shortcuts
    QString current() const;
    const QList<Page>& pages() const { return m_pages; }
    TextField* search() const { return m_search; }
    QListWidget* list() const { return m_list; }
    QTextBrowser* text() const { return m_text; }

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void load();
    QString withShortcuts(const QString& text) const;
    void fillList();
    void showCurrent();
    void findNext();

    QList<QAction*> m_actions;
    QList<Page> m_pages;
    TextField* m_search;
    QListWidget* m_list;
    QLabel* m_nothing;
    QTextBrowser* m_text;
};

} // namespace cairn::ui
