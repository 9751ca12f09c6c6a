// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/compare/weight_distance.h"
#include "ui/widgets/card.h"

#include <cstddef>
#include <optional>
#include <vector>

class QGridLayout;

namespace cairn::ui {

class Button;
class ByteProgress;
class LayerStrip;

/// The differences of the weights of one pair of checkpoints: a strip of layers, the tensors that
/// changed most, and the cost of reading the pairs.
class WeightsCard : public Card {
    Q_OBJECT

public:
    /// The distance outlives the card.
    explicit WeightsCard(WeightDistance& distance, QWidget* parent = nullptr);

    /// `words`: "step 400 in A, step 384 in B". Empty: no pair is chosen.
    void showPair(std::optional<std::size_t> pair, const QString& words);
    Button* button() const { return m_button; }

Q_SIGNALS:
    /// Requests to open the shown pair on the Diff page.
    void diffRequested();

private:
    void refresh();
    void refreshReading();
    void showChange(const WeightChange& change);
    void updateProgress();
    void fillMost(const std::vector<TensorChange>& most);

    WeightDistance& m_distance;
    std::optional<std::size_t> m_pair;
    QString m_words;
    const WeightChange* m_drawn = nullptr;
    LayerStrip* m_strip;
    TextLabel* m_sentence;
    QWidget* m_most;
    QGridLayout* m_grid;
    QWidget* m_reading;
    ByteProgress* m_bar;
    TextLabel* m_progress;
    Button* m_button;
};

} // namespace cairn::ui
