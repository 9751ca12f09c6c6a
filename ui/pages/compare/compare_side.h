// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/charts/run_axis.h"
#include "ui/navigator/run_place.h"
#include "ui/pages/compare/weight_distance.h"

#include <QWidget>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace cairn::ui {

class Button;
class FigureGrid;
class PairTable;
class RowView;
class TextLabel;

/// The right column while two runs are compared: the main figures, where curves and weights
/// diverge, and the matching checkpoints.
class CompareSide : public QWidget {
    Q_OBJECT

public:
    explicit CompareSide(QWidget* parent = nullptr);

    /// The chosen metric and pair stay where they still can be.
    void show(std::shared_ptr<const RunComparison> comparison, const RunPlace& left,
              const RunPlace& right, const AxisChoice& axis, double tolerance);
    void showWeights(const WeightDistance& distance);
    void clear();

    /// Position in RunComparison::checkpoints of the chosen row.
    std::optional<std::size_t> pair() const;
    QString pairWords() const;
    void choosePairOf(const std::filesystem::path& checkpoint);
    /// Compares the two checkpoints of the chosen row, if there are two.
    void diff();

    RowView* pairs() const { return m_pairs; }
    bool isSorting() const;
    Button* diffButton() const { return m_diff; }
    Button* metricButton() const { return m_metric; }
    QString divergence() const;
    /// Of the figures, by its name in A; empty: there is none.
    std::string metric() const;

Q_SIGNALS:
    /// Requests the comparison of two checkpoints on the Diff page.
    void diffRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void pairChosen();
    void metricChosen();      ///< in the menu
    void divergenceChanged(); ///< its words, or whether they are visible here

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void showMetric(std::size_t index);
    void updateDivergence();
    void fitPairColumns();
    bool eventFilter(QObject* watched, QEvent* event) override;
    void updateDiff();
    void popUpPairMenu(const QPoint& at);

    std::shared_ptr<const RunComparison> m_comparison;
    AxisChoice m_axis;
    double m_tolerance = 0;
    std::string m_metricName; ///< the chosen one; empty: the first
    std::size_t m_metricIndex = 0;
    QString m_weightWords;
    TextLabel* m_head;
    Button* m_metric;
    FigureGrid* m_figures;
    TextLabel* m_divergenceHead;
    TextLabel* m_divergence;
    TextLabel* m_pairsHead;
    PairTable* m_table;
    RowView* m_pairs;
    Button* m_diff;
};

} // namespace cairn::ui
