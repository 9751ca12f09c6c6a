// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_data.h"

#include "ui/charts/extremes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace cairn::ui {
namespace {

double onScale(double value, Scale scale) {
    return scale == Scale::Log ? std::log10(value) : value;
}

double offScale(double place, Scale scale) {
    return scale == Scale::Log ? std::pow(10.0, place) : place;
}

OffScale whyOff(double value) {
    if (std::isnan(value)) {
        return OffScale::NotANumber;
    }
    if (std::isinf(value)) {
        return value > 0 ? OffScale::Infinite : OffScale::MinusInfinite;
    }
    return OffScale::NotPositive;
}

/// The visible part of a segment and the columns that it is cut into.
struct Part {
    std::size_t first = 0; ///< of the points within the range
    std::size_t last = 0;
    CurveData::Segment segment;
    std::size_t columns = 1;
};

/// Picks the points of one part. A line ends where a point that cannot be drawn is between two
/// picks.
class Picker {
public:
    Picker(const CurveData& curve, const CurveExtremes& extremes, Range x, Scale xScale)
        : m_curve(curve), m_extremes(extremes), m_x(x), m_xScale(xScale) {}

    void pick(const Part& part) {
        m_picks.clear();
        const std::size_t before = part.first;
        if (before > part.segment.first) {
            take(m_extremes.lastIn(part.segment.first, before));
        }
        const double low = onScale(m_x.low, m_xScale);
        const double width =
            (onScale(m_x.high, m_xScale) - low) / static_cast<double>(part.columns);
        std::size_t from = part.first;
        for (std::size_t column = 0; column < part.columns && from < part.last; ++column) {
            std::size_t to = part.last;
            if (column + 1 < part.columns) {
                const double edge =
                    offScale(low + width * static_cast<double>(column + 1), m_xScale);
                const auto xs = m_curve.x();
                to = static_cast<std::size_t>(
                    std::lower_bound(xs.begin() + static_cast<std::ptrdiff_t>(from),
                                     xs.begin() + static_cast<std::ptrdiff_t>(part.last), edge) -
                    xs.begin());
            }
            takeColumn(from, to);
            from = to;
        }
        if (part.last < part.segment.last) {
            take(m_extremes.firstIn(part.last, part.segment.last));
        }
        flush();
    }

    void marks(const Part& part, std::vector<EdgeMark>& marks) const {
        const double low = onScale(m_x.low, m_xScale);
        const double width =
            (onScale(m_x.high, m_xScale) - low) / static_cast<double>(part.columns);
        std::array<std::ptrdiff_t, 4> lastColumn{-1, -1, -1, -1};
        for (const std::size_t index : m_extremes.offIn(part.first, part.last)) {
            const OffScale why = whyOff(m_curve.y()[index]);
            const double place = (onScale(m_curve.x()[index], m_xScale) - low) / width;
            const auto column = static_cast<std::ptrdiff_t>(place);
            auto& last = lastColumn[static_cast<std::size_t>(why)];
            if (column != last) {
                last = column;
                marks.push_back({m_curve.x()[index], why});
            }
        }
    }

    SampledCurve result() {
        joinNarrowGaps();
        SampledCurve sampled;
        for (const std::vector<std::size_t>& line : m_lines) {
            std::vector<PlotPoint>& points = sampled.lines.emplace_back();
            points.reserve(line.size());
            for (const std::size_t index : line) {
                points.push_back({m_curve.x()[index], m_curve.y()[index]});
            }
            sampled.points += points.size();
        }
        return sampled;
    }

private:
    void take(std::size_t index) {
        if (index != CurveExtremes::kNone && (m_picks.empty() || m_picks.back() < index)) {
            m_picks.push_back(index);
        }
    }
    void takeColumn(std::size_t from, std::size_t to) {
        if (from >= to) {
            return;
        }
        if (to - from <= 4) {
            for (std::size_t i = from; i < to; ++i) {
                if (!m_extremes.isOff(i)) {
                    take(i);
                }
            }
            return;
        }
        const auto [lowest, highest] = m_extremes.within(from, to);
        if (lowest == CurveExtremes::kNone) {
            return;
        }
        take(m_extremes.firstIn(from, to));
        take(std::min(lowest, highest));
        take(std::max(lowest, highest));
        take(m_extremes.lastIn(from, to));
    }
    void flush() {
        for (std::size_t i = 0; i < m_picks.size(); ++i) {
            const bool joins = i > 0 && m_extremes.offIn(m_picks[i - 1] + 1, m_picks[i]).empty();
            if (!joins) {
                m_lines.emplace_back();
                m_gaps.push_back(i == 0 ? std::numeric_limits<double>::infinity()
                                        : m_curve.x()[m_picks[i]] - m_curve.x()[m_picks[i - 1]]);
            }
            m_lines.back().push_back(m_picks[i]);
        }
    }
    void joinNarrowGaps() {
        if (m_lines.size() <= kMaxLines) {
            return;
        }
        std::vector<double> widths = m_gaps;
        std::nth_element(widths.begin(), widths.begin() + kMaxLines - 1, widths.end(),
                         std::greater<>());
        const double least = widths[kMaxLines - 1];
        std::vector<std::vector<std::size_t>> joined;
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            if (joined.empty() || (m_gaps[i] >= least && joined.size() < kMaxLines)) {
                joined.push_back(std::move(m_lines[i]));
            } else {
                joined.back().insert(joined.back().end(), m_lines[i].begin(), m_lines[i].end());
            }
        }
        m_lines = std::move(joined);
    }

