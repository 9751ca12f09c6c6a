// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/nearby_adapters.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace cairn {
namespace {

namespace fs = std::filesystem;

class NearbyAdapters : public ::testing::Test {
protected:
    void adapter(const fs::path& name, const std::string& document = R"({"peft_type": "LORA",
        "base_model_name_or_path": "org/base"})") {
        fs::create_directories(root() / name);
        std::ofstream(root() / name / "adapter_config.json") << document;
    }
    fs::path root() const { return m_folder.path(); }
    /// Relative to the test's folder.
    std::vector<std::string> names(const fs::path& checkpoint, const fs::path& run) {
        const auto found = nearbyAdapters(root() / checkpoint, run.empty() ? run : root() / run);
        EXPECT_TRUE(found);
        std::vector<std::string> names;
        for (const NearbyAdapter& each : *found) {
            names.push_back(each.path.lexically_relative(root()).string());
        }
        return names;
    }

private:
    test::TemporaryFolder m_folder;
};

using Names = std::vector<std::string>;

TEST_F(NearbyAdapters, BelowBesideAndAroundTheRun) {
    fs::create_directories(root() / "exp/run/step-1");
    adapter("exp/run/step-1/lora-in");
    adapter("exp/run/lora-beside");
    adapter("exp/run/peft/deep/er");
    adapter("exp/other/checkpoint-5");
    adapter("elsewhere/lora");
    EXPECT_EQ(names("exp/run/step-1", "exp/run"),
              (Names{"exp/run/step-1/lora-in", "exp/run/lora-beside", "exp/run/peft/deep/er",
                     "exp/other/checkpoint-5"}));
    // Of a single file the folder around it.
    std::ofstream(root() / "exp/run/model.safetensors") << "x";
    EXPECT_EQ(names("exp/run/model.safetensors", "").size(), 2U);
}

TEST_F(NearbyAdapters, TheCheckpointItselfIsNone) {
    adapter("run/step-1");
    adapter("run/step-2");
    EXPECT_EQ(names("run/step-1", "run"), Names{"run/step-2"});
    EXPECT_EQ(names("run/step-1/", "run/"), Names{"run/step-2"});
}

TEST_F(NearbyAdapters, SaysMethodAndBase) {
    adapter("run/a");
    adapter("run/b", "{");
    adapter("run/c", R"({"peft_type": 3, "base_model_name_or_path": null})");
    const auto found = nearbyAdapters(root() / "run/step-1", root() / "run");
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ((*found)[0].method, "LORA");
    EXPECT_EQ((*found)[0].base, "org/base");
    EXPECT_EQ((*found)[1].method, "");
    EXPECT_EQ((*found)[2].base, "");
}

TEST_F(NearbyAdapters, PassesOverLinksHiddenFoldersAndHugeFiles) {
    fs::create_directories(root() / "run/step-1");
    adapter("outside/lora");
    fs::create_directory_symlink(root() / "outside/lora", root() / "run/linked");
    fs::create_directory_symlink(root() / "run", root() / "run/loop");
    adapter("run/.cache/lora");
    adapter("run/huge", std::string(std::size_t{2} << 20U, ' '));
    EXPECT_EQ(names("run/step-1", "run"), Names{"outside/lora"}); // beside the run, by its own name
}

TEST_F(NearbyAdapters, IsLimited) {
    for (int i = 0; i < 50; ++i) {
        adapter("run/lora-" + std::to_string(i));
    }
    EXPECT_EQ(names("run/step-1", "run").size(), kMostNearbyAdapters);
    const CancelToken stop;
    stop.cancel();
    EXPECT_FALSE(nearbyAdapters(root() / "run/step-1", root() / "run", stop));
}

} // namespace
} // namespace cairn
