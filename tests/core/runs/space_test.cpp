// SPDX-License-Identifier: Apache-2.0
// Every byte below a folder is counted once, for the checkpoint that it belongs to.
#include "core/runs/retention/space.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <map>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::smallSafetensors;
using test::TemporaryFolder;

SpaceTree measured(const fs::path& path) {
    const auto experiment = scanExperiment(path);
    EXPECT_TRUE(experiment);
    auto tree = measureSpace(*experiment);
    EXPECT_TRUE(tree) << describe(tree.error());
    return std::move(*tree);
}

const SpaceNode& nodeOf(const SpaceTree& tree, const fs::path& path) {
    const auto at = tree.find(path);
    EXPECT_TRUE(at) << path;
    return tree.nodes[at.value_or(0)];
}

std::uint64_t sizeBelow(const fs::path& path) {
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        bytes += entry.is_regular_file() && !entry.is_symlink() ? entry.file_size() : 0;
    }
    return bytes;
}

/// Sums, order and relations of a tree.
void check(const SpaceTree& tree) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const SpaceNode& node = tree.nodes[i];
        std::uint64_t sum = 0;
        std::uint64_t before = UINT64_MAX;
        for (std::uint32_t k = 0; k < node.childCount; ++k) {
            const SpaceNode& child = tree.nodes[node.firstChild + k];
            EXPECT_EQ(child.parent, i);
            EXPECT_LE(child.bytes, before);
            before = child.bytes;
            sum += child.bytes;
        }
        EXPECT_TRUE(node.childCount == 0 || sum == node.bytes) << node.name;
    }
}

TEST(Space, CountsEveryFileOfEveryCheckpoint) {
    const TemporaryFolder folder;
    folder.write("run/step-1/model.safetensors", smallSafetensors());
    folder.write("run/step-1/notes/readme.txt", "12345");
    folder.write("run/step-2/model.safetensors", smallSafetensors());
    folder.write("run/train.log", std::string(1000, 'x'));
    const SpaceTree tree = measured(folder.path());
    check(tree);
    EXPECT_EQ(tree.root().bytes, sizeBelow(folder.path()));
    EXPECT_EQ(tree.root().checkpoints, 2U);
    EXPECT_EQ(nodeOf(tree, folder / "run").kind, SpaceKind::Run);
    EXPECT_EQ(nodeOf(tree, folder / "run/step-1").bytes, sizeBelow(folder / "run/step-1"));
    EXPECT_EQ(nodeOf(tree, folder / "run/step-1").files, 2U);
    const auto largest = largestOf(tree, 0, 10);
    ASSERT_EQ(largest.size(), 3U);
    EXPECT_EQ(tree.pathOf(largest[0]), folder / "run/train.log");
    EXPECT_TRUE(tree.nodes[largest[0]].other);
    EXPECT_EQ(tree.nodes[largest[1]].kind, SpaceKind::Checkpoint);
    const auto files = largestOf(tree, largest[1], 10);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(tree.pathOf(files[0]), folder / "run/step-1/model.safetensors");
    EXPECT_EQ(tree.pathOf(files[1]), folder / "run/step-1/notes/readme.txt");
}

TEST(Space, LearnsTheRolesLater) {
    const TemporaryFolder folder;
    folder.write("step-1/model.safetensors", smallSafetensors());
    auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    auto tree = measureSpace(*experiment);
    ASSERT_TRUE(tree);
    EXPECT_FALSE(updateRoles(*tree, *experiment));
    experiment->runs[0].checkpoints[0].roles.weights = 7;
    EXPECT_TRUE(updateRoles(*tree, *experiment));
    EXPECT_EQ(tree->saves[0].roles.weights, 7U);
    EXPECT_FALSE(updateRoles(*tree, *experiment));
}

TEST(Space, CountsHardLinksOnceAndForTheCheckpoint) {
    const TemporaryFolder folder;
    const auto file = folder.write("run/step-1/model.safetensors", smallSafetensors());
    const std::uint64_t size = fs::file_size(file);
    folder.write("run/step-2/model.safetensors", smallSafetensors());
    fs::create_directories(folder / "backup");
    fs::create_hard_link(file, folder / "backup/copy.dat");
    fs::create_directories(folder / "run/step-3");
    fs::create_hard_link(file, folder / "run/step-3/model.safetensors");
    const SpaceTree tree = measured(folder.path());
    check(tree);
    EXPECT_EQ(tree.root().bytes, 2 * size);
    EXPECT_EQ(tree.root().shared, 2 * size);
    EXPECT_EQ(nodeOf(tree, folder / "run/step-1").bytes, size);
    EXPECT_EQ(nodeOf(tree, folder / "run/step-3").bytes, 0U);
    EXPECT_EQ(nodeOf(tree, folder / "run/step-3").shared, size);
}

TEST(Space, LinksTakeNothingButWhatACheckpointReadsThroughThem) {
    const TemporaryFolder folder; // as the cache of the Hugging Face hub
    const std::string hash(64, 'a');
    const std::string revision = "models--a--b/snapshots/" + std::string(40, '9');
    const auto blob = folder.write("models--a--b/blobs/" + hash, smallSafetensors());
    folder.link(revision + "/model.safetensors", "../../blobs/" + hash);
    folder.write("run/step-1/model.safetensors", smallSafetensors());
    folder.link("run/latest", "step-1");
    const SpaceTree tree = measured(folder.path());
    check(tree);
    EXPECT_EQ(tree.root().bytes, 2 * fs::file_size(blob));
    const auto& snapshot = nodeOf(tree, folder / revision);
    EXPECT_EQ(snapshot.bytes, fs::file_size(blob));
    EXPECT_EQ(tree.find(folder / "run/latest"), std::nullopt);
}

TEST(Space, ASaveOfSeveralFilesIsOneCheckpoint) {
    const fs::path sample = fs::path(CAIRN_SOURCE_DIR) / "resources/sample/experiment";
    const SpaceTree tree = measured(sample);
    check(tree);
    EXPECT_EQ(tree.root().bytes, sizeBelow(sample));
    const SpaceNode& save = nodeOf(tree, sample / "tiny-gru-tf/ckpt-120");
    EXPECT_EQ(save.files, 2U);
    EXPECT_EQ(save.bytes, fs::file_size(sample / "tiny-gru-tf/ckpt-120.index") +
                              fs::file_size(sample / "tiny-gru-tf/ckpt-120.data-00000-of-00001"));
    EXPECT_TRUE(fs::exists(tree.pathOf(save.firstChild)));
    const SpaceTree alone = measured(sample / "tiny-gru-tf/ckpt-120");
    EXPECT_EQ(alone.root().bytes, save.bytes);
    EXPECT_EQ(alone.root().kind, SpaceKind::Checkpoint);
    EXPECT_TRUE(fs::exists(alone.pathOf(alone.root().firstChild)));
}

TEST(Space, OneFileOneFolderAndNothing) {
    const TemporaryFolder folder;
    const auto file = folder.write("model.safetensors", smallSafetensors());
    const SpaceTree single = measured(file);
    EXPECT_EQ(single.root().bytes, fs::file_size(file));
    ASSERT_EQ(largestOf(single, 0, 10).size(), 1U);
    EXPECT_EQ(single.pathOf(0), file);
    fs::create_directories(folder / "empty");
    const SpaceTree empty = measured(folder / "empty");
    EXPECT_EQ(empty.nodes.size(), 1U);
    EXPECT_TRUE(largestOf(empty, 0, 10).empty());
    CancelToken cancel;
    cancel.cancel();
    const auto stopped = measureSpace(*scanExperiment(folder.path()), cancel);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn
