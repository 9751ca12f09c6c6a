// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

namespace cairn {
namespace {

using Numbers = std::vector<double>;

bool saysRepeated(const RunHistory& history) {
    return std::ranges::any_of(history.warnings, [](const Notice& notice) {
        return notice.error.found.text().find("repeated") != std::string::npos;
    });
}

TEST(RepeatedCurves, TwoLoggersOfOneTrainingAreShownOnce) {
    const HistoryFolder folder;
    folder.write("metrics.csv", "step,loss,lr\n1,0.5,0.1\n2,nan,0.1\n3,0.25,0.1\n");
    folder.write("metrics.jsonl", "{\"step\": 1, \"loss\": 0.5, \"lr\": 0.1}\n"
                                  "{\"step\": 2, \"loss\": NaN, \"lr\": 0.1}\n"); // was cut
    const RunHistory history = folder.read();
    ASSERT_EQ(history.named("loss").size(), 1U);
    EXPECT_EQ(history.named("loss")[0].steps, (Numbers{1, 2, 3}));
    EXPECT_EQ(history.named("lr").size(), 1U);
    EXPECT_TRUE(saysRepeated(history));
}

/// Of two trainings with the same learning rate, both keep it.
TEST(RepeatedCurves, AllCommonCurvesMustAgree) {
    const HistoryFolder folder;
    folder.write("metrics.csv", "step,loss,lr\n1,0.5,0.1\n2,0.25,0.1\n");
    folder.write("metrics.jsonl", "{\"step\": 1, \"loss\": 0.5, \"lr\": 0.1}\n"
                                  "{\"step\": 2, \"loss\": 0.125, \"lr\": 0.1}\n");
    const RunHistory history = folder.read();
    EXPECT_EQ(history.named("loss").size(), 2U);
    EXPECT_EQ(history.named("lr").size(), 2U);
    EXPECT_FALSE(saysRepeated(history));
}

TEST(RepeatedCurves, OtherStepsOrFoldersAreOtherCurves) {
    const HistoryFolder folder;
    folder.write("metrics.csv", "step,loss\n1,0.5\n3,0.25\n");
    folder.write("metrics.jsonl", "{\"step\": 1, \"loss\": 0.5}\n{\"step\": 2, \"loss\": 0.25}\n");
    EXPECT_EQ(folder.read().named("loss").size(), 2U);
    const HistoryFolder two;
    two.write("a/metrics.csv", "step,loss\n1,0.5\n2,0.25\n");
    two.write("b/metrics.jsonl", "{\"step\": 1, \"loss\": 0.5}\n{\"step\": 2, \"loss\": 0.25}\n");
    EXPECT_EQ(two.read().named("loss").size(), 2U);
    const HistoryFolder below;
    below.write("metrics.csv", "step,loss\n1,0.5\n2,0.25\n");
    below.write("b/metrics.jsonl", "{\"step\": 1, \"loss\": 0.5}\n{\"step\": 2, \"loss\": 0.25}\n");
    EXPECT_EQ(below.read().named("loss").size(), 1U);
}

/// TensorBoard stores 32 bits; the exact values are kept.
TEST(RepeatedCurves, ExactValuesAreKept) {
    const HistoryFolder folder;
    folder.write("metrics.csv", "step,loss\n1,0.10000000149011612\n2,0.20000000298023224\n");
    folder.write("metrics.jsonl", "{\"step\": 1, \"loss\": 0.1}\n{\"step\": 2, \"loss\": 0.2}\n");
    const RunHistory history = folder.read();
    ASSERT_EQ(history.named("loss").size(), 1U);
    EXPECT_EQ(history.named("loss")[0].values, (Numbers{0.1, 0.2}));
}

} // namespace
} // namespace cairn
