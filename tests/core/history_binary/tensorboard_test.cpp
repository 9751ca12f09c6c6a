// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/tensorboard/events.h"
#include "tests/core/history_binary/fixture.h"

#include <cmath>
#include <limits>

namespace cairn::history_test {
namespace {

HistoryPart readBoard(const std::string& file) {
    auto part = history::tensorboard::readEvents(memory(file), {});
    EXPECT_TRUE(part) << describe(part.error());
    return part ? std::move(*part) : HistoryPart();
}

std::string threeRecords() {
    return scalarRecord("loss", 1, 3) + scalarRecord("loss", 2, 2) + scalarRecord("loss", 3, 1);
}

TEST(TensorBoard, NonFiniteValuesAndStepsGoingBackAreKept) {
    const float infinity = std::numeric_limits<float>::infinity();
    const HistoryPart part =
        readBoard(scalarRecord("loss", 5, std::nanf("")) + scalarRecord("loss", 3, infinity) +
                  scalarRecord("loss", 4, -infinity) + scalarRecord("loss", -7, -0.0F));
    const MetricSeries* series = find(part, "loss");
    ASSERT_NE(series, nullptr);
    EXPECT_EQ(series->steps, (std::vector<double>{5, 3, 4, -7}));
    EXPECT_TRUE(std::isnan(series->values[0]));
    EXPECT_EQ(series->values[1], static_cast<double>(infinity));
    EXPECT_EQ(series->values[2], -static_cast<double>(infinity));
    EXPECT_TRUE(std::signbit(series->values[3]));
    EXPECT_TRUE(part.warnings.empty()) << allNotices(part);
}

TEST(TensorBoard, StepsBeyondThoseOfADoubleAreExact) {
    constexpr std::int64_t kOdd = 9'007'199'254'740'993;
    const HistoryPart part = readBoard(scalarRecord("loss", kOdd, 1));
    EXPECT_EQ(part.series.at(0).stepAt(0), Number(kOdd));
    EXPECT_EQ(findNotice(part, ErrorCode::HistoryNoStep), nullptr);
}

/// Every truncation gives the records before it and reports where the last one begins.
TEST(TensorBoard, AFileCutOffAnywhereGivesWhatIsBefore) {
    const std::string file = threeRecords();
    const std::size_t one = file.size() / 3;
    for (std::size_t length = 1; length < file.size(); ++length) {
        const HistoryPart part = readBoard(file.substr(0, length));
        EXPECT_EQ(stepsOf(part, "loss").size(), length / one) << length;
        const Notice* notice = findNotice(part, ErrorCode::Truncated);
        ASSERT_EQ(notice != nullptr, length % one != 0) << length;
        if (notice != nullptr) {
            EXPECT_EQ(notice->error.where.offset, length / one * one);
        }
    }
}

TEST(TensorBoard, ARecordWithAWrongChecksumIsToldAndLeftOut) {
    std::string file = threeRecords();
    const std::size_t one = file.size() / 3;
    file[one + one / 2] ^= 1;
    const HistoryPart part = readBoard(file);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{1, 3}));
    const Notice* notice = findNotice(part, ErrorCode::BadChecksum);
    ASSERT_NE(notice, nullptr);
    EXPECT_EQ(notice->error.where.offset, one);
    EXPECT_EQ(notice->error.found.text(), "1 records");
}

TEST(TensorBoard, AWrongLengthEndsTheReading) {
    std::string file = threeRecords();
    const std::size_t one = file.size() / 3;
    file[one + 5] = '\x7F'; // a length of 2^46
    const HistoryPart part = readBoard(file);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{1}));
    const Notice* notice = findNotice(part, ErrorCode::BadChecksum);
    ASSERT_NE(notice, nullptr);
    EXPECT_EQ(notice->error.where.offset, one);
}

/// A giant length with a correct checksum: the file simply ends before it.
TEST(TensorBoard, AGiantLengthAllocatesNothing) {
    const std::string length = little(std::numeric_limits<std::uint64_t>::max() - 3);
    const HistoryPart part = readBoard(threeRecords() + length +
                                       little(maskedCrc32c(crc32c(0, asBytes(length)))) + "tail");
    EXPECT_EQ(stepsOf(part, "loss").size(), 3U);
    EXPECT_NE(findNotice(part, ErrorCode::Truncated), nullptr);
}

TEST(TensorBoard, AZeroFilledTailAndAnEmptyFileAreNamed) {
    const HistoryPart tail = readBoard(threeRecords() + std::string(5000, '\0'));
    EXPECT_EQ(stepsOf(tail, "loss").size(), 3U);
    ASSERT_NE(findNotice(tail, ErrorCode::ZeroFilled), nullptr);
    EXPECT_EQ(findNotice(tail, ErrorCode::ZeroFilled)->error.where.offset, threeRecords().size());
    EXPECT_NE(findNotice(readBoard(""), ErrorCode::EmptyFile), nullptr);
    EXPECT_NE(findNotice(readBoard(std::string(4096, '\0')), ErrorCode::ZeroFilled), nullptr);
}

