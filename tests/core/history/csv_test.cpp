// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <cmath>
#include <limits>

namespace cairn {
namespace {

using Numbers = std::vector<double>;
RunHistory readTable(const std::string& text, const std::string& name = "metrics.csv") {
    const HistoryFolder folder;
    folder.write(name, text);
    return folder.read();
}

TEST(Csv, ReadsWhatLightningWrote) {
    const RunHistory history = readData("csv_lightning");
    ASSERT_FALSE(history.sources.empty());
    const std::uint32_t source = seriesOf(history, "train_loss").source;
    EXPECT_EQ(history.sources[source].kind, "csv");
    EXPECT_EQ(history.sources[source].path.filename(), "metrics.csv");
    EXPECT_TRUE(history.sources[source].warnings.empty());
    const MetricSeries train = seriesOf(history, "train_loss");
    EXPECT_EQ(train.steps, (Numbers{0, 10, 20, 30, 40, 50}));
    EXPECT_EQ(train.epochs, (Numbers{0, 0, 1, 1, 2, 2}));
    ASSERT_EQ(train.size(), 6U);
    EXPECT_EQ(train.values[1], 2.0 / 11);
    EXPECT_TRUE(std::isnan(train.values[2]));
    EXPECT_EQ(train.values[3], kInfinity);
    const MetricSeries validation = seriesOf(history, "val_loss");
    EXPECT_EQ(validation.steps, (Numbers{10, 30, 50}));
    EXPECT_EQ(validation.values, (Numbers{0.3, 0.1, 0.06}));
    EXPECT_EQ(seriesOf(history, "val,\"acc\"").values, (Numbers{0.5}));
    EXPECT_TRUE(train.restarts.empty());
}

TEST(Csv, KerasThatGoesOnInItsFileIsARestart) {
    const RunHistory history = readData("keras_run");
    const auto isLog = [&](const MetricSeries& series) {
        return series.name == "loss" && history.sources[series.source].kind == "csv";
    };
    const auto loss = std::find_if(history.series.begin(), history.series.end(), isLog);
    ASSERT_NE(loss, history.series.end());
    EXPECT_EQ(loss->steps, (Numbers{0, 1, 2}));
    EXPECT_EQ(loss->epochs, loss->steps);
    EXPECT_EQ(loss->values[2], 0.6177754998207092);
    EXPECT_EQ(loss->replaced.steps, (Numbers{0, 1, 2}));
    EXPECT_EQ(loss->replaced.values[0], 0.9139600396156311);
    EXPECT_EQ(loss->restarts, (std::vector<std::size_t>{0}));
    EXPECT_TRUE(warnsOf(history.sources[loss->source], ErrorCode::HistoryNoStep));
}

TEST(Csv, KnowsOtherDelimitersMarksAndLineBreaks) {
    for (const std::string text :
         {"step;loss\r\n1;0,5\r\n2;0.25\r\n", "\xEF\xBB\xBFstep\tloss\n1\t\n2\t0.25\n",
          "\n\nstep,loss\n\n1,NA\n2, 0.25 \n", "loss,step\r\n\"0.25\",\"2\"\r\n"}) {
        const MetricSeries loss = seriesOf(readTable(text), "loss");
        EXPECT_EQ(loss.steps, (Numbers{2})) << text;
        EXPECT_EQ(loss.values, (Numbers{0.25})) << text;
    }
}

TEST(Csv, TakesTheNumbersThatPythonWrites) {
    const RunHistory history = readTable("step,x\n1,nan\n2,-inf\n3,Infinity\n4,1e400\n5,5e-324\n"
                                         "6,+1.5\n7,\"tensor(0.5, device='cuda:0')\"\n8,1e-400\n"
                                         "9,0x10\n10,1.5.2\n11,-\n");
    const MetricSeries x = seriesOf(history, "x");
    ASSERT_EQ(x.size(), 8U);
    EXPECT_TRUE(std::isnan(x.values[0]));
    EXPECT_EQ(Numbers(x.values.begin() + 1, x.values.end()),
              (Numbers{-kInfinity, kInfinity, kInfinity, 5e-324, 1.5, 0.5, 0}));
    EXPECT_TRUE(warnsOf(history.sources[0], ErrorCode::HistoryBadRow)); // 0x10, 1.5.2
}

TEST(Csv, LeavesOutALastRowThatDoesNotEnd) {
    for (const char* cut : {"3", "3,0.1", "3,0.12,", "3,0.12,7", "3,\"0.1"}) {
        const RunHistory history =
            readTable(std::string("step,loss,lr\n1,0.5,1\n2,0.25,2\n") + cut);
        EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.5, 0.25})) << cut;
        EXPECT_EQ(seriesOf(history, "lr").values, (Numbers{1, 2})) << cut;
        EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::Truncated)) << cut;
    }
}

TEST(Csv, ALastRowWithAClosedQuoteIsARow) {
    for (const char* last : {"3,\"0.125\"", "3,\"0.125\"\n"}) {
        const RunHistory history = readTable(std::string("step,loss\n1,0.5\n2,0.25\n") + last);
        EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.5, 0.25, 0.125})) << last;
        EXPECT_TRUE(history.sources.at(0).warnings.empty()) << last;
    }
}

TEST(Csv, TellsOfColumnsThatChange) {
    const RunHistory history = readTable("step,loss\n1,0.5\n2,0.25,9\nstep,lr,loss\n"
                                         "1,3,0.125\n2\n");
    EXPECT_EQ(seriesOf(history, "loss").steps, (Numbers{1, 2}));
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.125, 0.25}));
    EXPECT_EQ(seriesOf(history, "column 3").values, (Numbers{9}));
    EXPECT_EQ(seriesOf(history, "lr").values, (Numbers{3}));
    std::vector<std::string> found;
    for (const Notice& notice : history.sources.at(0).warnings) {
        EXPECT_EQ(notice.error.code, ErrorCode::HistoryColumns);
        EXPECT_EQ(notice.error.where.file, history.sources[0].path.string());
        found.push_back(notice.error.found.text());
    }
    EXPECT_EQ(found, (std::vector<std::string>{"1 further headers", "1 rows", "1 rows"}));
}

