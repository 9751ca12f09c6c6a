// SPDX-License-Identifier: Apache-2.0
#include "core/plan/consolidate.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cairn {
namespace {

/// Places tensors one after another after eight bytes, one file for each if there is a size limit.
/// Has no state.
Result<OutputLayout> plainLayout(const LayoutRequest& request) {
    OutputLayout layout;
    for (const LayoutTensor& tensor : request.tensors) {
        if (tensor.dtype == Dtype::Complex128) {
            return fail(ErrorCode::DtypeNotRepresentable, "No such dtype here")
                .inTensor(std::string(tensor.name));
        }
        if (tensor.aliasOf) {
            continue;
        }
        if (layout.files.empty() || request.maxShardBytes > 0) {
            OutputFile file;
            file.name = request.baseName + std::to_string(layout.files.size());
            file.addLiteral(0, std::vector<std::byte>(8));
            file.size = 8;
            layout.files.push_back(file);
        }
        OutputFile& file = layout.files.back();
        const std::uint64_t length = *dtypeBytes(tensor.dtype, *elementCount(tensor.shape));
        file.tensors.push_back({file.size, length, tensor.source, tensor.name,
                                Box::whole(tensor.shape), tensor.dtype});
        file.size += length;
    }
    return layout;
}

LayoutTarget target() {
    static constexpr auto kEndings = std::to_array<std::string_view>({".safetensors"});
    return {"safetensors", &plainLayout, {.endings = kEndings, .library = "pt"}};
}

TensorEntry add(CheckpointData& data, const std::string& name, Role role = Role::Weight) {
    TensorEntry tensor = synthetic::cutTensor(data, name, {4, 3}, synthetic::chunks({4, 3}, 0, 2));
    tensor.role = role;
    data.tensors.push_back(tensor);
    return tensor;
}

/// {"model": {"layer.weight": …, "norm.weight": …}, "optimizer": {"state": …}, "epoch": 3}
CheckpointData trainingData() {
    CheckpointData data;
    add(data, "model.layer.weight");
    add(data, "model.norm.weight");
    add(data, "optimizer.state.0.exp_avg", Role::Optimizer);
    return data;
}

Value trainingValues() {
    const auto tensor = [](std::size_t index) { return Value(TensorIndex(index)); };
    const Value model =
        Value::dict({{Value("layer.weight"), tensor(0)}, {Value("norm.weight"), tensor(1)}});
    const Value optimizer =
        Value::dict({{Value("state"), Value::dict({{Value("0.exp_avg"), tensor(2)}})}});
    return Value::dict({{Value("model"), model},
                        {Value("optimizer"), optimizer},
                        {Value("epoch"), Value(std::int64_t{3})}});
}

JobRequest toFile(const std::string& output) {
    JobRequest options;
    options.output = output;
    return options;
}

std::vector<std::string> names(const CopyPlan& plan) {
    std::vector<std::string> all;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            all.emplace_back(segment.name);
        }
    }
    return all;
}

const PlanDecision* decision(const CopyPlan& plan, std::string_view what) {
    const auto found = std::ranges::find_if(
        plan.decisions, [&](const PlanDecision& each) { return each.what.text() == what; });
    return found == plan.decisions.end() ? nullptr : &*found;
}

bool hasProblem(const CopyPlan& plan, ErrorCode code, Severity severity = Severity::Error) {
    return std::ranges::any_of(plan.problems, [&](const PlanProblem& problem) {
        return problem.code == code && problem.severity == severity;
    });
}

CopyPlan plan(CheckpointData data, const JobRequest& options, PlanFacts facts = {}) {
    auto result =
        planConsolidate(Checkpoint::make(std::move(data)), target(), options, std::move(facts));
    EXPECT_TRUE(result.has_value()) << (result ? "" : describe(result.error()));
    return result ? *result : CopyPlan{};
}

