// SPDX-License-Identifier: Apache-2.0
#include "core/plan/copy_plan.h"
#include "core/plan/load_verdict.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace cairn {
namespace {

/// A header of 10 bytes, an int32 tensor of 6 elements, 4 bytes of padding.
CopyPlan smallPlan() {
    CheckpointData data;
    data.tensors.push_back(
        synthetic::cutTensor(data, "t", {2, 3}, synthetic::chunks({2, 3}, 1, 2)));
    CopyPlan plan;
    plan.source = Checkpoint::make(std::move(data));
    plan.output = "out";
    OutputFile file;
    file.name = "out";
    file.size = 38;
    file.addLiteral(0, std::vector<std::byte>(10));
    file.addLiteral(34, std::vector<std::byte>(4));
    file.tensors = {{10, 24, TensorIndex(0), "t", Box::whole({2, 3}), Dtype::Int32}};
    file.checksums = {{6, 0}};
    plan.layout.files.push_back(file);
    return plan;
}

TEST(LoadVerdict, AnAssumptionProvesNothing) {
    CopyPlan plan = smallPlan();
    plan.checklist = {{CheckId::Weights, true, "1 tensor"}, {CheckId::Tensors, true, "all"}};
    plan.loader = {"transformers", "LlamaForCausalLM", 21, 21, LoaderAnswer::All};
    plan.decisions.push_back({DecisionId::SlicesJoined, "2 tensors", "their shapes"});
    EXPECT_EQ(loadVerdict(plan).state, LoadVerdict::State::Loads);
    plan.decisions.back().assumption = "the gate first was assumed";
    const LoadVerdict verdict = loadVerdict(plan);
    EXPECT_EQ(verdict.state, LoadVerdict::State::Unknown);
    EXPECT_NE(verdict.text.text().find("the gate first was assumed"), std::string::npos);
}

TEST(LoadVerdict, WhatIsUndecidedIsUnknownAlthoughItStopsTheJob) {
    CopyPlan plan = smallPlan();
    plan.checklist = {{CheckId::Weights, true, "1 tensor"},
                      {CheckId::Tensors, false, "older names", false}};
    plan.loader.answer = LoaderAnswer::Undecided;
    plan.problems.push_back(
        {ErrorCode::VerifyMismatch, Severity::Error, "The folder may not load", {}, {}});
    EXPECT_EQ(loadVerdict(plan).state, LoadVerdict::State::Unknown);
    plan.checklist.back().checked = true;
    EXPECT_EQ(loadVerdict(plan).state, LoadVerdict::State::Fails);
}

TEST(LoadVerdict, WhatIsReadByNameOnlyDoesNotResume) {
    CopyPlan plan = smallPlan();
    PlannedTraining training;
    training.trainer = "tensorflow";
    training.parameters = training.withMoments = 4;
    plan.training = training;
    EXPECT_EQ(loadVerdict(plan).state, LoadVerdict::State::Loads);
    plan.training->lost.push_back({LossId::Unread, "all variables", "restore() finds none"});
    const LoadVerdict verdict = loadVerdict(plan);
    EXPECT_EQ(verdict.state, LoadVerdict::State::Unknown);
    EXPECT_EQ(verdict.text.text(),
              "Not restored by TensorFlow: all variables; restore() finds none");
}

TEST(ValidatePlan, TakesAWholePlan) {
    EXPECT_TRUE(validate(smallPlan()).has_value());
}

TEST(ValidatePlan, FindsEveryKindOfMistake) {
    const std::vector<std::pair<const char*, std::function<void(CopyPlan&)>>> mistakes = {
        {"no files", [](CopyPlan& plan) { plan.layout.files.clear(); }},
        {"hole", [](CopyPlan& plan) { plan.layout.files[0].tensors[0].offset = 11; }},
        {"overlap", [](CopyPlan& plan) { plan.layout.files[0].tensors[0].offset = 9; }},
        {"too short", [](CopyPlan& plan) { plan.layout.files[0].size = 40; }},
        {"too long", [](CopyPlan& plan) { plan.layout.files[0].size = 37; }},
        {"length", [](CopyPlan& plan) { plan.layout.files[0].tensors[0].length = 23; }},
        {"box",
         [](CopyPlan& plan) {
             plan.layout.files[0].tensors[0].box = Box::whole({3, 2});
         }},
        {"literal", [](CopyPlan& plan) { plan.layout.files[0].literals[1].content = 2; }},
        {"dtype", [](CopyPlan& plan) { plan.layout.files[0].tensors[0].dtype = Dtype::Float32; }},
        {"tensor", [](CopyPlan& plan) { plan.layout.files[0].tensors[0].source = TensorIndex(1); }},
        {"slot in a tensor", [](CopyPlan& plan) { plan.layout.files[0].checksums[0].offset = 8; }},
        {"slot of nothing", [](CopyPlan& plan) { plan.layout.files[0].checksums[0].segment = 1; }},
        {"name", [](CopyPlan& plan) { plan.layout.files[0].name = "../out"; }},
        {"same name",
         [](CopyPlan& plan) {
             plan.layout.folder = true;
             plan.layout.files.push_back(plan.layout.files[0]);
         }},
        {"no folder",
         [](CopyPlan& plan) {
             plan.layout.files.push_back(plan.layout.files[0]);
             plan.layout.files[1].name = "other";
         }},
    };
    for (const auto& [name, mistake] : mistakes) {
        CopyPlan plan = smallPlan();
        mistake(plan);
        const auto result = validate(plan);
        ASSERT_FALSE(result.has_value()) << name;
        EXPECT_EQ(result.error().code, ErrorCode::Internal) << name;
    }
}

/// A header of 4 bytes before each 50 tensors, and 4 bytes of a directory for each at the end, like
/// archives.
CopyPlan archivePlan() {
    CheckpointData data;
    OutputFile file;
    file.name = "out";
    constexpr std::uint32_t kTensors = 50;
    for (std::uint32_t i = 0; i < kTensors; ++i) {
        data.tensors.push_back(
            synthetic::cutTensor(data, "t" + std::to_string(i), {2}, {Box::whole({2})}));
        file.addLiteral(12 * std::uint64_t{i}, std::vector<std::byte>(4));
        file.tensors.push_back(
            {12 * std::uint64_t{i} + 4, 8, TensorIndex(i), "t", Box::whole({2}), Dtype::Int32});
        file.checksums.push_back({12 * std::uint64_t{i}, i});
        file.checksums.push_back({12 * std::uint64_t{kTensors} + 4 * std::uint64_t{i}, i});
    }
    file.addLiteral(12 * kTensors, std::vector<std::byte>(4 * kTensors));
    file.size = 16 * kTensors;
    CopyPlan plan;
    plan.source = Checkpoint::make(std::move(data));
    plan.output = "out";
    plan.layout.files.push_back(std::move(file));
    return plan;
}

TEST(ValidatePlan, FindsSlotsInAnyOrder) {
    CopyPlan plan = archivePlan();
    std::vector<ChecksumSlot>& slots = plan.layout.files[0].checksums;
    ASSERT_TRUE(validate(plan).has_value()); // copied back and forth
    std::ranges::sort(slots, {}, &ChecksumSlot::offset);
    EXPECT_TRUE(validate(plan).has_value());
    std::ranges::reverse(slots);
    EXPECT_TRUE(validate(plan).has_value());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        CopyPlan other = archivePlan();
        ChecksumSlot& slot = other.layout.files[0].checksums[i];
        slot.offset += slot.offset < 600 ? 2 : 600; // into a tensor, or past the end
        EXPECT_FALSE(validate(other).has_value()) << i;
    }
}

