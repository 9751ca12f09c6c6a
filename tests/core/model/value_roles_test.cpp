// SPDX-License-Identifier: Apache-2.0
#include "core/model/role_decision.h"
#include "core/model/value_roles.h"
#include "tests/support/growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// Values with tensors in them, whose entries have the role of model weights so far.
class Tree {
public:
    Value tensor(const std::string& name, Shape shape = {2, 3}) {
        TensorEntry entry;
        entry.name = name;
        entry.shape = std::move(shape);
        entry.role = modelRole(name);
        m_tensors.push_back(std::move(entry));
        return TensorIndex(m_tensors.size() - 1);
    }
    /// A state dict with a weight and a running mean.
    Value model(const std::string& prefix) {
        return Value::dict(
            {{"w", tensor(prefix + ".w")}, {"running_mean", tensor(prefix + ".running_mean", {3})}},
            "collections.OrderedDict");
    }
    Value optimizer(const std::string& prefix) {
        Value moments = Value::dict({{"exp_avg", tensor(prefix + ".state.0.exp_avg")}});
        Value group = Value::dict({{"lr", 0.1}, {"params", Value::list({std::int64_t{0}})}});
        return Value::dict({{"state", Value::dict({{std::int64_t{0}, moments}})},
                            {"param_groups", Value::list({group})}});
    }
    /// Roles by name after refineRoles().
    std::map<std::string, Role> roles(const Value& root) {
        refineRoles(root, m_tensors);
        std::map<std::string, Role> found;
        for (const TensorEntry& tensor : m_tensors) {
            found.emplace(tensor.name, tensor.role);
        }
        return found;
    }
    /// Whether its role was guessed from a name alone, which plans say. After roles().
    [[nodiscard]] bool isByName(std::string_view name) const {
        const auto at = std::ranges::find(m_tensors, name, &TensorEntry::name);
        return at != m_tensors.end() && at->roleBasis == RoleBasis::Name;
    }

private:
    std::vector<TensorEntry> m_tensors;
};

TEST(ValueRoles, TheStatesOfOptaxAreKnownByTheirClass) {
    Tree tree;
    const auto state = [&](const std::string& name, const char* type) {
        return Value::object(type, {{Value("args"), Value::list({tree.tensor(name)})}});
    };
    const Value root = Value::list(
        {tree.model("0"), Value::list({state("1.mu", "optax._src.transform.ScaleByAdamState"),
                                       state("1.other", "optax._src.base.Thing"),
                                       state("1.own", "mine.optax.ScaleByAdamState")})});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("0.w"), Role::Weight);
    EXPECT_EQ(roles.at("1.mu"), Role::Optimizer);
    EXPECT_EQ(roles.at("1.other"), Role::Weight);
    EXPECT_EQ(roles.at("1.own"), Role::Weight);
}

TEST(ValueRoles, AnOptimizerIsKnownByItsShape) {
    Tree alone;
    EXPECT_EQ(alone.roles(alone.optimizer("")).at(".state.0.exp_avg"), Role::Optimizer);

    Tree tree;
    const Value root =
        Value::container({ValueKind::Tuple,
                          {},
                          {{{}, tree.model("0")},
                           {{}, Value::dict({{"g_optim", tree.optimizer("1.g_optim")}})},
                           {{}, Value::dict({{"state", tree.model("2.state")}})}}});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("1.g_optim.state.0.exp_avg"), Role::Optimizer);
    EXPECT_EQ(roles.at("0.w"), Role::Weight);
    EXPECT_EQ(roles.at("2.state.w"), Role::Weight); // `state` alone is not an optimizer
    EXPECT_EQ(roles.at("2.state.running_mean"), Role::Buffer);
}

TEST(ValueRoles, AnOptimizerObjectIsOne) {
    Tree tree;
    const Value dict = tree.optimizer("opt_a");
    const Value root = Value::dict({{"a", Value::object("torch.optim.adamw.AdamW", dict.items())}});
    EXPECT_EQ(tree.roles(root).at("opt_a.state.0.exp_avg"), Role::Optimizer);
}