TEST(PlanConsolidate, TakesWeightsAndKeepsNames) {
    PlanFacts facts;
    facts.values = trainingValues();
    const CopyPlan made = plan(trainingData(), toFile("out.safetensors"), std::move(facts));
    EXPECT_EQ(names(made), (std::vector<std::string>{"model.layer.weight", "model.norm.weight"}));
    EXPECT_TRUE(made.runnable());
    EXPECT_FALSE(made.layout.folder);
    EXPECT_EQ(made.layout.files[0].name, "out.safetensors");
    EXPECT_EQ(made.forecast.bytes, 8 + 2 * 48U);
    ASSERT_NE(decision(made, "names"), nullptr);
    EXPECT_EQ(decision(made, "names")->value, "as stored");
}

TEST(PlanConsolidate, DropsTheContainerKeyForABundle) {
    PlanFacts facts;
    facts.values = trainingValues();
    facts.sidecars.push_back({"config.json", "run/config.json", std::vector<std::byte>(5)});
    JobRequest options = toFile("out");
    options.bundle = true;
    const CopyPlan made = plan(trainingData(), options, std::move(facts));
    EXPECT_EQ(names(made), (std::vector<std::string>{"layer.weight", "norm.weight"}));
    EXPECT_TRUE(made.layout.folder);
    EXPECT_EQ(made.layout.files[0].name, "config.json");
    EXPECT_EQ(decision(made, "names")->value, "'model' dropped");
    EXPECT_EQ(decision(made, "bundle")->value, "config.json");
}

TEST(PlanConsolidate, KeepsAModulePathThatOnlyLooksLikeAContainer) {
    // A bare Llama state dict: "model.layers…" is the key itself.
    CheckpointData data;
    add(data, "model.layers.0.weight");
    add(data, "model.norm.weight");
    PlanFacts facts;
    facts.values =
        Value::dict({{Value("model.layers.0.weight"), Value(TensorIndex(std::size_t{0}))},
                     {Value("model.norm.weight"), Value(TensorIndex(std::size_t{1}))}});
    JobRequest options = toFile("out");
    options.container = ContainerKey::Drop;
    const CopyPlan made = plan(std::move(data), options, std::move(facts));
    EXPECT_EQ(names(made),
              (std::vector<std::string>{"model.layers.0.weight", "model.norm.weight"}));
}

TEST(PlanConsolidate, DropsWrappersInsideTheContainer) {
    CheckpointData data;
    add(data, "state_dict.module._orig_mod.a");
    add(data, "state_dict.module._orig_mod.b");
    PlanFacts facts;
    facts.values = Value::dict(
        {{Value("state_dict"),
          Value::dict({{Value("module._orig_mod.a"), Value(TensorIndex(std::size_t{0}))},
                       {Value("module._orig_mod.b"), Value(TensorIndex(std::size_t{1}))}})}});
    JobRequest options = toFile("out");
    options.container = ContainerKey::Drop;
    EXPECT_EQ(names(plan(std::move(data), options, std::move(facts))),
              (std::vector<std::string>{"a", "b"}));
}

TEST(PlanConsolidate, KeepsTheNamesOfAPickledModulesChildren) {
    CheckpointData data;
    add(data, "model.a");
    PlanFacts facts;
    facts.values = Value::dict(
        {{Value("model"), Value::dict({{Value("a"), Value(TensorIndex(std::size_t{0}))}})},
         {Value("training"), Value(true)}},
        "my.Net");
    JobRequest options = toFile("out");
    options.container = ContainerKey::Drop;
    EXPECT_EQ(names(plan(std::move(data), options, std::move(facts))),
              (std::vector<std::string>{"model.a"}));
}

