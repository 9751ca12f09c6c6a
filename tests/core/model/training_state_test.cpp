// SPDX-License-Identifier: Apache-2.0
// The parts of a training in a checkpoint, and which parameter an optimizer's number is: evidence
// is taken away and contradicted, and the answer becomes weaker, never another one.
#include "core/model/parameter_names.h"
#include "core/model/training_state.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// A checkpoint of {"model": …, "optimizer": …} without elements.
class Loop {
public:
    void addWeight(const std::string& name, Shape shape, Role role = Role::Weight) {
        m_model.push_back({Value(name), add("model." + name, std::move(shape), role)});
    }
    /// A group of parameters; nothing: without moments.
    void addGroup(const std::vector<std::optional<Shape>>& moments,
                  const std::vector<std::string>& names = {}) {
        std::vector<Value> numbers;
        std::vector<Value> texts(names.begin(), names.end());
        for (const auto& shape : moments) {
            if (shape) {
                const std::string place = "optimizer.state." + std::to_string(m_next);
                m_states.push_back(
                    {Value(m_next),
                     Value::dict(
                         {{Value("step"), add(place + ".step", {}, Role::Optimizer)},
                          {Value("exp_avg"), add(place + ".exp_avg", *shape, Role::Optimizer)}})});
            }
            numbers.emplace_back(m_next++);
        }
        std::vector<ValueItem> group{{Value("lr"), Value(0.1)},
                                     {Value("params"), Value::list(std::move(numbers))}};
        if (!texts.empty()) {
            group.push_back({Value("param_names"), Value::list(std::move(texts))});
        }
        m_groups.push_back(Value::dict(std::move(group)));
    }
    void addOther(const std::string& key, Value value) {
        m_others.push_back({Value(key), std::move(value)});
    }

    [[nodiscard]] CheckpointPtr make(std::string format = "torch") const {
        CheckpointData data;
        data.format = std::move(format);
        data.tensors = m_tensors;
        std::vector<ValueItem> root{
            {Value("model"), Value::dict(m_model)},
            {Value("optimizer"), Value::dict({{Value("state"), Value::dict(m_states)},
                                              {Value("param_groups"), Value::list(m_groups)}})}};
        root.insert(root.end(), m_others.begin(), m_others.end());
        data.loadValues = [values = Value::dict(std::move(root))](const CancelToken&) {
            return Result<LoadedValues>(LoadedValues(values));
        };
        return Checkpoint::make(std::move(data));
    }

private:
    Value add(std::string name, Shape shape, Role role) {
        TensorEntry tensor;
        tensor.name = std::move(name);
        tensor.shape = std::move(shape);
        tensor.role = role;
        m_tensors.push_back(std::move(tensor));
        return {TensorIndex(m_tensors.size() - 1)};
    }

    std::vector<TensorEntry> m_tensors;
    std::vector<ValueItem> m_model;
    std::vector<ValueItem> m_states;
    std::vector<Value> m_groups;
    std::vector<ValueItem> m_others;
    std::int64_t m_next = 0;
};

TrainingState stateOf(const CheckpointPtr& checkpoint) {
    auto state = trainingState(*checkpoint);
    EXPECT_TRUE(state);
    return state ? std::move(*state) : TrainingState();
}

ParameterNames namesIn(const Loop& loop) {
    const CheckpointPtr checkpoint = loop.make();
    const TrainingState state = stateOf(checkpoint);
    EXPECT_EQ(state.optimizers.size(), 1U);
    return parameterNames(*checkpoint, state, state.optimizers.front());
}

