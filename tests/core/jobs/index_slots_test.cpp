// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/jobs/engine/staging.h"
#include "core/signing/model_signer.h"
#include "tests/core/jobs/job_fixture.h"

#include <algorithm>
#include <memory>
#include <string>

/// Jobs whose index contains the checksums of the other files' tensors.
namespace cairn {
namespace {

using namespace jobtest;

constexpr std::size_t kIndexParts = 3;
constexpr std::size_t kShards = 2;

/// Files that are summed, and an index of slots whose last one is of the index itself.
Job indexedJob(std::uint32_t seed, const std::filesystem::path& output) {
    Job job = randomJob(seed, 24, kShards, output);
    OutputFile index;
    index.name = "index";
    std::vector<std::uint32_t> values;
    for (std::size_t f = 0; f < kShards; ++f) {
        OutputFile& file = job.plan.layout.files[f];
        file.checksums.clear();
        file.sumsSegments = true;
        std::vector<std::byte>& bytes = job.expected[f];
        for (const LiteralSegment& literal : file.literals) {
            std::ranges::copy(file.bytesOf(literal),
                              bytes.begin() + static_cast<std::ptrdiff_t>(literal.offset));
        }
        for (std::size_t t = 0; t < file.tensors.size(); ++t) {
            const TensorSegment& segment = file.tensors[t];
            values.push_back(maskedCrc32c(
                crc32c(0, std::span(bytes).subspan(static_cast<std::size_t>(segment.offset),
                                                   static_cast<std::size_t>(segment.length)))));
            index.indexSlots.push_back({10 + 7 * index.indexSlots.size(),
                                        static_cast<std::uint32_t>(f),
                                        static_cast<std::uint32_t>(t)});
        }
    }
    std::vector<std::byte> bytes(20 + 7 * values.size(), std::byte{0x49});
    index.size = bytes.size();
    index.addLiteral(0, bytes);
    index.blockSlots.push_back({index.size - 4, {0, index.size - 8}});
    const std::span<std::byte> filled(bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
        storeLittle(filled, static_cast<std::size_t>(index.indexSlots[i].offset), values[i]);
    }
    storeLittle(filled, bytes.size() - 4, maskedCrc32c(crc32c(0, filled.first(bytes.size() - 8))));
    job.plan.layout.files.push_back(std::move(index));
    job.expected.push_back(std::move(bytes));
    return job;
}

EngineOptions indexedOptions(JobPart part = {}) {
    EngineOptions options = smallOptions();
    options.threads = 1;
    options.runBytes = std::uint64_t{8} << 10U;
    options.part = part;
    return options;
}

Result<JobReport> runIndexed(const Job& job, JobPart part = {}) {
    RealFileOps real;
    JobContext context;
    return runPlan(job.plan, real, context, indexedOptions(part));
}

TEST(IndexSlots, AreFilledByOneProcessAndByParts) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job whole = indexedJob(91, folder.path() / "whole");
    const auto done = runIndexed(whole);
    ASSERT_TRUE(done) << describe(done.error());
    EXPECT_TRUE(done->verified);
    expectOutput(whole);
    const Job job = indexedJob(91, folder.path() / "parts");
    for (const std::size_t part : {2U, 1U, 3U}) {
        const auto sent = runIndexed(job, {part, kIndexParts});
        ASSERT_TRUE(sent) << describe(sent.error());
    }
    expectOutput(job);
}

TEST(IndexSlots, AreFilledByAProcessThatResumes) {
    std::size_t stopped = 0;
    for (std::uint64_t at = 4; at < 400; at += 9) {
        const TemporaryFolder folder(TemporaryFolder::Where::Memory);
        const Job job = indexedJob(92, folder.path() / "out");
        stopped += runKilled(job.plan, at, indexedOptions()) ? 1 : 0;
        if (!std::filesystem::exists(job.plan.output)) {
            const auto again = runIndexed(job);
            ASSERT_TRUE(again) << at << ": " << describe(again.error());
        }
        expectOutput(job);
    }
    EXPECT_GT(stopped, 5U);
}

/// Another first digit in each checksum of a journal.
void changeChecksums(const std::filesystem::path& path) {
    std::string text(asText(readFile(path)));
    for (std::size_t at = text.find("\"crc32\":[["); at != std::string::npos;
         at = text.find("\"crc32\":[[", at + 1)) {
        const std::size_t digit = text.find(',', at) + 1;
        text[digit] = text[digit] == '1' ? '2' : '1';
    }
    writeFile(path, asBytes(text));
}

TEST(IndexSlots, DoNotTakeADamagedChecksumOfAJournal) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = indexedJob(93, folder.path() / "out");
    ASSERT_TRUE(runIndexed(job, {1, kIndexParts}) && runIndexed(job, {2, kIndexParts}));
    std::size_t verified = 0;
    for (const std::string& name : folder.names()) {
        if (name.find("journal") != std::string::npos) {
            const auto bytes = readFile(folder.path() / name);
            verified += asText(bytes).find("\"verified\"") != std::string_view::npos ? 1U : 0U;
            changeChecksums(folder.path() / name);
        }
    }
    EXPECT_GT(verified, 0U); // of such a file the last part reads nothing again
    const auto last = runIndexed(job, {3, kIndexParts});
    ASSERT_FALSE(last);
    EXPECT_EQ(last.error().code, ErrorCode::ChangedOnDisk) << describe(last.error());
    EXPECT_FALSE(std::filesystem::exists(job.plan.output));
}

