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

/// The number that a value is, 0-d tensors included (which are read).
std::optional<double> numberOf(const Checkpoint& checkpoint, const Value& value);

/// "loss", "val/acc", "macroF1": a metric, by its name. Only the last part of a path matters.
bool looksLikeMetric(std::string_view path);

/// A number with its place among the values.
struct HeldNumber {
    std::string name;
    double value = 0;
    std::string field; ///< dotted: "optimizer.param_groups.0.lr"
};

/// What looks like a metric ("loss", "val_loss", "best_accuracy"), in file order, then "lr",
/// "optimizer step", and Lightning's monitored score under its name; at most 64, each name once.
std::vector<HeldNumber> heldNumbers(const Checkpoint& checkpoint, const Value& values);
/// The same without their places.
std::vector<std::pair<std::string, double>> metricsOf(const Checkpoint& checkpoint,
                                                      const Value& values);

} // namespace cairn
