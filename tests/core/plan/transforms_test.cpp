// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/model_part.h"
#include "core/plan/consolidate.h"
#include "core/plan/request_fields.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace cairn {
namespace {

/// Tensors one after another in one file.
Result<OutputLayout> oneFileLayout(const LayoutRequest& request) {
    OutputLayout layout;
    OutputFile file;
    file.name = "model";
    for (const LayoutTensor& tensor : request.tensors) {
        const std::uint64_t length = *dtypeBytes(tensor.dtype, *elementCount(tensor.shape));
        file.tensors.push_back({file.size, length, tensor.source, tensor.name,
                                Box::whole(tensor.shape), tensor.dtype});
        file.size += length;
    }
    layout.files.push_back(std::move(file));
    return layout;
}

void add(CheckpointData& data, const std::string& name, Dtype dtype, const Shape& shape,
         Role role = Role::Weight) {
    TensorEntry tensor;
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.role = role;
    const std::uint64_t bytes = *dtypeBytes(dtype, *elementCount(shape));
    const FileIndex file = synthetic::addMemoryFile(data, std::vector<std::byte>(bytes), name);
    tensor.pieces.push_back({Box::whole(shape), file, {0, bytes}, {}, kRawCodec, {}});
    data.tensors.push_back(std::move(tensor));
}

Result<CopyPlan> planOf(CheckpointData data, JobRequest options) {
    options.output = "out";
    return planConsolidate(Checkpoint::make(std::move(data)), {"safetensors", &oneFileLayout, {}},
                           options, {});
}

std::map<std::string, Dtype> dtypesOf(const CopyPlan& plan) {
    std::map<std::string, Dtype> all;
    for (const TensorSegment& segment : plan.layout.files.front().tensors) {
        all[std::string(segment.name)] = segment.dtype;
    }
    return all;
}

bool decided(const CopyPlan& plan, DecisionId id, const std::string& part) {
    return std::ranges::any_of(plan.decisions, [&](const PlanDecision& decision) {
        return decision.id == id && decision.value.text().find(part) != std::string::npos;
    });
}

CheckpointData model() {
    CheckpointData data;
    add(data, "model.layers.0.q.weight", Dtype::Float32, {4, 6});
    add(data, "model.layers.0.input_layernorm.weight", Dtype::Float32, {6});
    add(data, "model.rotary.inv_freq", Dtype::Float32, {3}, Role::Buffer);
    add(data, "model.steps", Dtype::Int64, {}, Role::Buffer);
    add(data, "model.mask", Dtype::Bool, {6}, Role::Buffer);
    add(data, "lm_head.weight", Dtype::Float32, {8, 6});
    add(data, "optimizer.exp_avg", Dtype::Float32, {4, 6}, Role::Optimizer);
    return data;
}

TEST(CastPlan, KeepsNormsBuffersIntegersAndTrainingState) {
    JobRequest options;
    options.dtype = "bf16";
    options.only.kind = Selection::Kind::All;
    const auto plan = planOf(model(), options);
    ASSERT_TRUE(plan) << describe(plan.error());
    const auto dtypes = dtypesOf(*plan);
    EXPECT_EQ(dtypes.at("model.layers.0.q.weight"), Dtype::Bfloat16);
    EXPECT_EQ(dtypes.at("lm_head.weight"), Dtype::Bfloat16);
    EXPECT_EQ(dtypes.at("model.layers.0.input_layernorm.weight"), Dtype::Float32);
    EXPECT_EQ(dtypes.at("model.rotary.inv_freq"), Dtype::Float32);
    EXPECT_EQ(dtypes.at("model.steps"), Dtype::Int64);
    EXPECT_EQ(dtypes.at("model.mask"), Dtype::Bool);
    EXPECT_EQ(dtypes.at("optimizer.exp_avg"), Dtype::Float32);
    EXPECT_EQ(plan->castTensors(), 2U);
    EXPECT_TRUE(decided(*plan, DecisionId::DtypeCast, "bfloat16: 2 of 7 tensors"));
    EXPECT_TRUE(
        decided(*plan, DecisionId::NormsKept, "1 kept: model.layers.0.input_layernorm.weight"));
    EXPECT_TRUE(decided(*plan, DecisionId::NumbersKept, "2 kept"));
}

TEST(CastPlan, CastsEveryFloatWhenAskedTo) {
    JobRequest options;
    options.dtype = "fp16";
    options.castAll = true;
    options.only.kind = Selection::Kind::All;
    const auto plan = planOf(model(), options);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->castTensors(), 5U);
    EXPECT_EQ(dtypesOf(*plan).at("model.steps"), Dtype::Int64);
}

