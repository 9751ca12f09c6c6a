// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/compare/compare.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The result of a comparison in one sentence. The facts are separate from the text, so that the
/// window can use its own words. Pure; any thread.
namespace cairn {

/// How the right run compares with the left one.
enum class Verdict : std::uint8_t {
    Unknown, ///< no shared metric with a value, or no better direction
    Better,
    Worse,
    Equal,
};
std::string_view verdictName(Verdict verdict); ///< "unknown", "better", "worse", "equal"

/// Facts of the sentence.
struct ComparisonSummary {
    Verdict verdict = Verdict::Unknown;
    std::string metric; ///< empty: no shared metric with values
    names::Direction better = names::Direction::Unknown;
    bool isBest = false; ///< best values are compared, else last ones
    double left = 0;
    double right = 0;
    std::optional<double> change; ///< (right - left) / |left|
    /// The first x at which the curves of that metric differ by more than the tolerance.
    std::optional<double> parting;
    std::vector<SettingDifference> settings; ///< the most telling first: learning rate, batch size…
    std::size_t moreSettings = 0; ///< differing ones beyond those, without names and paths of runs
    std::size_t names = 0;        ///< differing ones that only name the runs, or their paths
    std::size_t onlyLeft = 0;     ///< settings of one run only
    std::size_t onlyRight = 0;
    std::uint64_t settingsRead = 0; ///< of both runs, those that are equal or ignored included
};

inline constexpr std::size_t kSummarySettings = 4;

/// The metric by which two runs are compared: the one that ranks the checkpoints of a run, if both
/// have it, else the first with a better direction by which checkpoints can be ranked, held-out
/// ones before others; null if none has values. A null run stands for a run without checkpoints.
/// compareRuns() puts it first.
const MetricComparison* decidingMetric(const RunComparison& comparison, const ScannedRun* leftRun,
                                       const ScannedRun* rightRun);

/// By that metric, or by the one of this name if it has values.
ComparisonSummary summaryOf(const RunComparison& comparison, const ScannedRun* leftRun,
                            const ScannedRun* rightRun, std::string_view metric = {});

/// "B is worse: eval_loss 1.146 against 0.928 (+23 %). Differs: lr 0.004 → 0.001, warmup 20 → 40."
std::string summaryText(const ComparisonSummary& summary, std::string_view left = "A",
                        std::string_view right = "B");

/// A setting in which at least two of several runs differ; empty: the run does not have it.
struct SettingOfRuns {
    std::string key;
    std::vector<std::optional<Value>> values;
};
/// `pairs`: each run but the first, compared with the first. In natural order of keys.
std::vector<SettingOfRuns> settingsOfRuns(std::span<const RunComparison> pairs);

/// The same for several runs.
struct RunsSummary {
    std::string metric; ///< empty: no metric with values in all runs
    names::Direction better = names::Direction::Unknown;
    bool isBest = false;
    std::vector<double> values;          ///< of each run
    std::optional<std::size_t> winner;   ///< of equal ones the first; empty: no better direction
    std::vector<SettingOfRuns> settings; ///< the most telling first, at most kSummarySettings
    std::size_t moreSettings = 0;
};
/// `runs`: parallel to the runs of the pairs, the first one included; may contain null.
RunsSummary summaryOfRuns(std::span<const RunComparison> pairs,
                          std::span<const ScannedRun* const> runs);
/// "A is best: eval_loss 0.928; B 1.146 (+23 %), C 1.02 (+9.9 %). Differs: lr 0.004, 0.001, 0.002."
std::string summaryText(const RunsSummary& summary);
/// "A" to "Z", then "run 27".
std::string runLetter(std::size_t index);

/// "1.146": four significant digits; scientific beyond 1e-4 and 1e6.
std::string summaryNumber(double value);

} // namespace cairn
