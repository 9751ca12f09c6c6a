// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/log.h"
#include "tests/core/history_binary/fixture.h"

#include <cmath>

namespace cairn::history_test {
namespace {

HistoryPart readWandb(const std::string& file) {
    auto part = history::wandb::readLog(memory(file), {});
    EXPECT_TRUE(part) << describe(part.error());
    return part ? std::move(*part) : HistoryPart();
}

/// A log of `rows` rows with a metric "loss", each of about `padding` bytes, and the ends of its
/// records.
struct Log {
    std::string bytes = kLogHead;
    std::vector<std::size_t> ends;

    void row(std::int64_t step, std::size_t padding = 0) {
        appendRecord(
            bytes,
            historyRow(step, historyItem("loss", std::to_string(step) + ".5") +
                                 historyItem("note", '"' + std::string(padding, 'x') + '"')));
        ends.push_back(bytes.size());
    }
    void end(std::uint64_t code = 0) { appendRecord(bytes, bytesField(18, varintField(1, code))); }
};

Log logOf(std::int64_t rows, std::size_t padding = 0) {
    Log log;
    for (std::int64_t step = 0; step < rows; ++step) {
        log.row(step, padding);
    }
    return log;
}

TEST(Wandb, NumbersOfEveryKindAreRead) {
    std::string log = kLogHead;
    appendRecord(
        log, historyRow(4, historyItem("nan", "NaN") + historyItem("inf", "Infinity") +
                               historyItem("minus", "-Infinity") + historyItem("int", "7") +
                               historyItem("text", "\"7\"") + historyItem("flag", "true") +
                               historyItem("list", "[1]") + historyItem("cut", "{\"a\":") +
                               historyItem("dict", R"({"a": 1, "b": {"c": NaN, "t": "x"},
                                                       "u": 9223372036854775809})") +
                               historyItem("media", R"({"_type": "histogram", "n": 3})") +
                               historyItem("_timestamp", "1.7e9") + historyItem("_runtime", "5") +
                               historyItem("train/epoch", "0.25")));
    appendRecord(log, historyRow(3, historyItem("int", "8")));
    const HistoryPart part = readWandb(log);
    EXPECT_TRUE(std::isnan(find(part, "nan")->values[0]));
    EXPECT_TRUE(std::isinf(find(part, "inf")->values[0]));
    EXPECT_LT(find(part, "minus")->values[0], 0);
    const MetricSeries& integer = *find(part, "int");
    EXPECT_EQ(integer.values, (std::vector<double>{7, 8}));
    EXPECT_EQ(integer.steps, (std::vector<double>{4, 3}));
    EXPECT_EQ(integer.wall[0], 1.7e9);
    EXPECT_TRUE(std::isnan(integer.wall[1]));
    EXPECT_EQ(integer.epochs[0], 0.25);
    EXPECT_TRUE(std::isnan(integer.epochs[1]));
    EXPECT_EQ(find(part, "dict.a")->values[0], 1);
    EXPECT_TRUE(std::isnan(find(part, "dict.b.c")->values[0]));
    EXPECT_EQ(find(part, "dict.u")->valueAt(0).digits(), "9223372036854775809");
    for (const char* none :
         {"text", "flag", "list", "cut", "media.n", "_runtime", "_step", "_timestamp"}) {
        EXPECT_EQ(find(part, none), nullptr) << none;
    }
    ASSERT_NE(findNotice(part, ErrorCode::BadEncoding), nullptr); // "cut"
}

TEST(Wandb, AFileCutOffAnywhereGivesWhatIsBefore) {
    const Log log = logOf(40, 2000); // three blocks
    for (std::size_t length = 7; length < log.bytes.size(); length += 97) {
        const auto whole = static_cast<std::size_t>(
            std::upper_bound(log.ends.begin(), log.ends.end(), length) - log.ends.begin());
        const HistoryPart part = readWandb(log.bytes.substr(0, length));
        EXPECT_EQ(stepsOf(part, "loss").size(), whole) << length;
        const bool clean = length == 7 || (whole > 0 && log.ends[whole - 1] == length);
        EXPECT_EQ(findNotice(part, ErrorCode::Truncated) != nullptr, !clean) << length;
    }
}

TEST(Wandb, OneFlippedByteCostsAtMostItsBlock) {
    const Log log = logOf(60, 2000);
    std::size_t lost = 0;
    for (std::size_t at = 7; at < log.bytes.size(); at += 211) {
        std::string damaged = log.bytes;
        damaged[at] ^= 0x10;
        const HistoryPart part = readWandb(damaged);
        const std::size_t points = stepsOf(part, "loss").size();
        lost = std::max(lost, 60 - points);
        if (points < 60) {
            EXPECT_NE(findNotice(part, ErrorCode::BadChecksum), nullptr) << at;
        }
    }
    // A damaged length loses the rest of its block of 15 records; no other damage loses more.
    EXPECT_GE(lost, 1U);
    EXPECT_LE(lost, 17U);
}

TEST(Wandb, ADamagedBlockCostsThatBlock) {
    const Log log = logOf(60, 2000);
    std::string damaged = log.bytes;
    std::fill(damaged.begin() + 32768, damaged.begin() + 65536, '\xA5');
    const HistoryPart part = readWandb(damaged);
    const auto steps = stepsOf(part, "loss");
    EXPECT_EQ(steps.front(), 0);
    EXPECT_EQ(steps.back(), 59);
    EXPECT_GE(steps.size(), 40U);
    EXPECT_LT(steps.size(), 60U);
    const Notice* notice = findNotice(part, ErrorCode::BadChecksum);
    ASSERT_NE(notice, nullptr);
    EXPECT_EQ(notice->error.where.offset, 32768U);
}

TEST(Wandb, ZeroFilledBlocksAreNamed) {
    const Log log = logOf(30, 2000);
    std::string damaged = log.bytes;
    std::fill(damaged.begin() + 32768, damaged.end(), '\0');
    const HistoryPart part = readWandb(damaged);
    EXPECT_GE(stepsOf(part, "loss").size(), 14U);
    ASSERT_NE(findNotice(part, ErrorCode::ZeroFilled), nullptr);
    EXPECT_EQ(findNotice(part, ErrorCode::ZeroFilled)->error.where.offset, 32768U);
}

/// A log of a few rows, 10 GB of zeros, and one more row after them.
class SparseLog final : public ByteSource {
public:
    static constexpr std::uint64_t kSize = std::uint64_t{10'000} << 20U;

    SparseLog() {
        const Log log = logOf(3);
        m_front = log.bytes;
        std::string row = kLogHead;
        appendRecord(row, historyRow(9, historyItem("loss", "9")));
        m_back = row.substr(kLogHead.size()); // fits the last block from its start
    }
    std::uint64_t size() const override { return kSize - 32768 + m_back.size(); }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        m_read += out.size();
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::uint64_t at = offset + i;
            const std::uint64_t back = at - (kSize - 32768);
            out[i] = at < m_front.size()   ? static_cast<std::byte>(m_front[at])
                     : at >= kSize - 32768 ? static_cast<std::byte>(m_back[back])
                                           : std::byte{0};
        }
        return {};
    }
    std::uint64_t bytesRead() const { return m_read; }

private:
    std::string m_name = "sparse";
    std::string m_front;
    std::string m_back;
    mutable std::uint64_t m_read = 0;
};

