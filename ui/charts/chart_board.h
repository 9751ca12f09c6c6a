// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/turn_queue.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/curve_data.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::ui {

/// The state shared by the charts of one page: drawing options, the visible part of the axis, and
/// the position of the crosshair. Charts change it and follow it, so that they always agree. GUI
/// thread only; outlives its charts.
class ChartBoard : public QObject {
    Q_OBJECT

public:
    struct Options {
        Scale xScale = Scale::Linear;
        Scale yScale = Scale::Linear;
        double smoothing = 0; ///< 0: the raw curve alone
        AxisUnit unit = AxisUnit::Whole;
        QString axisWord; ///< "step", "epoch", …; from a file where it is a metric's name
        friend bool operator==(const Options&, const Options&) = default;
    };
    struct View {
        std::optional<Range> x;  ///< nothing: all of it
        QHash<QString, Range> y; ///< of charts that were zoomed into by a box; others fit
        friend bool operator==(const View&, const View&) = default;
    };

    explicit ChartBoard(QObject* parent = nullptr);

    const Options& options() const { return m_options; }
    /// A change of the axis forgets the view.
    void setOptions(const Options& options);

    const View& view() const { return m_view; }
    /// Also drops the ranges that "forward" would return to. Quick steps (wheel, held keys) count
    /// as one.
    void setView(View view);
    void fit() { setView({}); }
    void back();
    void forward();
    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    bool isZoomed() const { return !(m_view == View{}); }

    /// Extends the axis to include these ranges.
    void include(const std::optional<Range>& linear, const std::optional<Range>& log);
    void resetExtent();
    /// The visible part of the axis; never empty.
    Range shown() const;
    Range whole() const;

    /// Around a position on the axis; a factor below 1 zooms in. Stays within the full axis.
    void zoom(double factor, double around);
    /// By a fraction of the visible part.
    void pan(double share);

    /// More lines for the tooltip of a checkpoint's mark; asked for when the tooltip is shown.
    using TickWords = std::function<QString(const std::filesystem::path& checkpoint)>;
    void setTickWords(TickWords words) { m_tickWords = std::move(words); }
    QString tickWords(const std::filesystem::path& checkpoint) const {
        return m_tickWords ? m_tickWords(checkpoint) : QString();
    }

    /// What the charts do one after another, not all in one turn: being created, filled, drawn.
    TurnQueue& turns() { return m_turns; }
    const TurnQueue& turns() const { return m_turns; }

    std::optional<double> crosshair() const { return m_crosshair; }
    void setCrosshair(std::optional<double> x);

    /// The series that stands out in charts of many curves: the one at the pointer.
    std::optional<int> highlighted() const { return m_highlighted; }
    void highlight(std::optional<int> series);

Q_SIGNALS:
    void optionsChanged();
    void viewChanged();
    void crosshairChanged();
    void highlightChanged();

private:
    void show(View view);

    TurnQueue m_turns;
    TickWords m_tickWords;
    Options m_options;
    View m_view;
    std::vector<View> m_back;
    std::vector<View> m_forward;
    QElapsedTimer m_lastStep;
    std::optional<Range> m_linear;
    std::optional<Range> m_log;
    std::optional<double> m_crosshair;
    std::optional<int> m_highlighted;
};

} // namespace cairn::ui