TEST(IndexSlots, OfASignedOutputDoNotKeepDigestsOfUnsignedParts) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const Job job = indexedJob(95, folder.path() / "out");
    ASSERT_TRUE(runIndexed(job, {1, kIndexParts}) && runIndexed(job, {2, kIndexParts}));
    auto signer = signing::ModelSigner::open(std::filesystem::path(CAIRN_SOURCE_DIR) /
                                             "tests/data/signing/p256.pem");
    ASSERT_TRUE(signer) << describe(signer.error());
    EngineOptions options = indexedOptions({3, kIndexParts});
    options.signer = std::make_shared<const signing::ModelSigner>(std::move(*signer));
    RealFileOps real;
    JobContext context;
    const auto last = runPlan(job.plan, real, context, options);
    ASSERT_TRUE(last) << describe(last.error());
    ASSERT_FALSE(last->written.empty());
    for (const WrittenTensor& tensor : last->written) {
        EXPECT_EQ(tensor.digestKind, DigestKind::Sha256) << tensor.name;
    }
}

TEST(StringTensors, MustBeFoundInTheOutput) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    std::filesystem::create_directory(folder.path() / "in");
    Job job = sharedJob(96, 1, folder.path() / "in", folder.path() / "out.safetensors");
    job.plan.layout.stringTensors = {"not.there"};
    const auto refused = runIndexed(job);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::VerifyMismatch);
    EXPECT_EQ(refused.error().where.tensor, "not.there");
}

TEST(IndexSlots, OfAPlanMustHavePlaces) {
    const auto isValid = [](const auto& change) {
        Job job = indexedJob(94, "/nowhere/out");
        change(job.plan.layout.files.front(), job.plan.layout.files.back());
        return validate(job.plan).has_value();
    };
    using File = OutputFile;
    EXPECT_TRUE(isValid([](File&, File&) {}));
    EXPECT_FALSE(isValid([](File&, File& index) { index.indexSlots[0].file = 9; }));
    EXPECT_FALSE(isValid([](File&, File& index) { index.indexSlots[0].file = kShards; }));
    EXPECT_FALSE(isValid([](File&, File& index) { index.indexSlots[0].segment = 99; }));
    EXPECT_FALSE(
        isValid([](File&, File& index) { index.indexSlots.back().offset = index.size - 3; }));
    EXPECT_FALSE(isValid([](File&, File& index) { index.blockSlots[0].offset = index.size - 9; }));
    EXPECT_FALSE(
        isValid([](File&, File& index) { index.blockSlots[0].bytes.length = index.size; }));
    EXPECT_FALSE(isValid([](File& shard, File&) { shard.sumsSegments = false; }));
    EXPECT_FALSE(isValid([](File& shard, File&) { shard.checksums.push_back({0, 0}); }));
    EXPECT_FALSE(isValid([](File& shard, File& index) { shard.indexSlots = index.indexSlots; }));
}

} // namespace
} // namespace cairn
