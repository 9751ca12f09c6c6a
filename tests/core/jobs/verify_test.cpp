// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/verify/verify.h"
#include "tests/core/jobs/job_fixture.h"

#include <random>

namespace cairn {
namespace {

using namespace jobtest;

/// Some sharded weights and an optimizer tensor, as one safetensors file.
class Verify : public testing::Test {
protected:
    void SetUp() override {
        CheckpointData data;
        data.path = m_folder.path() / "source";
        data.tensors.push_back(
            synthetic::cutTensor(data, "model.a", {300, 200}, synthetic::chunks({300, 200}, 1, 4)));
        data.tensors.push_back(
            synthetic::cutTensor(data, "model.b", {7, 5}, synthetic::chunks({7, 5}, 0, 3)));
        data.tensors.push_back(synthetic::cutTensor(data, "model.empty", {0, 5}, {}));
        data.tensors.push_back(synthetic::cutTensor(data, "model.scalar", {}, {Box{}}));
        m_source = Checkpoint::make(std::move(data));
    }

    Result<JobReport> consolidate(const std::string& name, std::uint64_t maxShardBytes = 0) {
        JobRequest options;
        options.output = m_folder.path() / name;
        options.maxShardBytes = maxShardBytes;
        CAIRN_TRY(const CopyPlan plan, prepareJob(m_source, options));
        RealFileOps fileOps;
        JobContext context;
        return runPlan(plan, fileOps, context, smallOptions());
    }

    Result<VerifyResult> compare(const std::filesystem::path& output,
                                 VerifyScope scope = VerifyScope::Everything) {
        CAIRN_TRY(const CheckpointPtr opened, openCheckpoint(output));
        JobContext context;
        return verifyCheckpoints(m_source, *opened, context, scope);
    }