TEST(Wandb, GigabytesOfZerosAreSteppedOver) {
    const auto source = std::make_shared<SparseLog>();
    const auto part = history::wandb::readLog(source, {});
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_EQ(stepsOf(*part, "loss"), (std::vector<double>{0, 1, 2, 9}));
    ASSERT_NE(findNotice(*part, ErrorCode::ZeroFilled), nullptr);
    EXPECT_LT(source->bytesRead(), 8U << 20U);
}

TEST(Wandb, RowsThatGoBackAndTwoRunsInOneLogAreKept) {
    std::string log = kLogHead;
    for (const int step : {5, 6, 3, 4, 100, 5, 101}) {
        appendRecord(log, historyRow(step, historyItem("loss", "1")));
    }
    const HistoryPart part = readWandb(log);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{5, 6, 3, 4, 100, 5, 101}));
    EXPECT_EQ(restartsOf(*find(part, "loss")), (std::vector<std::size_t>{2, 5}));
}

TEST(Wandb, AKeyMayComeAsAPathOfOne) {
    const auto nested = [](std::string_view key, std::string_view json) {
        return bytesField(1, bytesField(2, key) + bytesField(16, json));
    };
    std::string log = kLogHead;
    appendRecord(log, bytesField(2, nested("loss", "0.5") + nested("epoch", "2") +
                                        nested("_timestamp", "1.7e9") + nested("_runtime", "3") +
                                        nested("_step", "7") +
                                        bytesField(1, bytesField(2, "val") + bytesField(2, "acc") +
                                                          bytesField(16, "0.25"))));
    const HistoryPart part = readWandb(log);
    EXPECT_EQ(part.series.size(), 3U);
    const MetricSeries& loss = *find(part, "loss");
    EXPECT_EQ(loss.steps, (std::vector<double>{7}));
    EXPECT_EQ(loss.epochs, (std::vector<double>{2}));
    EXPECT_EQ(loss.wall, (std::vector<double>{1.7e9}));
    EXPECT_EQ(find(part, "val.acc")->values, (std::vector<double>{0.25}));
}

/// A checkpoint that records "iter" counts the same.
TEST(Wandb, TheColumnThatCountsStepsIsKept) {
    std::string log = kLogHead;
    for (std::int64_t call = 0; call < 4; ++call) {
        appendRecord(log, historyRow(call, historyItem("loss", "0.5") +
                                               historyItem("iter", std::to_string(call * 50))));
    }
    const HistoryPart part = readWandb(log);
    const MetricSeries& loss = *find(part, "loss");
    EXPECT_EQ(loss.steps, (std::vector<double>{0, 50, 100, 150}));
    EXPECT_EQ(loss.stepsKey, "iter");
    EXPECT_EQ(loss.stepsStrength, Strength::Recorded);
}

