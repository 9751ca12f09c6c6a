// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QObject>

class QTreeView;

namespace cairn::ui {

class ShownSubject;
class WindowParts;

/// The actions on what is visible: tabs, columns, trees, copying a page's selection.
class ViewActions : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    ViewActions(WindowParts& parts, const ShownSubject& subject);

private:
    void connectColumns();
    void copy(Page::CopyAs what);
    QTreeView* focusedTree() const;
    void updateActions();

    WindowParts& m_parts;
    const ShownSubject& m_subject;
};

} // namespace cairn::ui
