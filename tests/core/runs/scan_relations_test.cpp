// SPDX-License-Identifier: Apache-2.0
// Links, pointer files and manifests beside checkpoints: what they tell of them.
#include "core/runs/rank/ranking.h"
#include "core/runs/run_counts.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::findCheckpoint;
using test::findRun;
using test::scanned;
using test::smallSafetensors;
using test::TemporaryFolder;

TEST(Layouts, LinksCalledBestMarkWhatTheyLeadTo) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    folder.link("run/best", "step-1.safetensors");
    folder.link("run/latest", "step-2.safetensors");
    folder.link("run/notes", "/etc/hostname");
    folder.link("run/gone.safetensors", "step-9.safetensors");
    fs::create_hard_link(folder.path() / "run/step-2.safetensors",
                         folder.path() / "run/final.safetensors");
    const Experiment experiment = scanned(folder);
    const ScannedRun& run = experiment.runs.at(0);
    EXPECT_TRUE(findCheckpoint(run, "step-1.safetensors")->best);
    EXPECT_FALSE(findCheckpoint(run, "best")->best);
    EXPECT_EQ(findCheckpoint(run, "final.safetensors")->linkTo, "step-2.safetensors");
    EXPECT_EQ(findCheckpoint(run, "notes"), nullptr);
    EXPECT_EQ(findCheckpoint(run, "gone.safetensors")->state, CheckpointState::Damaged);
    EXPECT_EQ(run.bytes(), 2 * smallSafetensors().size());
}

TEST(Layouts, LinksThatRunInCirclesEndNowhere) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.link("run/best.safetensors", "best2.safetensors");
    folder.link("run/best2.safetensors", "best.safetensors");
    const Experiment experiment = scanned(folder);
    EXPECT_EQ(experiment.checkpoints(), 1U);
    EXPECT_FALSE(experiment.runs.at(0).bestIs);
}

TEST(Layouts, PointerFilesNameTheirCheckpoint) {
    const TemporaryFolder folder;
    folder.write("a/global_step20/model.safetensors", smallSafetensors());
    folder.write("a/global_step40/model.safetensors", smallSafetensors());
    folder.write("a/latest", "global_step20\n");
    folder.write("b/iter_0000100/model.safetensors", smallSafetensors());
    folder.write("b/latest_checkpointed_iteration.txt", "100");
    folder.write("c/step-1.safetensors", smallSafetensors());
    folder.write("c/latest", "step-7\n");
    const Experiment experiment = scanned(folder);
    const auto pointed = [&](const std::string& id, const std::string& name) {
        const ScannedRun* run = findRun(experiment, id);
        const ScannedCheckpoint* at = run != nullptr ? findCheckpoint(*run, name) : nullptr;
        return at != nullptr ? at->pointedBy : std::vector<std::string>{"no such checkpoint"};
    };
    EXPECT_EQ(pointed("a", "global_step20"), std::vector<std::string>{"latest"});
    EXPECT_EQ(pointed("a", "global_step40"), std::vector<std::string>{});
    EXPECT_EQ(pointed("b", "iter_0000100"),
              std::vector<std::string>{"latest_checkpointed_iteration.txt"});
    ASSERT_EQ(experiment.notices.size(), 1U);
    EXPECT_EQ(experiment.notices[0].error.found.text(), "step-7");
}

TEST(Layouts, ManifestsBesideTellOfExports) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    const auto manifest = [&](int step, bool verified) {
        return R"({"schema":"cairn/manifest/1","source":{"path":")" +
               (fs::canonical(folder.path()) / "run/step-").string() + std::to_string(step) +
               R"(.safetensors"},"output":{},"verified":)" + (verified ? "true" : "false") + "}";
    };
    folder.write("deploy/a.safetensors", smallSafetensors());
    folder.write("deploy/a.safetensors.cairn.json", manifest(1, true));
    folder.write("deploy/b/model.safetensors", smallSafetensors());
    folder.write("deploy/b/config.json", "{}");
    folder.write("deploy/b/MANIFEST.json", manifest(2, false));
    folder.write("deploy/c/MANIFEST.json", R"({"name":"somebody else's"})");
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->checkpoints[0].exports.size(), 1U);
    EXPECT_EQ(run->checkpoints[0].exports[0].path, folder.path() / "deploy/a.safetensors");
    EXPECT_TRUE(run->checkpoints[0].exports[0].verified);
    ASSERT_EQ(run->checkpoints[1].exports.size(), 1U);
    EXPECT_EQ(run->checkpoints[1].exports[0].path, folder.path() / "deploy/b");
    EXPECT_FALSE(run->checkpoints[1].exports[0].verified);
}

/// A manifest as a job writes it: the source by its name, with the sizes and times of its files.
std::string jobManifest(const fs::path& source, const std::string& job,
                        const std::string& options) {
    struct stat status {};
    EXPECT_EQ(::stat(source.c_str(), &status), 0);
    const auto time = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    return R"({"schema":"cairn/manifest/1","job":")" + job + R"(","options":{)" + options +
           R"(},"source":{"path":")" + source.filename().string() + R"(","files":[{"path":")" +
           source.filename().string() + R"(","bytes":)" + std::to_string(status.st_size) +
           R"(,"mtime_ns":)" + std::to_string(time) + R"(}]},"left_out":[],"verified":true})";
}

