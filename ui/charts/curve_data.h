// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

/// Curves of any length for a chart of a few hundred pixels. No Qt in here.
namespace cairn::ui {

class CurveExtremes;

enum class Scale : std::uint8_t { Linear, Log };

struct PlotPoint {
    double x = 0;
    double y = 0;
    friend bool operator==(const PlotPoint&, const PlotPoint&) = default;
};

struct Range {
    double low = 0;
    double high = 1;
    [[nodiscard]] double length() const { return high - low; }
    friend bool operator==(const Range&, const Range&) = default;
};

/// Why a point is not drawn on the curve; it becomes a mark at the edge.
enum class OffScale : std::uint8_t { NotANumber, Infinite, MinusInfinite, NotPositive };

struct EdgeMark {
    double x = 0;
    OffScale why = OffScale::NotANumber;
    friend bool operator==(const EdgeMark&, const EdgeMark&) = default;
};

/// The drawn points of one curve in one range.
struct SampledCurve {
    std::vector<std::vector<PlotPoint>> lines; ///< connected points; gaps and restarts between
    std::vector<EdgeMark> marks;               ///< one for each column and kind
    std::optional<Range> values;               ///< lowest and highest value within the range
    std::size_t points = 0;                    ///< in `lines`, all together
    std::size_t raw = 0;                       ///< points of the curve within the range
};

inline constexpr std::size_t kMaxCurvePoints = 2000;
inline constexpr std::size_t kMaxLines = 48; ///< in one drawing of one curve

/// All points of one curve, with an index for drawing any part of it quickly: the range is divided
/// into columns of equal width, and the first, lowest, highest and last point of each column are
/// kept, in order, so that no spike is ever lost. Where x decreases (a restart) a new segment
/// starts; columns are made per segment. Points without a finite x are left out.
///
/// Immutable except for an index that is built on first use: one thread at a time.
class CurveData {
public:
    struct Segment {
        std::size_t first = 0;
        std::size_t last = 0; ///< past the end
    };
    /// Beyond this many, restarts are treated as disorder: the points are sorted by x.
    static constexpr std::size_t kMaxSegments = 256;

    /// Parallel; the shorter one counts.
    CurveData(std::vector<double> x, std::vector<double> y);
    ~CurveData();
    CurveData(const CurveData&) = delete;
    CurveData& operator=(const CurveData&) = delete;

    [[nodiscard]] std::size_t size() const { return m_x.size(); }
    [[nodiscard]] std::span<const double> x() const { return m_x; }
    [[nodiscard]] std::span<const double> y() const { return m_y; }
    [[nodiscard]] const std::vector<Segment>& segments() const { return m_segments; }
    /// The points were unordered and have been sorted; see kMaxSegments.
    [[nodiscard]] bool wasSorted() const { return m_sorted; }
    /// Of x; those above zero for Log. Empty: no point.
    [[nodiscard]] std::optional<Range> extent(Scale xScale) const;

    /// At most kMaxCurvePoints points. Includes one point beyond either end of the range, so that
    /// the line leaves the drawing in its direction. Gaps (points that cannot be drawn) end a line;
    /// if there are more lines than kMaxLines, those with the narrowest gaps are joined.
    [[nodiscard]] SampledCurve sample(Range x, Scale xScale, Scale yScale,
                                      std::size_t maxPoints = kMaxCurvePoints) const;

    /// The point at x: the nearest one, if x is between the first and the last point of a segment
    /// (within `slack` of it). If there are several segments, the one written last.
    [[nodiscard]] std::optional<std::size_t> nearest(double x, double slack = 0) const;

    /// The last point within a range of x; of several segments that of the one written last.
    [[nodiscard]] std::optional<std::size_t> lastWithin(Range x) const;

    /// Exponential moving average, corrected at its start, as in TensorBoard; weight 0 to 0.999.
    /// Restarts with each segment; non-finite points stay and do not affect the average.
    [[nodiscard]] std::vector<double> smoothed(double weight) const;

private:
    const CurveExtremes& extremes(Scale yScale) const;
    void split();

    std::vector<double> m_x;
    std::vector<double> m_y;
    std::vector<Segment> m_segments;
    bool m_sorted = false;
    mutable std::array<std::unique_ptr<CurveExtremes>, 2> m_extremes;
};

using CurveDataPtr = std::shared_ptr<const CurveData>;

/// Curves with fewer points than this are not smoothed: an average would only hide the points.
inline constexpr std::size_t kMinSmoothed = 32;
/// The curve smoothed; null where there is nothing to smooth.
CurveDataPtr smoothedCurve(const CurveData& curve, double weight);

} // namespace cairn::ui
