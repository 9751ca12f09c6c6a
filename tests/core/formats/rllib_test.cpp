// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "tests/core/formats/format_fixture.h"

#include <gtest/gtest.h>

// What the conformance suite does not cover: roles, the step, parts, and missing files.

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
const fs::path kAlgorithm = CAIRN_SOURCE_DIR "/tests/data/rllib/checkpoint_000007";

TEST(Rllib, AnAlgorithmIsOneCheckpoint) {
    const auto opened = openCheckpoint(kAlgorithm);
    ASSERT_TRUE(opened) << describe(opened.error());
    const Checkpoint& checkpoint = **opened;
    EXPECT_EQ(checkpoint.completeness(), Completeness::Complete);
    EXPECT_EQ(trainingPosition(checkpoint).step, 3) << "not the number of the folder";
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        const bool module = tensor.name.starts_with("learner_group.learner.rl_module.");
        const bool optimizer = tensor.name.starts_with("learner_group.learner.optimizer.");
        EXPECT_EQ(tensor.role, module      ? Role::Weight
                               : optimizer ? Role::Optimizer
                                           : Role::TrainingState)
            << tensor.name;
    }
    EXPECT_TRUE(checkpoint.values()->find("learner_group.learner")->find("weights_seq_no"));
}

TEST(Rllib, AComponentIsOneToo) {
    const auto opened = openCheckpoint(kAlgorithm / "learner_group/learner/rl_module");
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_TRUE((*opened)->find("default_policy.pi.net.mlp.0.weight"));
}

TEST(Rllib, AStateThatIsNotThereIsMissed) {
    const TemporaryFolder folder;
    const fs::path copy = folder / "checkpoint_000007";
    fs::copy(kAlgorithm, copy, fs::copy_options::recursive);
    fs::remove(copy / "learner_group/learner/rl_module/default_policy/module_state.pkl");
    const auto opened = openCheckpoint(copy);
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ((*opened)->completeness(), Completeness::Incomplete);
    EXPECT_EQ((*opened)->why().front().text(),
              "learner_group/learner/rl_module/default_policy/module_state.pkl cannot be read");
    std::ofstream(copy / "learner_group/learner/metadata.json") << "{}";
    EXPECT_EQ((*openCheckpoint(copy))->why().size(), 2U);
}

} // namespace
} // namespace cairn::test
