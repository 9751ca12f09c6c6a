// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/health.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// A checkpoint of weights and states of optimizers in memory.
class Save {
public:
    Save() { m_data.completeness = Completeness::Complete; }

    TensorIndex add(const std::string& name, const std::vector<float>& values, Role role) {
        const Shape shape{static_cast<std::int64_t>(values.size())};
        return add(name, synthetic::bytesOf(values), shape, Dtype::Float32, role);
    }
    TensorIndex add(const std::string& name, std::vector<std::byte> bytes, const Shape& shape,
                    Dtype dtype, Role role) {
        const std::uint64_t size = bytes.size();
        const FileIndex file = synthetic::addMemoryFile(m_data, std::move(bytes), name);
        TensorEntry entry;
        entry.name = name;
        entry.dtype = dtype;
        entry.shape = shape;
        entry.role = role;
        entry.pieces.push_back({Box::whole(shape), file, {0, size}, {}, kRawCodec, {}});
        m_data.tensors.push_back(std::move(entry));
        return TensorIndex(m_data.tensors.size() - 1);
    }
    void weight(const std::string& name) { add(name, {1, 2}, Role::Weight); }
    TensorIndex state(const std::string& name, const std::vector<float>& values = {1, 2}) {
        return add(name, values, Role::Optimizer);
    }
    void values(Value value) {
        m_data.loadValues = [value = std::move(value)](const CancelToken&) -> Result<LoadedValues> {
            return value;
        };
    }
    HealthReport check() {
        const auto report = checkHealth(*Checkpoint::make(std::move(m_data)));
        EXPECT_TRUE(report);
        return report ? *report : HealthReport();
    }

private:
    CheckpointData m_data;
};

std::vector<Notice> of(const HealthReport& report, ErrorCode code) {
    std::vector<Notice> found;
    std::ranges::copy_if(report.findings, std::back_inserter(found),
                         [&](const Notice& each) { return each.error.code == code; });
    return found;
}

/// torch.optim's state_dict(): a state for each key, groups of these parameters.
Value optimizer(const std::vector<std::pair<std::int64_t, Value>>& states,
                const std::vector<std::vector<std::int64_t>>& groups) {
    std::vector<ValueItem> state;
    for (const auto& [key, value] : states) {
        state.push_back({Value(key), value});
    }
    std::vector<Value> list;
    for (const auto& group : groups) {
        std::vector<Value> keys(group.begin(), group.end());
        list.push_back(Value::dict(
            {{Value("lr"), Value(0.1)}, {Value("params"), Value::list(std::move(keys))}}));
    }
    return Value::dict({{Value("optimizer"),
                         Value::dict({{Value("state"), Value::dict(std::move(state))},
                                      {Value("param_groups"), Value::list(std::move(list))}})}});
}

Value atStep(std::int64_t step) {
    return Value::dict({{Value("step"), Value(step)}});
}

TEST(OptimizerHealth, NegativeSecondMomentIsAWarning) {
    Save save;
    save.state("optimizer.state.0.exp_avg", {-1, 2});
    save.state("optimizer.state.0.exp_avg_sq", {0, -0.0F});
    save.state("optimizer.state.1.exp_avg_sq", {1, -1e-3F});
    const HealthReport report = save.check();
    const auto found = of(report, ErrorCode::NegativeMoment);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Warning);
    EXPECT_EQ(found[0].error.where.tensor, "optimizer.state.1.exp_avg_sq");
    EXPECT_EQ(found[0].error.message.text(),
              "The second moment of parameter 1 contains negative numbers");
    EXPECT_EQ(report.verdict, HealthVerdict::Warnings);
}

TEST(OptimizerHealth, NamesTheMomentsOfDamage) {
    Save save;
    save.state("layers.0.weight.exp_avg", {NAN, 2});
    save.state("opt_state.0.nu.params.dense.kernel", {1, INFINITY});
    const HealthReport report = save.check();
    EXPECT_TRUE(report.failed());
    const auto found = of(report, ErrorCode::NonFinite);
    ASSERT_EQ(found.size(), 2U);
    std::vector<std::string> messages{found[0].error.message.text(), found[1].error.message.text()};
    std::ranges::sort(messages);
    EXPECT_EQ(messages[0], "The first moment of layers.0.weight contains NaN");
    EXPECT_EQ(messages[1], "The second moment of params.dense.kernel contains infinities");
}