TEST(CastPlan, KeepFp32MeansFloat32InTheOutput) {
    CheckpointData data;
    add(data, "a.weight", Dtype::Bfloat16, {4});
    add(data, "head.weight", Dtype::Bfloat16, {4});
    add(data, "head.count", Dtype::Int32, {4});
    JobRequest options;
    options.keepFp32 = {"head.*"};
    options.dtype = "fp16";
    const auto plan = planOf(std::move(data), options);
    ASSERT_TRUE(plan);
    EXPECT_EQ(dtypesOf(*plan).at("a.weight"), Dtype::Float16);
    EXPECT_EQ(dtypesOf(*plan).at("head.weight"), Dtype::Float32);
    EXPECT_EQ(dtypesOf(*plan).at("head.count"), Dtype::Int32);
}

TEST(CastPlan, TiedTensorsAgreeOnOneDtype) {
    CheckpointData data;
    add(data, "embed.weight", Dtype::Float32, {4, 2});
    add(data, "head.weight", Dtype::Float32, {4, 2});
    data.tensors[1].aliasOf = TensorIndex(0);
    data.tensors[1].pieces = data.tensors[0].pieces;
    JobRequest options;
    options.dtype = "bf16";
    options.keepFp32 = {"head.*"};
    options.tied = TiedWeights::Copies;
    const auto plan = planOf(std::move(data), options);
    ASSERT_TRUE(plan);
    EXPECT_EQ(dtypesOf(*plan).at("embed.weight"), Dtype::Float32);
    EXPECT_EQ(dtypesOf(*plan).at("head.weight"), Dtype::Float32);
}

TEST(CastPlan, RefusesWhatItCannotMake) {
    for (const char* dtype : {"int32", "float8_e8m0fnu", "nonsense"}) {
        JobRequest options;
        options.dtype = dtype;
        const auto plan = planOf(model(), options);
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error().code, ErrorCode::InvalidArgument);
    }
}

TEST(CastPlan, TellsWhatEightBitsLose) {
    JobRequest options;
    options.dtype = "float8_e4m3fn";
    const auto plan = planOf(model(), options);
    ASSERT_TRUE(plan);
    const auto dtype = std::ranges::find(plan->decisions, DecisionId::DtypeCast, &PlanDecision::id);
    ASSERT_NE(dtype, plan->decisions.end());
    EXPECT_NE(
        dtype->why.text().find("4 significant bits are left; beyond 448 becomes 448, up to 2^-10 "
                               "becomes 0"),
        std::string::npos)
        << dtype->why.text();
    options.dequantize = true;
    EXPECT_EQ(planOf(model(), options).error().code, ErrorCode::InvalidArgument);
}

TEST(CastPlan, KnowsNormsByName) {
    for (const char* name : {"model.norm.weight", "h.0.ln_1.bias", "ln_f.weight", "bn2.weight",
                             "a.q_norm.weight", "b.LayerNorm.weight", "x.input_layernorm.weight"}) {
        EXPECT_TRUE(isNormName(name)) << name;
    }
    for (const char* name :
         {"lnear.weight", "norm", "norm1.linear.weight", "bnb.weight", "a.weight"}) {
        EXPECT_FALSE(isNormName(name)) << name;
    }
}

CheckpointData matrices() {
    CheckpointData data;
    add(data, "model.embed_tokens.weight", Dtype::Bfloat16, {8, 64});
    add(data, "model.layers.0.mlp.up_proj.weight", Dtype::Bfloat16, {8, 64});
    add(data, "model.layers.0.mlp.up_proj.bias", Dtype::Bfloat16, {64});
    add(data, "model.layers.0.mlp.gate.weight", Dtype::Bfloat16, {4, 64});
    add(data, "model.layers.0.mlp.experts.down_proj", Dtype::Float32, {4, 8, 32});
    add(data, "model.layers.0.odd.weight", Dtype::Bfloat16, {8, 40});
    add(data, "model.layers.0.none.weight", Dtype::Bfloat16, {0, 64});
    add(data, "model.norm.weight", Dtype::Float32, {64});
    add(data, "model.scale", Dtype::Float32, {});
    add(data, "old.weight", Dtype::Float8E4m3fn, {8, 64});
    return data;
}

