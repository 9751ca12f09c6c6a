// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/model/tensor_reader.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/core/formats/format_fixture.h"

#include <gtest/gtest.h>

// What the conformance suite does not cover: roles, the step and the fields of models, and missing
// files.

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
const fs::path kModels = CAIRN_SOURCE_DIR "/tests/data/stable_baselines3";

CheckpointPtr openedModel(const fs::path& path) {
    auto opened = openCheckpoint(path);
    EXPECT_TRUE(opened) << (opened ? "" : describe(opened.error()));
    return opened ? *opened : nullptr;
}

TEST(StableBaselines3, AModelIsOneCheckpoint) {
    const CheckpointPtr model = openedModel(kModels / "sac.zip");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->framework(), "stable-baselines3");
    EXPECT_EQ(model->files().size(), 1U) << "the zip itself";
    EXPECT_EQ(trainingPosition(*model).step, 12);
    for (const TensorEntry& tensor : model->tensors()) {
        const bool optimizer = tensor.name.find("optimizer.state.") != std::string::npos;
        EXPECT_EQ(tensor.role, optimizer ? Role::Optimizer : Role::Weight) << tensor.name;
    }
    EXPECT_TRUE(model->find("pytorch_variables.log_ent_coef"));
    const auto values = model->values();
    ASSERT_TRUE(values);
    const Value* data = values->find("data");
    ASSERT_NE(data, nullptr);
    EXPECT_NE(data->find("gamma"), nullptr);
    EXPECT_NE(data->find("observation_space")->find(":serialized:"), nullptr) << "as text";
    EXPECT_EQ(*values->find("_stable_baselines3_version")->asString(), "2.9.2");
}

TEST(StableBaselines3, TheUnpackedFolderIsTheSame) {
    const CheckpointPtr packed = openedModel(kModels / "dqn.zip");
    const CheckpointPtr folder = openedModel(kModels / "unpacked");
    ASSERT_TRUE(packed && folder);
    ASSERT_EQ(packed->tensors().size(), folder->tensors().size());
    EXPECT_EQ(trainingPosition(*folder).step, 20);
    for (const TensorEntry& tensor : packed->tensors()) {
        const auto other = folder->find(tensor.name);
        ASSERT_TRUE(other) << tensor.name;
        EXPECT_EQ(sha256Of(*packed, tensor), sha256Of(*folder, folder->tensor(*other)));
    }
}

TEST(StableBaselines3, WhatIsBrokenIsSaid) {
    const TemporaryFolder folder;
    fs::copy(kModels / "unpacked", folder.path() / "model");
    fs::resize_file(folder.path() / "model/policy.optimizer.pth", 900);
    const CheckpointPtr model = openedModel(folder.path() / "model");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->completeness(), Completeness::Incomplete);
    EXPECT_FALSE(model->why().empty());
    EXPECT_TRUE(model->find("policy.q_net.q_net.0.weight"));
    fs::resize_file(folder.path() / "model/data", 100);
    EXPECT_EQ(openedModel(folder.path() / "model")->why().size(), 2U);

    const auto packed = openCheckpoint(
        folder.write("packed.zip", buildZip({deflatedEntry("policy.pth", std::string(500, 'x')),
                                             stored("_stable_baselines3_version", "2.9.2")})));
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code, ErrorCode::Unsupported);
    const auto none = openCheckpoint(folder.write(
        "none.zip",
        buildZip({stored("policy.pth.txt", "x"), stored("_stable_baselines3_version", "2.9.2")})));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotACheckpoint);
}

TEST(StableBaselines3, AnArchiveBesideAFileIsNotMeantByTheFolder) {
    const TemporaryFolder folder;
    fs::copy(kModels / "unpacked/policy.pth", folder.path() / "net.pth");
    folder.write("images.zip", buildZip({stored("a.png", "x")}));
    EXPECT_TRUE(openedModel(folder.path()));
    fs::remove(folder.path() / "net.pth");
    fs::copy(kModels / "dqn.zip", folder.path() / "images.zip",
             fs::copy_options::overwrite_existing);
    EXPECT_TRUE(openedModel(folder.path())) << "the only one there";
}

} // namespace
} // namespace cairn::test
