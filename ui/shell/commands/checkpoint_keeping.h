// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/space/retention_controller.h"

#include <QObject>

#include <filesystem>
#include <vector>

namespace cairn::ui {

class WindowParts;

/// What of the checkpoints that are selected in the navigator is kept: moves them to the
/// wastebasket, after a question that says what is lost, and pins them. Moving is that of the Space
/// page's controller, which also takes it back.
class CheckpointKeeping : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    CheckpointKeeping(WindowParts& parts, FileOps& ops);

private:
    void planMove();
    void ask(const RetentionController::OutcomePtr& chosen, const std::optional<Error>& error);
    void report(const RetentionController::Report& report);
    void changePins();
    void readPins();
    void updateActions();

    WindowParts& m_parts;
    FileOps& m_ops;
    RetentionController& m_controller;
    AsyncRunner m_pinning;
    AsyncRunner m_reading;
    bool m_arePinned = false; ///< all selected ones
};

} // namespace cairn::ui
