// SPDX-License-Identifier: Apache-2.0
#include "core/model/role_decision.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace cairn {
namespace {

struct Named {
    std::string name;
    Shape shape = {4, 4};
    Dtype dtype = Dtype::Float32;
};

std::vector<TensorEntry> entries(const std::vector<Named>& all) {
    std::vector<TensorEntry> tensors;
    for (const Named& each : all) {
        TensorEntry& tensor = tensors.emplace_back();
        tensor.name = each.name;
        tensor.shape = each.shape;
        tensor.dtype = each.dtype;
        tensor.role = modelRole(each.name);
    }
    return tensors;
}

/// "optimizer", or "optimizer?" if the role was guessed from a name alone.
std::map<std::string, std::string> told(const std::vector<TensorEntry>& tensors) {
    std::map<std::string, std::string> roles;
    for (const TensorEntry& tensor : tensors) {
        roles.emplace(tensor.name, std::string(roleName(tensor.role)) +
                                       (tensor.roleBasis == RoleBasis::Name ? "?" : ""));
    }
    return roles;
}

std::map<std::string, std::string> byName(const std::vector<Named>& all) {
    std::vector<TensorEntry> tensors = entries(all);
    decideRolesByName(tensors);
    return told(tensors);
}

TEST(RoleDecision, WordsForTrainingAreModulesInABareModel) {
    for (const auto& [name, role] : byName({{"scaler.weight"},
                                            {"sampler.0.bias"},
                                            {"ema.weight", {3}},
                                            {"rng.proj.weight"},
                                            {"opt.weight"},
                                            {"callbacks.bn.running_mean"},
                                            {"encoder.weight"}})) {
        EXPECT_EQ(role, name.ends_with("running_mean") ? "buffer" : "weight") << name;
    }
    EXPECT_EQ(
        byName({{"model.0.weight"}, {"head.weight"}, {"scheduler.weight"}}).at("scheduler.weight"),
        "weight"); // no training loop has a head
}

TEST(RoleDecision, WhatOnlyOptimizersHaveTellsWithoutAModelBeside) {
    const auto roles = byName({{"encoder.weight"},
                               {"optimizer.state.0.exp_avg"},
                               {"optimizer.state.0.step", {}},
                               {"opt_state/0/mu/w"},
                               {"chained_0.optimizer.state.fp32_param.encoder.weight"}});
    EXPECT_EQ(roles.at("optimizer.state.0.exp_avg"), "optimizer");
    EXPECT_EQ(roles.at("optimizer.state.0.step"), "optimizer");
    EXPECT_EQ(roles.at("opt_state/0/mu/w"), "optimizer");
    EXPECT_EQ(roles.at("chained_0.optimizer.state.fp32_param.encoder.weight"), "optimizer");
    EXPECT_EQ(roles.at("encoder.weight"), "weight");
}

TEST(RoleDecision, BesideAModelWordsCount) {
    const auto roles = byName({{"app.model.w"},
                               {"app.opt.m.w"},
                               {"app.rng.cpu", {16}, Dtype::Uint8},
                               {"app.scheduler.last", {}}});
    EXPECT_EQ(roles.at("app.model.w"), "weight");
    EXPECT_EQ(roles.at("app.opt.m.w"), "optimizer?");
    EXPECT_EQ(roles.at("app.rng.cpu"), "rng");
    EXPECT_EQ(roles.at("app.scheduler.last"), "scheduler?");
}

TEST(RoleDecision, OneWordThatIsAModuleTellsOfTheOthers) {
    for (const auto& [name, role] : byName({{"model.weight"},
                                            {"scaler.weight"},
                                            {"ema.weight", {3}},
                                            {"opt.bias", {5}},
                                            {"rng.state", {4}, Dtype::Uint8}})) {
        EXPECT_EQ(role, "weight") << name;
    }
}

TEST(RoleDecision, ArraysOfNumbersAreNoLoopsState) {
    const auto roles = byName({{"model.w"},
                               {"scaler.mean", {3}},
                               {"scheduler.betas", {10}},
                               {"rng.state", {4}},
                               {"sampler.order", {9}, Dtype::Int64},
                               {"grad_scaler.scale", {}}});
    EXPECT_EQ(roles.at("scaler.mean"), "weight"); // a scaler of the model's input
    EXPECT_EQ(roles.at("scheduler.betas"), "weight");
    EXPECT_EQ(roles.at("rng.state"), "weight");
    EXPECT_EQ(roles.at("sampler.order"), "training_state?");
    EXPECT_EQ(roles.at("grad_scaler.scale"), "training_state?");
}

TEST(RoleDecision, DiffusionsAverageIsKnownByItsCounters) {
    std::vector<Named> names = {{"model.unet.weight"},
                                {"first_stage_model.w"},
                                {"model_ema.unetweight"},
                                {"model_ema.decay", {}}};
    EXPECT_EQ(byName(names).at("model_ema.unetweight"), "weight");
    names.push_back({"model_ema.num_updates", {}, Dtype::Int32});
    EXPECT_EQ(byName(names).at("model_ema.unetweight"), "ema");
}

TEST(RoleDecision, CopiesUnderAWordAreDoubted) {
    EXPECT_EQ(byName({{"dense/w"}, {"opt/m/dense/w"}}).at("opt/m/dense/w"), "optimizer?");
    EXPECT_EQ(byName({{"params/dense/w"}, {"x/a"}, {"ema/dense/w"}}).at("ema/dense/w"), "ema?");
    EXPECT_EQ(byName({{"dense/w"}, {"opt/m/dense/w", {4}}}).at("opt/m/dense/w"), "weight");
}

TEST(RoleDecision, PartsOfManyNamesAreComparedInLinearTime) {
    constexpr int kParts = 40'000; // takes minutes if each is compared with all others
    std::vector<Named> names;
    for (int i = 0; i < kParts; ++i) {
        const std::string number = std::to_string(i);
        names.push_back({"m" + number + ".w"});
        names.push_back({"opt" + number + ".m.m" + number + ".w"});
        names.push_back({"ema" + number + ".w"});
    }
    names.push_back({"opt" + std::string(1'000'000, '.') + "w"});
    const auto roles = byName(names);
    EXPECT_EQ(roles.at("m7.w"), "weight");
    EXPECT_EQ(roles.at("opt7.m.m7.w"), "optimizer?");
}

TEST(RoleDecision, OldJaxOptimizersHoldTheModel) {
    const auto roles = byName({{"opt/target/embedding/kernel"},
                               {"optimizer.target.bn.running_mean"},
                               {"opt/state/param_states/embedding/kernel"},
                               {"optimizer.state.param_states.w"}});
    EXPECT_EQ(roles.at("opt/target/embedding/kernel"), "weight");
    EXPECT_EQ(roles.at("optimizer.target.bn.running_mean"), "buffer");
    EXPECT_EQ(roles.at("opt/state/param_states/embedding/kernel"), "optimizer");
}

/// One dict whose keys hold the tensors of the same positions.
std::map<std::string, std::string> inDict(const std::vector<Named>& all,
                                          const std::vector<RolePart>& parts) {
    std::vector<TensorEntry> tensors = entries(all);
    decideRoles(
        parts, [](const RolePart&) { return std::vector<RolePart>(); }, tensors);
    return told(tensors);
}

TEST(RoleDecision, ADictsOwnKeysTellLoopsFromModels) {
    const std::vector<Named> names = {{"model.w"}, {"scaler.weight"}};
    const RolePart model{"model", true, false, {0}, 0};
    const RolePart scaler{"scaler", true, false, {1}, 0};
    EXPECT_EQ(inDict(names, {model, scaler}).at("scaler.weight"), "training_state?");
    // The same names as keys of one state dict.
    EXPECT_EQ(
        inDict(names, {{"model.w", false, false, {0}, 0}, {"scaler.weight", false, false, {1}, 0}})
            .at("scaler.weight"),
        "weight");
    // Two modules' state dicts.
    EXPECT_EQ(inDict(names, {{"encoder", true, false, {0}, 0}, scaler}).at("scaler.weight"),
              "weight");
    // The loop's plain values stand beside them.
    const RolePart epoch{"epoch", false, false, {}, 0};
    EXPECT_EQ(inDict(names, {{"encoder", true, false, {0}, 0}, scaler, epoch}).at("scaler.weight"),
              "training_state?");
    // A state dict whose entries are in the same dict as the loop's other parts.
    EXPECT_EQ(inDict({{"layer.w"}, {"scaler.scale", {}}},
                     {{"layer.w", false, false, {0}, 0}, {"scaler", true, false, {1}, 0}})
                  .at("scaler.scale"),
              "training_state");
}

TEST(RoleDecision, AFrameworksContainerNeedsNoOtherEvidence) {
    const std::vector<Named> names = {{"state_dict.w"}, {"callbacks.ema.weight"}};
    std::vector<RolePart> parts = {{"state_dict", true, false, {0}, 0},
                                   {"callbacks", true, false, {1}, 0}};
    EXPECT_EQ(inDict(names, parts).at("callbacks.ema.weight"), "training_state?");
    parts.push_back({"pytorch-lightning_version", false, false, {}, 0});
    EXPECT_EQ(inDict(names, parts).at("callbacks.ema.weight"), "training_state");
}

TEST(RoleDecision, SingleNumbersBesideAModelAreTheLoops) {
    const std::vector<Named> names = {{"model.w"}, {"best_loss", {}}, {"log_alpha", {}}, {"rng"}};
    const auto roles = inDict(names, {{"model", true, false, {0}, 0},
                                      {"best_loss", false, false, {1}, 0},
                                      {"log_alpha", false, false, {2}, 0},
                                      {"rng", false, false, {3}, 0}});
    EXPECT_EQ(roles.at("best_loss"), "training_state");
    EXPECT_EQ(roles.at("log_alpha"), "weight");
    EXPECT_EQ(roles.at("rng"), "weight"); // generators do not store such numbers
    // In a state dict, next to a plain value, they belong to a module.
    EXPECT_EQ(inDict({{"layer.w"}, {"loss", {}}}, {{"layer.w", false, false, {0}, 0},
                                                   {"loss", false, false, {1}, 0},
                                                   {"epoch", false, false, {}, 0}})
                  .at("loss"),
              "weight");
}

} // namespace
} // namespace cairn