TEST(ValidatePlan, TakesEmptyTensorsAndFiles) {
    CopyPlan plan = smallPlan();
    CheckpointData data = plan.source->data();
    TensorEntry empty;
    empty.name = "empty";
    empty.shape = {0, 4};
    data.tensors.push_back(empty);
    plan.source = Checkpoint::make(std::move(data));
    plan.layout.files[0].tensors.push_back(
        {34, 0, TensorIndex(1), "empty", Box::whole({0, 4}), Dtype::Float32});
    EXPECT_TRUE(validate(plan).has_value());
    plan.layout.folder = true;
    plan.layout.files.emplace_back().name = "nothing";
    EXPECT_TRUE(validate(plan).has_value());
}

TEST(CopyPlan, AnErrorStopsAPlanAndAWarningDoesNot) {
    CopyPlan plan = smallPlan();
    plan.problems.push_back({ErrorCode::BeingWritten, Severity::Warning, "Perhaps", {}, {}});
    EXPECT_TRUE(plan.runnable());
    EXPECT_TRUE(checkRunnable(plan).has_value());
    plan.problems.push_back({ErrorCode::NoSpace, Severity::Error, "No space", "Find some", {}});
    EXPECT_FALSE(plan.runnable());
    EXPECT_EQ(checkRunnable(plan).error().code, ErrorCode::NoSpace);
    EXPECT_EQ(checkRunnable(plan).error().hint.text(), "Find some");
}

} // namespace
} // namespace cairn
