// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QAction;
class QKeySequenceEdit;
class QStandardItemModel;
class QTreeView;

namespace cairn::ui {

class Button;
class ShortcutSet;
class TextField;
class TextLabel;

/// All actions with their keys; new keys for the selected one. Keys of another action are only
/// taken from it after a second click.
class ShortcutPage : public QWidget {
    Q_OBJECT

public:
    explicit ShortcutPage(ShortcutSet& shortcuts, QWidget* parent = nullptr);

    TextField* filter() const { return m_filter; }
    QTreeView* list() const { return m_list; }
    QKeySequenceEdit* edit() const { return m_edit; }
    QString message() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void fill();
    void showSelected();
    void typed();
    void assign();
    QAction* selected() const;

    ShortcutSet& m_shortcuts;
    QStandardItemModel* m_model;
    TextField* m_filter;
    QTreeView* m_list;
    TextLabel* m_name;
    QKeySequenceEdit* m_edit;
    TextLabel* m_message;
    Button* m_reassign;
    Button* m_remove;
    Button* m_reset;
    Button* m_resetAll;
    bool m_quiet = false; ///< the field is being filled
};

} // namespace cairn::ui
