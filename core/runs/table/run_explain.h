// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/table/run_grid.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Which settings separate the runs by a metric: a rank statistic for each setting, with n and a
/// permutation p-value. An association, not a cause: settings that always change together have
/// equal effects. Pure; any thread.
namespace cairn {

enum class RankStatistic : std::uint8_t {
    Spearman,      ///< rank correlation of a numeric setting with the metric (Spearman 1904)
    KruskalWallis, ///< epsilon squared of the ranks between equal values: H / (n - 1) (Kruskal and
                   ///< Wallis 1952; Tomczak and Tomczak 2014)
};
std::string_view rankStatisticName(RankStatistic statistic); ///< "spearman", "kruskal-wallis"

struct SettingEffect {
    std::size_t setting = 0; ///< index into RunGrid::settings()
    RankStatistic statistic = RankStatistic::Spearman;
    double value = 0; ///< rho in [-1, 1], or epsilon squared in [0, 1]
    /// The share of the ranks' variance that the setting accounts for (rho squared or epsilon
    /// squared), less what a random setting with as many values accounts for on average, in [0, 1].
    /// Comparable between settings. For a numeric setting the larger one of both statistics.
    double effect = 0;
    std::size_t n = 0;      ///< runs in the statistic
    std::size_t values = 0; ///< different values among them
    double p = 1;           ///< share of permutations with at least this effect
    std::size_t permutations = 0;
    bool exact = false; ///< all permutations, rather than random ones
    /// Other settings that separate the same runs in the same way: changed together with this one.
    std::vector<std::size_t> alike;
};

struct MetricExplanation {
    GridColumn column;
    std::size_t runs = 0;    ///< with a value
    std::size_t missing = 0; ///< without a value, or NaN
    /// By ascending p (a setting with nearly as many values as runs has a large effect by chance),
    /// then descending effect, then in the order of the grid. Without settings that
    /// are the same in all runs or name the run.
    std::vector<SettingEffect> settings;
};

struct ExplainOptions {
    std::uint64_t seed = 20'240'229;  ///< of the random permutations
    std::size_t permutations = 9'999; ///< fewer, at least 999, with very many runs and settings
};

/// `column`: a metric, or any other column with numbers. A setting that not all runs have: runs
/// without it are a value of their own if it is not numeric or has only one value, else they are
/// left out. Fails with Cancelled.
Result<MetricExplanation> explainColumn(const RunGrid& grid, std::span<const std::uint32_t> rows,
                                        GridColumn column, const ExplainOptions& options = {},
                                        const CancelToken& cancel = {});

} // namespace cairn
