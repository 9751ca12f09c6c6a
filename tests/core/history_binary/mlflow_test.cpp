// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history_binary/fixture.h"

#include <cmath>

namespace cairn::history_test {
namespace {

constexpr const char* kMeta = "run_id: abc\nstatus: 3\nlifecycle_stage: active\n";

HistoryPart read(const TemporaryFolder& folder) {
    auto part = readWith(history::mlflow::kReader, folder.path());
    EXPECT_TRUE(part) << describe(part.error());
    return part ? std::move(*part) : HistoryPart();
}

TEST(MlflowFolder, LinesAreReadAsPythonWroteThem) {
    const TemporaryFolder folder;
    folder.write("meta.yaml", kMeta);
    folder.write("metrics/train/loss",
                 "1700000000000 0.1 1\n1700000000500 nan 0\n"
                 "1700000001000 -inf -3\n1700000001000 1e-320 7 data digest\n");
    folder.write("metrics/old", "1500000000000 2\n"); // the format before steps were recorded
    folder.write("params/optim/lr", "0.001");
    const HistoryPart part = read(folder);
    const MetricSeries& loss = *find(part, "train/loss");
    EXPECT_EQ(loss.steps, (std::vector<double>{1, 0, -3, 7}));
    EXPECT_EQ(loss.values[0], 0.1);
    EXPECT_TRUE(std::isnan(loss.values[1]));
    EXPECT_TRUE(std::isinf(loss.values[2]));
    EXPECT_EQ(loss.values[3], 1e-320);
    EXPECT_EQ(loss.wall[1], 1700000000.5);
    EXPECT_EQ(find(part, "old")->steps, (std::vector<double>{0}));
    EXPECT_EQ(*part.settings.find("optim/lr")->asString(), "0.001");
    EXPECT_TRUE(part.warnings.empty()) << allNotices(part);
}

TEST(MlflowFolder, BrokenLinesAndACutLastLineAreToldAndLeftOut) {
    const TemporaryFolder folder;
    folder.write("meta.yaml", kMeta);
    folder.write("metrics/loss", "17 0.5 1\nrubbish\n17 0.25 2\n17 0.5x 3\n17 0.1 4.5\n17 0.125 3");
    folder.write("metrics/empty", "");
    folder.write("metrics/zeros", std::string(1000, '\0'));
    const HistoryPart part = read(folder);
    EXPECT_EQ(find(part, "loss")->steps, (std::vector<double>{1, 2}));
    EXPECT_EQ(find(part, "empty"), nullptr);
    const Notice* broken = findNotice(part, ErrorCode::BadEncoding);
    ASSERT_NE(broken, nullptr);
    EXPECT_EQ(broken->error.where.offset, 9U);
    EXPECT_EQ(broken->error.found.text(), "3 lines");
    EXPECT_NE(findNotice(part, ErrorCode::Truncated), nullptr);
}

TEST(MlflowFolder, ADamagedDescriptionDoesNotHideTheCurves) {
    const TemporaryFolder folder;
    folder.write("meta.yaml", "run_id: [unclosed\n" + std::string(3000, '['));
    folder.write("metrics/loss", "17 0.5 1\n");
    const HistoryPart part = read(folder);
    EXPECT_EQ(find(part, "loss")->size(), 1U);
    EXPECT_NE(findNotice(part, ErrorCode::BadEncoding), nullptr);

    const TemporaryFolder model; // a logged model has its own description
    model.write("meta.yaml", "model_id: m-1\n");
    model.write("metrics/loss", "17 0.5 1\n");
    const auto other = readWith(history::mlflow::kReader, model.path());
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::NotACheckpoint);
}

TEST(MlflowFolder, TheStateOfTheRunIsTold) {
    const TemporaryFolder folder;
    folder.write("meta.yaml", "run_uuid: abc\nstatus: 4\nlifecycle_stage: deleted\n");
    folder.write("metrics/loss", "17 0.5 1\n");
    const std::string notices = allNotices(read(folder));
    EXPECT_NE(notices.find("FAILED"), std::string::npos) << notices;
    EXPECT_NE(notices.find("deleted"), std::string::npos);
}

TEST(MlflowFolder, LinksLeadNowhereAndDeepFoldersEnd) {
    const TemporaryFolder outside;
    outside.write("secret", "17 0.5 1\n");
    const TemporaryFolder folder;
    folder.write("meta.yaml", kMeta);
    folder.write("metrics/loss", "17 0.5 1\n");
    fs::create_symlink(outside.path() / "secret", folder.path() / "metrics" / "stolen");
    std::string deep = "metrics";
    for (int i = 0; i < 100; ++i) {
        deep += "/d";
    }
    folder.write(deep + "/x", "17 0.5 1\n");
    const HistoryPart part = read(folder);
    EXPECT_EQ(part.series.size(), 1U);
    EXPECT_NE(findNotice(part, ErrorCode::OutsideFolder), nullptr) << allNotices(part);
    EXPECT_NE(findNotice(part, ErrorCode::LimitExceeded), nullptr);
}

TEST(MlflowFolder, StopsWhenCancelled) {
    const TemporaryFolder folder;
    folder.write("meta.yaml", kMeta);
    folder.write("metrics/loss", "17 0.5 1\n");
    CancelToken cancel;
    cancel.cancel();
    const auto part = readWith(history::mlflow::kReader, folder.path(), cancel);
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn::history_test
