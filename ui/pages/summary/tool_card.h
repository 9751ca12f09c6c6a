// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/summary/checkpoint_tools.h"
#include "ui/widgets/card.h"

#include <QTimer>

#include <vector>

class QProgressBar;
class QVBoxLayout;

namespace cairn::ui {

class Button;

/// One run of a tool: progress with Stop while it works, then its answer with Copy and Close. The
/// work ends with the card. GUI thread only.
class ToolCard : public Card {
    Q_OBJECT

public:
    explicit ToolCard(ToolRequest request, QWidget* parent = nullptr);

    CheckpointTool tool() const { return m_request.tool; }
    bool isRunning() const { return m_runner.isRunning(); }
    const QString& headline() const { return m_headline; } ///< empty while it works
    theme::Tone tone() const { return m_tone; }            ///< of the answer

Q_SIGNALS:
    void closed();
    void finished();

private:
    void refreshProgress();
    void end(const Result<ToolResult>& result);
    void showResult(const ToolResult& result);
    void stop();

    ToolRequest m_request;
    QString m_headline;
    theme::Tone m_tone = theme::Tone::Plain;
    std::shared_ptr<ToolProgress> m_progress;
    AsyncRunner m_runner{AsyncRunner::Pool::Long};
    QTimer m_timer;
    TextLabel* m_restoreTimer;
    QProgressBar* m_bar;
    Button* m_stop;
    Button* m_copy;
    Button* m_close;
};

/// The cards of the tools that were run on one checkpoint, the newest first.
class ToolCards : public QWidget {
    Q_OBJECT

public:
    explicit ToolCards(QWidget* parent = nullptr);

    /// Replaces the card of the same tool.
    ToolCard* run(ToolRequest request);
    void clear(); ///< another checkpoint is shown; stops the work
    const std::vector<ToolCard*>& cards() const { return m_cards; }

Q_SIGNALS:
    void finished();

private:
    void remove(ToolCard* card);

    QVBoxLayout* m_layout;
    std::vector<ToolCard*> m_cards;
};

} // namespace cairn::ui
