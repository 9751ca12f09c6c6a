// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/io/file_ops_fault.h"
#include "core/jobs/archive/pack_archive.h"
#include "core/model/tensor_reader.h"
#include "tests/core/jobs/job_fixture.h"

#include <algorithm>
#include <cerrno>
#include <random>

namespace cairn {
namespace {

using namespace jobtest;

/// Counting tensors of several chunks and pieces, one with missing elements, and aliases.
CheckpointPtr makeSource() {
    CheckpointData data;
    data.format = "made";
    data.step = 12;
    const Shape wide{700, 1000};
    data.tensors.push_back(
        synthetic::cutTensor(data, "rows", wide, {{{0, 0}, {300, 1000}}, {{300, 0}, {400, 1000}}}));
    data.tensors.push_back(
        synthetic::cutTensor(data, "columns", {40, 50}, {{{0, 0}, {40, 20}}, {{0, 20}, {40, 30}}}));
    data.tensors.push_back(synthetic::cutTensor(data, "scalar", {}, {Box::whole({})}));
    data.tensors.push_back(synthetic::cutTensor(data, "empty", {0, 3}, {}));
    TensorEntry tied = data.tensors[0];
    tied.name = "tied";
    tied.aliasOf = TensorIndex(0);
    data.tensors.push_back(std::move(tied));
    data.completeness = Completeness::Complete;
    const Value values = Value::dict(
        {{Value("step"), Value(std::int64_t{12})}, {Value("rows"), Value(TensorIndex(0))}});
    data.loadValues = [values](const CancelToken&) { return Result<LoadedValues>(values); };
    return Checkpoint::make(std::move(data));
}

EngineOptions threads(std::size_t count) {
    EngineOptions options;
    options.threads = count;
    return options;
}

Result<JobReport> packWith(FileOps& fileOps, const std::filesystem::path& output,
                           std::size_t count = 3, CheckpointPtr earlier = nullptr) {
    JobContext context;
    return packArchive(makeSource(), {.output = output, .level = 1, .earlier = std::move(earlier)},
                       fileOps, context, threads(count));
}

std::vector<std::byte> elementsOf(const Checkpoint& checkpoint, std::size_t tensor) {
    const auto bytes = readComplete(checkpoint, checkpoint.tensors()[tensor], 64U << 20U);
    EXPECT_TRUE(bytes.has_value());
    return bytes.value_or(std::vector<std::byte>());
}

void expectWhole(const std::filesystem::path& path) {
    const auto opened = openCheckpoint(path);
    ASSERT_TRUE(opened) << describe(opened.error());
    const CheckpointPtr source = makeSource();
    ASSERT_EQ((*opened)->tensors().size(), source->tensors().size());
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        EXPECT_EQ((*opened)->tensors()[i].name, source->tensors()[i].name);
        EXPECT_EQ((*opened)->tensors()[i].aliasOf, source->tensors()[i].aliasOf);
        if (source->tensors()[i].bytes() != 0) {
            EXPECT_EQ(elementsOf(**opened, i), elementsOf(*source, i)) << i;
        }
    }
    EXPECT_EQ((*opened)->data().step, 12);
}

TEST(PackArchive, ReadsAsWhatWasPackedAndSaysSo) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    const auto report = packWith(fileOps, folder.path() / "a.cairnz");
    ASSERT_TRUE(report) << describe(report.error());
    EXPECT_TRUE(report->verified);
    EXPECT_EQ(report->tensors, 5U);
    EXPECT_EQ(report->bytes, std::filesystem::file_size(folder.path() / "a.cairnz"));
    expectWhole(folder.path() / "a.cairnz");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.cairnz", "a.cairnz.cairn.json"}));
}

TEST(PackArchive, IsTheSameFileWhateverTheNumberOfThreads) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    ASSERT_TRUE(packWith(fileOps, folder.path() / "1.cairnz", 1));
    ASSERT_TRUE(packWith(fileOps, folder.path() / "7.cairnz", 7));
    EXPECT_EQ(readFile(folder.path() / "1.cairnz"), readFile(folder.path() / "7.cairnz"));
}

