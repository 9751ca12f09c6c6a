// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace cairn::ui {

/// Column headers without boxes: dim text, a small arrow on the sorted column, one hairline below.
class QuietHeader : public QHeaderView {
    Q_OBJECT

public:
    static constexpr int kArrowRoom = 11; ///< px beside the label of the sorted column

    explicit QuietHeader(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace cairn::ui
