// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/file_names.h"
#include "core/model/names/optimizer_words.h"
#include "core/model/names/position.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <gtest/gtest.h>

namespace {

using namespace cairn;
using names::Meaning;
using names::means;

TEST(Names, AreSplitIntoWordsAndNumbers) {
    EXPECT_EQ(names::wordsOf("train_DataLoader.0.state"),
              (std::vector<std::string>{"train", "dataloader", "state"}));
    EXPECT_EQ(names::wordsOf("--"), std::vector<std::string>{});
    EXPECT_EQ(names::wordBefore("global_Step=5", 12), "step");
    EXPECT_EQ(names::wordBefore("5", 0), "");
    EXPECT_EQ(names::digitRuns("a12-3").size(), 2U);
    EXPECT_EQ(names::digitRuns("a12-3").back().begin, 4U);
    EXPECT_EQ(names::decimal("007"), 7);
    EXPECT_FALSE(names::decimal("99999999999999999999"));
    EXPECT_EQ(names::withoutNumber("optimizer_1"), "optimizer");
    EXPECT_EQ(names::withoutNumber("optimizer1"), "optimizer1");
    EXPECT_TRUE(names::isSeparateWord("model_best.pth", "best"));
    EXPECT_FALSE(names::isSeparateWord("asbestos", "best"));
}

TEST(Names, OptimizerStates) {
    const struct {
        const char* name;
        const char* optimizer;
        const char* parameter;
        const char* state;
    } cases[] = {
        {"optimizer.state.0.exp_avg", "optimizer.state", "0", "exp_avg"},
        {"state.12.step", "state", "12", "step"},
        {"optim.state.0.weight.exp_avg_sq", "optim.state", "0.weight", "exp_avg_sq"},
        {"a.optimizer.x.state.state.3.exp_avg", "a.optimizer.x.state.state", "3", "exp_avg"},
        {"state.optimizer.state.state.w.step", "state.optimizer.state.state", "w", "step"},
        {"optimizer.state.exp_avg.attention.v", "optimizer.state", "attention.v", "exp_avg"},
        {"layers.0.weight.exp_avg", "", "layers.0.weight", "exp_avg"},
        {"opt_state.0.nu.params.mu.kernel", "opt_state.0", "params.mu.kernel", "nu"},
        {"opt_state/0/count", "opt_state/0", "", "count"},
        {"d/kernel/.OPTIMIZER_SLOT/adam/v/.ATTRIBUTES/VARIABLE_VALUE", "adam", "d/kernel", "v"},
    };
    for (const auto& each : cases) {
        const auto found = names::stateName(each.name);
        ASSERT_TRUE(found) << each.name;
        EXPECT_EQ(found->optimizer, each.optimizer) << each.name;
        EXPECT_EQ(found->parameter, each.parameter) << each.name;
        EXPECT_EQ(found->word->text, each.state) << each.name;
    }
    for (const char* name : {"", "optimizer", "optimizer.vars.0", "optimizer.state.0.absmax1",
                             "model.layers.v", "model.opt.v", "/.OPTIMIZER_SLOT/", "."}) {
        EXPECT_FALSE(names::stateName(name)) << name;
    }
}

TEST(Names, OneWordMayMeanSeveralThings) {
    EXPECT_TRUE(means("checkpoint", Meaning::Step));
    EXPECT_TRUE(means("checkpoint", Meaning::Save));
    EXPECT_FALSE(means("step", Meaning::Save));
    EXPECT_TRUE(means("ep", Meaning::Epoch));
    EXPECT_FALSE(means("ep", Meaning::Position));    // "ep3" may be an episode's folder
    EXPECT_FALSE(means("batch", Meaning::Position)); // "batch_32" is a setting
    EXPECT_TRUE(means("rank", Meaning::Part));
    EXPECT_TRUE(means("layer", Meaning::Layer));
    EXPECT_FALSE(means("", Meaning::Data));
    EXPECT_FALSE(means("zz", Meaning::Data));
}

TEST(Names, OfRolesAreOneTable) {
    EXPECT_EQ(names::roleOfKey("optimizer_states"), Role::Optimizer);
    EXPECT_EQ(names::roleOfKey("rng_state_1"), Role::Rng);
    EXPECT_FALSE(names::roleOfKey("trainer")); // a module may be called so
    EXPECT_EQ(names::roleOfFile("trainer"), Role::TrainingState);
    EXPECT_EQ(names::roleOfFile("optimizer_1"), Role::Optimizer);
    EXPECT_FALSE(names::roleOfFile("callbacks"));
    EXPECT_TRUE(names::isNeverAlone("random_states_0"));
    EXPECT_FALSE(names::isNeverAlone("train_state")); // the name of a complete JAX state
    EXPECT_TRUE(names::isModelKey("state_dict"));
    EXPECT_TRUE(names::isAverageKey("Params_EMA"));
    EXPECT_TRUE(names::isTrainingKey("dino_loss"));
    EXPECT_TRUE(names::namesAMeasure("best_acc1"));
    EXPECT_FALSE(names::namesAMeasure("accumulate"));
    EXPECT_TRUE(names::namesACurve("train_loss_history"));
}

TEST(Position, NumbersOfOtherLoopsAndNetworks) {
    EXPECT_EQ(positionFromName("ema_0.9999_010000.pt").step, 10'000);
    EXPECT_EQ(positionFromName("opt010000.pt").step, 10'000);
    EXPECT_EQ(positionFromName("model010000.pt").step, 10'000);
    EXPECT_EQ(positionFromName("net_g_5000.pth").step, 5000);
    // Numbers of ranks and parts are not steps.
    for (const char* name : {"model0-mp2.safetensors", "pt_model_0_of_2.pt", "ckpt_0_of_10.pt",
                             "model_rank_3.pt", "checkpoint_tp1.pt", "model-rank-0-part-1.pt"}) {
        EXPECT_FALSE(positionFromName(name).step) << name;
    }
    EXPECT_EQ(positionFromName("step_100_rank_3.pt").step, 100);
    EXPECT_EQ(positionFromName("checkpoint_epoch_3_of_10.pt").epoch, 3);
    EXPECT_EQ(positionFromName("step_5_of_10.pt").step, 5);
    EXPECT_EQ(positionFromName("10epoch.pth").epoch, 10);
    EXPECT_EQ(positionFromName("5000steps.pt").step, 5000);
    EXPECT_EQ(positionFromName("checkpoint-17.pth.tar").step, 17);
    EXPECT_TRUE(positionFromName("checkpoint-17.pth.tar").mayCountSaves);
    EXPECT_FALSE(positionFromName("step-17.pt").mayCountSaves);
    EXPECT_EQ(positionFromName("rl_model_256_steps.zip").step, 256);
}

TEST(Position, TwoNumbersAfterASaveAreNone) {
    // fairseq's epoch and update; either number may be another tool's step, or a part.
    for (const char* name :
         {"checkpoint_1_4.pt", "checkpoint-2-400.pt", "ckpt_1_2", "model_3_7.pth"}) {
        EXPECT_FALSE(positionFromName(name).step) << name;
        EXPECT_FALSE(positionFromName(name).epoch) << name;
    }
    EXPECT_EQ(positionFromName("checkpoint_5_0.123.pt").step, 5);
    EXPECT_EQ(positionFromName("checkpoint_epoch_2_5000.pt").epoch, 2);
    EXPECT_EQ(positionFromName("step_100_2.pt").step, 100);
    EXPECT_EQ(positionFromName("checkpoint-500-v1.ckpt").step, 500);
}

TEST(Position, DatesAndNegativeNumbersAreNone) {
    for (const char* name :
         {"model_2026-11-01_10-00.pt", "model_20261101.pt", "ckpt_20261101_100059.pt",
          "checkpoint-01-11-2026.pt", "model_1764288000.pt", "step_-100.pt", "step=-100.pt",
          "model_v2.pt", "model-1.5.pt", "20261101.pt", "model_20261101103059.pt"}) {
        EXPECT_FALSE(positionFromName(name).step) << name;
        EXPECT_FALSE(positionFromName(name).epoch) << name;
    }
    EXPECT_EQ(positionFromName("step_20261101.pt").step, 20'261'101);
    EXPECT_EQ(positionFromName("2026-11-01_10-00_step_300.pt").step, 300);
    EXPECT_EQ(positionFromName("model_2026-11-01_epoch_3.pt").epoch, 3);
    EXPECT_EQ(positionFromName("epoch-12-step-10-2000.pt").epoch, 12);
}

TEST(Names, OfFilesTellWhatTheyAre) {
    EXPECT_TRUE(looksTemporary("step-5.tmp"));
    EXPECT_FALSE(looksTemporary("step-5"));
    EXPECT_TRUE(isPositionFolder("global_step20"));
    EXPECT_TRUE(isPositionFolder("Epoch-3"));
    EXPECT_FALSE(isPositionFolder("model_7b"));
    EXPECT_FALSE(isPositionFolder("batch_32"));
    EXPECT_TRUE(isArrayOfData("train_metrics.npz"));
    EXPECT_TRUE(isArrayOfData("train.pkl.gz"));
    EXPECT_FALSE(isArrayOfData("params.pkl.gz"));
    EXPECT_FALSE(isArrayOfData("embeddings.npy"));
    EXPECT_FALSE(isArrayOfData("train_shard_0.npz"));
    EXPECT_EQ(positionFromName("step_10k").step, 10'000);
    EXPECT_EQ(positionFromName("model.safetensors").step, std::nullopt);
}

} // namespace