    const CurveData& m_curve;
    const CurveExtremes& m_extremes;
    Range m_x;
    Scale m_xScale;
    std::vector<std::size_t> m_picks;
    std::vector<std::vector<std::size_t>> m_lines;
    std::vector<double> m_gaps; ///< width of the gap before each line; infinite between segments
};

} // namespace

CurveData::CurveData(std::vector<double> x, std::vector<double> y)
    : m_x(std::move(x)), m_y(std::move(y)) {
    const std::size_t count = std::min(m_x.size(), m_y.size());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(m_x[i])) {
            m_x[kept] = m_x[i];
            m_y[kept] = m_y[i];
            ++kept;
        }
    }
    m_x.resize(kept);
    m_y.resize(kept);
    split();
}

CurveData::~CurveData() = default;

void CurveData::split() {
    std::size_t first = 0;
    for (std::size_t i = 1; i <= m_x.size(); ++i) {
        if (i == m_x.size() || m_x[i] < m_x[i - 1]) {
            m_segments.push_back({first, i});
            first = i;
        }
    }
    if (m_segments.size() <= kMaxSegments) {
        return;
    }
    std::vector<std::size_t> order(m_x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return m_x[a] < m_x[b]; });
    std::vector<double> x;
    std::vector<double> y;
    x.reserve(order.size());
    y.reserve(order.size());
    for (const std::size_t index : order) {
        x.push_back(m_x[index]);
        y.push_back(m_y[index]);
    }
    m_x = std::move(x);
    m_y = std::move(y);
    m_segments = {{0, m_x.size()}};
    m_sorted = true;
}

const CurveExtremes& CurveData::extremes(Scale yScale) const {
    auto& made = m_extremes[static_cast<std::size_t>(yScale)];
    if (!made) {
        made = std::make_unique<CurveExtremes>(m_y, yScale == Scale::Log);
    }
    return *made;
}

std::optional<Range> CurveData::extent(Scale xScale) const {
    std::optional<Range> extent;
    for (const Segment& segment : m_segments) {
        std::size_t first = segment.first;
        if (xScale == Scale::Log) {
            const auto begin = m_x.begin() + static_cast<std::ptrdiff_t>(segment.first);
            const auto end = m_x.begin() + static_cast<std::ptrdiff_t>(segment.last);
            first = static_cast<std::size_t>(std::upper_bound(begin, end, 0.0) - m_x.begin());
        }
        if (first == segment.last) {
            continue;
        }
        const Range here{m_x[first], m_x[segment.last - 1]};
        extent = extent ? Range{std::min(extent->low, here.low), std::max(extent->high, here.high)}
                        : here;
    }
    return extent;
}

