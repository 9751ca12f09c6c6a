// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/conversion.h"
#include "core/families/names/framework.h"
#include "tests/core/families/stored_tensors.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cairn {
namespace {

/// A model of two layers with the fields of its config.
struct Model {
    std::vector<Stored> tensors;
    ModelConfig config;
};

void set(ModelConfig& config, std::initializer_list<std::pair<const char*, std::int64_t>> fields) {
    for (const auto& [name, value] : fields) {
        config.set(name, value);
    }
}

/// Llama as transformers names it: 2 heads of 4, one group, 8 hidden, 6 inner.
Model llama(const std::string& type = "llama") {
    Model model;
    model.config.set("model_type", type);
    set(model.config, {{"hidden_size", 8},
                       {"num_attention_heads", 2},
                       {"num_key_value_heads", 1},
                       {"head_dim", 4},
                       {"intermediate_size", 6},
                       {"num_hidden_layers", 2},
                       {"vocab_size", 5},
                       {"tie_word_embeddings", 0}});
    model.tensors = {{"model.embed_tokens.weight", {5, 8}}};
    for (int i = 0; i < 2; ++i) {
        const std::string layer = "model.layers." + std::to_string(i) + ".";
        for (const Stored& each : std::vector<Stored>{{"input_layernorm.weight", {8}},
                                                      {"self_attn.q_proj.weight", {8, 8}},
                                                      {"self_attn.k_proj.weight", {4, 8}},
                                                      {"self_attn.v_proj.weight", {4, 8}},
                                                      {"self_attn.o_proj.weight", {8, 8}},
                                                      {"post_attention_layernorm.weight", {8}},
                                                      {"mlp.gate_proj.weight", {6, 8}},
                                                      {"mlp.up_proj.weight", {6, 8}},
                                                      {"mlp.down_proj.weight", {8, 6}}}) {
            model.tensors.push_back({layer + each.name, each.shape});
        }
    }
    model.tensors.push_back({"model.norm.weight", {8}});
    model.tensors.push_back({"lm_head.weight", {5, 8}});
    return model;
}

/// Mixtral: three experts of 2 instead of the inner layers.
Model mixtral() {
    Model model = llama("mixtral");
    set(model.config,
        {{"num_local_experts", 3}, {"num_experts_per_tok", 2}, {"intermediate_size", 2}});
    std::erase_if(model.tensors,
                  [](const Stored& each) { return each.name.find(".mlp.") != std::string::npos; });
    for (int i = 0; i < 2; ++i) {
        const std::string moe = "model.layers." + std::to_string(i) + ".block_sparse_moe.";
        model.tensors.push_back({moe + "gate.weight", {3, 8}});
        for (int e = 0; e < 3; ++e) {
            const std::string expert = moe + "experts." + std::to_string(e) + ".";
            model.tensors.push_back({expert + "w1.weight", {2, 8}});
            model.tensors.push_back({expert + "w2.weight", {8, 2}});
            model.tensors.push_back({expert + "w3.weight", {2, 8}});
        }
    }
    return model;
}

Result<FrameworkConversion> to(const CheckpointPtr& base, const Model& model,
                               const Framework& framework) {
    const auto named = all(*base);
    return convertToFramework({base, named, &model.config, ""}, framework);
}

Result<std::optional<FrameworkConversion>>
from(const CheckpointPtr& base, const ModelConfig* config, std::string_view family = "") {
    const auto named = all(*base);
    return convertFramework({base, named, config, family},
                            [](std::string_view) { return std::optional<ModelConfig>(); });
}

std::vector<std::string> sorted(std::vector<std::string> lines) {
    std::ranges::sort(lines);
    return lines;
}

/// Whether a model can get the names of a framework: the last norm and the head of GPT-NeoX have
/// numbers that follow from that of the layers, which no rule computes.
bool isTarget(const Framework& framework, std::string_view family) {
    return &framework != &gptNeox() &&
           std::ranges::find(framework.families, family, &FamilyRow::family) !=
               framework.families.end();
}

/// The frameworks that have names for Llama.
std::vector<const Framework*> frameworksOfLlama() {
    std::vector<const Framework*> all;
    std::ranges::copy_if(knownFrameworks(), std::back_inserter(all),
                         [](const Framework* each) { return isTarget(*each, "llama"); });
    return all;
}

/// Tensors of the model in memory as a framework names them.
CheckpointPtr native(const Model& model, const Framework& framework) {
    const auto made = to(checkpointOf(model.tensors), model, framework);
    EXPECT_TRUE(made) << describe(made ? Error() : made.error());
    return made ? made->made.checkpoint : nullptr;
}

/// The same tensors under changed names; an empty one leaves out the tensor.
template <class Rename> CheckpointPtr changed(const CheckpointPtr& base, const Rename& rename) {
    CheckpointData data = base->data();
    for (TensorEntry& tensor : data.tensors) {
        tensor.name = rename(tensor.name);
    }
    std::erase_if(data.tensors, [](const TensorEntry& tensor) { return tensor.name.empty(); });
    return Checkpoint::make(std::move(data));
}

Result<FrameworkConversion> stored(const CheckpointPtr& base, const Model& model,
                                   bool isPartial = false) {
    const auto named = all(*base);
    FrameworkRequest request{base, named, &model.config, ""};
    request.isPartial = isPartial;
    return convertToStored(request, megatron());
}

TEST(Framework, AStateHasStackedLayersAndComesBack) {
    const Model model = llama();
    const CheckpointPtr base = checkpointOf(model.tensors);
    const auto there = stored(base, model);
    ASSERT_TRUE(there) << describe(there.error());
    const Checkpoint& made = *there->made.checkpoint;
    const auto fused = made.find("decoder.layers.self_attention.linear_qkv.weight");
    ASSERT_TRUE(fused);
    EXPECT_EQ(made.tensor(*fused).shape, Shape({2, 16, 8}));
    EXPECT_TRUE(made.find("decoder.layers.mlp.linear_fc1.layer_norm_weight"));
    EXPECT_EQ(made.tensors().size(), 9U);
    const auto back = from(there->made.checkpoint, &model.config);
    ASSERT_TRUE(back && *back) << (back ? "" : describe(back.error()));
    EXPECT_EQ(sorted(shown(*(*back)->made.checkpoint)), sorted(shown(*base)));
}

TEST(Framework, MomentsMayBeMissingOnlyWholly) {
    const auto without = [](std::string_view end) {
        Model model = llama();
        std::erase_if(model.tensors,
                      [end](const Stored& each) { return each.name.ends_with(end); });
        return model;
    };
    const Model norms = without("model.norm.weight");
    EXPECT_FALSE(stored(checkpointOf(norms.tensors), norms));
    EXPECT_TRUE(stored(checkpointOf(norms.tensors), norms, true));
    for (const std::string_view end :
         {"0.self_attn.k_proj.weight", "0.mlp.up_proj.weight", "layers.0.input_layernorm.weight"}) {
        const Model part = without(end);
        const auto made = stored(checkpointOf(part.tensors), part, true);
        ASSERT_FALSE(made) << end;
        EXPECT_EQ(made.error().code, ErrorCode::NotFound) << end;
    }
}

TEST(Framework, StatesOfOtherModelsAreRefused) {
    const Model experts = mixtral();
    const auto made = stored(checkpointOf(experts.tensors), experts);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::Unsupported);
    Model biased = llama();
    biased.config.set("attention_bias", std::int64_t{1});
    const auto half = stored(checkpointOf(biased.tensors), biased);
    ASSERT_FALSE(half);
    EXPECT_EQ(half.error().where.field, "config.json");
}

