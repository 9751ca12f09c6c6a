// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/fold/explain_fold.h"
#include "core/plan/request.h"
#include "core/runs/scan/nearby_adapters.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/consolidate/job_choices.h"

#include <QTimer>
#include <QWidget>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

class QMenu;

namespace cairn::ui {

class Button;
class ByteProgress;
class MessageStrip;
class TextLabel;

/// Whether an adapter explains the difference between two models: while
/// core/jobs/fold/explain_fold.h reads them a bar with a stop button, then its verdict. Hidden
/// until an adapter is chosen. Its button, which the page places, offers the adapters around both
/// models, and is hidden where there are none.
class FoldAnswer : public QWidget {
    Q_OBJECT

public:
    explicit FoldAnswer(QWidget* parent = nullptr);

    Button* button() const { return m_button; }
    /// Looks for adapters around them. Null: there is nothing to explain.
    void setSides(const CheckpointPtr& left, const CheckpointPtr& right);
    /// Folds the adapters, one after another, into the left side, or with `swapped` into the right
    /// one, and compares.
    void explain(const std::vector<RequestAdapter>& adapters, bool swapped = false);
    bool isSettled() const { return !m_finding.isRunning() && !m_explaining.isRunning(); }
    const std::vector<NearbyAdapter>& found() const { return m_found; }

Q_SIGNALS:
    void tensorChosen(const QString& name);

private:
    struct Progress {
        std::atomic<std::uint64_t> done{0};
        std::atomic<std::uint64_t> all{0};
    };
    void fillMenu();
    void addChoices(const std::vector<RequestAdapter>& before);
    void addScales();
    void pickFolder(const std::vector<RequestAdapter>& before);
    void askScale(std::size_t adapter);
    QString adapterNames() const;
    void stop();
    void updateProgress();
    void show(const Result<FoldExplanation>& answer);

    CheckpointPtr m_left;
    CheckpointPtr m_right;
    std::vector<NearbyAdapter> m_found;
    std::vector<RequestAdapter> m_adapters; ///< that were chosen last
    bool m_swapped = false;
    std::shared_ptr<Progress> m_progress;
    QTimer m_tick;
    AsyncRunner m_finding;
    AsyncRunner m_explaining{AsyncRunner::Pool::Long};

    Button* m_button;
    QMenu* m_menu;
    QWidget* m_running;
    ByteProgress* m_bar;
    TextLabel* m_text;
    MessageStrip* m_strip;
};

} // namespace cairn::ui