SampledCurve CurveData::sample(Range x, Scale xScale, Scale yScale, std::size_t maxPoints) const {
    if (!(x.low < x.high) || !std::isfinite(x.low) || !std::isfinite(x.high) ||
        (xScale == Scale::Log && x.low <= 0)) {
        return {};
    }
    std::vector<Part> parts;
    std::size_t visible = 0;
    for (const Segment& segment : m_segments) {
        const auto begin = m_x.begin() + static_cast<std::ptrdiff_t>(segment.first);
        const auto end = m_x.begin() + static_cast<std::ptrdiff_t>(segment.last);
        Part part;
        part.segment = segment;
        part.first = static_cast<std::size_t>(std::lower_bound(begin, end, x.low) - m_x.begin());
        part.last = static_cast<std::size_t>(std::upper_bound(begin, end, x.high) - m_x.begin());
        if (xScale == Scale::Log) { // the point before must have a position, too
            part.segment.first =
                static_cast<std::size_t>(std::upper_bound(begin, end, 0.0) - m_x.begin());
        }
        const bool crosses = part.first == part.last && part.first > part.segment.first &&
                             part.last < part.segment.last;
        if (part.first < part.last || crosses) {
            visible += part.last - part.first;
            parts.push_back(part);
        }
    }
    const CurveExtremes& index = extremes(yScale);
    Picker picker(*this, index, x, xScale);
    std::vector<EdgeMark> marks;
    std::optional<Range> values;
    // Six of a part at least: one column, and one point beyond either end.
    const std::size_t spare = 6 * parts.size() < maxPoints ? maxPoints - 6 * parts.size() : 0;
    for (Part& part : parts) {
        const std::size_t here = part.last - part.first;
        const double share =
            visible == 0 ? 0 : static_cast<double>(here) / static_cast<double>(visible);
        part.columns = 1 + static_cast<std::size_t>(share * static_cast<double>(spare)) / 4;
        picker.pick(part);
        picker.marks(part, marks);
        const auto [lowest, highest] = index.within(part.first, part.last);
        if (lowest != CurveExtremes::kNone) {
            values = values ? Range{std::min(values->low, m_y[lowest]),
                                    std::max(values->high, m_y[highest])}
                            : Range{m_y[lowest], m_y[highest]};
        }
    }
    SampledCurve sampled = picker.result();
    sampled.marks = std::move(marks);
    sampled.values = values;
    sampled.raw = visible;
    return sampled;
}

std::optional<std::size_t> CurveData::nearest(double x, double slack) const {
    for (std::size_t i = m_segments.size(); i-- > 0;) {
        const Segment& segment = m_segments[i];
        if (x < m_x[segment.first] - slack || x > m_x[segment.last - 1] + slack) {
            continue;
        }
        const auto begin = m_x.begin() + static_cast<std::ptrdiff_t>(segment.first);
        const auto end = m_x.begin() + static_cast<std::ptrdiff_t>(segment.last);
        auto after = std::upper_bound(begin, end, x);
        if (after == begin) {
            return segment.first;
        }
        const auto before = after - 1;
        if (after != end && *after - x < x - *before) {
            return static_cast<std::size_t>(after - m_x.begin());
        }
        return static_cast<std::size_t>(before - m_x.begin());
    }
    return std::nullopt;
}

std::optional<std::size_t> CurveData::lastWithin(Range x) const {
    for (std::size_t i = m_segments.size(); i-- > 0;) {
        const auto begin = m_x.begin() + static_cast<std::ptrdiff_t>(m_segments[i].first);
        const auto end = m_x.begin() + static_cast<std::ptrdiff_t>(m_segments[i].last);
        const auto after = std::upper_bound(begin, end, x.high);
        if (after != begin && *(after - 1) >= x.low) {
            return static_cast<std::size_t>(after - m_x.begin()) - 1;
        }
    }
    return std::nullopt;
}

std::vector<double> CurveData::smoothed(double weight) const {
    weight = std::clamp(weight, 0.0, 0.999);
    std::vector<double> result(m_y);
    for (const Segment& segment : m_segments) {
        double average = 0;
        double known = 0; // 1 - weight^n: the share of the average that comes from points
        for (std::size_t i = segment.first; i < segment.last; ++i) {
            if (std::isfinite(m_y[i])) {
                average = weight * average + (1 - weight) * m_y[i];
                known = weight * known + (1 - weight);
                result[i] = average / known;
            }
        }
    }
    return result;
}

CurveDataPtr smoothedCurve(const CurveData& curve, double weight) {
    if (weight <= 0 || curve.size() < kMinSmoothed) {
        return nullptr;
    }
    const auto x = curve.x();
    return std::make_shared<CurveData>(std::vector<double>(x.begin(), x.end()),
                                       curve.smoothed(weight));
}

} // namespace cairn::ui