std::map<std::string, Dtype> quantised(CheckpointData data, const std::string& dtype,
                                       bool castAll = false) {
    JobRequest options;
    options.dtype = dtype;
    options.castAll = castAll;
    options.keepFp32 = {"*.kept.weight"};
    const auto plan = planOf(std::move(data), options);
    EXPECT_TRUE(plan) << (plan ? "" : describe(plan.error()));
    return plan ? dtypesOf(*plan) : std::map<std::string, Dtype>();
}

TEST(PrecisionPlan, BlocksAreForMatricesOfWholeBlocks) {
    auto data = matrices();
    add(data, "model.layers.0.kept.weight", Dtype::Bfloat16, {8, 64});
    const auto dtypes = quantised(std::move(data), "q4_0");
    EXPECT_EQ(dtypes.at("model.embed_tokens.weight"), Dtype::Q8_0); // the head, too
    EXPECT_EQ(dtypes.at("model.layers.0.mlp.up_proj.weight"), Dtype::Q4_0);
    EXPECT_EQ(dtypes.at("model.layers.0.mlp.up_proj.bias"), Dtype::Bfloat16);
    EXPECT_EQ(dtypes.at("model.layers.0.mlp.gate.weight"), Dtype::Bfloat16);
    EXPECT_EQ(dtypes.at("model.layers.0.mlp.experts.down_proj"), Dtype::Q4_0);
    EXPECT_EQ(dtypes.at("model.layers.0.odd.weight"), Dtype::Float16);
    EXPECT_EQ(dtypes.at("model.layers.0.none.weight"), Dtype::Bfloat16);
    EXPECT_EQ(dtypes.at("model.norm.weight"), Dtype::Float32);
    EXPECT_EQ(dtypes.at("model.scale"), Dtype::Float32);
    EXPECT_EQ(dtypes.at("old.weight"), Dtype::Float8E4m3fn);
    EXPECT_EQ(dtypes.at("model.layers.0.kept.weight"), Dtype::Float32);
}

TEST(PrecisionPlan, AHeadOfItsOwnIsMorePrecise) {
    auto data = matrices();
    add(data, "lm_head.weight", Dtype::Bfloat16, {8, 64});
    const auto dtypes = quantised(std::move(data), "q4_0");
    EXPECT_EQ(dtypes.at("model.embed_tokens.weight"), Dtype::Q4_0);
    EXPECT_EQ(dtypes.at("lm_head.weight"), Dtype::Q8_0);
    data = matrices();
    add(data, "lm_head.weight", Dtype::Bfloat16, {8, 64});
    const auto all = quantised(std::move(data), "q4_0", true);
    EXPECT_EQ(all.at("lm_head.weight"), Dtype::Q4_0);
    EXPECT_EQ(all.at("model.layers.0.mlp.gate.weight"), Dtype::Q4_0);
    EXPECT_EQ(all.at("model.layers.0.mlp.up_proj.bias"), Dtype::Bfloat16);
}

TEST(PrecisionPlan, SeparateScalesAreForLinearLayers) {
    const auto dtypes = quantised(matrices(), "fp8");
    for (const auto& [name, dtype] : dtypes) {
        const bool isLinear = name == "model.layers.0.mlp.up_proj.weight" ||
                              name == "model.layers.0.odd.weight" || name == "old.weight";
        EXPECT_EQ(dtype == Dtype::Float8E4m3fn, isLinear) << name;
    }
}

TEST(PrecisionPlan, ListsWhatItQuantisesAndKeeps) {
    JobRequest options;
    options.dtype = "int8";
    const auto plan = planOf(matrices(), options);
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_FALSE(plan->runnable()); // only a forecast
    ASSERT_TRUE(plan->precision);
    EXPECT_EQ(plan->precision->tensors.size(), 2U);
    EXPECT_EQ(plan->precision->tensors.front().bytes, 8U * 64 + 8 * 4);
    std::size_t kept = 0;
    for (const auto& each : plan->precision->kept) {
        kept += each.names.size();
    }
    EXPECT_EQ(kept, 8U);
    EXPECT_TRUE(decided(*plan, DecisionId::RoutersKept, "1 kept: model.layers.0.mlp.gate.weight"));
}

