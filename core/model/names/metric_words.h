// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the names of metrics mean: which direction is better, on which part of the data they were
/// measured. One table, one row a word. Any case; "val/loss", "val_loss" and "valLoss" read alike.
/// Pure. Any thread.
namespace cairn::names {

enum class Direction : std::uint8_t {
    Unknown, ///< nothing is the best of such values
    Smaller,
    Larger,
};

/// What the name alone states. Of several words the last one that states something decides
/// ("accuracy_error"); a word for a spread or a setting ("reward_std", "loss_scale") leaves it
/// unknown.
Direction directionOf(std::string_view metric);

/// On which part of the data a metric was measured.
enum class Split : std::uint8_t { None, Training, HeldOut };
Split splitOf(std::string_view metric);
/// The word stands for such a part: "train", "valid". Lower case.
bool isSplitWord(std::string_view word);

/// What is measured, without the part of the data: "eval/loss", "val_loss" and "loss" are all
/// "loss".
std::string measureOf(std::string_view metric);

/// The words of a metric's name in lower case, cut at separators and where camelCase is:
/// "valMeanIoU" -> val, mean, io, u.
std::vector<std::string> metricWords(std::string_view metric);

/// What training brought about, where settings are kept, too: "best_metric", "global_step",
/// "train_runtime".
bool namesResult(std::string_view key);

/// "loss", "losses", "logloss".
bool isLossWord(std::string_view word);

} // namespace cairn::names