TEST(TensorBoard, DamagedMessagesAreCountedAndTheRestIsRead) {
    std::string deep = "x";
    for (int i = 0; i < 5000; ++i) {
        deep = bytesField(1, deep);
    }
    std::string groups;
    for (int i = 0; i < 100'000; ++i) {
        groups += '\x0B'; // starts group 1 inside the previous one
    }
    const std::string file =
        scalarRecord("loss", 1, 1) + tfRecord(event(2, deep)) + tfRecord(groups) +
        tfRecord(doubleField(1, 1) + varint(5U << 3U | 2U) + varint(1ULL << 35U)) +
        tfRecord(varint(2U << 3U) + std::string(12, '\xFF')) + scalarRecord("loss", 3, 1);
    const HistoryPart part = readBoard(file);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{1, 3}));
    const Notice* notice = findNotice(part, ErrorCode::BadEncoding);
    ASSERT_NE(notice, nullptr);
    EXPECT_EQ(notice->error.found.text(), "4 records");
}

std::string pictureValue(std::size_t bytes) {
    return bytesField(1, bytesField(1, "picture") +
                             bytesField(4, bytesField(4, std::string(bytes, 'p'))));
}

TEST(TensorBoard, ScalarsBesideALargePictureAreReadAndChecked) {
    const std::string large = pictureValue(3'000'000);
    std::string file = tfRecord(event(1, large)) +
                       tfRecord(event(2, scalarValue("loss", 4) + large)) +
                       scalarRecord("loss", 3, 5);
    const HistoryPart part = readBoard(file);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{2, 3}));
    EXPECT_EQ(part.series.size(), 1U);
    EXPECT_TRUE(part.warnings.empty()) << allNotices(part);

    file[4'500'000] ^= 1; // within the second picture: that record's checksum no longer matches
    const HistoryPart damaged = readBoard(file);
    EXPECT_EQ(stepsOf(damaged, "loss"), (std::vector<double>{3}));
    EXPECT_NE(findNotice(damaged, ErrorCode::BadChecksum), nullptr);
}

std::string pluginValue(std::string_view tagText, std::string_view plugin, std::string_view tensor,
                        std::string_view content = "") {
    const std::string metadata =
        plugin.empty()
            ? ""
            : bytesField(9, bytesField(1, bytesField(1, plugin) + bytesField(2, content)));
    return bytesField(1, bytesField(1, tagText) + bytesField(8, tensor) + metadata);
}
std::string floatTensor(float value) {
    return varintField(1, 1) + bytesField(2, "") + bytesField(5, little(value));
}

TEST(TensorBoard, TheFirstPluginOfATagDecidesAboutItsTensors) {
    const HistoryPart part =
        readBoard(tfRecord(event(1, pluginValue("a", "scalars", floatTensor(1)))) +
                  tfRecord(event(2, pluginValue("a", "", floatTensor(2)))) +
                  tfRecord(event(1, pluginValue("b", "custom", floatTensor(1)))) +
                  tfRecord(event(2, pluginValue("b", "scalars", floatTensor(2)))) +
                  tfRecord(event(1, pluginValue("c", "", floatTensor(1)))));
    EXPECT_EQ(stepsOf(part, "a").size(), 2U);
    EXPECT_EQ(stepsOf(part, "b").size(), 0U);
    EXPECT_EQ(stepsOf(part, "c").size(), 1U);
}

TEST(TensorBoard, ATensorThatIsNotOneElementIsNoScalar) {
    const std::string dimension2 = bytesField(2, varintField(1, 2));
    const std::string file =
        tfRecord(event(1, pluginValue("two", "",
                                      varintField(1, 1) + bytesField(2, dimension2) +
                                          bytesField(5, little(1.0F))))) +
        tfRecord(event(
            1, pluginValue("long", "", varintField(1, 1) + bytesField(4, std::string(100, 'x'))))) +
        tfRecord(event(1, pluginValue("short", "", varintField(1, 1) + bytesField(4, "xy")))) +
        tfRecord(event(1, pluginValue("text", "", varintField(1, 7) + bytesField(8, "word")))) +
        tfRecord(event(1, pluginValue("half list", "", varintField(1, 1) + bytesField(5, "xy"))));
    const HistoryPart part = readBoard(file);
    EXPECT_TRUE(part.series.empty());
    EXPECT_NE(findNotice(part, ErrorCode::BadEncoding), nullptr); // only the half list
    EXPECT_EQ(findNotice(part, ErrorCode::BadEncoding)->error.found.text(), "1 records");
}

TEST(TensorBoard, ASessionStartBehindPointsIsTold) {
    const std::string start = tfRecord(varintField(2, 1) + bytesField(7, varintField(1, 1)));
    EXPECT_TRUE(readBoard(start + threeRecords()).warnings.empty());
    const HistoryPart part = readBoard(start + threeRecords() + start + scalarRecord("loss", 2, 9));
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{1, 2, 3, 2})); // nothing is purged
    ASSERT_EQ(part.warnings.size(), 1U);
    EXPECT_EQ(part.warnings.front().severity, Severity::Info);
}

