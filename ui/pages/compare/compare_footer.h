// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QBoxLayout;

namespace cairn::ui {

class SettingsCard;
class TextLabel;
class WeightDistance;
class WeightsCard;

/// Below the charts of two runs: settings and weights, side by side if there is space, then metrics
/// of only one run, and the sources.
class CompareFooter : public QWidget {
    Q_OBJECT

public:
    /// The distance outlives the footer.
    explicit CompareFooter(WeightDistance& distance, QWidget* parent = nullptr);

    void showLines(const QStringList& alone, const QStringList& sources);
    SettingsCard* settings() const { return m_settings; }
    WeightsCard* weights() const { return m_weights; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QBoxLayout* m_cards;
    SettingsCard* m_settings;
    WeightsCard* m_weights;
    TextLabel* m_alone;
    TextLabel* m_sources;
};

} // namespace cairn::ui
