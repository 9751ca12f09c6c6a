// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/array_plan.h"
#include "core/jobs/cluster/kubernetes_manifest.h"
#include "core/jobs/cluster/slurm_script.h"
#include "core/jobs/cluster/submission_registry.h"
#include "core/jobs/cluster/task_state.h"
#include "core/jobs/engine/output_runs.h"
#include "tests/core/jobs/job_fixture.h"

#include <algorithm>
#include <numeric>

/// The pure functions of arrays on a cluster; tests/cli/test_cluster.py runs the scripts.
namespace cairn {
namespace {

using namespace jobtest;

ArrayJob arrayOf(std::size_t items, std::size_t parts) {
    ArrayJob job;
    for (std::size_t i = 0; i < items; ++i) {
        job.items.push_back({{"consolidate", "/a b/\n'\"$(x)" + std::to_string(i), "--output=/o"},
                             std::string(64, 'a'),
                             "/o"});
    }
    job.parts = parts;
    job.leavesLastStep = true;
    return job;
}

TEST(ArrayJob, SurvivesItsDocument) {
    for (const auto& [items, parts] : {std::pair(1U, 1U), {1U, 8U}, {5U, 1U}, {3U, 4U}}) {
        const ArrayJob job = arrayOf(items, parts);
        const auto text = arrayDocument(job);
        ASSERT_TRUE(text);
        EXPECT_TRUE(std::ranges::all_of(
            *text, [](char each) { return each == '\n' || (each >= ' ' && each < 0x7f); }));
        const auto read = parseArrayJob(*text, "job");
        ASSERT_TRUE(read) << describe(read.error());
        ASSERT_EQ(read->items.size(), items);
        EXPECT_EQ(read->parts, parts);
        EXPECT_TRUE(read->leavesLastStep);
        EXPECT_EQ(read->items.back().command, job.items.back().command);
        EXPECT_EQ(read->items.back().digest, job.items.back().digest);
    }
    ArrayJob bad = arrayOf(1, 1);
    bad.items[0].command[1] = "/\xff";
    EXPECT_EQ(arrayDocument(bad).error().code, ErrorCode::BadEncoding);
    for (const char* text :
         {"", "{}", "[]", "{\"jobs\": [{}]}", "{\"command\": [\"a\"]}",
          "{\"command\": [\"a\"], \"digest\": \"\", \"parts\": 0}",
          "{\"command\": [\"a\"], \"digest\": \"\", \"parts\": -1}",
          "{\"jobs\": [{\"command\": [\"a\"], \"digest\": \"\"}, {}], \"parts\": 1}"}) {
        EXPECT_FALSE(parseArrayJob(text, "job")) << text;
    }
}

TEST(ArrayJob, NumbersItsTasks) {
    const ArrayJob job = arrayOf(3, 4);
    EXPECT_EQ(job.tasks(), 12U);
    EXPECT_EQ(taskOf(job, 1).item, 0U);
    EXPECT_EQ(taskOf(job, 4).part, (JobPart{4, 4, true}));
    EXPECT_EQ(taskOf(job, 5).item, 1U);
    EXPECT_EQ(taskOf(job, 12).part, (JobPart{4, 4, true}));
    EXPECT_EQ(taskOf(arrayOf(3, 1), 2).part, JobPart()); // a job in one part publishes itself
}

TEST(ArrayJob, NeedsAtLeastWhatIsForecast) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    Job job = randomJob(81, 40, 1, folder.path() / "out");
    job.plan.forecast.memoryBytes = std::uint64_t{100} << 20U;
    job.plan.forecast.seconds = 4000;
    const ArrayNeeds one = needsOf(job.plan, 1);
    const ArrayNeeds four = needsOf(job.plan, 4);
    EXPECT_GT(one.memoryBytes, job.plan.forecast.memoryBytes);
    EXPECT_EQ(one.memoryBytes, four.memoryBytes);
    EXPECT_NEAR(static_cast<double>(one.taskSeconds), 300 + 6 * 4000, 10); // an assumed rate
    const PartSizes sizes = partSizes(job.plan, 4);
    ASSERT_EQ(sizes.bytes.size(), 4U);
    const double share = static_cast<double>(*std::ranges::max_element(sizes.bytes)) /
                         static_cast<double>(job.plan.outputBytes());
    EXPECT_LT(share, 0.9);
    EXPECT_NEAR(static_cast<double>(four.taskSeconds), 300 + 6 * 4000 * share, 10);
    EXPECT_NEAR(static_cast<double>(four.lastSeconds), 300 + 6 * 4000, 10); // verifies all of it
    job.plan.forecast.rate.origin = RateOrigin::Measured;
    EXPECT_NEAR(static_cast<double>(needsOf(job.plan, 1).taskSeconds), 300 + 3 * 4000, 10);
}

TEST(SlurmScript, QuotesItsPaths) {
    SlurmSubmission submission{arrayOf(1, 8),
                               {std::uint64_t{3} << 30U, 61, 3600},
                               "a b\n#SBATCH x",
                               "/opt/it's/$(x)/cairn-cli",
                               "/logs \"a\" %j"};
    const auto scripts = slurmScripts(submission);
    ASSERT_TRUE(scripts) << describe(scripts.error());
    const std::string& text = scripts->array;
    for (const char* line :
         {"\n#SBATCH --job-name=cairn-a_b__SBATCH_x\n", "\n#SBATCH --mem=3072M\n",
          "\n#SBATCH --time=2\n", "\n#SBATCH --array=1-8\n", "\n#SBATCH --requeue\n",
          "\n#SBATCH --output=\"/logs \\\"a\\\" %%j/task-%a.log\"\n",
          "\n'/opt/it'\\''s/$(x)/cairn-cli' job run - --task \"$SLURM_ARRAY_TASK_ID\" "}) {
        EXPECT_NE(text.find(line), text.npos) << line << text;
    }
    EXPECT_NE(scripts->last.find("\n#SBATCH --time=60\n"), text.npos);
    EXPECT_EQ(scripts->last.find("--array"), text.npos);
    for (const char* path : {"relative", "/a\nb", "/a\\b", "/a\x7f"}) {
        SlurmSubmission other = submission;
        other.logs = path;
        EXPECT_EQ(slurmScripts(other).error().code, ErrorCode::InvalidArgument) << path;
        other = submission;
        other.program = path;
        EXPECT_FALSE(slurmScripts(other)) << path;
    }
}

TEST(TaskState, ReadsWhatSlurmPrints) {
    ReportedArray reported;
    ASSERT_TRUE(addSlurmLines("12_1|RUNNING|None\n 12_[3,5-6%2]|PENDING|Resources \n\n"
                              "13|PENDING|Dependency\n12_1.batch|FAILED|1:0\n14_1|FAILED|1:0\n",
                              "12", "13", reported));
    ASSERT_EQ(reported.tasks.size(), 4U);
    EXPECT_EQ(reported.tasks[1].state, TaskState::Running);
    EXPECT_EQ(reported.tasks[6].reason, "Resources");
    EXPECT_TRUE(reported.last && reported.last->state == TaskState::Waiting);
    EXPECT_TRUE(reported.isActive());
    // what is known stays
    ASSERT_TRUE(addSlurmLines("12_1|FAILED|1:0\n12_2|CANCELLED by 7|0:0\n", "12", "13", reported));
    EXPECT_EQ(reported.tasks[1].state, TaskState::Running);
    EXPECT_EQ(reported.tasks[2].state, TaskState::Cancelled);
    EXPECT_EQ(reported.tasks[2].reason, "");
    for (const char* text : {"x", "12_|RUNNING", "12_[1-|RUNNING", "12_3-2|RUNNING", "12_a|RUNNING",
                             "12_[0-99999999999]|RUNNING", "12_,|RUNNING"}) {
        ReportedArray other;
        const bool read = addSlurmLines(text, "12", "13", other);
        EXPECT_TRUE(!read || other.tasks.empty()) << text;
    }
    EXPECT_EQ(parseSlurmId("4711\n")->id, "4711");
    EXPECT_EQ(parseSlurmId("Hello\n4711;north\n")->cluster, "north");
    for (const char* text : {"", "Submitted batch job 7", "-3", "4711 x"}) {
        EXPECT_FALSE(parseSlurmId(text)) << text;
    }
}

TEST(Kubernetes, NamesAndVolumes) {
    EXPECT_EQ(kubernetesName("Out_put.safetensors", "0123456789"),
              "cairn-out-put-safetensors-01234567");
    EXPECT_LE(kubernetesName(std::string(300, 'x'), "0123456789").size(), 52U); // and an index
    EXPECT_TRUE(claimedVolume("data=/a=b"));
    EXPECT_EQ(claimedVolume("data=/a=b")->path, "/a=b");
    for (const char* text : {"", "=", "data=", "data=x", "DATA=/x", "-a=/x", "a:/x", "a=/x:ro"}) {
        EXPECT_FALSE(claimedVolume(text)) << text;
    }
}

TEST(SubmissionRegistry, KeepsSubmissions) {
    const TemporaryFolder folder;
    const SubmissionRegistry registry(folder.path() / "cluster");
    RealFileOps real;
    EXPECT_EQ(registry.find("").error().code, ErrorCode::NotFound);
    Submission submission;
    submission.id = "7";
    submission.last = "8";
    submission.options = {"--clusters=a/../b"};
    submission.job = arrayOf(2, 3);
    submission.taskBytes = {1, 2, 3, 4, 5, 6};
    submission.logs = "/logs";
    ASSERT_TRUE(registry.add(real, submission));
    const auto found = registry.find("8");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, "7");
    EXPECT_EQ(found->options, submission.options);
    EXPECT_EQ(found->taskBytes, submission.taskBytes);
    EXPECT_EQ(found->job.items[1].output, "/o");
    EXPECT_EQ(found->job.tasks(), 6U);
    submission.id = "9";
    ASSERT_TRUE(registry.add(real, submission));
    EXPECT_EQ(registry.find("").error().code, ErrorCode::InvalidArgument);
    const auto logs = registry.makeLogs(real, submission.job);
    ASSERT_TRUE(logs);
    EXPECT_TRUE(std::filesystem::is_directory(*logs));
    EXPECT_EQ(registry.list().size(), 2U);
}

TEST(ArrayPlan, NamesTheOutputOfEachCheckpoint) {
    ScannedCheckpoint checkpoint;
    checkpoint.name = "step_100/model.pt";
    EXPECT_EQ(outputFor("/out", checkpoint), "/out/step_100-model.pt");
    EXPECT_EQ(outputFor("/out/{step}.gguf", checkpoint), "/out/step_100-model.pt.gguf");
    checkpoint.step = 100;
    EXPECT_EQ(outputFor("/{name}/{step}.gguf", checkpoint), "/step_100-model.pt/100.gguf");
    checkpoint.name = "{step}{name}";
    EXPECT_EQ(outputFor("/{name}", checkpoint), "/{step}{name}");
}

} // namespace
} // namespace cairn