TEST(TensorBoard, AFileOfGigabytesOfZerosIsAnsweredAtOnce) {
    const TemporaryFolder folder;
    const auto path = folder.write("events.out.tfevents.1.h.1.0", threeRecords());
    fs::resize_file(path, std::uintmax_t{10} << 30U);
    const CpuTime spent;
    const auto source = (*Folder::open(folder.path()))->openFile(path.filename().string());
    ASSERT_TRUE(source) << describe(source.error());
    const auto part = history::tensorboard::readEvents(*source, {});
    ASSERT_TRUE(part) << describe(part.error());
    EXPECT_LT(spent.seconds(), 2);
    EXPECT_EQ(stepsOf(*part, "loss").size(), 3U);
    EXPECT_NE(findNotice(*part, ErrorCode::ZeroFilled), nullptr);
    EXPECT_LT(part->bytes, 1U << 20U);
}

TEST(TensorBoard, AWrongChecksumOfALengthIsNoGuessing) {
    std::string file = threeRecords();
    const std::size_t one = file.size() / 3;
    file[one + 9] ^= 4; // the length is correct, its checksum is not
    const HistoryPart part = readBoard(file);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{1}));
    const Notice* notice = findNotice(part, ErrorCode::BadChecksum);
    ASSERT_NE(notice, nullptr);
    EXPECT_NE(notice->error.found.text().find(std::to_string(2 * one)), std::string::npos)
        << notice->error.found.text();
}

TEST(TensorBoard, ALengthOf2To60IsTheEndOfTheFile) {
    const std::string length = little(std::uint64_t{1} << 60U);
    const HistoryPart part =
        readBoard(threeRecords() + length + little(maskedCrc32c(crc32c(0, asBytes(length)))) +
                  std::string(1000, 'x'));
    EXPECT_EQ(stepsOf(part, "loss").size(), 3U);
    ASSERT_NE(findNotice(part, ErrorCode::Truncated), nullptr);
    EXPECT_EQ(findNotice(part, ErrorCode::Truncated)->error.where.offset, threeRecords().size());
}

/// Two processes append to one file: every point of both is kept, in file order.
TEST(TensorBoard, TwoWritersInOneFileAreBothKept) {
    std::string file;
    for (int step = 1; step <= 3; ++step) {
        file += scalarRecord("loss", step, 1) + scalarRecord("loss", step + 10, 2);
    }
    const HistoryPart part = readBoard(file);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{1, 11, 2, 12, 3, 13}));
    EXPECT_EQ(restartsOf(*find(part, "loss")), (std::vector<std::size_t>{2, 4}));
}

/// More values or longer names than allowed make the event unreadable, without using memory.
TEST(TensorBoard, AnEventOfAMillionValuesIsRefused) {
    std::string values;
    for (int i = 0; i < 200'000; ++i) {
        values += scalarValue("", 1);
    }
    const HistoryPart part = readBoard(tfRecord(event(1, values)) +
                                       tfRecord(event(2, scalarValue(std::string(5000, 'x'), 1))) +
                                       scalarRecord("loss", 3, 1));
    EXPECT_EQ(part.series.size(), 1U);
    EXPECT_EQ(stepsOf(part, "loss"), (std::vector<double>{3}));
    ASSERT_NE(findNotice(part, ErrorCode::BadEncoding), nullptr);
    EXPECT_EQ(findNotice(part, ErrorCode::BadEncoding)->error.found.text(), "2 records");
}

/// Through the finder: the files of two writers in a run's folder become one curve with two
/// sources.
TEST(TensorBoard, SeveralFilesOfARunAreOneCurve) {
    const TemporaryFolder folder;
    folder.write("run/events.out.tfevents.1.h.1.0", threeRecords());
    folder.write("run/events.out.tfevents.2.h.2.0", scalarRecord("loss", 2, 7));
    folder.write("run/events.out.tfevents.3.h.2.0", "");
    const auto history = readHistory(folder.path() / "run", folder.path());
    ASSERT_TRUE(history) << describe(history.error());
    ASSERT_EQ(history->sources.size(), 3U);
    ASSERT_EQ(history->series.size(), 1U);
    const MetricSeries& loss = history->series[0];
    EXPECT_EQ(loss.size() + loss.replaced.size(), 4U);
    EXPECT_EQ(sourcesOf(loss), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(history->sources[2].warnings.size(), 1U); // empty
}

TEST(TensorBoard, EachFileOfARestartedWriterIsItsOwnSource) {
    const TemporaryFolder folder;
    const auto first = folder.write("events.out.tfevents.1.h.1.0", threeRecords());
    const auto second = folder.write("events.out.tfevents.2.h.1.0", scalarRecord("loss", 2, 7));
    EXPECT_EQ(stepsOf(*readWith(history::tensorboard::kReader, first), "loss").size(), 3U);
    EXPECT_EQ(stepsOf(*readWith(history::tensorboard::kReader, second), "loss"),
              (std::vector<double>{2}));
}

TEST(TensorBoard, StopsWhenCancelled) {
    CancelToken cancel;
    cancel.cancel();
    const auto part = history::tensorboard::readEvents(memory(threeRecords()), cancel);
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn::history_test