TEST(Framework, ArgumentsFollowFromTheConfig) {
    const auto fields = settingsOf(megatron(), llama().config);
    const auto value = [&](std::string_view name) -> std::int64_t {
        const auto found = std::ranges::find(fields, name, &ConfigField::name);
        const auto* number =
            found != fields.end() ? std::get_if<std::int64_t>(&found->value) : nullptr;
        const auto* flag = found != fields.end() ? std::get_if<bool>(&found->value) : nullptr;
        return number != nullptr ? *number : flag != nullptr ? *flag : -1;
    };
    EXPECT_EQ(value("num_layers"), 2);
    EXPECT_EQ(value("num_query_groups"), 1);
    EXPECT_EQ(value("group_query_attention"), 1);
    EXPECT_EQ(value("kv_channels"), 4);
    EXPECT_EQ(value("untie_embeddings_and_output_weights"), 1);
    EXPECT_EQ(value("add_bias_linear"), 0);
    EXPECT_EQ(value("rotary_base"), -1); // not in this config
}

TEST(Framework, EveryRecipeIsUndone) {
    for (const Framework* framework : knownFrameworks()) {
        for (const Model& model : {llama(), mixtral()}) {
            const std::string family = *model.config.text("model_type");
            const bool known = isTarget(*framework, family);
            const CheckpointPtr base = checkpointOf(model.tensors);
            const auto there = to(base, model, *framework);
            ASSERT_EQ(there.has_value(), known)
                << framework->id << " " << family << ": " << (there ? "" : describe(there.error()));
            if (!known) {
                EXPECT_EQ(there.error().code, ErrorCode::Unsupported);
                continue;
            }
            const auto back = from(there->made.checkpoint, &model.config);
            ASSERT_TRUE(back && *back)
                << framework->id << ": " << (back ? "not recognised" : describe(back.error()));
            EXPECT_EQ((*back)->framework, framework);
            EXPECT_EQ(sorted(shown(*(*back)->made.checkpoint)), sorted(shown(*base)))
                << framework->id << " " << family;
        }
    }
}