TEST(PrecisionPlan, KnowsPartsOfModelsByName) {
    const std::map<std::string, ModelPart> parts = {
        {"model.embed_tokens.weight", ModelPart::Embedding},
        {"transformer.wpe.weight", ModelPart::Embedding},
        {"token_embd.weight", ModelPart::Embedding},
        {"lm_head.weight", ModelPart::Head},
        {"output.weight", ModelPart::Head},
        {"blk.3.attn_output.weight", ModelPart::Other},
        {"encoder.layer.0.output.weight", ModelPart::Other},
        {"model.layers.1.mlp.gate.weight", ModelPart::Router},
        {"model.layers.1.mlp.gate_proj.weight", ModelPart::Other},
        {"blk.1.ffn_gate_inp.weight", ModelPart::Router},
        {"blk.1.ffn_gate.weight", ModelPart::Other},
        {"model.layers.1.mlp.shared_expert_gate.weight", ModelPart::Router},
    };
    for (const auto& [name, part] : parts) {
        EXPECT_EQ(modelPart(name), part) << name;
    }
}

JobRequest renaming(const std::string& rules) {
    JobRequest options;
    options.rename = *NameRules::parse(rules);
    return options;
}

TEST(RenamePlan, KeepsSourceAndNewName) {
    const auto plan = planOf(model(), renaming("model.=transformer."));
    ASSERT_TRUE(plan);
    EXPECT_TRUE(dtypesOf(*plan).contains("transformer.layers.0.q.weight"));
    EXPECT_TRUE(decided(*plan, DecisionId::Renamed,
                        "5 of 6 tensors: model.layers.0.q.weight → transformer."));
}

TEST(RenamePlan, TwoTensorsUnderOneNameAreRefused) {
    const auto plan = planOf(model(), renaming("^.*$=one"));
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->runnable());
    const auto& problems = plan->problems;
    EXPECT_EQ(std::ranges::count(problems, ErrorCode::DuplicateTensor, &PlanProblem::code), 5);
    EXPECT_FALSE(checkRunnable(*plan));
}

TEST(RenamePlan, ANameOfNothingIsRefusedAndAnIdleRuleIsTold) {
    const auto empty = planOf(model(), renaming("^lm_head.weight$="));
    ASSERT_TRUE(empty);
    EXPECT_FALSE(empty->runnable());
    const auto idle = planOf(model(), renaming("nowhere.=x."));
    ASSERT_TRUE(idle);
    EXPECT_TRUE(idle->runnable());
    EXPECT_TRUE(std::ranges::any_of(idle->problems, [](const PlanProblem& problem) {
        return problem.severity == Severity::Warning &&
               problem.message.text().find("changes no name") != std::string::npos;
    }));
}

CheckpointData quantised(const Shape& weight, const Shape& scales, const char* suffix) {
    CheckpointData data;
    add(data, "q.weight", Dtype::Float8E4m3fn, weight);
    add(data, std::string("q.weight") + suffix, Dtype::Float32, scales);
    add(data, "q.bias", Dtype::Bfloat16, {3});
    return data;
}

TEST(DequantizePlan, FindsScalesAndTheirBlocks) {
    struct Row {
        Shape weight;
        Shape scales;
        const char* suffix;
        Shape block;
    };
    for (const Row& row :
         {Row{{200, 300}, {2, 3}, "_scale_inv", {128, 128}}, Row{{7, 5}, {}, "_scale", {7, 5}},
          Row{{7, 5}, {7, 1}, "_scale", {1, 5}}, Row{{7, 5}, {7}, "_scale", {1, 5}},
          Row{{64, 96}, {2, 3}, "_scale", {32, 32}}}) {
        JobRequest options;
        options.dequantize = true;
        const auto plan = planOf(quantised(row.weight, row.scales, row.suffix), options);
        ASSERT_TRUE(plan);
        EXPECT_TRUE(plan->runnable());
        const auto dtypes = dtypesOf(*plan);
        EXPECT_EQ(dtypes.size(), 2U);
        EXPECT_EQ(dtypes.at("q.weight"), Dtype::Bfloat16);
        ASSERT_EQ(plan->recipes.size(), 1U);
        EXPECT_EQ(plan->recipes.begin()->second.block, row.block);
    }
}