TEST(Exports, AnOutputWithoutTheCompleteStateIsOneUnderAnyName) {
    const TemporaryFolder folder;
    const fs::path source = folder.path() / "run/step-2.safetensors";
    for (const std::string run : {"run", "other"}) { // of the same names and sizes
        folder.write(run + "/step-1.safetensors", smallSafetensors());
        folder.write(run + "/step-2.safetensors", smallSafetensors());
        fs::last_write_time(folder.path() / run / "step-2.safetensors",
                            fs::file_time_type::clock::now() -
                                std::chrono::hours(run == "run" ? 1 : 2));
    }
    const auto add = [&](const std::string& name, const std::string& job,
                         const std::string& options) {
        folder.write("run/" + name, smallSafetensors());
        folder.write("run/" + name + ".cairn.json", jobManifest(source, job, options));
    };
    add("step-7.safetensors", "consolidate", R"("only":"weights")");
    add("out/step-8.safetensors", "cast", R"("only":"all","dtype":"bf16")");
    add("x/final.safetensors", "fold", R"("only":"all")");
    add("step-9.safetensors", "rename", R"("only":"all","dtype":"keep")");
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 2U) << "none of its own for an export";
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    for (const std::string name :
         {"step-7.safetensors", "out/step-8.safetensors", "x/final.safetensors"}) {
        const ScannedCheckpoint* output = findCheckpoint(*run, name);
        ASSERT_NE(output, nullptr) << name;
        EXPECT_TRUE(output->isExport) << name;
        EXPECT_EQ(output->exportOf.value, "step-2.safetensors") << name;
        EXPECT_TRUE(output->exportOf.isAtLeast(Strength::Proven)) << name;
    }
    const ScannedCheckpoint* renamed = findCheckpoint(*run, "step-9.safetensors");
    ASSERT_NE(renamed, nullptr);
    EXPECT_FALSE(renamed->isExport) << "it holds everything";
    EXPECT_FALSE(renamed->exportOf);
    EXPECT_EQ(savesOf(*run), 3U);
    EXPECT_EQ(experiment.checkpoints(), 5U);
    EXPECT_EQ(findCheckpoint(*run, "step-2.safetensors")->exports.size(), 4U);
    EXPECT_TRUE(
        findCheckpoint(*findRun(experiment, "other"), "step-2.safetensors")->exports.empty())
        << "equal names do not decide";
}

TEST(Exports, WithoutItsSourceItIsStillNoCheckpointOfTheTraining) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    folder.write("run/step-3.safetensors", smallSafetensors());
    folder.write("run/step-3.safetensors.cairn.json",
                 jobManifest(folder.path() / "run/step-2.safetensors", "consolidate",
                             R"("only":"weights")"));
    folder.write(
        "run/step-2.safetensors",
        test::safetensorsFile({test::byteTensor("v"), test::byteTensor("w")})); // saved again since
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    const ScannedCheckpoint* output = findCheckpoint(*run, "step-3.safetensors");
    ASSERT_NE(output, nullptr);
    EXPECT_EQ(output->exportOf.value, "");
    EXPECT_TRUE(output->exportOf.isAtLeast(Strength::Recorded));
    EXPECT_TRUE(findCheckpoint(*run, "step-2.safetensors")->latest);
    EXPECT_EQ(savesOf(*run), 2U);
}

TEST(Exports, APointerDoesNotNameThem) {
    const TemporaryFolder folder;
    folder.write("a/step-1.safetensors", smallSafetensors());
    for (const char* name : {"a/step-7.safetensors", "a/step-9.safetensors"}) {
        folder.write(name, smallSafetensors());
        folder.write(name + std::string(".cairn.json"),
                     jobManifest(folder.path() / "a/step-1.safetensors", "consolidate",
                                 R"("only":"weights")"));
    }
    folder.write("a/latest", "step-7\n");
    folder.write("a/latest_checkpointed_iteration.txt", "9");
    EXPECT_EQ(scanned(folder).notices.size(), 2U) << "both were removed";
    folder.write("a/step-7.safetensors.cairn.json", "{}");
    EXPECT_EQ(scanned(folder).notices.size(), 1U);
}

TEST(Layouts, OutputsNamedAfterTheirSourceBelongToItsRun) {
    const TemporaryFolder folder;
    folder.write("a/step-1.safetensors", smallSafetensors());
    folder.write("a/step-10.safetensors", smallSafetensors());
    folder.write("a/deploy/a-step-10.safetensors", smallSafetensors());
    folder.write("a/deploy/a-step-10-2/model.safetensors", smallSafetensors());
    folder.write("a/deploy/a-step-10-2/config.json", "{}");
    folder.write("a/merged/step-77.safetensors", smallSafetensors()); // of another training
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 2U);
    const ScannedRun* run = findRun(experiment, "a");
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->checkpoints.size(), 4U);
    const ScannedCheckpoint* output = findCheckpoint(*run, "deploy/a-step-10.safetensors");
    ASSERT_NE(output, nullptr);
    EXPECT_TRUE(output->isExport);
    EXPECT_NE(findRun(experiment, "a/merged"), nullptr);
}

TEST(Layouts, TheCacheOfTheHubListsItsSnapshotsOnly) {
    const TemporaryFolder folder;
    const std::string model = "models--org--name/";
    folder.write(model + "blobs/0a1b2c3d", smallSafetensors());
    folder.write(model + "blobs/4e5f", "{}");
    folder.write(model + "refs/main", "abc");
    fs::create_directories(folder.path() / (model + "snapshots/abc"));
    const auto link = [&](const char* blob, const char* name) {
        fs::create_symlink(fs::path("../../blobs") / blob,
                           folder.path() / (model + "snapshots/abc") / name);
    };
    link("0a1b2c3d", "model.safetensors");
    link("4e5f", "config.json");
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    EXPECT_EQ(experiment.runs.front().id, model + "snapshots");
    ASSERT_EQ(experiment.runs.front().checkpoints.size(), 1U);
    EXPECT_EQ(experiment.runs.front().checkpoints.front().name, "abc");
}

} // namespace
} // namespace cairn