TEST(Csv, AnOpenQuoteCostsOneRow) {
    std::string text = "step,loss,note\n1,0.5,\"two\nlines, \"\"quoted\"\"\"\n2,0.25,\"open\n";
    for (int step = 3; step < 100; ++step) {
        text += std::to_string(step) + ",0.125,x\n";
    }
    const RunHistory history = readTable(text);
    const MetricSeries loss = seriesOf(history, "loss");
    EXPECT_EQ(loss.size(), 98U);
    EXPECT_EQ(loss.steps[1], 3);
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryBadRow));
}

TEST(Csv, StandsRowsWithoutAStepAtTheirEpochOrNumber) {
    EXPECT_EQ(seriesOf(readTable("epoch,loss\n0.5,3\n1,2\n"), "loss").steps, (Numbers{0.5, 1}));
    EXPECT_EQ(seriesOf(readTable("loss,acc\n3,1\n2,1\n"), "loss").steps, (Numbers{0, 1}));
    EXPECT_EQ(seriesOf(readTable(",loss\n5,3\n6,1\n", "table.csv"), "loss").steps, (Numbers{5, 6}));
}

TEST(Csv, ReadsATimeOfDayButKeepsADurationAsAMetric) {
    const RunHistory history = readTable("step,time,loss\n1,1700000000.5,3\n2,1700000001000,2\n");
    EXPECT_EQ(seriesOf(history, "loss").wall, (Numbers{1700000000.5, 1700000001}));
    EXPECT_EQ(seriesOf(readTable("step,time\n1,0.25\n"), "time").values, (Numbers{0.25}));
}

TEST(Csv, LeavesOtherTablesAlone) {
    for (const char* text : {"id,label\n1,2\n", "1,2\n3,4\n", "x\n1\n", "", "\n",
                             "\"step,loss\n1,2\n", ",id,label\n0,1,2\n"}) {
        const HistoryFolder folder;
        folder.write("table.csv", text);
        EXPECT_TRUE(folder.read().sources.empty()) << text;
    }
    const HistoryFolder folder;
    folder.write("metrics.csv", std::string("\x7f"
                                            "ELF,\0\0,step\n\1\2,\3",
                                            18));
    EXPECT_TRUE(folder.read().sources.empty());
}

TEST(Csv, AMillionColumnsAreToldNotTaken) {
    std::string text = "step";
    std::string row = "\n1";
    for (int i = 0; i < 1'000'000; ++i) {
        text += ",c" + std::to_string(i);
        row += ",1";
    }
    const RunHistory history = readTable(text + row + row + "\n");
    EXPECT_EQ(history.series.size(), 50'000U);
    EXPECT_EQ(seriesOf(history, "c0").size(), 1U);
    EXPECT_EQ(seriesOf(history, "c0").replaced.size(), 1U);
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::LimitExceeded));
}

TEST(Csv, AnEndlessLineIsSkippedWithoutBeingHeld) {
    const HistoryFolder folder;
    folder.write("metrics.csv", "step,loss\n1,0.5\n");
    std::filesystem::resize_file(folder.path() / "metrics.csv", std::uint64_t{1} << 28U);
    std::ofstream(folder.path() / "metrics.csv", std::ios::app) << "\n2,0.25\n";
    const RunHistory history = folder.read();
    EXPECT_EQ(seriesOf(history, "loss").values, (Numbers{0.5, 0.25}));
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::LimitExceeded));
}

TEST(Csv, ATableOfSeveralRunsIsNotOneThatRestarts) {
    const HistoryFolder folder;
    folder.write("all.csv", "run,step,loss\na,1,3\na,2,2\nb,1,9\nb,2,8\na,3,1\n");
    const RunHistory all = folder.read();
    EXPECT_EQ(seriesOf(all, "a/loss").values, (std::vector<double>{3, 2, 1}));
    EXPECT_EQ(seriesOf(all, "b/loss").steps, (std::vector<double>{1, 2}));
    EXPECT_EQ(seriesOf(all, "a/loss").replaced.size(), 0U);
    const auto one = readHistory(folder.path() / "all.csv" / heldRunName("b"), folder.path());
    ASSERT_TRUE(one);
    EXPECT_EQ(seriesOf(*one, "loss").values, (std::vector<double>{9, 8}));
    EXPECT_EQ(one->series.size(), 1U);
    const HistoryFolder single;
    single.write("progress.csv", "training_iteration,trial_id,step,loss\n1,x,1,3\n2,x,2,1\n");
    EXPECT_EQ(seriesOf(single.read(), "loss").values, (std::vector<double>{3, 1}));
}

TEST(Csv, AMetricOfDvcLiveIsNamedByItsPath) {
    const HistoryFolder folder;
    folder.write("dvclive/plots/metrics/train/loss.tsv", "step\tloss\n0\t2\n1\t1\n");
    folder.write("dvclive/plots/metrics/val/loss.tsv", "step\tloss\n0\t3\n1\t4\n");
    const RunHistory history = folder.read();
    EXPECT_EQ(seriesOf(history, "train/loss").values, (std::vector<double>{2, 1}));
    EXPECT_EQ(seriesOf(history, "val/loss").values, (std::vector<double>{3, 4}));
}

} // namespace
} // namespace cairn
