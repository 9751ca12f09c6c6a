// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/glob.h"
#include "core/model/value.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The differences of two runs: curves, settings, checkpoints. Pure functions of plain values: no
/// file access, no failures, any thread. "Left" and "right" are the order in which they are given;
/// every difference is right minus left.
namespace cairn {

/// What the points of two curves are matched by.
enum class CompareAxis : std::uint8_t {
    Step,      ///< the step as written
    FirstStep, ///< steps since the first one of the curve
    Epoch,     ///< the epoch as written
    Time,      ///< seconds since the curve's first point
};

struct CompareOptions {
    CompareAxis axis = CompareAxis::Step;
    std::vector<Glob> metrics; ///< only these; empty: all
    std::vector<Glob> ignore;  ///< settings to leave out, by dotted key or by its last part
    /// Curves diverge where |right - left| exceeds this fraction of the larger of the two.
    double tolerance = 0.01;
    /// For MetricSide::reaches; nothing: each side is compared with the other's best.
    std::optional<double> threshold;
};

/// A point on a curve; x is in the units of the axis.
struct CurvePoint {
    double x = 0;
    double value = 0;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// The curve that is compared: the series' points in ascending x, one for each x. If a restart
/// wrote an x again, the last value is used. Points without x (NaN) are left out; values are
/// as written, NaN and infinities too. Without a column for the axis there are no points, but for
/// Step, where the position stands in when no steps are recorded at all.
std::vector<CurvePoint> curveOf(const MetricSeries& series, CompareAxis axis);

/// One run's curve of a shared metric.
struct MetricSide {
    std::string name;         ///< as this run writes it
    std::uint32_t series = 0; ///< index into RunHistory::series
    std::size_t points = 0;   ///< of the series, all of them
    std::size_t nonFinite = 0;
    std::optional<CurvePoint> best;    ///< of the finite ones, the first where several are equal
    std::optional<CurvePoint> last;    ///< may be NaN or infinite
    std::optional<double> atCommon;    ///< value at MetricComparison::lastCommon
    std::optional<double> area;        ///< under the finite points of the common range, trapezoids
    std::optional<double> reaches;     ///< first x at which it is as good as `goal`
    std::optional<double> goal;        ///< the threshold, else the other side's best value
    std::optional<double> wallSeconds; ///< from the first to the last point, pauses included
};

/// A metric of both runs. Names that differ in case and separators alone ("eval_loss",
/// "eval/loss") are the same metric when no name is equal.
struct MetricComparison {
    std::string name;                                    ///< the left's
    names::Direction better = names::Direction::Unknown; ///< neither side has a best where unknown
    MetricSide left;
    MetricSide right;
    std::size_t common = 0; ///< x that both curves have a value at
    std::optional<double> firstCommon;
    std::optional<double> lastCommon;
    /// Right minus left, averaged over the common range: difference of the areas by its length; the
    /// plain mean over common points where the range is one point.
    std::optional<double> meanDifference;
    std::optional<double> lastEqual;    ///< last common x up to which all values are equal
    std::optional<double> firstUnequal; ///< first common x at which they are not
    std::optional<double>
        parting; ///< first common x at which they differ by more than the tolerance
};

/// A setting in words of the comparison: a plain value, or an empty container.
struct Setting {
    std::string key; ///< "optimizer.lr", list positions are numbers: "betas.0"
    Value value;
    std::vector<std::string> sources = {}; ///< that hold it so, as RunHistory::settings names them
};
struct SettingDifference {
    std::string key;
    Value left;
    Value right;
    std::vector<std::string> leftSources = {};
    std::vector<std::string> rightSources = {};
};
struct SettingsComparison {
    std::uint64_t same = 0;
    std::uint64_t ignored = 0;
    std::vector<SettingDifference> different; ///< natural order of keys, as all of these
    std::vector<Setting> onlyLeft;
    std::vector<Setting> onlyRight;
    bool cut = false; ///< there were more than kMaxSettings
};
inline constexpr std::size_t kMaxSettings = 50'000; ///< of one run

/// Settings of a run as flat keys. `settings` is RunHistory::settings: one dict for each source. A
/// key is given once, without its source, when all sources that hold it agree; those in `disputed`
/// are given as "source:key", one each. Results of the training are not settings (namesResult()).
std::vector<Setting> flatSettings(const Value& settings, std::span<const std::string> disputed,
                                  bool* cut = nullptr);
/// Keys whose values differ between the sources of this run.
std::vector<std::string> disputedSettings(const Value& settings);

/// Equal values: numbers by value, whether they are written as integer, float or decimal text of a
/// whole number (1, 1.0); NaN equals NaN; everything else by kind and content.
bool sameSetting(const Value& left, const Value& right);

/// How a setting reads on one line: 0.0003, true, "adam" without quotes, null, [], {}.
std::string settingText(const Value& value);

/// Checkpoints that are compared; indices into ScannedRun::checkpoints.
struct CheckpointPair {
    std::optional<std::int64_t> step; ///< the left's, else the right's
    std::optional<double> epoch;
    std::optional<std::size_t> left;
    std::optional<std::size_t> right;
    bool exact = true; ///< false: the nearest within half an interval, not the same position
};

struct RunComparison {
    std::vector<MetricComparison> metrics; ///< loss-like first
    std::vector<std::string> onlyLeft;     ///< names of metrics
    std::vector<std::string> onlyRight;
    SettingsComparison settings;
    std::vector<CheckpointPair> checkpoints; ///< training order
};

/// Compares two curves. `better`: nothing: the direction of the left one's name.
MetricComparison compareCurves(const MetricSeries& left, const MetricSeries& right,
                               const CompareOptions& options = {},
                               std::optional<names::Direction> better = {});
SettingsComparison compareSettings(const Value& left, const Value& right,
                                   const CompareOptions& options = {});
/// Pairs by step if both runs have steps, else by epoch; each checkpoint at most once. Links are
/// left out, and of several at one position the most complete one is used. Checkpoints without a
/// partner are listed alone; those without a position are left out.
std::vector<CheckpointPair> pairCheckpoints(const ScannedRun& left, const ScannedRun& right);

/// The complete comparison. A null run has no checkpoints.
RunComparison compareRuns(const RunHistory& left, const RunHistory& right,
                          const ScannedRun* leftRun, const ScannedRun* rightRun,
                          const CompareOptions& options = {});

} // namespace cairn