TEST(PlanConsolidate, WritesTiedWeightsOnceAndSaysSo) {
    CheckpointData data;
    add(data, "embed.weight");
    TensorEntry head = data.tensors[0];
    head.name = "lm_head.weight";
    head.aliasOf = TensorIndex(std::size_t{0});
    data.tensors.push_back(head);
    const CopyPlan made = plan(data, toFile("out.safetensors"));
    EXPECT_EQ(names(made), (std::vector<std::string>{"embed.weight"}));
    ASSERT_NE(decision(made, "tied tensors"), nullptr);
    EXPECT_NE(decision(made, "tied tensors")->value.text().find("lm_head.weight"),
              std::string::npos);
    JobRequest copies = toFile("out.safetensors");
    copies.tied = TiedWeights::Copies;
    EXPECT_EQ(names(plan(data, copies)).size(), 2U);
    // The tensor's first name is not selected: the other name gets the bytes.
    JobRequest head_only = toFile("out.safetensors");
    head_only.only = Selection::parse("lm_head*");
    EXPECT_EQ(names(plan(data, head_only)), (std::vector<std::string>{"lm_head.weight"}));
}

TEST(PlanConsolidate, StopsAtHolesOverlapsAndMissingFiles) {
    CheckpointData holes = trainingData();
    holes.tensors[0].pieces.pop_back();
    EXPECT_TRUE(hasProblem(plan(holes, toFile("out.safetensors")), ErrorCode::CoverageHole));

    CheckpointData overlaps = trainingData();
    overlaps.tensors[0].pieces.push_back(overlaps.tensors[0].pieces[0]);
    EXPECT_TRUE(hasProblem(plan(overlaps, toFile("out.safetensors")), ErrorCode::CoverageOverlap));

    CheckpointData missing = trainingData();
    missing.files[1].missing = true;
    const CopyPlan made = plan(missing, toFile("out.safetensors"));
    ASSERT_TRUE(hasProblem(made, ErrorCode::MissingShard));
    EXPECT_NE(made.problems[0].message.text().find("shard1 is missing; 1 tensor"),
              std::string::npos);

    CheckpointData optimizerOnly = trainingData(); // unselected tensors may be incomplete
    optimizerOnly.tensors[2].pieces.pop_back();
    EXPECT_TRUE(plan(optimizerOnly, toFile("out.safetensors")).runnable());
    JobRequest all = toFile("out.safetensors");
    all.only = Selection::parse("all");
    EXPECT_FALSE(plan(optimizerOnly, all).runnable());
}

TEST(PlanConsolidate, StopsAtDamageThatConcernsTheSelection) {
    CheckpointData data = trainingData();
    data.notices.push_back(
        {Severity::Error,
         fail(ErrorCode::DcpItemBeyondFile, "Cut off").inTensor("model.layer.weight")});
    EXPECT_FALSE(plan(data, toFile("o.safetensors")).runnable());
    data.notices[0].error.where.tensor = "optimizer.state.0.exp_avg";
    EXPECT_TRUE(plan(data, toFile("o.safetensors")).runnable());
    data.notices[0].error.where = {"model-00002-of-00003.safetensors", {}, {}, {}};
    data.notices[0].error.code = ErrorCode::MissingShard;
    EXPECT_FALSE(plan(data, toFile("o.safetensors")).runnable()); // not even its tensors are known
}

