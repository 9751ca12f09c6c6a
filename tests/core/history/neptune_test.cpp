// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <string>

namespace cairn {
namespace {

using Numbers = std::vector<double>;

std::string floats(int version, const std::string& path, const std::string& values) {
    return R"({"obj": {"type": "LogFloats", "path": [)" + path + R"(], "values": [)" + values +
           R"(]}, "version": )" + std::to_string(version) + ", \"at\": 1.5}\n";
}

/// A queue in the place where Neptune writes it.
RunHistory readQueue(const std::string& first, const std::string& second) {
    const HistoryFolder folder;
    const std::string queue = ".neptune/offline/run__abc__1__x/";
    folder.write(queue + "last_put_version", "3");
    folder.write(queue + "data-1.log", first);
    folder.write(queue + "data-10.log", second);
    return folder.read();
}

TEST(Neptune, DamageIsLocalAndMissingOperationsAreSaid) {
    const RunHistory history = readQueue(
        floats(1, R"("train", "loss")", R"({"value": 3.0, "step": 0, "ts": 1767312000})") +
            "{\"obj\": 5, \"version\": 2}\nnot JSON\n" +
            floats(3, R"("train", "loss")", R"({"value": NaN, "step": 10, "ts": null})"),
        floats(10, R"("train", "loss")", R"({"value": 1.0, "step": null, "ts": 5})") +
            "{\"obj\": {\"type\"");
    ASSERT_EQ(history.sources.size(), 1U);
    EXPECT_EQ(history.sources[0].kind, "neptune");
    const MetricSeries loss = seriesOf(history, "train/loss");
    EXPECT_EQ(loss.steps, (Numbers{0, 10, 11}));
    EXPECT_EQ(loss.stepsFrom, StepsFrom::Count) << "one of them was not given";
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::HistoryBadRow));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::Truncated));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::NotFound)) << "operations 2 and 4 to 9";
}

TEST(Neptune, OtherFilesOfThatNameAreNotAQueue) {
    const HistoryFolder folder;
    folder.write("data-1.log", floats(1, R"("loss")", R"({"value": 1, "step": 0, "ts": 1})"));
    EXPECT_TRUE(folder.read().series.empty());
}

} // namespace
} // namespace cairn