TEST(TrainingState, FindsThePartsOfALoop) {
    Loop loop;
    loop.addWeight("w", {2, 3});
    loop.addWeight("b", {2});
    loop.addGroup({Shape{2, 3}, std::nullopt});
    loop.addOther("lr_scheduler", Value::dict({{Value("last_epoch"), Value(std::int64_t{8})}}));
    loop.addOther("scaler", Value::dict({{Value("scale"), Value(2.0)}}));
    loop.addOther("rng_state_0", Value::bytes({}));
    loop.addOther("sampler", Value(std::int64_t{5}));
    loop.addOther("global_step", Value(std::int64_t{8}));
    loop.addOther("args", Value::dict({{Value("seed"), Value(std::int64_t{1})}}));
    const TrainingState state = stateOf(loop.make());
    EXPECT_EQ(state.origin, StateOrigin::Loop);
    EXPECT_EQ(state.modelPlace, "model");
    ASSERT_EQ(state.model.size(), 2U);
    EXPECT_EQ(state.model[1].name, "b");
    ASSERT_EQ(state.optimizers.size(), 1U);
    EXPECT_EQ(state.optimizers[0].place, "optimizer");
    EXPECT_EQ(state.optimizers[0].withState(), 1U);
    ASSERT_EQ(state.optimizers[0].withoutState().size(), 1U);
    EXPECT_EQ(OptimizerState::labelOf(*state.optimizers[0].withoutState()[0]), "number 1");
    EXPECT_EQ(state.schedulers.size(), 1U);
    EXPECT_EQ(state.scalers.size(), 1U);
    EXPECT_EQ(state.generators.size(), 1U);
    EXPECT_EQ(state.data.size(), 1U);
    EXPECT_EQ(state.others.size(), 2U);
    EXPECT_EQ(state.position.position.step, 8);
}

TEST(TrainingState, MilestonesOfDcpAreNumbersAndSharedNodesStayShared) {
    Value plain = Value::list({Value(std::int64_t{1})});
    Value shared =
        Value::dict({{Value("milestones"), Value::dict({{Value("3"), Value(std::int64_t{1})}})}});
    constexpr int kLevels = 60; // 2^60 paths
    for (int level = 0; level < kLevels; ++level) {
        plain = Value::list({plain, plain});
        shared = Value::list({shared, shared});
    }
    Loop loop;
    loop.addWeight("w", {2});
    loop.addGroup({Shape{2}});
    loop.addOther("lr_scheduler", Value::dict({{Value("plain"), plain}, {Value("own"), shared}}));
    const TrainingState state = stateOf(loop.make("dcp"));
    ASSERT_EQ(state.schedulers.size(), 1U);
    EXPECT_EQ(state.schedulers[0].value.find("plain")->identity(), plain.identity());
    Value below = *state.schedulers[0].value.find("own");
    for (int level = 0; level < kLevels; ++level) {
        ASSERT_EQ(below.items()[0].value.identity(), below.items()[1].value.identity());
        const Value next = below.items()[0].value;
        below = next;
    }
    EXPECT_EQ(*below.find("milestones")->items()[0].key.asInt(), 3);
}

TEST(TrainingState, HasEverythingInTheStateDict) {
    Loop loop;
    loop.addWeight("w", {2});
    loop.addWeight("ema.w", {2}, Role::Ema);
    loop.addWeight("loss.best", {}, Role::TrainingState);
    loop.addGroup({Shape{2}});
    EXPECT_EQ(stateOf(loop.make()).model.size(), 3U);
}

TEST(TrainingState, PlannedStepsAreNoPosition) {
    Loop loop;
    loop.addWeight("w", {2});
    loop.addGroup({Shape{2}});
    loop.addOther("steps", Value(std::int64_t{1000}));
    loop.addOther("epochs", Value(std::int64_t{3}));
    const TrainingState state = stateOf(loop.make());
    EXPECT_FALSE(state.position.position.step);
    EXPECT_FALSE(state.position.position.epoch);
}

