// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/glob.h"
#include "core/model/value.h"
#include "core/runs/experiment.h"
#include "core/runs/history/curve.h"
#include "core/runs/history/history.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The differences of two runs: curves, settings, checkpoints. Pure functions of plain values: no
/// file access, never fail; any thread. "Left" and "right" are in argument order; every difference
/// is right minus left.
namespace cairn {

/// Why two metrics are compared with each other.
enum class NameMatch : std::uint8_t {
    Equal,    ///< they have one name
    Spelling, ///< their names differ in case and separators: "eval_loss", "eval/loss"
    Meaning,  ///< names::meaningOf() is equal: "val_loss", "eval_loss"
};
std::string_view nameMatchName(NameMatch match); ///< "equal", "spelling", "meaning"

struct CompareOptions {
    CompareAxis axis = CompareAxis::Step;
    std::vector<Glob> metrics; ///< only these; empty: all
    /// Also compare metrics whose names differ but mean the same, if each run has one of them.
    bool byMeaning = true;
    std::vector<Glob> ignore; ///< settings to exclude, by dotted key or by its last component
    /// Curves diverge where |right - left| exceeds this fraction of the larger of the two.
    double tolerance = 0.01;
    /// For MetricSide::reaches; empty: each side is compared with the other's best.
    std::optional<double> threshold;
};

/// One run's curve of a shared metric.
struct MetricSide {
    std::string name;         ///< the name in this run
    std::uint32_t series = 0; ///< index into RunHistory::series
    std::size_t points = 0;   ///< all points of the series
    std::size_t nonFinite = 0;
    std::optional<CurvePoint> best; ///< best finite value; of equal ones the first
    std::optional<CurvePoint> last; ///< may be NaN or infinite
    std::optional<double> atCommon; ///< value at MetricComparison::lastCommon
    std::optional<double> area;     ///< under the finite points of the common range, by trapezoids
    std::optional<double> reaches;  ///< first x at which it is at least as good as `goal`
    std::optional<double> goal;     ///< the threshold, else the other side's best value
    std::optional<double> wallSeconds; ///< from the first to the last point, including pauses
};

/// A metric of both runs.
struct MetricComparison {
    std::string name; ///< the left run's name
    NameMatch match = NameMatch::Equal;
    names::Direction better =
        names::Direction::Unknown; ///< if unknown, neither side has a best value
    MetricSide left;
    MetricSide right;
    std::size_t common = 0; ///< number of x with values in both curves
    std::optional<double> firstCommon;
    std::optional<double> lastCommon;
    /// Right minus left, averaged over the common range: the difference of the areas divided by its
    /// length, or the mean over common points if the range is a single point.
    std::optional<double> meanDifference;
    std::optional<double> lastEqual;    ///< last common x up to which all values are equal
    std::optional<double> firstUnequal; ///< first common x with unequal values
    std::optional<double> parting;      ///< first common x with a difference above the tolerance
};

/// A setting in the comparison: a plain value, or an empty container.
struct Setting {
    std::string key; ///< "optimizer.lr"; list positions are numbers: "betas.0"
    Value value;
    std::vector<std::string> sources =
        {}; ///< sources with this value, as RunHistory::settings names them
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
    std::vector<SettingDifference> different; ///< in natural order of keys, like the others
    std::vector<Setting> onlyLeft;
    std::vector<Setting> onlyRight;
    bool cut = false; ///< there were more than kMaxSettings
    /// The sources that were read, with at least one setting each, as RunHistory::settings names
    /// them.
    std::vector<std::string> leftSources = {};
    std::vector<std::string> rightSources = {};
    /// How many were read, of both runs together.
    [[nodiscard]] std::uint64_t count() const { return differing() + same + ignored; }
    [[nodiscard]] std::uint64_t differing() const {
        return different.size() + onlyLeft.size() + onlyRight.size();
    }
};
/// What the settings of both runs were read from, each name once and without the folders and the
/// checkpoint that contain it: "training_args", "hparams.yaml".
std::vector<std::string> settingSources(const SettingsComparison& settings);
inline constexpr std::size_t kMaxSettings = 50'000; ///< limit for one run

/// Settings of a run as flat keys. `settings` is RunHistory::settings: one dict for each source. A
/// key whose value is the same in all its sources is listed once, without a source; those in
/// `disputed` are listed as "source:key", once for each source. Results of the training are not
/// settings (namesResult()).
std::vector<Setting> flatSettings(const Value& settings, std::span<const std::string> disputed,
                                  bool* cut = nullptr);
/// Keys whose values differ between the sources of this run.
std::vector<std::string> disputedSettings(const Value& settings);

/// Equal values: numbers by value, whether written as integer, float or decimal text of an integer
/// (1, 1.0); NaN equals NaN; everything else by kind and content.
bool sameSetting(const Value& left, const Value& right);

/// Text of a setting on one line: 0.0003, true, "adam" without quotes, null, [], {}.
std::string settingText(const Value& value);

/// Compared checkpoints; indices into ScannedRun::checkpoints.
struct CheckpointPair {
    std::optional<std::int64_t> step; ///< the left's, else the right's
    std::optional<double> epoch;
    std::optional<std::size_t> left;
    std::optional<std::size_t> right;
    bool exact = true; ///< false: the closest within half an interval, not the same position
};

struct RunComparison {
    std::vector<MetricComparison> metrics; ///< the deciding one (decidingMetric()), then losses
    std::vector<std::string> onlyLeft;     ///< names of metrics
    std::vector<std::string> onlyRight;
    SettingsComparison settings;
    std::vector<CheckpointPair> checkpoints; ///< in training order
};

/// "loss", or both names if they differ in more than spelling: "val_loss | eval_loss".
std::string shownName(const MetricComparison& metric);

/// Compares two curves. Without `better`, the direction follows from the left curve's name.
MetricComparison compareCurves(const MetricSeries& left, const MetricSeries& right,
                               const CompareOptions& options = {},
                               std::optional<names::Direction> better = {});
SettingsComparison compareSettings(const Value& left, const Value& right,
                                   const CompareOptions& options = {});
/// Pairs by step if both runs have steps, else by epoch; each checkpoint at most once. Links are
/// omitted, and of several checkpoints at one position the most complete one is used. Checkpoints
/// without a partner are listed alone; those without a position are omitted.
std::vector<CheckpointPair> pairCheckpoints(const ScannedRun& left, const ScannedRun& right);

/// The complete comparison. A null run stands for a run without checkpoints.
RunComparison compareRuns(const RunHistory& left, const RunHistory& right,
                          const ScannedRun* leftRun, const ScannedRun* rightRun,
                          const CompareOptions& options = {});

} // namespace cairn