TEST(ValueRoles, GroupsAreListsOfDictsWithParameters) {
    const Value state = Value::dict({});
    const auto of = [&](Value groups) {
        return isOptimizerState(
            Value::dict({{"state", state}, {"param_groups", std::move(groups)}}));
    };
    EXPECT_TRUE(of(Value::list({Value::dict({{"params", Value::list({})}})})));
    EXPECT_FALSE(of(Value::list({}))); // an optimizer always has parameter groups
    EXPECT_FALSE(of(Value::list({std::int64_t{1}})));
    EXPECT_FALSE(of(Value::list({Value::dict({{"lr", 0.1}})})));
    EXPECT_FALSE(of(Value("text")));
    EXPECT_FALSE(isOptimizerState(Value::dict({{"state", state}})));
}

TEST(ValueRoles, AModelBesideNoGroupsIsNoOptimizer) {
    Tree tree;
    const Value root =
        Value::dict({{"state", tree.model("state")}, {"param_groups", Value::list({})}});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("state.w"), Role::Weight);
    EXPECT_EQ(roles.at("state.running_mean"), Role::Buffer);
}

TEST(ValueRoles, SharedGroupsAreLookedAtOnce) {
    const auto seconds = [](const Value& root) {
        Tree tree;
        const Value both = Value::list({root, tree.tensor("w")});
        return test::processorSeconds([&] { EXPECT_EQ(tree.roles(both).at("w"), Role::Weight); });
    };
    const auto optimizers = [](std::size_t count, const Value& groups) {
        const Value state = Value::dict({});
        std::vector<Value> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(Value::dict({{"state", state}, {"param_groups", groups}}));
        }
        return Value::list(std::move(all));
    };
    const Value group = Value::dict({{"params", Value::list({})}});
    EXPECT_LT(test::growth(8'000,
                           [&](std::size_t count) {
                               return seconds(optimizers(
                                   count, Value::list(std::vector<Value>(count, group))));
                           }),
              test::kLinear);

    EXPECT_LT(
        test::growth(
            8'000,
            [&](std::size_t count) {
                std::vector<ValueItem> wide;
                for (std::size_t i = 0; i < count; ++i) {
                    wide.push_back({"p" + std::to_string(i), std::int64_t{0}});
                }
                wide.push_back({"params", Value::list({})});
                const Value groups =
                    Value::list(std::vector<Value>(count, Value::dict(std::move(wide))));
                return seconds(Value::dict({{"state", Value::dict({})}, {"param_groups", groups}}));
            }),
        test::kLinear);
}

TEST(ValueRoles, AnAverageBesideItsModelIsNoWeight) {
    for (const char* name : {"ema", "params_ema", "swa_model", "model_avg", "g_ema",
                             "swa_state_dict", "averaged_state_dict", "unet_ema_params"}) {
        Tree tree;
        const Value root = Value::dict({{"g", tree.model("g")}, {name, tree.model("average")}});
        const auto roles = tree.roles(root);
        EXPECT_EQ(roles.at("average.w"), Role::Ema) << name;
        EXPECT_EQ(roles.at("average.running_mean"), Role::Ema) << name;
        EXPECT_EQ(roles.at("g.w"), Role::Weight) << name;
    }
}

TEST(ValueRoles, AnAverageInsideAStateDict) {
    Tree tree;
    const Value root = Value::dict(
        {{"state_dict",
          Value::dict({{"model.w", tree.tensor("state_dict.model.w")},
                       {"model.b", tree.tensor("state_dict.model.b", {3})},
                       {"model_ema.decay", tree.tensor("state_dict.model_ema.decay", {})},
                       {"model_ema.w", tree.tensor("state_dict.model_ema.w")}})}});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("state_dict.model_ema.w"), Role::Ema);
    EXPECT_EQ(roles.at("state_dict.model_ema.decay"), Role::Ema);
    EXPECT_EQ(roles.at("state_dict.model.w"), Role::Weight);
}

TEST(ValueRoles, AnAverageThatIsAModuleOfLightnings) {
    for (const char* average : {"ema.model", "ema_model", "swa_model.module"}) {
        Tree tree;
        const std::string key = average;
        const Value root = Value::dict(
            {{"state_dict",
              Value::dict({{"model.model.w", tree.tensor("state_dict.model.model.w")},
                           {"model.model.b", tree.tensor("state_dict.model.model.b", {3})},
                           {"loss.w", tree.tensor("state_dict.loss.w", {7})},
                           {key + ".w", tree.tensor("average.w")},
                           {key + ".b", tree.tensor("average.b", {3})}})}});
        const auto roles = tree.roles(root);
        EXPECT_EQ(roles.at("average.w"), Role::Ema) << average;
        EXPECT_EQ(roles.at("state_dict.model.model.w"), Role::Weight) << average;
        EXPECT_EQ(roles.at("state_dict.loss.w"), Role::Weight) << average;
    }
    Tree other; // not a copy: a module of the model
    const Value root = Value::dict(
        {{"state_dict", Value::dict({{"model.w", other.tensor("state_dict.model.w")},
                                     {"ema.w", other.tensor("state_dict.ema.w", {5})}})}});
    EXPECT_EQ(other.roles(root).at("state_dict.ema.w"), Role::Weight);
}