TEST(OptimizerHealth, AVelocityCalledVIsNotASecondMoment) {
    Save sgd;
    sgd.state("opt.v.dense", {-1, 2});
    EXPECT_EQ(sgd.check().verdict, HealthVerdict::Healthy);
    Save adam;
    adam.state("opt.m.dense", {-1, 2});
    adam.state("opt.v.dense", {-1, 2});
    EXPECT_EQ(of(adam.check(), ErrorCode::NegativeMoment).size(), 1U);
    Save model;
    model.add("attention.v", {-1, 2}, Role::Weight);
    model.state("optimizer.state.exp_avg.attention.v", {-1, 2});
    EXPECT_TRUE(of(model.check(), ErrorCode::NegativeMoment).empty());
}

TEST(OptimizerHealth, NarrowSecondMoments) {
    Save save;
    const std::vector<std::byte> two(4);
    save.add("optimizer.state.0.exp_avg", two, Shape{2}, Dtype::Float16, Role::Optimizer);
    save.add("optimizer.state.0.exp_avg_sq", two, Shape{2}, Dtype::Bfloat16, Role::Optimizer);
    EXPECT_TRUE(of(save.check(), ErrorCode::NarrowMoment).empty());
    Save narrow;
    narrow.add("optimizer.state.0.exp_avg_sq", two, Shape{2}, Dtype::Float16, Role::Optimizer);
    narrow.add("optimizer.state.1.exp_avg_sq", two, Shape{2}, Dtype::Float16, Role::Optimizer);
    const auto found = of(narrow.check(), ErrorCode::NarrowMoment);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Warning);
    EXPECT_EQ(found[0].error.found.text(), "2 tensors in float16");
}

TEST(OptimizerHealth, StepsThatDifferInOneGroup) {
    Save save;
    save.state("optimizer.state.0.exp_avg");
    save.values(optimizer({{0, atStep(7)}, {1, atStep(7)}, {2, atStep(3)}}, {{0, 1, 2}}));
    const auto found = of(save.check(), ErrorCode::UnequalSteps);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Warning);
    EXPECT_EQ(found[0].error.found.text(), "step 3 for 2");
}

TEST(OptimizerHealth, AGroupThatStartedLaterIsInformation) {
    Save save;
    save.state("optimizer.state.0.exp_avg");
    save.values(optimizer({{0, atStep(7)}, {1, atStep(7)}, {2, atStep(3)}}, {{0, 1}, {2}}));
    const auto found = of(save.check(), ErrorCode::UnequalSteps);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Info);
}

TEST(OptimizerHealth, StepsThatAreTensors) {
    Save save;
    const TensorIndex first = save.state("optimizer.state.0.step", {7});
    const TensorIndex second = save.state("optimizer.state.1.step", {8});
    const auto entry = [](TensorIndex at) { return Value::dict({{Value("step"), Value(at)}}); };
    save.values(optimizer({{0, entry(first)}, {1, entry(second)}}, {{0, 1}}));
    EXPECT_EQ(of(save.check(), ErrorCode::UnequalSteps).size(), 1U);
    Save named; // without values
    named.state("optimizer.state.a.weight.step", {7});
    named.state("optimizer.state.b.weight.step", {7});
    named.state("other.optimizer.state.b.weight.step", {5}); // another optimizer
    EXPECT_TRUE(of(named.check(), ErrorCode::UnequalSteps).empty());
}

TEST(OptimizerHealth, CountersThatAreNotNumbers) {
    const auto at = [](double step) { return Value::dict({{Value("step"), Value(step)}}); };
    Save save;
    save.state("optimizer.state.0.exp_avg");
    save.values(optimizer({{0, at(NAN)}, {1, at(INFINITY)}, {2, at(1e300)}, {3, atStep(7)}},
                          {{0, 1, 2, 3}}));
    EXPECT_EQ(of(save.check(), ErrorCode::UnequalSteps).size(), 1U);
}