TEST(Wandb, TheEndOfTheRunIsTold) {
    Log log = logOf(2);
    EXPECT_NE(allNotices(readWandb(log.bytes)).find("does not record the end of the run"),
              std::string::npos);
    Log failed = log;
    failed.end(3);
    EXPECT_NE(allNotices(readWandb(failed.bytes)).find("exit code 3"), std::string::npos);
    log.end();
    EXPECT_TRUE(readWandb(log.bytes).warnings.empty()) << allNotices(readWandb(log.bytes));
}

std::string configItem(std::string_view key, std::string_view json) {
    return bytesField(1, key) + bytesField(16, json);
}

TEST(Wandb, LaterSettingsReplaceEarlierOnes) {
    std::string log = kLogHead;
    appendRecord(
        log,
        bytesField(
            17, bytesField(4, bytesField(1, configItem("model", R"({"width": 64, "depth": 2})")) +
                                  bytesField(1, configItem("lr", "0.1")) +
                                  bytesField(1, configItem("gone", "1")) +
                                  bytesField(1, configItem("_wandb", R"({"x": 1})")))));
    appendRecord(log,
                 bytesField(5, bytesField(1, configItem("lr", "0.2")) +
                                   bytesField(1, bytesField(2, "model") + bytesField(2, "width") +
                                                     bytesField(16, "128")) +
                                   bytesField(1, configItem("broken", "{")) +
                                   bytesField(2, bytesField(1, "gone"))));
    const HistoryPart part = readWandb(log);
    EXPECT_EQ(*part.settings.find("lr")->asFloat(), 0.2);
    EXPECT_EQ(*part.settings.findPath({"model", "width"})->asInt(), 128);
    EXPECT_EQ(*part.settings.findPath({"model", "depth"})->asInt(), 2);
    EXPECT_EQ(part.settings.find("gone"), nullptr);
    EXPECT_EQ(part.settings.find("_wandb"), nullptr);
    ASSERT_NE(findNotice(part, ErrorCode::JsonSyntax), nullptr);
}

TEST(Wandb, HostileRecordsAreCountedAndTheRestIsRead) {
    std::string log = kLogHead;
    std::string path;
    for (int i = 0; i < 5000; ++i) {
        path += bytesField(2, "k"); // a key within 5000 keys
    }
    std::string brackets(100'000, '[');
    appendRecord(log, bytesField(2, bytesField(1, path + bytesField(16, "1"))));
    appendRecord(log, historyRow(1, historyItem("deep", R"({"a":)" + brackets)));
    appendRecord(log, varint(2U << 3U | 2U) + varint(1ULL << 33U));
    appendRecord(log, bytesField(5, bytesField(1, path + bytesField(16, "1"))));
    appendRecord(log, historyRow(2, historyItem("loss", "1")));
    const HistoryPart part = readWandb(log);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{2}));
    ASSERT_NE(findNotice(part, ErrorCode::BadEncoding), nullptr);
    EXPECT_EQ(findNotice(part, ErrorCode::BadEncoding)->error.found.text(), "4 records");
}

TEST(Wandb, OtherFilesAreRefused) {
    for (const std::string& other :
         {std::string("x"), std::string("12345678"), kLogHead.substr(0, 5) + "ab"}) {
        const auto part = history::wandb::readLog(memory(other), {});
        ASSERT_FALSE(part);
        EXPECT_EQ(part.error().code, ErrorCode::NotACheckpoint);
    }
    const auto newer = history::wandb::readLog(memory(kLogHead.substr(0, 6) + "\x01"), {});
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().code, ErrorCode::Unsupported);
    EXPECT_NE(findNotice(readWandb(""), ErrorCode::EmptyFile), nullptr);
    EXPECT_TRUE(readWandb(kLogHead).series.empty());
}

/// The files differ from the documentation of W&B's datastore.
TEST(Wandb, TheChecksumIsZlibs) {
    const std::string log =
        readAll(fs::path(CAIRN_TEST_DATA) / "wandb/wandb_plain/run-plain.wandb");
    const auto bytes = asBytes(log);
    const auto stored = loadLittle<std::uint32_t>(bytes, 7);
    const std::size_t length = loadLittle<std::uint16_t>(bytes, 11);
    const auto covered = bytes.subspan(13, length + 1);
    EXPECT_EQ(crc32(0, covered), stored);
    EXPECT_NE(crc32c(0, covered), stored);
    EXPECT_NE(maskedCrc32c(crc32c(0, covered)), stored);
}

TEST(Wandb, StopsWhenCancelled) {
    CancelToken cancel;
    cancel.cancel();
    const auto part = history::wandb::readLog(memory(logOf(3).bytes), cancel);
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn::history_test
