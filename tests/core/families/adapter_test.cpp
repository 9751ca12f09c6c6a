// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_combination.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

struct AdapterTensor {
    std::string name;
    Shape shape;
    Dtype dtype = Dtype::Float32;
};

CheckpointPtr withShapes(const std::vector<AdapterTensor>& tensors) {
    CheckpointData data;
    std::uint64_t bytes = 0;
    for (const AdapterTensor& each : tensors) {
        TensorEntry tensor;
        tensor.name = each.name;
        tensor.dtype = each.dtype;
        tensor.shape = each.shape;
        tensor.role = Role::Weight;
        Piece piece;
        piece.box = Box::whole(each.shape);
        const std::uint64_t size =
            dtypeBytes(each.dtype, elementCount(each.shape).value_or(0)).value_or(0);
        piece.bytes.offset = bytes;
        piece.bytes.length = size;
        bytes += size;
        tensor.pieces.push_back(piece);
        data.tensors.push_back(std::move(tensor));
    }
    CheckpointFile file;
    file.path = "memory";
    file.identity.size = bytes;
    data.addFile(std::move(file));
    return Checkpoint::make(std::move(data));
}

Value dict(std::vector<std::pair<std::string, Value>> fields) {
    std::vector<ValueItem> items;
    for (auto& [key, value] : fields) {
        items.push_back({Value(key), value});
    }
    return Value::dict(std::move(items));
}

Value settings(const std::vector<std::pair<std::string, Value>>& more = {}) {
    std::vector<std::pair<std::string, Value>> fields = {{"peft_type", Value("LORA")},
                                                         {"r", Value(std::int64_t{2})},
                                                         {"lora_alpha", Value(std::int64_t{8})}};
    for (const auto& each : more) {
        std::erase_if(fields, [&](const auto& field) { return field.first == each.first; });
        fields.push_back(each);
    }
    return dict(fields);
}

const std::string kQ = "base_model.model.model.layers.0.q_proj.";

Result<AdapterChanges> changesOf(const std::vector<AdapterTensor>& adapter, const Value& config,
                                 const CheckpointPtr& base, const ModelConfig* model = nullptr) {
    std::vector<NamedTensor> names;
    for (std::size_t i = 0; i < base->tensors().size(); ++i) {
        names.push_back({TensorIndex(i), base->tensors()[i].name});
    }
    CAIRN_TRY(const AdapterConfig parsed, AdapterConfig::of(config));
    return adapterChanges(*withShapes(adapter), parsed, {base, names, model}, 1, false);
}

std::string errorOf(const Result<AdapterChanges>& changes) {
    return changes ? "none" : describe(changes.error());
}

TEST(Adapter, PairOfMatricesChangesTheWeightOfItsModule) {
    const CheckpointPtr base = withShapes(
        {{"model.layers.0.q_proj.weight", {6, 4}}, {"model.layers.0.k_proj.weight", {4, 4}}});
    const auto changes = changesOf({{kQ + "lora_A.weight", {2, 4}}, {kQ + "lora_B.weight", {6, 2}}},
                                   settings(), base);
    ASSERT_TRUE(changes) << errorOf(changes);
    ASSERT_EQ(changes->tensors.size(), 1);
    const AdapterOperation& operation = changes->tensors.at(TensorIndex(0)).front();
    EXPECT_EQ(operation.kind, AdapterOperation::Kind::LowRank);
    EXPECT_EQ(operation.scale, 4.0F);
    EXPECT_EQ(operation.rank, 2);
    EXPECT_FALSE(operation.transposed);
}

TEST(Adapter, NamesOfOlderVersionsAndUnsavedNamesAreKnown) {
    const CheckpointPtr base = withShapes({{"layers.0.q_proj.weight", {6, 4}}});
    const auto changes = changesOf({{kQ + "lora_A.default.weight", {2, 4}},
                                    {kQ + "lora_B.default.weight", {6, 2}},
                                    {kQ + "lora_magnitude_vector.weight", {6}}},
                                   settings({{"use_dora", Value(true)}}), base);
    ASSERT_TRUE(changes) << errorOf(changes);
    EXPECT_TRUE(changes->tensors.at(TensorIndex(0)).front().magnitude.has_value());
}

