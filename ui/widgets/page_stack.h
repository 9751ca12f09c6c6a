// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

namespace cairn::ui {

/// A stack of pages that fill whatever space it gets. It does not ask them how high they would like
/// to be at a width: Qt would lay out every hidden page for that, at every change of the visible
/// one.
class PageStack : public QStackedWidget {
    Q_OBJECT

public:
    using QStackedWidget::QStackedWidget;
    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override { return minimumSizeHint(); }
};

} // namespace cairn::ui