TEST(Framework, MissingPartsAreNamed) {
    const Model model = llama();
    for (const Framework* framework : {&megatron(), &nativeNames(), &torchtune(), &litGpt()}) {
        const CheckpointPtr whole = native(model, *framework);
        for (const TensorEntry& lost : whole->tensors()) {
            const CheckpointPtr less = changed(whole, [&](const std::string& name) {
                return name == lost.name ? std::string() : name;
            });
            const auto made = from(less, &model.config);
            // Without the first anchor, nothing is recognised, and the names stay.
            EXPECT_TRUE(!made || !*made) << framework->id << " without " << lost.name;
        }
        const CheckpointPtr oneLayer = changed(whole, [](const std::string& name) {
            return name.find(".1.") == std::string::npos ? name : std::string();
        });
        const auto made = from(oneLayer, &model.config);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().expected.text(), "2");
    }
}

TEST(Framework, HalfOfTheExpertsAreRefused) {
    const Model model = mixtral();
    for (const char* lost : {".experts.2.", ".experts.1."}) {
        const CheckpointPtr base = checkpointOf(model.tensors);
        const CheckpointPtr less = changed(base, [&](const std::string& name) {
            return name.find(lost) == std::string::npos ? name : std::string();
        });
        EXPECT_FALSE(to(less, model, megatron())) << lost;
        const CheckpointPtr oneLayer = changed(base, [&](const std::string& name) {
            return name.find(std::string(".1.block_sparse_moe") + lost) == std::string::npos
                       ? name
                       : std::string();
        });
        EXPECT_FALSE(to(oneLayer, model, megatron())) << lost;
    }
    Model more = model;
    more.config.set("num_local_experts", std::int64_t{4});
    EXPECT_FALSE(from(native(model, megatron()), &more.config));
}

TEST(Framework, AConfigThatContradictsIsRefused) {
    const Model model = llama();
    for (const Framework* framework : frameworksOfLlama()) {
        const CheckpointPtr base = native(model, *framework);
        for (const char* field : {"hidden_size", "num_attention_heads", "num_key_value_heads",
                                  "head_dim", "intermediate_size", "num_hidden_layers"}) {
            Model other = model;
            other.config.set(field, *model.config.integer(field) * 2);
            EXPECT_FALSE(from(base, &other.config)) << framework->id << " " << field;
            EXPECT_FALSE(to(checkpointOf(model.tensors), other, *framework))
                << framework->id << " " << field;
        }
        Model vocabulary = model;
        vocabulary.config.set("vocab_size", std::int64_t{6});
        EXPECT_FALSE(from(base, &vocabulary.config)) << framework->id;
        EXPECT_FALSE(to(checkpointOf(model.tensors), vocabulary, *framework)) << framework->id;
    }
}

TEST(Framework, LayersOfUnequalShapesAreRefused) {
    Model model = llama();
    for (Stored& each : model.tensors) {
        if (each.name == "model.layers.1.self_attn.o_proj.weight") {
            each.shape = {8, 4};
        }
    }
    for (const Framework* framework : frameworksOfLlama()) {
        const auto made = to(checkpointOf(model.tensors), model, *framework);
        ASSERT_FALSE(made) << framework->id;
        EXPECT_EQ(made.error().where.tensor, "model.layers.1.self_attn.o_proj.weight");
    }
}