TEST(Adapter, PatternsSetAlphaAndRankOfModules) {
    const auto config = AdapterConfig::of(
        settings({{"alpha_pattern", dict({{"q_proj", Value(std::int64_t{3})},
                                          {"^layers.0.v_proj", Value(std::int64_t{5})},
                                          {"layers\\.[0-9]+\\.o_proj", Value(std::int64_t{7})}})},
                  {"rank_pattern", dict({{"v_proj", Value(std::int64_t{4})}})}}));
    ASSERT_TRUE(config);
    EXPECT_EQ(config->alphaOf("model.layers.0.q_proj").value(), 3);
    EXPECT_EQ(config->alphaOf("model.layers.0.xq_proj").value(), 8);
    EXPECT_EQ(config->alphaOf("layers.0.v_proj").value(), 5);
    EXPECT_EQ(config->alphaOf("model.layers.0.v_proj").value(), 8);
    EXPECT_EQ(config->alphaOf("model.layers.12.o_proj").value(), 7);
    EXPECT_EQ(config->rankOf("model.layers.0.v_proj").value(), 4);
}

TEST(Adapter, PatternsOfEveryFormTakeLinearTime) {
    const auto withPattern = [](const std::string& key) {
        return AdapterConfig::of(
            settings({{"alpha_pattern", dict({{key, Value(std::int64_t{3})}})}}));
    };
    const auto nested = withPattern("(a*)*b"); // for ever with backtracking
    ASSERT_TRUE(nested);
    EXPECT_EQ(nested->alphaOf(std::string(20'000, 'a')).value(), 8);
    EXPECT_EQ(nested->alphaOf("x." + std::string(20'000, 'a') + "b").value(), 3);
    const auto several = withPattern("layers\\.\\d+\\.(self_attn|mlp)\\..*_(proj|fc)+");
    ASSERT_TRUE(several);
    EXPECT_EQ(several->alphaOf("model.layers.12.mlp.up_proj").value(), 3);
    EXPECT_EQ(several->alphaOf("model.layers.x.mlp.up_proj").value(), 8);
    const auto start = withPattern("^layers.*");
    EXPECT_EQ(start->alphaOf("layers.1.q").value(), 3);
    EXPECT_EQ(start->alphaOf("model.layers.1.q").value(), 8);
    EXPECT_FALSE(withPattern("q(?=_proj).*")->alphaOf("q_proj")); // RE2 has no lookahead
}

TEST(Adapter, EveryTensorMustHaveAUse) {
    const CheckpointPtr base = withShapes({{"model.layers.0.q_proj.weight", {6, 4}}});
    const std::vector<AdapterTensor> sound = {{kQ + "lora_A.weight", {2, 4}},
                                              {kQ + "lora_B.weight", {6, 2}}};
    const auto with = [&](const AdapterTensor& more) {
        std::vector<AdapterTensor> all = sound;
        all.push_back(more);
        return errorOf(changesOf(all, settings(), base));
    };
    EXPECT_NE(with({"model.layers.0.q_proj.lora_A.weight", {2, 4}}).find("does not identify"),
              std::string::npos);
    EXPECT_NE(with({kQ + "lora_C.weight", {2, 4}}).find("of unknown use"), std::string::npos);
    EXPECT_NE(with({"base_model.model.model.layers.1.q_proj.lora_A.weight", {2, 4}}).find("part"),
              std::string::npos);
    EXPECT_NE(with({"base_model.model.score.weight", {2, 4}}).find("no tensor"), std::string::npos);
    EXPECT_NE(with({kQ + "lora_magnitude_vector", {6}}).find("use_dora"), std::string::npos);
}

TEST(Adapter, OtherBasesAreRefused) {
    const std::vector<AdapterTensor> adapter = {{kQ + "lora_A.weight", {2, 4}},
                                                {kQ + "lora_B.weight", {6, 2}}};
    const auto onto = [&](const std::vector<AdapterTensor>& base) {
        return errorOf(changesOf(adapter, settings(), withShapes(base)));
    };
    EXPECT_NE(onto({{"model.layers.0.q_proj.weight", {6, 5}}}).find("shape of a tensor"),
              std::string::npos);
    EXPECT_NE(
        onto({{"model.layers.0.q_proj.weight", {6, 4}, Dtype::Float8E4m3fn}}).find("quantised"),
        std::string::npos);
    EXPECT_NE(onto({{"model.layers.0.q_proj.qweight", {6, 4}, Dtype::Int32}}).find("quantised"),
              std::string::npos);
}

TEST(Adapter, ModulesThatTheSettingsNameMustBeThere) {
    const CheckpointPtr base = withShapes(
        {{"model.layers.0.q_proj.weight", {6, 4}}, {"model.layers.1.q_proj.weight", {6, 4}}});
    const Value config = settings({{"target_modules", Value::list({Value("q_proj")})}});
    const auto changes =
        changesOf({{kQ + "lora_A.weight", {2, 4}}, {kQ + "lora_B.weight", {6, 2}}}, config, base);
    EXPECT_NE(errorOf(changes).find("model.layers.1.q_proj"), std::string::npos);
}

TEST(Adapter, ExpertsInMemoryAreFoundWhereTheyArePublished) {
    std::vector<AdapterTensor> stored;
    for (int e = 0; e < 2; ++e) {
        const std::string expert =
            "model.layers.0.block_sparse_moe.experts." + std::to_string(e) + ".";
        stored.push_back({expert + "w1.weight", {3, 4}});
        stored.push_back({expert + "w2.weight", {4, 3}});
        stored.push_back({expert + "w3.weight", {3, 4}});
    }
    const auto model =
        ModelConfig::parse(R"({"architectures": ["MixtralForCausalLM"], "model_type": "mixtral"})");
    ASSERT_TRUE(model);
    const std::string experts = "base_model.model.model.layers.0.mlp.experts.";
    const Value config =
        settings({{"target_parameters", Value::list({Value("mlp.experts.gate_up_proj")})}});
    const auto changes =
        changesOf({{experts + "lora_A.weight", {4, 4}}, {experts + "lora_B.weight", {6, 4}}},
                  config, withShapes(stored), &*model);
    ASSERT_TRUE(changes) << errorOf(changes);
    ASSERT_EQ(changes->tensors.size(), 4);
    const AdapterOperation& up = changes->tensors.at(TensorIndex(5)).front(); // expert 1, w3
    EXPECT_EQ(up.experts, 2);
    EXPECT_EQ(up.firstExpert, 1);
    EXPECT_EQ(up.firstOut, 3);
    EXPECT_EQ(up.firstIn, 0);
    EXPECT_TRUE(up.rounds);
}

TEST(Adapter, MethodsThatChangeTheBaseAreRefusedByTheirField) {
    const std::vector<std::pair<std::string, Value>> refused = {
        {"init_lora_weights", Value("pissa_niter_4")},
        {"init_lora_weights", Value("olora")},
        {"use_qalora", Value(true)},
        {"kasa_config", dict({{"a", Value(true)}})},
        {"peft_type", Value("LOHA")},
        {"r", Value(0.5)},
        {"lora_alpha", Value("8")},
    };
    for (const auto& field : refused) {
        const auto config = AdapterConfig::of(settings({field}));
        ASSERT_FALSE(config) << field.first;
        EXPECT_EQ(config.error().where.field, field.first);
    }
    EXPECT_TRUE(AdapterConfig::of(settings({{"init_lora_weights", Value("gaussian")},
                                            {"loftq_config", dict({})},
                                            {"use_qalora", Value(false)}})));
}

TEST(Adapter, NamesWithoutADotMeanTheTensorsOfEveryModule) {
    const CheckpointPtr base = withShapes({{"layers.0.mlp.experts.gate_up_proj", {4, 12, 6}},
                                           {"layers.0.mlp.experts.down_proj", {4, 6, 5}},
                                           {"layers.0.q_proj.weight", {6, 6}}});
    const std::string experts = "base_model.model.layers.0.mlp.experts.";
    const std::vector<AdapterTensor> adapter = {
        {experts + "base_layer.lora_A.weight", {12, 6}},
        {experts + "base_layer.lora_B.weight", {12, 12}},
        {experts + "lora_A.weight", {8, 5}},
        {experts + "lora_B.weight", {6, 8}},
        {"base_model.model.layers.0.q_proj.lora_A.weight", {2, 6}},
        {"base_model.model.layers.0.q_proj.lora_B.weight", {6, 2}}};
    const Value names = Value::list({Value("down_proj"), Value("gate_up_proj")});
    const auto changes = changesOf(
        adapter,
        settings({{"target_parameters", names},
                  {"rank_pattern", dict({{".*\\.gate_up_proj", Value(std::int64_t{3})}})}}),
        base);
    ASSERT_TRUE(changes) << errorOf(changes);
    ASSERT_EQ(changes->tensors.size(), 3);
    EXPECT_EQ(changes->tensors.at(TensorIndex(0)).front().rank, 3);
    EXPECT_EQ(changes->tensors.at(TensorIndex(1)).front().experts, 4);
    EXPECT_EQ(changes->tensors.at(TensorIndex(2)).front().experts, 1);
}

TEST(Adapter, WhatModulesWereBeforeTrainingIsNotUsed) {
    const CheckpointPtr base =
        withShapes({{"layers.0.q_proj.weight", {6, 4}}, {"classifier.bias", {3}}});
    const std::vector<AdapterTensor> pair = {
        {"base_model.model.layers.0.q_proj.lora_A.weight", {2, 4}},
        {"base_model.model.layers.0.q_proj.lora_B.weight", {6, 2}}};
    std::vector<AdapterTensor> tensors = pair;
    tensors.push_back({"base_model.model.classifier.original_module.bias", {3}});
    EXPECT_NE(errorOf(changesOf(tensors, settings(), base)).find("unknown use"), std::string::npos);
    tensors.push_back({"base_model.model.classifier.bias", {3}});
    const auto changes = changesOf(tensors, settings(), base);
    ASSERT_TRUE(changes) << errorOf(changes);
    EXPECT_EQ(changes->tensors.at(TensorIndex(1)).size(), 1);
}

TEST(Adapter, ContainerAndFilesBesideTheAdapterAreKnown) {
    const CheckpointPtr base =
        withShapes({{"layers.0.q_proj.weight", {6, 4}}, {"model.projector.weight", {3, 3}}});
    std::vector<AdapterTensor> tensors = {
        {"model.base_model.model.layers.0.q_proj.lora_A.weight", {2, 4}},
        {"model.base_model.model.layers.0.q_proj.lora_B.weight", {6, 2}},
        {"non_lora_trainables.base_model.model.model.projector.weight", {3, 3}}};
    const auto changes = changesOf(tensors, settings(), base);
    ASSERT_TRUE(changes) << errorOf(changes);
    EXPECT_EQ(changes->tensors.size(), 2);
    EXPECT_TRUE(changes->added.empty());
    tensors[1].name = "other." + tensors[1].name; // of another model in the same file
    EXPECT_FALSE(changesOf(tensors, settings(), base));
}

TEST(Adapter, ModulesThatOnlyTheFilesBesideItHaveAreAdded) {
    const CheckpointPtr base = withShapes({{"model.layers.0.q_proj.weight", {6, 4}}});
    std::vector<AdapterTensor> tensors = {
        {"base_model.model.model.layers.0.q_proj.lora_A.weight", {2, 4}},
        {"base_model.model.model.layers.0.q_proj.lora_B.weight", {6, 2}},
        {"non_lora_trainables.base_model.model.model.mm_projector.0.weight", {3, 3}}};
    const auto changes = changesOf(tensors, settings(), base);
    ASSERT_TRUE(changes) << errorOf(changes);
    EXPECT_EQ(changes->tensors.size(), 1);
    ASSERT_EQ(changes->added.size(), 1);
    EXPECT_EQ(changes->added[0].name, "model.mm_projector.0.weight");
    // A module of which the base has other tensors is one of another base.
    tensors[2].name = "non_lora_trainables.base_model.model.model.layers.1.norm.weight";
    EXPECT_NE(errorOf(changesOf(tensors, settings(), base)).find("model.layers.1.norm.weight"),
              std::string::npos);
    // The adapter's own file has no tensors that its base lacks.
    tensors[2].name = "base_model.model.model.mm_projector.0.weight";
    EXPECT_FALSE(changesOf(tensors, settings(), base));
}

TEST(Adapter, MatricesOfALayerAreNoEmbeddings) {
    const auto config = ModelConfig::parse(
        R"({"model_type": "new", "architectures": ["NewForCausalLM"], "vocab_size": 6})");
    ASSERT_TRUE(config);
    const CheckpointPtr base =
        withShapes({{"h.0.q_proj.weight", {6, 4}}, {"words.weight", {6, 4}}});
    std::vector<NamedTensor> names;
    for (std::size_t i = 0; i < base->tensors().size(); ++i) {
        names.push_back({TensorIndex(i), base->tensors()[i].name});
    }
    const BaseTies ties({base, names, &*config});
    EXPECT_FALSE(ties.isTiedElsewhere("h.0.q_proj.weight", TensorIndex(0)));
    EXPECT_TRUE(ties.isTiedElsewhere("words.weight", TensorIndex(1)));
}

struct Combining {
    std::vector<CheckpointPtr> adapters;
    std::vector<AdapterConfig> configs;

    void add(const std::vector<AdapterTensor>& tensors, const Value& config) {
        adapters.push_back(withShapes(tensors));
        configs.push_back(AdapterConfig::of(config).value());
    }
    [[nodiscard]] Result<CombinedAdapter> result(std::vector<double> weights) const {
        std::vector<CombinedMember> members;
        for (std::size_t i = 0; i < adapters.size(); ++i) {
            members.push_back({*adapters[i], configs[i], weights[i]});
        }
        return combineAdapters(members);
    }
};

TEST(Adapter, MeansJoinMatricesAndSharesBecomeAlpha) {
    Combining two;
    two.add({{kQ + "lora_A.weight", {2, 4}}, {kQ + "lora_B.weight", {6, 2}}}, settings());
    two.add({{kQ + "lora_A.weight", {3, 4}}, {kQ + "lora_B.weight", {6, 3}}},
            settings({{"r", Value(std::int64_t{3})}, {"lora_alpha", Value(std::int64_t{12})}}));
    const auto even = two.result({1, 1}); // both scaled by 4
    ASSERT_TRUE(even);
    EXPECT_EQ(even->rank, 5);
    EXPECT_EQ(even->alpha, 10); // 2 = 4 / 2
    ASSERT_EQ(even->tensors.size(), 2);
    EXPECT_EQ(even->tensors[0].how, CombinedBy::Rows);
    EXPECT_EQ(even->tensors[0].parts[0].factor, 1);
    const auto uneven = two.result({1, 3});
    ASSERT_TRUE(uneven);
    EXPECT_EQ(uneven->alpha, 5);
    EXPECT_EQ(uneven->tensors[0].parts[0].factor, 1);
    EXPECT_EQ(uneven->tensors[0].parts[1].factor, 3);
}

TEST(Adapter, MeansThatNoAdapterCanExpressAreRefused) {
    const std::vector<AdapterTensor> pair = {{kQ + "lora_A.weight", {2, 4}},
                                             {kQ + "lora_B.weight", {6, 2}}};
    Combining dora;
    dora.add(pair, settings({{"use_dora", Value(true)}}));
    dora.add(pair, settings());
    EXPECT_FALSE(dora.result({1, 1}));
    Combining replaced;
    replaced.add(pair, settings());
    std::vector<AdapterTensor> more = pair;
    more.push_back({"base_model.model.lm_head.weight", {6, 4}});
    replaced.add(more, settings());
    EXPECT_FALSE(replaced.result({1, 1}));
    Combining parameters;
    parameters.add(pair, settings());
    parameters.add(pair, settings({{"target_parameters", Value::list({Value("x")})}}));
    EXPECT_FALSE(parameters.result({1, 1}));
}

} // namespace
} // namespace cairn