TEST(TrainingState, ReadsTheFlatForm) {
    CheckpointData data;
    data.tensors.resize(1);
    data.tensors[0].name = "optimizer.state.a.w.exp_avg";
    data.tensors[0].role = Role::Optimizer;
    const Value flat = Value::dict({{Value("state.a.w.exp_avg"), Value(TensorIndex(0))},
                                    {Value("param_groups.a.w.lr"), Value(0.1)},
                                    {Value("param_groups.b.lr"), Value(0.1)},
                                    {Value("state.c.exp_avg"), Value(TensorIndex(0))}});
    data.loadValues = [root = Value::dict({{Value("optimizer"), flat}})](const CancelToken&) {
        return Result<LoadedValues>(LoadedValues(root));
    };
    const TrainingState state = stateOf(Checkpoint::make(std::move(data)));
    ASSERT_EQ(state.optimizers.size(), 1U);
    const OptimizerState& optimizer = state.optimizers.front();
    EXPECT_EQ(optimizer.form, StateForm::Flat);
    ASSERT_EQ(optimizer.parameters.size(), 2U);
    EXPECT_EQ(optimizer.parameters[0].recorded, "a.w");
    EXPECT_EQ(optimizer.withState(), 1U);
    EXPECT_EQ(optimizer.orphans, std::vector<std::string>{"c"});
}

TEST(ParameterNames, AreRecordedOrContradicted) {
    Loop loop;
    loop.addWeight("a", {3});
    loop.addWeight("b", {3});
    loop.addGroup({Shape{3}, Shape{3}}, {"b", "a"});
    const ParameterNames names = namesIn(loop);
    EXPECT_TRUE(names.decided.isAtLeast(Strength::Recorded));
    EXPECT_EQ(names.names, (std::vector<std::string>{"b", "a"}));

    Loop unknown;
    unknown.addWeight("a", {3});
    unknown.addWeight("b", {3});
    unknown.addGroup({Shape{3}, Shape{3}}, {"a", "c"});
    EXPECT_FALSE(namesIn(unknown).decided);

    Loop other;
    other.addWeight("a", {3});
    other.addWeight("b", {4});
    other.addGroup({Shape{3}, Shape{3}}, {"a", "b"}); // b has another shape
    EXPECT_FALSE(namesIn(other).decided);

    Loop twice;
    twice.addWeight("a", {3});
    twice.addWeight("b", {3});
    twice.addGroup({Shape{3}, Shape{3}}, {"a", "a"});
    EXPECT_FALSE(namesIn(twice).decided);
}

TEST(ParameterNames, AreProvenByShapesThatNoOtherHas) {
    Loop loop;
    loop.addWeight("a", {3});
    loop.addWeight("b", {4});
    loop.addWeight("frozen", {5});
    loop.addGroup({Shape{4}, Shape{3}});
    const ParameterNames names = namesIn(loop);
    EXPECT_TRUE(names.decided.isAtLeast(Strength::Proven));
    EXPECT_EQ(names.names, (std::vector<std::string>{"b", "a"}));

    loop.addWeight("inv_freq", {3}, Role::Buffer); // or a parameter with the name of a buffer
    EXPECT_FALSE(namesIn(loop).decided.isAtLeast(Strength::Proven));
}

TEST(ParameterNames, FollowFromTheOrderOnly) {
    Loop loop;
    for (const std::string layer : {"0", "1"}) {
        loop.addWeight(layer + ".w", {3, 3});
        loop.addWeight(layer + ".b", {3});
        loop.addWeight(layer + ".mean", {3}, Role::Buffer);
    }
    loop.addGroup({Shape{3, 3}, Shape{3, 3}});
    loop.addGroup({Shape{3}, Shape{3}});
    const ParameterNames names = namesIn(loop);
    EXPECT_TRUE(names.decided);
    EXPECT_FALSE(names.decided.isAtLeast(Strength::Recorded));
    EXPECT_EQ(names.names, (std::vector<std::string>{"0.w", "1.w", "0.b", "1.b"}));
}

