// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace cairn::ui {

class TextLabel;
class WeightDistance;
class WeightsCard;

/// Below the charts of two runs: their weights, metrics of only one run, and the sources.
class CompareFooter : public QWidget {
    Q_OBJECT

public:
    /// The distance outlives the footer.
    explicit CompareFooter(WeightDistance& distance, QWidget* parent = nullptr);

    void showLines(const QStringList& alone, const QStringList& sources);
    WeightsCard* weights() const { return m_weights; }

private:
    WeightsCard* m_weights;
    TextLabel* m_alone;
    TextLabel* m_sources;
};

} // namespace cairn::ui
