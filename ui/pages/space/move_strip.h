// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/retention_controller.h"
#include "ui/widgets/message_strip.h"

namespace cairn::ui {

/// What a report says: "Moved 3 checkpoints (1.2 GB) to the wastebasket", and what was not moved.
Message reportMessage(const RetentionController::Report& report);

/// Above the map of the Space page: asks before checkpoints are moved to the wastebasket, and says
/// what was moved.
class MoveStrip : public MessageStrip {
    Q_OBJECT

public:
    /// The controller outlives the strip.
    explicit MoveStrip(RetentionController& controller);

    /// Asks about the plan of the controller, if it moves something.
    void confirm();
    void report(const RetentionController::Report& report);
    /// The plan is another one: removes the question about the one before.
    void planChanged();
    /// Hidden, but open, while no runs are shown.
    void setRunsShown(bool shown);
    /// It offers to move what was moved back.
    bool hasReport() const { return m_open && m_asked == nullptr; }

Q_SIGNALS:
    void dismissed();

private:
    void open(Message message);
    void dismiss();

    RetentionController& m_controller;
    RetentionController::OutcomePtr m_asked; ///< the plan that it asks about
    bool m_open = false;                     ///< also while tensors are shown
    bool m_runs = false;
};

} // namespace cairn::ui
