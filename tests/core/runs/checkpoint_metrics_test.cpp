// SPDX-License-Identifier: Apache-2.0
// Which of a checkpoint's plain values are metrics, by their names.
#include "core/runs/facts/checkpoint_metrics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn {
namespace {

/// The names of a checkpoint's values that are taken as metrics.
std::vector<std::string> metricsAmong(const std::vector<std::string>& names) {
    std::vector<ValueItem> items;
    for (const std::string& name : names) {
        items.push_back({Value(name), Value(0.5)});
    }
    const auto checkpoint = Checkpoint::make({});
    std::vector<std::string> found;
    for (const auto& [name, value] : metricsOf(*checkpoint, Value::dict(std::move(items)))) {
        found.push_back(name);
    }
    return found;
}

TEST(CheckpointMetrics, WordsBeginBehindWhatIsNoLetterAndWhereCamelCaseDoes) {
    const std::vector<std::string> all{"f1",       "macro_f1", "macroF1",     "valAuc",   "valAUC",
                                       "testWer",  "bestMse",  "val/mAP.map", "val_loss", "valLoss",
                                       "trainacc", "mean.auc", "bestAccuracy"};
    EXPECT_EQ(metricsAmong(all), all);
}

TEST(CheckpointMetrics, AShortWordInsideAnotherIsNone) {
    EXPECT_TRUE(metricsAmong({"power", "heatmap", "HEATMAP", "lower", "Power", "vf1x"}).empty());
}

TEST(CheckpointMetrics, EachPlaceOfAWordCounts) {
    const std::vector<std::string> all{"power_wer", "heatmap_map", "powerWer"};
    EXPECT_EQ(metricsAmong(all), all);
}

} // namespace
} // namespace cairn
