// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/painted_items.h"

#include <QString>

#include <vector>

namespace cairn::ui {

/// Bars over equal bins of a range, labelled with its limits and zero.
class HistogramView : public ItemsWidget {
    Q_OBJECT

public:
    explicit HistogramView(QWidget* parent = nullptr);
    /// `bins` over [low, high], in elements.
    void show(std::vector<double> bins, double low, double high);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
    int itemCount() override { return static_cast<int>(m_bins.size()); } ///< the bins
    QString itemText(int item) override;
    QRectF itemRect(int item) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< the bin under the pointer

private:
    QRectF plot() const;
    std::vector<double> m_bins;
    double m_low = 0;
    double m_high = 0;
    double m_most = 0;
};

} // namespace cairn::ui
