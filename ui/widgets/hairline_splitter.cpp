// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/hairline_splitter.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace cairn::ui {
namespace {

class Handle : public QSplitterHandle {
public:
    using QSplitterHandle::QSplitterHandle;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QRect middle = orientation() == Qt::Horizontal ? QRect(width() / 2, 0, 1, height())
                                                             : QRect(0, height() / 2, width(), 1);
        painter.fillRect(middle, theme::hairline(palette()));
    }
};

} // namespace

HairlineSplitter::HairlineSplitter(Qt::Orientation orientation, QWidget* parent)
    : QSplitter(orientation, parent) {
    setHandleWidth(1);
    setChildrenCollapsible(false);
}

QSplitterHandle* HairlineSplitter::createHandle() {
    return new Handle(orientation(), this);
}

} // namespace cairn::ui