TEST(PackArchive, ADeltaOfTheSameTakesNextToNothing) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    ASSERT_TRUE(packWith(fileOps, folder.path() / "a.cairnz"));
    const auto earlier = openCheckpoint(folder.path() / "a.cairnz");
    ASSERT_TRUE(earlier);
    const auto report = packWith(fileOps, folder.path() / "b.cairnz", 3, *earlier);
    ASSERT_TRUE(report) << describe(report.error());
    EXPECT_LT(report->bytes, 1000U);
    expectWhole(folder.path() / "b.cairnz");
}

/// Weights like a model's: `still` differs between seeds in one element of a thousand, `new`
/// completely.
CheckpointPtr weightsOf(std::uint32_t seed) {
    CheckpointData data;
    data.format = "synthetic";
    for (const bool moves : {false, true}) {
        std::mt19937 random(moves ? seed : 7);
        std::normal_distribution<float> normal(0.0F, 0.02F);
        std::vector<float> values(500000);
        std::ranges::generate(values, [&] { return normal(random); });
        for (std::size_t i = seed % 1000; i < values.size(); i += 1000) {
            values[i] = normal(random);
        }
        TensorEntry tensor;
        tensor.name = moves ? "new" : "still";
        tensor.shape = {500, 1000};
        const auto bytes = synthetic::bytesOf(values);
        const FileIndex file = synthetic::addMemoryFile(data, bytes, tensor.name);
        tensor.pieces.push_back(
            {Box::whole(tensor.shape), file, {0, bytes.size()}, {}, kRawCodec, {}});
        data.tensors.push_back(std::move(tensor));
    }
    data.completeness = Completeness::Complete;
    return Checkpoint::make(std::move(data));
}

/// Tensors that differ too much are packed without a delta, each decided separately.
TEST(PackArchive, ADeltaIsOnlyTakenWhereItPays) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    const auto packed = [&](std::uint32_t seed, const char* name, CheckpointPtr earlier) {
        JobContext context;
        const auto report =
            packArchive(weightsOf(seed),
                        {.output = folder.path() / name, .level = 1, .earlier = std::move(earlier)},
                        fileOps, context, threads(2));
        EXPECT_TRUE(report.has_value()) << describe(report.error());
        return report->bytes;
    };
    const std::uint64_t alone = packed(1, "1.cairnz", nullptr);
    const auto earlier = openCheckpoint(folder.path() / "1.cairnz");
    ASSERT_TRUE(earlier);
    const std::uint64_t second = packed(2, "2.cairnz", *earlier);
    const auto opened = openCheckpoint(folder.path() / "2.cairnz");
    ASSERT_TRUE(opened) << describe(opened.error());
    const CheckpointPtr source = weightsOf(2);
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        EXPECT_EQ(elementsOf(**opened, i), elementsOf(*source, i)) << i;
    }
    EXPECT_LT(second, alone * 6 / 10); // "still" takes almost nothing
    EXPECT_GT(second, alone * 4 / 10);
    const std::uint64_t fresh = packed(2, "3.cairnz", nullptr);
    EXPECT_LT(second, fresh / 2 + 100000); // "new" is no larger than without the delta
}

TEST(PackArchive, DeltasRestOnEachOtherThreeDeepAndNoDeeper) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    ASSERT_TRUE(packWith(fileOps, folder.path() / "0.cairnz"));
    for (int i = 1; i <= 4; ++i) {
        const auto earlier = openCheckpoint(folder.path() / (std::to_string(i - 1) + ".cairnz"));
        ASSERT_TRUE(earlier);
        const auto output = folder.path() / (std::to_string(i) + ".cairnz");
        const auto report = packWith(fileOps, output, 2, *earlier);
        if (i <= 3) {
            ASSERT_TRUE(report) << i << describe(report.error());
            expectWhole(output);
        } else {
            ASSERT_FALSE(report);
            EXPECT_EQ(report.error().code, ErrorCode::LimitExceeded);
        }
    }
}

TEST(PackArchive, RefusesAnEarlierCheckpointAboveAndAnExistingOutput) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    ASSERT_TRUE(packWith(fileOps, folder.path() / "a.cairnz"));
    std::filesystem::create_directory(folder.path() / "sub");
    const auto earlier = openCheckpoint(folder.path() / "a.cairnz");
    ASSERT_TRUE(earlier);
    const auto above = packWith(fileOps, folder.path() / "sub" / "b.cairnz", 2, *earlier);
    ASSERT_FALSE(above);
    EXPECT_EQ(above.error().code, ErrorCode::OutsideFolder);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "sub"));
    const auto over = packWith(fileOps, folder.path() / "a.cairnz");
    ASSERT_FALSE(over);
    EXPECT_EQ(over.error().code, ErrorCode::OutputExists);
}