    TemporaryFolder m_folder;
    CheckpointPtr m_source;
};

TEST_F(Verify, ARealFormatsReaderFindsEverything) {
    const auto report = consolidate("out.safetensors");
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    EXPECT_TRUE(report->verified);
    const auto result = compare(report->output);
    ASSERT_TRUE(result.has_value()) << describe(result.error());
    EXPECT_TRUE(result->verified) << firstMismatch(*result);
    EXPECT_EQ(result->compared.size(), 4U);
    JobContext context;
    const auto paper = verifyAgainstManifest(report->output, context);
    ASSERT_TRUE(paper.has_value()) << describe(paper.error());
    EXPECT_TRUE(paper->verified);
}

TEST_F(Verify, ShardsMakeAFolder) {
    const auto report = consolidate("out", 100'000);
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    EXPECT_TRUE(std::filesystem::exists(report->output / "MANIFEST.json"));
    const auto result = compare(report->output);
    ASSERT_TRUE(result.has_value()) << describe(result.error());
    EXPECT_TRUE(result->verified) << firstMismatch(*result);
    JobContext context;
    EXPECT_TRUE(verifyAgainstManifest(report->output, context)->verified);
}

TEST_F(Verify, FindsEveryFlippedBit) {
    const auto report = consolidate("out.safetensors");
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    const auto whole = readFile(report->output);
    std::mt19937 random(1);
    for (int i = 0; i < 60; ++i) {
        auto damaged = whole;
        const std::size_t at = random() % damaged.size();
        damaged[at] ^= static_cast<std::byte>(1U << random() % 8);
        writeFile(report->output, damaged);
        JobContext context;
        const auto paper = verifyAgainstManifest(report->output, context);
        ASSERT_TRUE(paper.has_value());
        EXPECT_FALSE(paper->verified) << at;
        const auto result = compare(report->output);
        const bool header = at < whole.size() - 4 * (300 * 200 + 35 + 1);
        EXPECT_TRUE(header || (result && !result->verified)) << at;
    }
}

TEST_F(Verify, FindsTruncationAndMissingFiles) {
    const auto report = consolidate("out.safetensors");
    ASSERT_TRUE(report.has_value());
    std::filesystem::resize_file(report->output, std::filesystem::file_size(report->output) - 1);
    JobContext context;
    EXPECT_FALSE(verifyAgainstManifest(report->output, context)->verified);
    std::filesystem::remove(report->output);
    EXPECT_FALSE(verifyAgainstManifest(report->output, context)->verified);
    std::filesystem::remove(report->manifest);
    EXPECT_EQ(verifyAgainstManifest(report->output, context).error().code, ErrorCode::NotFound);
}

TEST_F(Verify, KnowsNamesBehindOnePrefix) {
    CheckpointData data;
    data.tensors.push_back(synthetic::cutTensor(data, "a", {300, 200}, {Box::whole({300, 200})}));
    data.tensors.push_back(synthetic::cutTensor(data, "b", {7, 5}, {Box::whole({7, 5})}));
    const auto output = Checkpoint::make(data);
    JobContext context;
    EXPECT_TRUE(verifyCheckpoints(m_source, *output, context)->verified);
    EXPECT_FALSE(verifyCheckpoints(m_source, *output, context, VerifyScope::Everything)
                     ->verified); // two are missing
    data.tensors[1].shape = {5, 7};
    data.tensors[1].pieces[0].box = Box::whole({5, 7});
    const auto result = verifyCheckpoints(m_source, *Checkpoint::make(data), context);
    ASSERT_EQ(result->mismatches.size(), 1U);
    EXPECT_EQ(result->mismatches[0].what, "shape");
    data.tensors[1].name = "other";
    EXPECT_FALSE(verifyCheckpoints(m_source, *Checkpoint::make(data), context)->verified);
}

TEST_F(Verify, AManifestDoesNotReplaceATensorThatIsGone) {
    const auto report = consolidate("out.safetensors");
    ASSERT_TRUE(report.has_value()) << describe(report.error());
    const auto bytes = readFile(report->output);
    std::string whole(asText(bytes));
    const std::size_t name = whole.find("model.scalar");
    ASSERT_NE(name, std::string::npos);
    whole.replace(name, 12, "model.absent"); // as if another program had left out model.scalar
    ASSERT_TRUE(std::filesystem::remove(report->output));
    m_folder.write("out.safetensors", whole);
    const auto result = compare(report->output);
    ASSERT_TRUE(result.has_value()) << describe(result.error());
    EXPECT_TRUE(std::ranges::any_of(result->mismatches, [](const Mismatch& each) {
        return each.what == "missing" && each.name == "model.scalar";
    }));
}

TEST_F(Verify, AManifestWithoutFilesIsRefused) {
    m_folder.write("out.cairn.json", R"({"schema": "cairn/manifest/1", "source": {"path": "s"},
        "output": {"format": "safetensors", "files": [], "tensors": []}})");
    const auto manifest = readManifest(m_folder.path() / "out.cairn.json");
    ASSERT_FALSE(manifest);
    EXPECT_EQ(manifest.error().code, ErrorCode::JsonWrongType);
}

TEST_F(Verify, NothingComparedIsNotVerified) {
    const auto nothing = Checkpoint::make({});
    JobContext context;
    EXPECT_FALSE(verifyCheckpoints(m_source, *nothing, context)->verified);
}

TEST_F(Verify, PlanRefusesToWriteOverOrIntoTheSource) {
    std::filesystem::create_directory(m_folder.path() / "source");
    JobRequest options;
    options.output = m_folder.path() / "source" / "out.safetensors";
    EXPECT_FALSE(prepareJob(m_source, options)->runnable());
    options.output = m_folder.path() / "source";
    EXPECT_FALSE(prepareJob(m_source, options)->runnable());
    options.output = m_folder.path() / "source-out.safetensors";
    EXPECT_TRUE(prepareJob(m_source, options)->runnable());
}

} // namespace
} // namespace cairn
