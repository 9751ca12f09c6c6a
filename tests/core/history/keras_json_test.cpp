// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Numbers = std::vector<double>;

RunHistory readJson(const std::string& text, const std::string& name = "history.json") {
    const HistoryFolder folder;
    folder.write(name, text);
    return folder.read();
}

TEST(KerasJson, ReadsWhatKerasReturned) {
    const auto file = historyData("keras_run") / "history.json"; // the table beside it has the same
    const auto read = readHistory(file, file);
    ASSERT_TRUE(read) << describe(read.error());
    ASSERT_EQ(read->sources.size(), 1U);
    EXPECT_EQ(read->sources[0].kind, "keras_json");
    EXPECT_TRUE(read->sources[0].warnings.empty());
    EXPECT_EQ(read->series.size(), 4U);
    for (const MetricSeries& each : read->series) {
        EXPECT_EQ(each.steps, (Numbers{0, 1, 2})) << each.name;
    }
    EXPECT_EQ(seriesOf(*read, "val_mae").values,
              (Numbers{2.0469858646392822, 1.9751571416854858, 1.9063045978546143}));
}

TEST(KerasJson, AListOfEpochsPlacesThePoints) {
    const RunHistory history =
        readJson(R"({"loss": [3, NaN, -Infinity], "epoch": [5, 6, 8], "params": {"epochs": 9}})");
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{5, 6, 8}));
    EXPECT_EQ(seriesOf(history, "loss").epochs, (Numbers{5, 6, 8}));
    EXPECT_TRUE(std::isnan(seriesOf(history, "loss").values[1]));
    EXPECT_TRUE(std::isinf(seriesOf(history, "loss").values[2]));
    EXPECT_EQ(seriesOf(readJson(R"({"epoch": [1, 2], "history": {"acc": [0.5, 1]}})"), "acc").steps,
              (Numbers{1, 2}));
}

TEST(KerasJson, ListsOfOtherLengthsAreTold) {
    const RunHistory history =
        readJson(R"({"loss": [3, 2, 1, 0], "val_loss": [5, 4], "note": "x"})");
    EXPECT_EQ(seriesOf(history, "val_loss").steps, (Numbers{0, 1}));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryNoStep));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryBadRow));
}

TEST(KerasJson, GivesWhatComesBeforeACut) {
    const std::string whole = R"({"loss": [3.5, 2.5, 1.5], "val_loss": [5, 4.25, 3]})";
    for (std::size_t length = 16; length < whole.size(); ++length) {
        const RunHistory history = readJson(whole.substr(0, length));
        ASSERT_EQ(history.sources.size(), 1U) << length;
        EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::Truncated)) << length;
        const Numbers values = seriesOf(history, "loss").values;
        ASSERT_FALSE(values.empty());
        EXPECT_TRUE(std::equal(values.begin(), values.end(), Numbers{3.5, 2.5, 1.5}.begin()))
            << length;
    }
    const RunHistory history = readJson(R"({"loss": [3.5, x]})");
    EXPECT_TRUE(history.sources.empty() || !history.sources[0].warnings.empty());
}

TEST(KerasJson, LeavesConfigurationsAlone) {
    EXPECT_TRUE(readJson(R"({"betas": [0.9, 0.99], "lr": 0.1, "name": "x"})", "setup.json")
                    .sources.empty());
    EXPECT_TRUE(readJson(R"({"loss": ["mse", "mae"]})").sources.empty());
    EXPECT_EQ(readJson(R"({"loss": [1, 2], "acc": [3, 4]})", "fit.json").sources.size(), 1U);
}

} // namespace
} // namespace cairn
