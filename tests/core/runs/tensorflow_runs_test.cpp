// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
const fs::path kOldShards = fs::path(CAIRN_SOURCE_DIR) / "tests/data/tensorflow/old_shards";

/// Two sharded saves in the old table format, with steps 7 and 9.
void writeShards(const TemporaryFolder& folder) {
    for (const char* step : {"7", "9"}) {
        for (const char* part : {"-00000-of-00002", "-00001-of-00002"}) {
            fs::copy_file(kOldShards / (std::string("m.ckpt-7") + part),
                          folder.path() / ("m.ckpt-" + std::string(step) + part));
        }
    }
    folder.write("checkpoint", "model_checkpoint_path: \"m.ckpt-9-\?\?\?\?\?-of-00002\"\n");
}

TEST(TensorflowRuns, OldShardsAreListedAsOneCheckpoint) {
    const TemporaryFolder folder;
    writeShards(folder);
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment) << describe(experiment.error());
    ASSERT_EQ(experiment->runs.size(), 1U);
    EXPECT_TRUE(experiment->notices.empty()) << "the state file's pattern names a checkpoint";
    const auto& rows = experiment->runs[0].checkpoints;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].name, "m.ckpt-7");
    EXPECT_EQ(rows[1].name, "m.ckpt-9");
    EXPECT_EQ(rows[1].files, 2U);
    EXPECT_EQ(rows[1].pointedBy, std::vector<std::string>{"checkpoint"});
    const auto facts = examineCheckpoint(rows[1].path);
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_EQ(facts->tensors, 4U);
}

TEST(TensorflowRuns, OldShardsAreNamedByTheirPrefix) {
    const TemporaryFolder folder;
    writeShards(folder);
    const auto whole = openCheckpoint(folder.path() / "m.ckpt-7");
    ASSERT_TRUE(whole) << describe(whole.error());
    EXPECT_EQ((*whole)->tensors().size(), 4U);
    EXPECT_EQ((*whole)->completeness(), Completeness::Complete);
    EXPECT_EQ(filesOfSave(folder.path() / "m.ckpt-7"),
              (std::vector<fs::path>{folder.path() / "m.ckpt-7-00000-of-00002",
                                     folder.path() / "m.ckpt-7-00001-of-00002"}));
    fs::remove(folder.path() / "m.ckpt-7-00000-of-00002");
    const auto half = openCheckpoint(folder.path() / "m.ckpt-7");
    ASSERT_TRUE(half) << describe(half.error());
    EXPECT_EQ((*half)->completeness(), Completeness::Incomplete);
    EXPECT_FALSE(openCheckpoint(folder.path() / "m.ckpt"));
}

/// A safetensors file of zero-dimensional tensors, each 0.5.
std::string scalars(const std::vector<std::string>& names) {
    std::vector<SafetensorsTensor> tensors;
    std::string data;
    const float half = 0.5F;
    for (const std::string& name : names) {
        tensors.push_back({name, "F32", {}, 4});
        data.append(reinterpret_cast<const char*>(&half), 4);
    }
    return safetensorsFile(safetensorsHeader(tensors), data);
}

TEST(CheckpointMetrics, AreNoVariablesOfOptimizersOrLayers) {
    const TemporaryFolder folder;
    folder.write("a.safetensors",
                 scalars({"beta1_power", "heatmap", "metrics/mean/vars/0", "optimizer.loss",
                          "optimizer_weights/loss_scale_optimizer/dynamic_scale", "val_acc",
                          "val/loss", "mAP", "test-wer"}));
    const auto facts = examineCheckpoint(folder.path() / "a.safetensors");
    ASSERT_TRUE(facts) << describe(facts.error());
    std::vector<std::string> names;
    for (const auto& [name, value] : facts->metrics) {
        names.push_back(name);
    }
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"mAP", "test-wer", "val/loss", "val_acc"}));
}

} // namespace
} // namespace cairn::test
