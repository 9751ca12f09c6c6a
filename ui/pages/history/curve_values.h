// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/history/history_follower.h"
#include "ui/widgets/facts_pane.h"

namespace cairn::ui {

/// The right column of the History page: of every curve of the run its last value, its best one
/// where a direction is known, and its points, as the comparison of runs states them.
class CurveValues : public FactsPane {
    Q_OBJECT

public:
    /// The follower outlives the pane.
    explicit CurveValues(HistoryFollower& follower, QWidget* parent = nullptr);

Q_SIGNALS:
    void shown(); ///< for tests

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    HistoryFollower& m_follower;
    HistoryPtr m_history; ///< that is shown
    AsyncRunner m_reading;
};

} // namespace cairn::ui