TEST(DequantizePlan, ScalesThatDoNotFitAreRefused) {
    JobRequest options;
    options.dequantize = true;
    const auto plan = planOf(quantised({200, 300}, {5, 3}, "_scale_inv"), options);
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->runnable());
}

TEST(DequantizePlan, ACastAloneLeavesQuantisedWeightsAndScalesAlone) {
    JobRequest options;
    options.dtype = "fp16";
    const auto plan = planOf(quantised({200, 300}, {2, 3}, "_scale_inv"), options);
    ASSERT_TRUE(plan);
    const auto dtypes = dtypesOf(*plan);
    EXPECT_EQ(dtypes.at("q.weight"), Dtype::Float8E4m3fn);
    EXPECT_EQ(dtypes.at("q.weight_scale_inv"), Dtype::Float32);
    EXPECT_EQ(dtypes.at("q.bias"), Dtype::Float16);
}

TEST(AveragePlan, TakesCountsAndBuffersFromTheLast) {
    JobRequest options;
    options.output = "out";
    const auto first = Checkpoint::make(model());
    const auto last = Checkpoint::make(model());
    PlanFacts facts;
    facts.average = {{first, 1}, {last, 3}};
    const auto plan = planConsolidate(last, {"safetensors", &oneFileLayout, {}}, options, facts);
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->recipes.size(), 3U);
    EXPECT_TRUE(decided(*plan, DecisionId::NotAveraged, "model.steps"));
    EXPECT_EQ(sourceTensors(*plan).size(), 6U + 3U);
}