TEST(OptimizerHealth, FrozenParametersAreInformation) {
    Save save;
    save.state("optimizer.state.0.exp_avg");
    save.values(optimizer({{0, atStep(7)}}, {{0, 1}}));
    const HealthReport report = save.check();
    const auto found = of(report, ErrorCode::MissingState);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Info);
    EXPECT_EQ(report.verdict, HealthVerdict::Healthy);
    Save sgd; // without momentum no parameter has a state
    sgd.state("optimizer.state.9.exp_avg");
    sgd.values(optimizer({}, {{0, 1}}));
    EXPECT_TRUE(of(sgd.check(), ErrorCode::MissingState).empty());
}

TEST(OptimizerHealth, StatesThatNoGroupLists) {
    Save save;
    save.state("optimizer.state.0.exp_avg");
    save.values(optimizer({{0, atStep(7)}, {5, atStep(7)}}, {{0}}));
    const auto found = of(save.check(), ErrorCode::StateWithoutParameter);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Warning);
    EXPECT_EQ(found[0].error.found.text(), "1 state: 5");
}

TEST(OptimizerHealth, AnOptimizerThatListsTheParametersThemselves) {
    Save save;
    const TensorIndex weight = save.add("w", {1, 2}, Role::Weight);
    save.state("optimizer.state.0.exp_avg");
    const Value group = Value::dict({{Value("params"), Value::list({Value(weight)})}});
    const Value state = Value::dict({{Value(weight), atStep(7)}});
    save.values(Value::dict(
        {{Value("optimizer"),
          Value::dict({{Value("state"), state}, {Value("param_groups"), Value::list({group})}})}}));
    EXPECT_EQ(save.check().verdict, HealthVerdict::Healthy);
}

Save namedSave(const std::string& prefix) {
    Save save;
    for (const std::string name : {"a.weight", "a.bias", "b.weight", "b.bias", "c.weight"}) {
        save.weight(prefix + name);
        save.state("optim.state." + name + ".exp_avg");
    }
    return save;
}

TEST(OptimizerHealth, ComparesNamesWithTheWeights) {
    for (const std::string prefix : {"", "model.", "module.model."}) {
        EXPECT_TRUE(namedSave(prefix).check().findings.empty()) << prefix;
        Save frozen = namedSave(prefix);
        frozen.weight(prefix + "frozen.weight");
        const HealthReport report = frozen.check();
        EXPECT_EQ(report.verdict, HealthVerdict::Healthy);
        const auto missing = of(report, ErrorCode::MissingState);
        ASSERT_EQ(missing.size(), 1U) << prefix;
        EXPECT_EQ(missing[0].error.where.tensor, prefix + "frozen.weight");
        Save orphan = namedSave(prefix);
        orphan.state("optim.state.gone.weight.exp_avg");
        const auto without = of(orphan.check(), ErrorCode::StateWithoutParameter);
        ASSERT_EQ(without.size(), 1U) << prefix;
        EXPECT_EQ(without[0].severity, Severity::Warning);
        EXPECT_EQ(without[0].error.found.text(), "1 of 6 parameters: gone.weight");
    }
}

TEST(OptimizerHealth, ATiedNameIsNotAnOrphan) {
    Save save = namedSave("");
    save.weight("embed.weight"); // "head.weight" was left out of the weights
    save.state("optim.state.head.weight.exp_avg");
    EXPECT_TRUE(save.check().findings.empty());
}

TEST(OptimizerHealth, OtherNamesAreNotCompared) {
    Save save;
    for (const std::string name : {"a", "b", "c"}) {
        save.weight("base_model." + name + ".lora_A.weight");
        save.state("optim.state.base_model." + name + ".lora_A.default.weight.exp_avg");
    }
    EXPECT_TRUE(save.check().findings.empty());
}

} // namespace
} // namespace cairn
