// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace cairn::ui {

/// Column heads without boxes: dim text, a small arrow where it is sorted, one hairline below.
class QuietHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit QuietHeader(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace cairn::ui
