// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_board.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr qint64 kOneStepMs = 700;
constexpr std::size_t kMaxViews = 100;
constexpr double kClosest = 1e-9; ///< fraction of the full axis

std::optional<Range> united(const std::optional<Range>& a, const std::optional<Range>& b) {
    if (!a || !b) {
        return a ? a : b;
    }
    return Range{std::min(a->low, b->low), std::max(a->high, b->high)};
}

double place(double x, Scale scale) {
    return scale == Scale::Log ? std::log10(x) : x;
}

double unplace(double x, Scale scale) {
    return scale == Scale::Log ? std::pow(10.0, x) : x;
}

} // namespace

ChartBoard::ChartBoard(QObject* parent) : QObject(parent) {}

void ChartBoard::setOptions(const Options& options) {
    if (options == m_options) {
        return;
    }
    const bool otherAxis = options.unit != m_options.unit ||
                           options.axisWord != m_options.axisWord ||
                           options.xScale != m_options.xScale;
    const bool otherValues = options.yScale != m_options.yScale;
    m_options = options;
    if (otherAxis) {
        m_view = {};
        m_back.clear();
        m_forward.clear();
        m_crosshair.reset();
    } else if (otherValues) {
        m_view.y.clear();
    }
    Q_EMIT optionsChanged();
    Q_EMIT viewChanged();
}

void ChartBoard::setView(View view) {
    if (view == m_view) {
        return;
    }
    const bool quick = m_lastStep.isValid() && m_lastStep.elapsed() < kOneStepMs &&
                       !m_back.empty() && !(view == View{});
    if (!quick) {
        m_back.push_back(m_view);
        if (m_back.size() > kMaxViews) {
            m_back.erase(m_back.begin());
        }
    }
    m_lastStep.start();
    m_forward.clear();
    show(std::move(view));
}

void ChartBoard::show(View view) {
    m_view = std::move(view);
    Q_EMIT viewChanged();
}

void ChartBoard::back() {
    if (!m_back.empty()) {
        m_forward.push_back(m_view);
        View view = std::move(m_back.back());
        m_back.pop_back();
        m_lastStep.invalidate();
        show(std::move(view));
    }
}

void ChartBoard::forward() {
    if (!m_forward.empty()) {
        m_back.push_back(m_view);
        View view = std::move(m_forward.back());
        m_forward.pop_back();
        m_lastStep.invalidate();
        show(std::move(view));
    }
}

void ChartBoard::include(const std::optional<Range>& linear, const std::optional<Range>& log) {
    const auto before = std::pair(m_linear, m_log);
    m_linear = united(m_linear, linear);
    m_log = united(m_log, log);
    if (before != std::pair(m_linear, m_log)) {
        Q_EMIT viewChanged();
    }
}

void ChartBoard::resetExtent() {
    m_linear.reset();
    m_log.reset();
}

Range ChartBoard::whole() const {
    const bool log = m_options.xScale == Scale::Log;
    const std::optional<Range>& all = log ? m_log : m_linear;
    if (!all) {
        return log ? Range{1, 10} : Range{0, 1};
    }
    return all->low < all->high ? *all : withMargin(*all, m_options.xScale, 0);
}

Range ChartBoard::shown() const {
    return m_view.x.value_or(whole());
}

void ChartBoard::zoom(double factor, double around) {
    const Scale scale = m_options.xScale;
    const Range all = whole();
    const Range now = shown();
    const double lowest = place(all.low, scale);
    const double highest = place(all.high, scale);
    const double centre = std::clamp(place(around, scale), lowest, highest);
    double low = centre - (centre - place(now.low, scale)) * factor;
    double high = centre + (place(now.high, scale) - centre) * factor;
    low = std::max(low, lowest);
    high = std::min(high, highest);
    if (high - low < (highest - lowest) * kClosest) {
        return;
    }
    View view = m_view;
    view.y.clear();
    if (low <= lowest && high >= highest) {
        view.x.reset();
    } else {
        view.x = Range{unplace(low, scale), unplace(high, scale)};
    }
    setView(std::move(view));
}

void ChartBoard::pan(double share) {
    if (!m_view.x) {
        return;
    }
    const Scale scale = m_options.xScale;
    const Range all = whole();
    const double low = place(m_view.x->low, scale);
    const double high = place(m_view.x->high, scale);
    const double wanted = share * (high - low);
    const double move = std::clamp(wanted, std::min(0.0, place(all.low, scale) - low),
                                   std::max(0.0, place(all.high, scale) - high));
    View view = m_view;
    view.x = Range{unplace(low + move, scale), unplace(high + move, scale)};
    setView(std::move(view));
}

void ChartBoard::setCrosshair(std::optional<double> x) {
    if (x != m_crosshair) {
        m_crosshair = x;
        Q_EMIT crosshairChanged();
    }
}

void ChartBoard::highlight(std::optional<int> series) {
    if (series != m_highlighted) {
        m_highlighted = series;
        Q_EMIT highlightChanged();
    }
}

} // namespace cairn::ui