TEST(ValueRoles, AModuleWithTheNameOfAnAverage) {
    const auto roles = [](const std::vector<std::string>& names, std::size_t trained) {
        Tree tree;
        std::vector<ValueItem> items;
        for (const std::string& name : names) {
            items.push_back({Value(name), tree.tensor("state_dict." + name)});
        }
        std::vector<ValueItem> root{{Value("state_dict"), Value::dict(std::move(items))}};
        if (trained > 0) {
            std::vector<Value> params;
            for (std::size_t i = 0; i < trained; ++i) {
                params.emplace_back(static_cast<std::int64_t>(i));
            }
            const Value group = Value::dict({{"params", Value::list(std::move(params))}});
            root.push_back(
                {Value("optimizer"), Value::dict({{"state", Value::dict({})},
                                                  {"param_groups", Value::list({group})}})});
        }
        return tree.roles(Value::dict(std::move(root)));
    };
    const std::vector<std::string> same{"enc.weight", "enc.bias", "ema.weight", "ema.bias"};
    EXPECT_EQ(roles(same, 4).at("state_dict.ema.weight"), Role::Weight); // it is trained
    EXPECT_EQ(roles(same, 2).at("state_dict.ema.weight"), Role::Ema);
    EXPECT_EQ(roles(same, 0).at("state_dict.ema.weight"), Role::Ema);
    // Equal shapes alone are no copy.
    EXPECT_EQ(
        roles({"net.0.weight", "net.1.weight", "ema.0.weight"}, 0).at("state_dict.ema.0.weight"),
        Role::Weight);
    EXPECT_EQ(roles({"net.0.weight", "net.1.weight", "ema_attn.weight"}, 0)
                  .at("state_dict.ema_attn.weight"),
              Role::Weight);
    EXPECT_EQ(roles({"net.0.weight", "net.1.weight", "ema.net.0.weight", "ema.net.1.weight"}, 0)
                  .at("state_dict.ema.net.1.weight"),
              Role::Ema);
}

/// Adam(self.parameters()) of a module with `self.ema = AveragedModel(self.net)` lists both.
TEST(ValueRoles, AnAverageThatTheGroupsListToo) {
    for (const bool isCounted : {true, false}) {
        for (const std::int64_t trained : {2, 4}) {
            Tree tree;
            std::vector<ValueItem> items;
            for (const std::string name :
                 {"net.weight", "net.bias", "ema.module.weight", "ema.module.bias"}) {
                items.push_back({Value(name), tree.tensor("state_dict." + name)});
            }
            if (isCounted) {
                items.push_back(
                    {Value("ema.n_averaged"), tree.tensor("state_dict.ema.n_averaged", {})});
            }
            std::vector<Value> params;
            std::vector<ValueItem> states;
            for (std::int64_t i = 0; i < 4; ++i) {
                params.emplace_back(i);
                if (i < trained) {
                    states.push_back({Value(i), Value::dict({{"step", 1.0}})});
                }
            }
            const Value group = Value::dict({{"params", Value::list(std::move(params))}});
            const Value optimizer = Value::dict({{"state", Value::dict(std::move(states))},
                                                 {"param_groups", Value::list({group})}});
            const auto roles =
                tree.roles(Value::dict({{"state_dict", Value::dict(std::move(items))},
                                        {"optimizer_states", Value::list({optimizer})}}));
            const bool isAverage = isCounted || trained == 2;
            EXPECT_EQ(roles.at("state_dict.ema.module.weight"),
                      isAverage ? Role::Ema : Role::Weight)
                << isCounted << trained;
            EXPECT_EQ(tree.isByName("state_dict.ema.module.weight"), isAverage && !isCounted)
                << isCounted << trained;
            EXPECT_EQ(roles.at("state_dict.net.weight"), Role::Weight);
        }
    }
}

