// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_board.h"
#include "ui/navigator/run_place.h"
#include "ui/pages/history/history_follower.h"

#include <QWidget>

#include <filesystem>

namespace cairn::ui {

class CurveChart;

/// The run's loss over its steps, with a mark for every checkpoint; hidden while the run records
/// nothing.
class LossCard : public QWidget {
    Q_OBJECT

public:
    explicit LossCard(QWidget* parent = nullptr);
    ~LossCard() override;

    /// A null history hides the card.
    void show(const HistoryPtr& history, const RunPlace& place,
              const std::filesystem::path& selected);
    CurveChart* chart() const { return m_chart; }

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void moreRequested();

private:
    ChartBoard m_board;
    CurveChart* m_chart;
};

} // namespace cairn::ui