std::uint64_t countCalls() {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    RealFileOps real;
    FaultFileOps counted(real, {.at = ~std::uint64_t{0},
                                .fromThenOn = false,
                                .errnoValue = EIO,
                                .only = {},
                                .spareRemoval = false});
    EXPECT_TRUE(packWith(counted, folder.path() / "a.cairnz", 1));
    return counted.calls();
}

TEST(PackArchive, EveryCallFailingOnceLeavesTheWholeArchiveOrNothing) {
    const std::uint64_t calls = countCalls();
    ASSERT_GT(calls, 10U);
    for (const int errnoValue : {ENOSPC, EIO}) {
        for (std::uint64_t at = 0; at < calls; ++at) {
            const TemporaryFolder folder(TemporaryFolder::Where::Memory);
            RealFileOps real;
            FaultFileOps faulty(real, {.at = at,
                                       .fromThenOn = false,
                                       .errnoValue = errnoValue,
                                       .only = {},
                                       .spareRemoval = true});
            const auto report = packWith(faulty, folder.path() / "a.cairnz", 1);
            if (report) {
                expectWhole(folder.path() / "a.cairnz");
            } else {
                EXPECT_TRUE(folder.names().empty()) << folder.names().front() << " at " << at;
            }
        }
    }
}

TEST(PackArchive, ShortWritesAreFinished) {
    const std::uint64_t calls = countCalls();
    for (std::uint64_t at = 0; at < calls; ++at) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        RealFileOps real;
        FaultFileOps faulty(real, {.at = at,
                                   .fromThenOn = false,
                                   .errnoValue = 0,
                                   .only = FileCallKind::Write,
                                   .spareRemoval = false});
        const auto report = packWith(faulty, folder.path() / "a.cairnz", 1);
        ASSERT_TRUE(report) << describe(report.error());
        if (faulty.faults() == 0) {
            break; // no more writes
        }
        expectWhole(folder.path() / "a.cairnz");
    }
}

TEST(PackArchive, StopsWhenItIsCancelled) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    JobContext context;
    context.cancel();
    const auto report = packArchive(
        makeSource(), {.output = folder.path() / "a.cairnz", .level = 1, .earlier = nullptr},
        fileOps, context, threads(2));
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(folder.names().empty());
}

TEST(PackArchive, TeachesTheForecastOfTheNextOneAtItsLevel) {
    const TemporaryFolder folder;
    RealFileOps fileOps;
    const auto report = packWith(fileOps, folder.path() / "a.cairnz");
    ASSERT_TRUE(report && report->measured);
    EXPECT_EQ(report->measured->kind, WorkKind::Pack);
    EXPECT_EQ(report->measured->bytes, (700 * 1000 + 40 * 50 + 1) * 4U);
    JobContext context;
    const auto slower = packArchive(
        makeSource(), {.output = folder.path() / "b.cairnz", .level = 3, .earlier = nullptr},
        fileOps, context);
    ASSERT_TRUE(slower) << describe(slower.error());
    EXPECT_FALSE(slower->measured.has_value());

    const auto source = openCheckpoint(folder.path() / "a.cairnz"); // a source on a disk
    ASSERT_TRUE(source) << describe(source.error());
    const DiskRates rates(folder.path() / "state");
    const auto origin = [&](int level) {
        const auto plan = planPack(
            *source, {.output = folder.path() / "c.cairnz", .level = level, .earlier = nullptr}, {},
            rates);
        return plan ? plan->forecast.rate.origin : RateOrigin::Inferred;
    };
    EXPECT_EQ(origin(1), RateOrigin::Assumed);
    ASSERT_TRUE(rates.learn(fileOps, fileSystemsOf(**source, folder.path() / "c.cairnz"),
                            {WorkKind::Pack, DiskRates::kLeastBytes, 2}));
    EXPECT_EQ(origin(1), RateOrigin::Measured);
    EXPECT_EQ(origin(3), RateOrigin::Assumed);
}

} // namespace
} // namespace cairn