TEST(ValueRoles, TheBestCopyIsKeptByTraining) {
    Tree tree;
    const Value root = Value::dict({{"model_state_dict", tree.model("model_state_dict")},
                                    {"best_model_state_dict", tree.model("best")},
                                    {"epoch", std::int64_t{3}}});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("best.w"), Role::TrainingState);
    EXPECT_EQ(roles.at("model_state_dict.w"), Role::Weight);

    Tree alone;
    const Value only = Value::dict({{"best_model", alone.model("best")}, {"epoch", 3.0}});
    EXPECT_EQ(alone.roles(only).at("best.w"), Role::Weight);

    Tree pair;
    const Value both =
        Value::dict({{"best_model", pair.model("best")}, {"ema", pair.model("ema")}});
    const auto found = pair.roles(both);
    EXPECT_EQ(found.at("best.w"), Role::Weight);
    EXPECT_EQ(found.at("ema.w"), Role::Ema);
}

TEST(ValueRoles, TheOnlyAverageIsTheModel) {
    Tree tree;
    const Value root = Value::dict({{"ema", tree.model("ema")}, {"step", std::int64_t{3}}});
    EXPECT_EQ(tree.roles(root).at("ema.w"), Role::Weight);

    Tree two; // which of them was meant is not known
    const Value several = Value::dict(
        {{"ema", two.model("one")}, {"ema_model", two.model("two")}, {"step", std::int64_t{3}}});
    const auto roles = two.roles(several);
    EXPECT_EQ(roles.at("one.w"), Role::Ema);
    EXPECT_EQ(roles.at("two.w"), Role::Ema);

    Tree pair; // an average that keeps the model beside itself
    const Value both =
        Value::dict({{"ema", Value::dict({{"online_model.w", pair.tensor("ema.online_model.w")},
                                          {"ema_model.w", pair.tensor("ema.ema_model.w")}})},
                     {"step", std::int64_t{3}}});
    EXPECT_EQ(pair.roles(both).at("ema.ema_model.w"), Role::Ema);
}

TEST(ValueRoles, TheCountOfAnAveragedModelIsNoWeight) {
    Tree tree;
    const Value root = Value::dict(
        {{"n_averaged", tree.tensor("n_averaged", {})}, {"module.w", tree.tensor("module.w")}});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("n_averaged"), Role::TrainingState);
    EXPECT_EQ(roles.at("module.w"), Role::Weight);
}

TEST(ValueRoles, WhatAModelCallsAnAverageInItselfIsKept) {
    Tree lone; // a state dict
    const Value root = Value::dict({{"ema_w", lone.tensor("quantizer.ema_w")},
                                    {"w", lone.tensor("quantizer.w")},
                                    {"best_loss", lone.tensor("best_loss", {})}});
    EXPECT_EQ(lone.roles(root).at("quantizer.ema_w"), Role::Weight);
    EXPECT_EQ(lone.roles(root).at("best_loss"), Role::Weight); // there is no model next to it

    Tree nested; // parts of one model: the average has the only copy of some tensors
    const Value parts = Value::dict(
        {{"encoder", nested.model("encoder")},
         {"quantizer_ema", Value::dict({{"sizes", nested.tensor("quantizer_ema.sizes", {512})}})}});
    EXPECT_EQ(nested.roles(parts).at("quantizer_ema.sizes"), Role::Weight);

    Tree module; // a pickled module: all of it is the model
    const Value folded =
        Value::dict({{"g", module.model("g")}, {"g_ema", module.model("g_ema")}}, "networks.Pair");
    EXPECT_EQ(module.roles(folded).at("g_ema.w"), Role::Weight);
}

TEST(ValueRoles, AnAverageAloneIsTheModelWhenThatIsNone) {
    Tree tree;
    const Value root = Value::dict({{"model", Value()}, {"ema", tree.model("ema")}});
    const auto roles = tree.roles(root);
    EXPECT_EQ(roles.at("ema.w"), Role::Weight);
    EXPECT_EQ(roles.at("ema.running_mean"), Role::Buffer);
}