TEST(PlanConsolidate, TellsOfHolesAmongManyTensors) {
    CheckpointData data;
    const TensorEntry first = add(data, "t0");
    for (std::size_t i = 1; i < 60'000; ++i) { // enough to use another thread
        data.tensors.push_back(first);
        data.tensors.back().name = "t" + std::to_string(i);
    }
    EXPECT_TRUE(plan(data, toFile("out.safetensors")).runnable());
    data.tensors[59'998].pieces.pop_back();
    const CopyPlan made = plan(data, toFile("out.safetensors"));
    ASSERT_EQ(made.problems.size(), 1U);
    EXPECT_EQ(made.problems[0].code, ErrorCode::CoverageHole);
    EXPECT_EQ(made.problems[0].where.tensor, "t59998");
}

TEST(PlanConsolidate, NamesTheFileThatIsCutBeforeTheHolesItLeaves) {
    CheckpointData data = trainingData();
    data.tensors[0].pieces.pop_back();
    data.notices.push_back(
        {Severity::Error, fail(ErrorCode::DcpItemBeyondFile, "Cut off").inFile("shard1").at(48)});
    for (const char* only : {"weights", "all", "model.layer*"}) {
        JobRequest options = toFile("o.safetensors");
        options.only = Selection::parse(only);
        const auto made = checkRunnable(plan(data, options));
        ASSERT_FALSE(made) << only;
        EXPECT_EQ(made.error().code, ErrorCode::DcpItemBeyondFile) << only;
        EXPECT_EQ(made.error().where.file, "shard1");
        EXPECT_EQ(made.error().where.offset, 48U);
    }
    JobRequest whole = toFile("o.safetensors");
    whole.only = Selection::parse("model.norm*"); // in another file, and complete
    EXPECT_TRUE(plan(data, whole).runnable());
}

TEST(PlanConsolidate, StopsAtThePlace) {
    const auto withFacts = [](auto change) {
        PlanFacts facts;
        change(facts);
        return plan(trainingData(), toFile("out.safetensors"), std::move(facts));
    };
    EXPECT_TRUE(hasProblem(withFacts([](PlanFacts& f) { f.outputExists = true; }),
                           ErrorCode::OutputExists));
    EXPECT_TRUE(hasProblem(withFacts([](PlanFacts& f) { f.outputIsSource = true; }),
                           ErrorCode::OutputIsInput));
    EXPECT_TRUE(hasProblem(withFacts([](PlanFacts& f) { f.outputInsideSource = true; }),
                           ErrorCode::OutputIsInput));
    EXPECT_TRUE(hasProblem(withFacts([](PlanFacts& f) { f.freeBytes = 103; }), ErrorCode::NoSpace));
    EXPECT_TRUE(withFacts([](PlanFacts& f) { f.freeBytes = 104; }).runnable());
}

TEST(PlanConsolidate, TellsWhatTheFormatCannotHold) {
    CheckpointData data = trainingData();
    data.tensors[0].dtype = Dtype::Complex128;
    const CopyPlan made = plan(data, toFile("out.safetensors"));
    EXPECT_TRUE(hasProblem(made, ErrorCode::DtypeNotRepresentable));
    EXPECT_TRUE(made.layout.files.empty());
}

TEST(PlanConsolidate, RefusesWhatItCannotDo) {
    JobRequest cast = toFile("out");
    cast.dtype = "int32";
    EXPECT_EQ(planConsolidate(Checkpoint::make(trainingData()), target(), cast, {}).error().code,
              ErrorCode::InvalidArgument);
    EXPECT_EQ(planConsolidate(Checkpoint::make(trainingData()), LayoutTarget{"dcp", nullptr, {}},
                              toFile("out"), {})
                  .error()
                  .code,
              ErrorCode::Unsupported);
    JobRequest nothing = toFile("out");
    nothing.only = Selection::parse("no.such*");
    EXPECT_TRUE(hasProblem(plan(trainingData(), nothing), ErrorCode::TensorNotFound));
}

TEST(PlanConsolidate, MakesAFolderOfShards) {
    JobRequest options = toFile("out");
    options.maxShardBytes = 50;
    const CopyPlan made = plan(trainingData(), options);
    EXPECT_TRUE(made.layout.folder);
    EXPECT_EQ(made.layout.files.size(), 2U);
}

TEST(PlanExport, TakesWhatMatches) {
    JobRequest options;
    options.output = "part.safetensors";
    options.only = Selection::parse("*.norm.*");
    const auto made = planExport(Checkpoint::make(trainingData()), target(), options, {});
    ASSERT_TRUE(made.has_value());
    EXPECT_EQ(names(*made), (std::vector<std::string>{"model.norm.weight"}));
    options.only = Selection::parse("nothing");
    EXPECT_EQ(planExport(Checkpoint::make(trainingData()), target(), options, {}).error().code,
              ErrorCode::TensorNotFound);
}

TEST(Selection, KnowsSubtrees) {
    EXPECT_TRUE(inSubtree("model.a", "model"));
    EXPECT_TRUE(inSubtree("model", "model"));
    EXPECT_FALSE(inSubtree("model2.a", "model"));
    EXPECT_TRUE(inSubtree("x", ""));
}

} // namespace
} // namespace cairn
