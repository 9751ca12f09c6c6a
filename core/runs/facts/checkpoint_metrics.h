// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The metrics in a checkpoint's values.
namespace cairn {

/// The number in a value, including 0-d tensors (which are read).
std::optional<double> numberOf(const Checkpoint& checkpoint, const Value& value);

/// "loss", "val/acc", "macroF1": the name of a metric. Only the last component of a path matters.
bool looksLikeMetric(std::string_view path);

/// Name of the optimizer's own count among the held numbers.
inline constexpr std::string_view kOptimizerStep = "optimizer step";

/// A number with its path in the values.
struct HeldNumber {
    std::string name;
    double value = 0;
    std::string field; ///< dotted: "optimizer.param_groups.0.lr"
};

/// Metrics ("loss", "val_loss", "best_accuracy"), in file order, then "lr", "optimizer step", and
/// Lightning's monitored score under its name; at most 64, each name once.
std::vector<HeldNumber> heldNumbers(const Checkpoint& checkpoint, const Value& values);
/// The same without their paths.
std::vector<std::pair<std::string, double>> metricsOf(const Checkpoint& checkpoint,
                                                      const Value& values);

} // namespace cairn