TEST(ValueRoles, WhatTrainingKeepsBesideAModelIsNoWeight) {
    Tree tree;
    const Value hub = Value::dict({{"loss", tree.tensor("message_hub.loss", {4})}});
    const Value loss = Value::dict({{"center", tree.tensor("dino_loss.center", {1, 4})}});
    const Value generator = Value::object("torch.Generator", {{"2", tree.tensor("gen.2", {16})}});
    const Value root = Value::dict({{"state_dict", tree.model("state_dict")},
                                    {"current_model_state", tree.model("current_model_state")},
                                    {"message_hub", hub},
                                    {"dino_loss", loss},
                                    {"gen", generator},
                                    {"best_acc1", tree.tensor("best_acc1", {})},
                                    {"train_loss_history", tree.tensor("train_loss_history", {9})},
                                    {"logit_scale", tree.tensor("logit_scale", {})},
                                    {"loss_weights", tree.tensor("loss_weights", {4})},
                                    {"step_embedding", tree.tensor("step_embedding")},
                                    {"prompt", tree.tensor("prompt")}});
    const auto roles = tree.roles(root);
    for (const char* name : {"current_model_state.w", "message_hub.loss", "dino_loss.center",
                             "best_acc1", "train_loss_history"}) {
        EXPECT_EQ(roles.at(name), Role::TrainingState) << name;
    }
    EXPECT_EQ(roles.at("gen.2"), Role::Rng);
    for (const char* name :
         {"state_dict.w", "logit_scale", "loss_weights", "step_embedding", "prompt"}) {
        EXPECT_EQ(roles.at(name), Role::Weight) << name;
    }
}

/// A random save of a training loop: what each tensor is, is known.
class RandomSave {
public:
    explicit RandomSave(unsigned seed) : m_random(seed) {
        const std::string model = one({"model", "state_dict", "model_state_dict", "net", "module",
                                       "network", "generator", "student"});
        const std::vector<Shape> shapes = shapesOfModel();
        std::vector<ValueItem> items;
        items.push_back({model, copy(model, shapes, Role::Weight)});
        for (const char* kept : {"ema", "swa_model", "best_model_state_dict", "model_avg"}) {
            if (pick(2) == 0) {
                const bool isBest = std::string_view(kept).starts_with("best");
                items.push_back(
                    {kept, copy(kept, shapes, isBest ? Role::TrainingState : Role::Ema)});
            }
        }
        if (pick(2) == 0) {
            const std::string key = one({"optimizer", "optim", "opt", "optimizer_state_dict"});
            items.push_back({key, m_tree.optimizer(key)});
            m_truth[key + ".state.0.exp_avg"] = Role::Optimizer;
        }
        if (pick(2) == 0) {
            items.push_back({"epoch", std::int64_t{3}});
        }
        std::ranges::shuffle(items, m_random);
        m_root = Value::dict(std::move(items));
    }

    /// The tensors whose role is another one, and not only by name: a module "ema" of the shapes of
    /// another one may be an average.
    std::vector<std::string> wrong() {
        std::vector<std::string> found;
        for (const auto& [name, role] : m_tree.roles(m_root)) {
            const bool isWeight = role == Role::Weight || role == Role::Buffer;
            const Role truth = m_truth.at(name);
            if ((truth == Role::Weight ? !isWeight : isWeight) && !m_tree.isByName(name)) {
                found.push_back(name + " is " + std::string(roleName(role)));
            }
        }
        return found;
    }

private:
    std::size_t pick(std::size_t count) { return m_random() % count; }
    std::string one(const std::vector<std::string>& all) { return all[pick(all.size())]; }

    std::vector<Shape> shapesOfModel() {
        std::vector<Shape> shapes{{5, 7}};
        for (std::size_t i = pick(4); i > 0; --i) {
            shapes.push_back({static_cast<std::int64_t>(2 + pick(3)), 3});
        }
        return shapes;
    }

    /// The same names for all copies, some of them words of training.
    Value copy(const std::string& key, const std::vector<Shape>& shapes, Role truth) {
        if (m_names.empty()) {
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                m_names.push_back(one({"encoder", "ema", "opt", "best", "scaler", "head", "loss"}) +
                                  "." + std::to_string(i) + ".weight");
            }
        }
        std::vector<ValueItem> items;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const std::string name = key + "." + m_names[i];
            items.push_back({m_names[i], m_tree.tensor(name, shapes[i])});
            m_truth[name] = truth;
        }
        return Value::dict(std::move(items), "collections.OrderedDict");
    }

    std::mt19937 m_random;
    Tree m_tree;
    std::vector<std::string> m_names;
    std::map<std::string, Role> m_truth;
    Value m_root;
};

TEST(ValueRoles, OfRandomSavesAreTheirTruth) {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        EXPECT_EQ(RandomSave(seed).wrong(), std::vector<std::string>()) << seed;
    }
}

} // namespace
} // namespace cairn
