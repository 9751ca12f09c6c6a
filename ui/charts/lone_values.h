// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"
#include "ui/widgets/painted_items.h"

#include <vector>

namespace cairn::ui {

/// Metrics with one value a curve, as a list in columns: a chart of each would be a dot. Of many
/// curves their number, the lowest and the highest value. GUI thread only.
class LoneValues : public ItemsWidget {
    Q_OBJECT

public:
    /// The board, whose axis names the places, outlives it.
    explicit LoneValues(const ChartBoard& board, QWidget* parent = nullptr);

    void show(std::vector<ChartContent> metrics);
    int itemCount() override { return static_cast<int>(m_metrics.size()); }
    QString itemText(int item) override; ///< "train_runtime: A 12.3 @60"
    QRectF itemRect(int item) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Part {
        QString text;
        QColor color;
    };
    std::vector<Part> partsOf(const ChartContent& metric) const;
    int columns(int width) const;
    int rowHeight() const;

    const ChartBoard& m_board;
    std::vector<ChartContent> m_metrics;
};

} // namespace cairn::ui
