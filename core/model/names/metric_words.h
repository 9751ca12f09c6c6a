// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The meaning of metric names: which direction is better, and on which part of the data they were
/// measured. One table with one row per word. Any case; "val/loss", "val_loss" and "valLoss" are
/// equivalent. Pure. Any thread.
namespace cairn::names {

enum class Direction : std::uint8_t {
    Unknown, ///< such values have no best one
    Smaller,
    Larger,
};

/// The direction implied by the name. If several words imply one, the last decides
/// ("accuracy_error"); a word for a spread or a setting ("reward_std", "loss_scale") makes it
/// unknown.
Direction directionOf(std::string_view metric);

/// On which part of the data a metric was measured.
enum class Split : std::uint8_t { None, Training, HeldOut };
Split splitOf(std::string_view metric);
/// Whether the word names such a part: "train", "valid". Lower case.
bool isSplitWord(std::string_view word);

/// The metric without the part of the data: "eval/loss", "val_loss" and "loss" all give "loss".
std::string measureOf(std::string_view metric);

/// The same for metrics that frameworks name differently: "loss", "train_loss" and "Train/Loss"; or
/// "val_loss", "eval_loss" and "validation/loss". A name without a part of the data counts as one
/// on the training data. Only what names suggest: metrics are shown side by side because of it,
/// never joined.
std::string meaningOf(std::string_view metric);

/// The words of a metric's name in lower case, split at separators and in camelCase: "valMeanIoU"
/// -> val, mean, io, u.
std::vector<std::string> metricWords(std::string_view metric);

/// Whether the key names a result of training although it is among settings: "best_metric",
/// "global_step", "train_runtime".
bool namesResult(std::string_view key);

/// "loss", "losses", "logloss".
bool isLossWord(std::string_view word);

} // namespace cairn::names