TEST(Framework, AFamilyThatTheTensorsDoNotShowIsRefused) {
    const Model model = llama();
    const CheckpointPtr base = native(model, nativeNames());
    for (const char* family : {"qwen3", "qwen3_moe", "deepseek_v3", "gpt2", "none"}) {
        EXPECT_FALSE(from(base, &model.config, family)) << family;
        ModelConfig config = model.config;
        config.set("model_type", std::string(family));
        EXPECT_FALSE(from(base, &config)) << family;
    }
    EXPECT_TRUE(from(base, &model.config, "mistral"));
}

TEST(Framework, OtherModelsAreNotTaken) {
    const Model model = llama();
    const std::vector<Stored> pixtral = {
        {"vision_tower.transformer.layers.0.attention_norm.weight", {8}},
        {"vision_tower.transformer.layers.0.ffn_norm.weight", {8}},
        {"language_model.model.embed_tokens.weight", {5, 8}}};
    const std::vector<Stored> chatGlm = {
        {"transformer.embedding.word_embeddings.weight", {5, 8}},
        {"transformer.encoder.layers.0.self_attention.query_key_value.weight", {16, 8}},
        {"transformer.encoder.final_layernorm.weight", {8}}};
    const std::vector<Stored> gpt2 = {{"transformer.wte.weight", {5, 8}},
                                      {"transformer.h.0.attn.c_attn.weight", {8, 24}},
                                      {"transformer.ln_f.weight", {8}}};
    for (const auto& tensors : {pixtral, chatGlm, gpt2, model.tensors}) {
        const auto made = from(checkpointOf(tensors), &model.config);
        ASSERT_TRUE(made) << tensors.front().name << describe(made.error());
        EXPECT_FALSE(*made) << tensors.front().name;
    }
}

TEST(Framework, TensorsBesideTheModelAreRefused) {
    const Model model = llama();
    const CheckpointPtr base = native(model, megatron());
    const auto inModel = changed(base, [](const std::string& name) { return "model." + name; });
    const auto alone = from(inModel, &model.config);
    ASSERT_TRUE(alone && *alone);
    EXPECT_EQ((*alone)->prefix, "model.");
    // One layer is elsewhere: it must not be merged into the model.
    const auto parted = changed(base, [](const std::string& name) {
        return (name.find(".1.") == std::string::npos ? "model." : "other.") + name;
    });
    const auto unprefixed = changed(base, [](const std::string& name) {
        return (name.find(".1.") == std::string::npos ? "model." : "") + name;
    });
    for (const CheckpointPtr& each : {parted, unprefixed}) {
        const auto made = from(each, &model.config);
        ASSERT_FALSE(made);
        EXPECT_NE(made.error().where.tensor.find(".1."), std::string::npos);
    }
}

/// The settings of Megatron's arguments for llama().
ModelConfig arguments(const std::string& more = "") {
    return ModelConfig::parse(R"({"hidden_size": 8, "num_layers": 2, "num_attention_heads": 2,
        "group_query_attention": true, "num_query_groups": 1, "kv_channels": 4,
        "ffn_hidden_size": 6, "untie_embeddings_and_output_weights": true, "swiglu": true,
        "position_embedding_type": "rope", "rotary_base": 10000)" +
                              more + "}")
        .value();
}

TEST(Framework, SettingsOfAnotherFormAreReadIfTheirClassesAreKnown) {
    const Model model = llama();
    const CheckpointPtr base = native(model, megatron());
    const auto named = all(*base);
    const auto convert = [&](std::string_view modelName, std::string_view configName,
                             const ModelConfig* given = nullptr) {
        const auto yaml = ModelConfig::parse(
            R"({"_target_": ")" + std::string(modelName) + R"(", "config": {"_target_": ")" +
            std::string(configName) + R"(", "num_layers": 2, "hidden_size": 8,
            "num_attention_heads": 2, "num_query_groups": 1, "kv_channels": 4,
            "ffn_hidden_size": 6, "seq_length": 64, "gated_linear_unit": true,
            "share_embeddings_and_output_weights": false}})");
        return convertFramework({base, named, given, "", 5}, [&](std::string_view name) {
            return name == "model.yaml" ? std::optional(yaml.value()) : std::nullopt;
        });
    };
    const std::string known = "nemo.collections.llm.gpt.model.llama.";
    const auto made = convert(known + "LlamaModel", known + "Llama2Config7B");
    ASSERT_TRUE(made && *made) << describe(made ? Error() : made.error());
    const auto from = [&](std::string_view field) {
        const auto found = std::ranges::find((*made)->config, field, &ConfigField::name);
        return found == (*made)->config.end() ? std::string() : found->from;
    };
    EXPECT_EQ(from("num_hidden_layers"), "model.yaml (num_layers)");
    EXPECT_EQ(from("max_position_embeddings"), "model.yaml (seq_length)");
    EXPECT_EQ(from("vocab_size"), "the tokenizer");
    for (const auto& [modelName, configName] :
         {std::pair{known + "LlamaModel", std::string("os.system")},
          std::pair{std::string("own.Model"), known + "Llama2Config7B"},
          std::pair{known + "LlamaModel", std::string("nemo.collections.llm.gpt.model.mixtral.C")},
          std::pair{known + "LlamaModel", std::string()}}) {
        const auto refused = convert(modelName, configName);
        ASSERT_FALSE(refused) << configName;
        EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
        EXPECT_NE(refused.error().where.field.find("_target_"), std::string::npos);
        const auto given = convert(modelName, configName, &model.config);
        EXPECT_TRUE(given && *given) << "a given config decides";
    }
}

