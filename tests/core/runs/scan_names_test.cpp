// SPDX-License-Identifier: Apache-2.0
// What names alone tell.
#include "core/model/names/file_names.h"
#include "core/runs/scan/scan_names.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(ScanNames, PointerTextIsOneNameOrNothing) {
    EXPECT_EQ(pointerTarget("global_step20\n"), "global_step20");
    EXPECT_EQ(pointerTarget("/data/run/step-5/\n"), "step-5");
    EXPECT_EQ(pointerTarget("model_checkpoint_path: \"ckpt-5\"\nall_model_checkpoint_paths: x"),
              "ckpt-5");
    EXPECT_EQ(pointerTarget("{\"a\": 1}"), "");
    EXPECT_EQ(pointerTarget(std::string_view("PK\x03\x04\x00", 5)), "");
    EXPECT_EQ(pointerTarget(".."), "");
    EXPECT_EQ(pointerTarget(""), "");
}

TEST(ScanNames, StateFilesAreNoCheckpoints) {
    for (const char* name :
         {"random_states_0.pkl", "rng_state_12.pth", "rng_state.pth", "scheduler.bin",
          "scheduler_1.bin", "scaler.pt", "training_args.bin",
          "rl_model_replay_buffer_100_steps.pkl", "rl_model_vecnormalize_100_steps.pkl",
          "vec_normalize.pkl", "tuner.pkl", "trainer.pkl"}) {
        EXPECT_TRUE(isStateFile(name)) << name;
    }
    for (const char* name :
         {"model.pt", "scheduler", "noise_scheduler_net.pt", "rng_state_x.pth", "optimizer.pt",
          "vecnormalized.pkl", "replay_buffer.pt", "tuner.pt", "my_tuner.pkl"}) {
        EXPECT_FALSE(isStateFile(name)) << name;
    }
}

TEST(ScanNames, BestStandsAlone) {
    EXPECT_TRUE(isBestName("best"));
    EXPECT_TRUE(isBestName("model_best.pth"));
    EXPECT_TRUE(isBestName("checkpoint-best-0.17"));
    EXPECT_FALSE(isBestName("bestow.pt"));
    EXPECT_FALSE(isBestName("best_effort.pt"));
    EXPECT_FALSE(isBestName("asbestos"));
}

} // namespace
} // namespace cairn