TEST(TrainingState, TellsAShapeFromTheStatesOfEachOptimizer) {
    struct Case {
        std::vector<std::pair<std::string, Shape>> states;
        std::optional<Shape> shape;
    };
    const std::vector<Case> cases{
        {{{"step", {}}, {"exp_avg", {3, 4}}, {"exp_avg_sq", {3, 4}}}, Shape{3, 4}},
        {{{"step", {}}, {"exp_avg", {3}}, {"mu_product", {}}}, Shape{3}}, // NAdam
        {{{"exp_avg", {}}, {"mu_product", {}}}, Shape{}},
        {{{"step", {}}}, std::nullopt},
        {{{"row_var", {3, 1}}, {"col_var", {1, 4}}}, Shape{3, 4}},
        {{{"row_var", {2, 3, 1}}, {"col_var", {2, 1, 4}}}, Shape{2, 3, 4}},
        {{{"row_var", {3, 1}}, {"col_var", {3, 4}}}, std::nullopt},
        {{{"row_var", {3, 2}}, {"col_var", {1, 4}}}, std::nullopt},
        {{{"exp_avg_sq_row", {3}}, {"exp_avg_sq_col", {4}}, {"RMS", {}}}, Shape{3, 4}},
        {{{"exp_avg_sq_row", {2, 3}}, {"exp_avg_sq_col", {2, 4}}, {"exp_avg", {2, 3, 4}}},
         Shape{2, 3, 4}},
        {{{"exp_avg_sq_row", {3}}, {"exp_avg_sq_col", {4}}, {"exp_avg", {4, 3}}}, std::nullopt},
        {{{"exp_avg_sq_row", {2, 3}}, {"exp_avg_sq_col", {5, 4}}}, std::nullopt},
        {{{"exp_avg_sq_row", {}}, {"exp_avg_sq_col", {}}}, std::nullopt},
        {{{"state1", {64, 64}}, {"qmap1", {256}}, {"absmax1", {16}}}, Shape{64, 64}},
        {{{"exp_avg", {3}}, {"exp_avg_sq", {4}}}, std::nullopt},
    };
    for (const Case& each : cases) {
        CheckpointData data;
        std::vector<ValueItem> items;
        for (const auto& [name, shape] : each.states) {
            TensorEntry tensor;
            tensor.name = name;
            tensor.shape = shape;
            items.push_back({Value(name), Value(TensorIndex(data.tensors.size()))});
            data.tensors.push_back(std::move(tensor));
        }
        const CheckpointPtr checkpoint = Checkpoint::make(std::move(data));
        EXPECT_EQ(shapeOfState(*checkpoint, Value::dict(std::move(items))), each.shape)
            << each.states.front().first << " " << formatDims(each.states.front().second);
    }
}

TEST(ParameterNames, AreUndecidedWhereSeveralFit) {
    Loop frozen; // any of the three may be the frozen one
    frozen.addWeight("a", {3});
    frozen.addWeight("b", {3});
    frozen.addWeight("c", {3});
    frozen.addGroup({Shape{3}, Shape{3}});
    EXPECT_FALSE(namesIn(frozen).decided);

    Loop unused; // the one without moments may be b or frozen
    unused.addWeight("a", {3});
    unused.addWeight("b", {4});
    unused.addWeight("frozen", {5});
    unused.addGroup({Shape{3}, std::nullopt});
    EXPECT_FALSE(namesIn(unused).decided);
    EXPECT_NE(namesIn(unused).problem.text().find("b or frozen"), std::string::npos);

    Loop reversed;
    reversed.addWeight("a", {3});
    reversed.addWeight("b", {3});
    reversed.addWeight("c", {4});
    reversed.addGroup({Shape{4}, Shape{3}, Shape{3}});
    EXPECT_FALSE(namesIn(reversed).decided);

    Loop more;
    more.addWeight("a", {3});
    more.addGroup({Shape{3}, Shape{3}});
    EXPECT_FALSE(namesIn(more).decided);
}

} // namespace
} // namespace cairn