TEST(Framework, GptNeoxHasTheNumbersOfItsPipeline) {
    std::vector<Stored> stored = {{"0.word_embeddings.weight", {6, 8}},
                                  {"5.norm.weight", {8}},
                                  {"5.norm.bias", {8}},
                                  {"6.final_linear.weight", {6, 8}}};
    for (const char* layer : {"2.", "3."}) {
        for (const Stored& each : std::vector<Stored>{{"input_layernorm.weight", {8}},
                                                      {"input_layernorm.bias", {8}},
                                                      {"post_attention_layernorm.weight", {8}},
                                                      {"post_attention_layernorm.bias", {8}},
                                                      {"attention.query_key_value.weight", {24, 8}},
                                                      {"attention.query_key_value.bias", {24}},
                                                      {"attention.dense.weight", {8, 8}},
                                                      {"attention.dense.bias", {8}},
                                                      {"attention.rotary_emb.inv_freq", {2}},
                                                      {"mlp.dense_h_to_4h.weight", {32, 8}},
                                                      {"mlp.dense_h_to_4h.bias", {32}},
                                                      {"mlp.dense_4h_to_h.weight", {8, 32}},
                                                      {"mlp.dense_4h_to_h.bias", {8}}}) {
            stored.push_back({layer + each.name, each.shape});
        }
    }
    const auto convert = [](const std::vector<Stored>& tensors, const std::string& prefix,
                            const std::string& more) {
        std::vector<Stored> named = tensors;
        for (Stored& each : named) {
            each.name = prefix + each.name;
        }
        const CheckpointPtr base = checkpointOf(named);
        const auto all = allTensors(*base);
        return convertFramework({base, all, nullptr, ""}, [&](std::string_view name) {
            return name == "configs"
                       ? std::optional(ModelConfig::parse(R"({"num_layers": 2, "hidden_size": 8,
                             "num_attention_heads": 2, "pos_emb": "rotary")" +
                                                          more + "}")
                                           .value())
                       : std::nullopt;
        });
    };
    for (const char* prefix : {"", "sequential."}) {
        const auto made = convert(stored, prefix, R"(, "no_weight_tying": true)");
        ASSERT_TRUE(made && *made) << describe(made ? Error() : made.error());
        const Checkpoint& library = *(*made)->made.checkpoint;
        EXPECT_TRUE(library.find("gpt_neox.layers.0.attention.dense.weight"));
        EXPECT_TRUE(library.find("gpt_neox.layers.1.mlp.dense_4h_to_h.bias"));
        EXPECT_TRUE(library.find("gpt_neox.final_layer_norm.bias"));
        EXPECT_TRUE(library.find("embed_out.weight"));
        EXPECT_EQ(library.tensors().size(), 4U + 2 * 12);
    }
    EXPECT_FALSE(convert(stored, "", R"(, "gpt_j_tied": true)"));
    EXPECT_FALSE(convert(stored, "", R"(, "model_parallel_size": 2)")) << "slices are missing";
    EXPECT_FALSE(convert(stored, "mp_rank_01.", "")) << "a slice is missing";
    EXPECT_TRUE(convert(stored, "mp_rank_00.", R"(, "model_parallel_size": 1)"));
    std::vector<Stored> lacking = stored;
    std::erase_if(lacking,
                  [](const Stored& each) { return each.name == "3.attention.dense.bias"; });
    EXPECT_FALSE(convert(lacking, "", ""));
    std::vector<Stored> early = stored;
    early.push_back({"1.attention.dense.bias", {8}});
    EXPECT_FALSE(convert(early, "", "")) << "no layer has this number";
}