TEST(AveragePlan, ReadsWeightsAsTheyAreTyped) {
    const auto weights = [](const char* text, std::size_t count) -> Result<std::vector<double>> {
        JobRequest request;
        request.kind = JobKind::Average;
        request.sources.resize(count);
        if (text != nullptr) {
            CAIRN_CHECK(setField(request, "weights", text));
        }
        return memberWeights(request);
    };
    EXPECT_EQ(*weights(nullptr, 3), (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(*weights("0.5,0.3,0.2", 3), (std::vector<double>{0.5, 0.3, 0.2}));
    EXPECT_EQ(*weights(" 1, 2e1 ", 2), (std::vector<double>{1, 20}));
    for (const char* wrong : {"1", "1,2,3", "1,", "1,x", "1;2", ","}) {
        EXPECT_FALSE(weights(wrong, 2)) << wrong;
    }
}

/// The mean of two checkpoints with the same tensors.
Result<CopyPlan> meanOf(CheckpointData data) {
    JobRequest options;
    options.output = "out";
    CheckpointData other = data;
    const auto last = Checkpoint::make(std::move(data));
    PlanFacts facts;
    facts.average = {{Checkpoint::make(std::move(other)), 1}, {last, 1}};
    return planConsolidate(last, {"safetensors", &oneFileLayout, {}}, options, facts);
}

bool hasProblem(const Result<CopyPlan>& plan, ErrorCode code, const std::string& part) {
    return plan && std::ranges::any_of(plan->problems, [&](const PlanProblem& problem) {
               return problem.code == code && problem.severity == Severity::Error &&
                      problem.message.text().find(part) != std::string::npos;
           });
}

TEST(AveragePlan, RefusesQuantisedWeightsAndNamesTheWayOut) {
    const auto plan = meanOf(quantised({256, 128}, {2, 1}, "_scale_inv"));
    EXPECT_TRUE(
        hasProblem(plan, ErrorCode::Unsupported, "1 quantised weights (float8 with scales)"));
    EXPECT_NE(plan->problems.front().fix.text().find("--dequantize"), std::string::npos);
    CheckpointData words;
    add(words, "l.qweight", Dtype::Int32, {8, 64});
    add(words, "l.qzeros", Dtype::Int32, {2, 8});
    add(words, "l.scales", Dtype::Float16, {2, 64});
    EXPECT_TRUE(hasProblem(meanOf(std::move(words)), ErrorCode::Unsupported, "GPTQ or AWQ"));
}

TEST(AveragePlan, RefusesFactorsOfAdapters) {
    CheckpointData data;
    add(data, "base_model.model.q_proj.lora_A.weight", Dtype::Float32, {4, 64});
    add(data, "base_model.model.q_proj.lora_B.weight", Dtype::Float32, {64, 4});
    const auto plan = meanOf(std::move(data));
    EXPECT_TRUE(hasProblem(plan, ErrorCode::Unsupported, "mean of its factors"));
    EXPECT_NE(plan->problems.front().fix.text().find("fold BASE"), std::string::npos);
}

TEST(AveragePlan, RefusesWeightsThatHaveNoMean) {
    for (const Dtype dtype : {Dtype::Complex64, Dtype::Float8E4m3fn}) {
        CheckpointData data = model();
        add(data, "model.spectrum.weight", dtype, {4, 4});
        EXPECT_TRUE(hasProblem(meanOf(std::move(data)), ErrorCode::Unsupported,
                               std::string(dtypeName(dtype))));
    }
}

TEST(AveragePlan, TellsTensorsThatOnlyAnEarlierMemberHas) {
    CheckpointData more = model();
    add(more, "model.layers.7.weight", Dtype::Float32, {4, 4});
    JobRequest options;
    options.output = "out";
    const auto last = Checkpoint::make(model());
    PlanFacts facts;
    facts.average = {{Checkpoint::make(std::move(more)), 1}, {last, 1}};
    EXPECT_TRUE(
        hasProblem(planConsolidate(last, {"safetensors", &oneFileLayout, {}}, options, facts),
                   ErrorCode::TensorNotFound, "model.layers.7.weight"));
}

TEST(DequantizePlan, NamesTheLibraryOfALayoutThatIsNotCarriedOut) {
    CheckpointData words;
    add(words, "l.qweight", Dtype::Int32, {8, 64});
    add(words, "l.scales", Dtype::Float16, {2, 64});
    JobRequest options;
    options.dequantize = true;
    const auto plan = planOf(std::move(words), options);
    EXPECT_TRUE(hasProblem(plan, ErrorCode::Unsupported, "GPTQ or AWQ"));
    EXPECT_NE(plan->problems.front().fix.text().find("model.dequantize()"), std::string::npos);
}

TEST(CastPlan, LeavesCodesAndEverythingOfTheirWeightAlone) {
    CheckpointData data;
    add(data, "l.weight.qdata", Dtype::Float8E4m3fn, {64, 64});
    add(data, "l.weight.scale", Dtype::Float32, {64, 1});
    add(data, "m.weight", Dtype::Uint32, {64, 8});
    add(data, "m.scales", Dtype::Float16, {64, 1});
    add(data, "m.biases", Dtype::Float16, {64, 1});
    add(data, "n.weight", Dtype::Float32, {64, 64});
    JobRequest options;
    options.dtype = "bf16";
    const auto plan = planOf(data, options);
    ASSERT_TRUE(plan);
    auto dtypes = dtypesOf(*plan);
    EXPECT_EQ(dtypes.at("n.weight"), Dtype::Bfloat16);
    dtypes.erase("n.weight");
    for (const TensorEntry& tensor : data.tensors) {
        if (const auto found = dtypes.find(tensor.name); found != dtypes.end()) {
            EXPECT_EQ(found->second, tensor.dtype) << tensor.name;
        }
    }
    EXPECT_EQ(dtypes.size(), 5U);
}

TEST(AveragePlan, TellsTensorsThatOneLacks) {
    CheckpointData less = model();
    less.tensors.erase(less.tensors.begin());
    JobRequest options;
    options.output = "out";
    const auto last = Checkpoint::make(model());
    PlanFacts facts;
    facts.average = {{Checkpoint::make(std::move(less)), 1}, {last, 1}};
    const auto plan = planConsolidate(last, {"safetensors", &oneFileLayout, {}}, options, facts);
    ASSERT_TRUE(plan);
    EXPECT_FALSE(plan->runnable());
    facts.average[0].weight = -1;
    EXPECT_FALSE(planConsolidate(last, {"safetensors", &oneFileLayout, {}}, options, facts));
}

} // namespace
} // namespace cairn