TEST(Framework, TheTokenizerTellsTheVocabularyWithoutPadding) {
    Model padded = llama();
    padded.config.set("vocab_size", std::int64_t{8});
    for (Stored& each : padded.tensors) {
        each.shape[0] = each.shape[0] == 5 ? 8 : each.shape[0];
    }
    const CheckpointPtr base = native(padded, megatron());
    const auto named = all(*base);
    const auto convert = [&](const std::string& more, std::optional<std::int64_t> vocabulary) {
        return convertFramework({base, named, nullptr, "", vocabulary},
                                [&](std::string_view) { return std::optional(arguments(more)); });
    };
    const auto rows = [](const auto& made) {
        return made && *made ? (*made)->made.checkpoint->tensors()[0].shape[0] : -1;
    };
    const auto unknown = convert("", std::nullopt);
    EXPECT_EQ(rows(unknown), 8) << describe(unknown ? Error() : unknown.error());
    EXPECT_TRUE((*unknown)->paddedVocabulary);
    const auto tokenizer = convert("", 5);
    EXPECT_EQ(rows(tokenizer), 5);
    EXPECT_FALSE((*tokenizer)->paddedVocabulary);
    const auto vocabulary =
        std::ranges::find((*tokenizer)->config, "vocab_size", &ConfigField::name);
    ASSERT_NE(vocabulary, (*tokenizer)->config.end());
    EXPECT_EQ(vocabulary->from, "the tokenizer");
    EXPECT_EQ(rows(convert(R"(, "vocab_size": 6)", 5)), 6);
    EXPECT_EQ(rows(convert("", 9)), -1) << "more tokens than rows";
}

TEST(Framework, SettingsThatNoConfigFollowsFromNeedOne) {
    const Model model = llama();
    const CheckpointPtr base = native(model, megatron());
    const auto named = all(*base);
    for (const char* setting :
         {R"("rotary_percent": 0.5)", R"("rope_type": "yarn")", R"("use_rope_scaling": true)",
          R"("scale_factor": 8, "low_freq_factor": 1)",
          R"("rotary_seq_len_interpolation_factor": 4)", R"("window_size": [128, 0])"}) {
        const auto settings = [&](std::string_view) {
            return std::optional(arguments(std::string(", ") + setting));
        };
        EXPECT_FALSE(convertFramework({base, named, nullptr, ""}, settings)) << setting;
        const auto given = convertFramework({base, named, &model.config, ""}, settings);
        EXPECT_TRUE(given && *given) << setting;
    }
    for (const char* setting : {R"("apply_layernorm_1p": true)", R"("rotary_interleaved": true)"}) {
        const auto settings = [&](std::string_view) {
            return std::optional(arguments(std::string(", ") + setting));
        };
        EXPECT_FALSE(convertFramework({base, named, &model.config, ""}, settings)) << setting;
    }
    for (const char* setting : {R"("use_rope_scaling": true, "rope_scaling_factor": 8.0)",
                                R"("scale_factor": 8.0, "low_freq_factor": 1, "high_freq_factor": 4,
             "old_context_len": 8192)"}) {
        const auto scaled = convertFramework({base, named, nullptr, ""}, [&](std::string_view) {
            return std::optional(arguments(std::string(", ") + setting));
        });
        ASSERT_TRUE(scaled && *scaled) << describe(scaled ? Error() : scaled.error());
        const std::vector<ConfigField>& fields = (*scaled)->config;
        const auto factor = std::ranges::find(fields, "rope_scaling.factor", &ConfigField::name);
        ASSERT_NE(factor, fields.end());
        EXPECT_EQ(std::get<double>(factor->value), 8.0);
        EXPECT_EQ(std::ranges::count_if(fields,
                                        [](const ConfigField& field) {
                                            return field.name.starts_with("rope_scaling.");
                                        }),
                  5);
    }
    const auto plain = convertFramework({base, named, nullptr, ""}, [](std::string_view) {
        return std::optional(arguments(R"(, "rotary_percent": 1.0, "rope_type": "rope")"));
    });
    EXPECT_TRUE(plain && *plain);
}

} // namespace
} // namespace cairn
