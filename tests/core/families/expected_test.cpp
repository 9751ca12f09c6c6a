// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/float32.h"
#include "core/families/expected/model_fit.h"
#include "core/families/quantised/quantised.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace cairn {
namespace {

ModelConfig parsed(std::string_view json) {
    auto config = ModelConfig::parse(json);
    return config ? *config : ModelConfig();
}

constexpr std::string_view kLlama = R"({"architectures": ["LlamaForCausalLM"],
    "model_type": "llama", "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 3,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 50, "head_dim": null})";

/// All tensors of the config's model.
std::vector<OutputTensor> tensorsOf(const ModelConfig& config) {
    std::vector<OutputTensor> all;
    for (const KnownModel& model : knownModels()) {
        if (model.name == modelClass(config)) {
            const auto expected = ExpectedTensors::of(model, config, 1000);
            EXPECT_TRUE(expected) << (expected ? "" : describe(expected.error()));
            for (const auto& [name, entry] : expected->all()) {
                if (entry.tiedTo.empty()) {
                    all.push_back({name, entry.shape});
                }
            }
        }
    }
    return all;
}

TEST(Expected, TensorsAreInTheOrderOfTheModules) {
    const auto known = std::ranges::find(knownModels(), "LlamaForCausalLM", &KnownModel::name);
    ASSERT_NE(known, knownModels().end());
    const auto expected = ExpectedTensors::of(*known, parsed(kLlama), 1000);
    ASSERT_TRUE(expected) << describe(expected.error());
    const std::vector<std::string> names = expected->inOrder();
    ASSERT_EQ(names.size(), 30U);
    EXPECT_EQ(names[0], "model.embed_tokens.weight");
    EXPECT_EQ(names[1], "model.layers.0.self_attn.q_proj.weight");
    EXPECT_EQ(names[9], "model.layers.0.post_attention_layernorm.weight");
    EXPECT_EQ(names[10], "model.layers.1.self_attn.q_proj.weight");
    EXPECT_EQ(names[28], "model.norm.weight");
    EXPECT_EQ(names[29], "lm_head.weight");
}

ModelFit fitOf(const ModelConfig& config, const std::vector<OutputTensor>& tensors) {
    auto fit = fitModel(config, tensors);
    EXPECT_TRUE(fit) << (fit ? "" : describe(fit.error()));
    return fit && *fit ? std::move(**fit) : ModelFit{};
}

TEST(Expected, EveryClassIsReadable) {
    EXPECT_GE(knownModels().size(), 60U);
    for (const KnownModel& model : knownModels()) {
        // Defaults may be missing, or contradict each other; the text is valid in any case.
        const auto expected = ExpectedTensors::of(model, ModelConfig(), 20'000);
        const bool parsed = expected || expected.error().code == ErrorCode::NotFound ||
                            expected.error().code == ErrorCode::LimitExceeded ||
                            expected.error().code == ErrorCode::Unsupported ||
                            expected.error().message.text().find("divide") != std::string::npos;
        EXPECT_TRUE(parsed) << model.name << ": " << describe(expected.error());
    }
}

TEST(Expected, ListsNamesAndShapes) {
    const ModelConfig config = parsed(kLlama);
    const auto tensors = tensorsOf(config);
    EXPECT_EQ(tensors.size(), 3U + 9 * 3);
    const auto shapeOf = [&](std::string_view name) {
        const auto found = std::ranges::find(tensors, name, &OutputTensor::name);
        return found == tensors.end() ? std::string("absent") : formatDims(found->shape);
    };
    EXPECT_EQ(shapeOf("model.layers.2.self_attn.k_proj.weight"), "[8, 16]");
    EXPECT_EQ(shapeOf("model.layers.3.self_attn.k_proj.weight"), "absent");
    EXPECT_EQ(shapeOf("lm_head.weight"), "[50, 16]");
    const ModelFit fit = fitOf(config, tensors);
    EXPECT_EQ(fit.difference.count(), 0U);
    EXPECT_EQ(fit.difference.required, 30U);
    EXPECT_EQ(fit.prefix, "");
}

TEST(Expected, NothingIsKnownOfOtherValuesOfWhatWasNotVaried) {
    constexpr KnownModel kModel = {"FooModel",
                                   "foo",
                                   "",
                                   "",
                                   "",
                                   "only depth = 2\n"
                                   "only ratio = 4.0\n"
                                   "only part.model_type = a-b\n"
                                   "only window = null\n"
                                   "w [size]"};
    const auto known = [&](std::string_view json) {
        const auto expected = ExpectedTensors::of(kModel, parsed(json), 10);
        EXPECT_TRUE(expected || expected.error().code == ErrorCode::Unsupported) << json;
        return expected.has_value();
    };
    EXPECT_TRUE(known(R"({"size": 3})")) << "the library's defaults";
    EXPECT_TRUE(known(R"({"size": 3, "depth": 2, "ratio": 4, "part": {"model_type": "a-b"}})"));
    EXPECT_TRUE(known(R"({"size": 3, "ratio": 4.0, "window": null})"));
    EXPECT_FALSE(known(R"({"size": 3, "depth": 3})"));
    EXPECT_FALSE(known(R"({"size": 3, "depth": null})"));
    EXPECT_FALSE(known(R"({"size": 3, "depth": "2 "})"));
    EXPECT_FALSE(known(R"({"size": 3, "ratio": 4.5})"));
    EXPECT_FALSE(known(R"({"size": 3, "part": {"model_type": "a"}})"));
    EXPECT_FALSE(known(R"({"size": 3, "window": 0})"));
}

TEST(Expected, DoesNotMissOptionalTensors) {
    constexpr KnownModel kModel = {"FooModel", "foo", "", "", "", "w [2]\noptional table [3, 4]"};
    const auto expected = ExpectedTensors::of(kModel, ModelConfig(), 10);
    ASSERT_TRUE(expected);
    ASSERT_NE(expected->find("table"), nullptr);
    EXPECT_TRUE(expected->find("table")->mayBeAbsent());
    EXPECT_EQ(expected->find("table")->shape, Shape({3, 4}));
    EXPECT_FALSE(expected->find("w")->mayBeAbsent());
}

TEST(Expected, ChecksTheShapesOfOptionalTensors) {
    const ModelConfig config = parsed(R"({"architectures": ["MarianMTModel"],
        "model_type": "marian", "d_model": 8, "vocab_size": 20, "decoder_vocab_size": 20,
        "max_position_embeddings": 6, "encoder_layers": 1, "decoder_layers": 1,
        "encoder_ffn_dim": 12, "decoder_ffn_dim": 12})");
    auto tensors = tensorsOf(config);
    EXPECT_EQ(fitOf(config, tensors).difference.count(), 0U) << "with the tables";
    const auto isTable = [](const OutputTensor& each) {
        return each.name.find("embed_positions") != std::string::npos;
    };
    std::ranges::find_if(tensors, isTable)->shape = Shape{6, 9};
    EXPECT_EQ(fitOf(config, tensors).difference.misshapen.size(), 1U);
    EXPECT_EQ(std::erase_if(tensors, isTable), 2U);
    EXPECT_EQ(fitOf(config, tensors).difference.count(), 0U) << "without";
}

TEST(Expected, InfersTheClassWhoseSaveHasTheseNames) {
    constexpr std::string_view kTied = R"({"model_type": "llama", "hidden_size": 16,
        "intermediate_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "vocab_size": 50, "tie_word_embeddings": true})";
    const ModelConfig config = parsed(kTied);
    ModelConfig named = config;
    named.set("architectures.#", std::int64_t{1});
    named.set("architectures.0", std::string("LlamaModel"));
    auto tensors = tensorsOf(named);
    ASSERT_FALSE(tensors.empty());
    const ModelFit base = fitOf(config, tensors);
    EXPECT_EQ(base.model->name, "LlamaModel");
    EXPECT_TRUE(base.isBase());
    ASSERT_EQ(base.alsoFits.size(), 1U);
    EXPECT_EQ(base.alsoFits.front(), "LlamaForCausalLM") << "its head is tied";
    for (OutputTensor& tensor : tensors) {
        tensor.name.insert(0, "model.");
    }
    const ModelFit head = fitOf(config, tensors);
    EXPECT_EQ(head.model->name, "LlamaForCausalLM");
    EXPECT_FALSE(head.isBase());
    const auto inferred = inferModel(named, tensors);
    ASSERT_TRUE(inferred && *inferred);
    EXPECT_EQ((*inferred)->model->name, "LlamaForCausalLM") << "whatever the config names";
    EXPECT_EQ(fitOf(named, tensors).model->name, "LlamaModel");
}

TEST(Expected, FindsWhatDiffers) {
    const ModelConfig config = parsed(kLlama);
    auto tensors = tensorsOf(config);
    std::ranges::sort(tensors, {}, &OutputTensor::name);
    tensors[0].name = "another.weight"; // of lm_head.weight
    tensors[1].shape = Shape{51, 16};
    const ModelFit fit = fitOf(config, tensors);
    EXPECT_EQ(fit.difference.missing, std::vector<std::string>{"lm_head.weight"});
    EXPECT_EQ(fit.difference.unexpected, std::vector<std::string>{"another.weight"});
    EXPECT_EQ(fit.difference.misshapen,
              std::vector<std::string>{"model.embed_tokens.weight [51, 16] instead of [50, 16]"});
    tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", Shape{2}});
    EXPECT_EQ(fitOf(config, tensors).difference.unexpected.size(), 1U); // an old buffer
}

/// The one answer for `info`, `check` and bundles.
TEST(Expected, TheLoaderOfAClassHasOneAnswer) {
    const ModelConfig config = parsed(kLlama);
    const std::vector<OutputTensor> whole = tensorsOf(config);
    EXPECT_EQ(fitOf(config, whole).answer(), LoaderAnswer::All);

    auto more = whole;
    more.push_back({"opt/iter:0", Shape{1}});
    EXPECT_EQ(fitOf(config, more).answer(), LoaderAnswer::Part);

    const auto isHead = [](const OutputTensor& each) { return each.name == "lm_head.weight"; };
    auto lacking = whole;
    std::erase_if(lacking, isHead);
    lacking.push_back({"small.weight", Shape{49, 16}});
    EXPECT_EQ(fitOf(config, lacking).answer(), LoaderAnswer::No) << "too few elements";
    lacking.back() = {"output.weight", Shape{50, 16}};
    const ModelFit older = fitOf(config, lacking);
    EXPECT_TRUE(older.mayBeOlder);
    EXPECT_EQ(older.answer(), LoaderAnswer::Undecided);
    lacking.front().shape = Shape{3, 3};
    EXPECT_EQ(fitOf(config, lacking).answer(), LoaderAnswer::No) << "another shape as well";

    auto longer = whole;
    for (OutputTensor& tensor : longer) {
        tensor.name.insert(0, "net.");
    }
    const ModelFit prefixed = fitOf(config, longer);
    EXPECT_EQ(prefixed.answer(), LoaderAnswer::No);
    EXPECT_EQ(prefixed.answerWithoutPrefix(), LoaderAnswer::All);

    ModelConfig layout = parsed(kLlama);
    layout.set("quantization_config.quant_method", std::string("gptq"));
    auto biased = whole;
    biased.push_back({"model.layers.0.self_attn.q_proj.bias", Shape{16}});
    EXPECT_EQ(fitOf(layout, biased).answer(), LoaderAnswer::Undecided);
    layout.set("quantization_config.quant_method", std::string("own"));
    EXPECT_EQ(fitOf(layout, biased).answer(), LoaderAnswer::Unknown);
    EXPECT_EQ(fitOf(layout, whole).answer(), LoaderAnswer::All);
}

TEST(Expected, TensorsOfAnotherClassAreNotOlderOnes) {
    const std::vector<OutputTensor> causal = tensorsOf(parsed(kLlama));
    ModelConfig config = parsed(kLlama);
    config.set("architectures.0", std::string("LlamaForSequenceClassification"));
    const ModelFit fit = fitOf(config, causal); // without score.weight, and with a larger head
    ASSERT_NE(fit.other, nullptr);
    EXPECT_EQ(fit.other->name, "LlamaForCausalLM");
    EXPECT_EQ(fit.answer(), LoaderAnswer::No);
}

TEST(ForeignNames, OnlyOfClassesThatHaveAConversion) {
    const auto of = [](std::string_view config, const std::vector<std::string>& names) {
        std::vector<OutputTensor> tensors;
        for (const std::string& name : names) {
            tensors.push_back({name, Shape{2}});
        }
        return foreignNames(parsed(config), tensors);
    };
    constexpr std::string_view kFlux =
        R"({"_class_name": "FluxTransformer2DModel", "_diffusers_version": "0.37.1"})";
    constexpr std::string_view kOwn =
        R"({"_class_name": "MultiViewUNetModel", "_diffusers_version": "0.37.1"})";
    const std::vector<std::string> original = {"a.weight", "input_blocks.0.0.weight"};
    EXPECT_EQ(of(kFlux, original), ForeignNames::SingleFile);
    EXPECT_EQ(of(kFlux, {"transformer_blocks.0.attn.to_q.weight"}), ForeignNames::None);
    EXPECT_EQ(of(kOwn, original), ForeignNames::None) << "they are its own";
    EXPECT_EQ(of(kLlama, original), ForeignNames::None);

    const std::vector<std::string> variables = {"bert/dense/kernel:0", "logit_scale:0"};
    EXPECT_EQ(of(R"({"architectures": ["OwnModel"]})", variables), ForeignNames::TensorFlow);
    EXPECT_EQ(of(R"({"model_type": "own"})", variables), ForeignNames::TensorFlow);
    EXPECT_EQ(of("{}", variables), ForeignNames::None);
    EXPECT_EQ(of(R"({"architectures": ["OwnModel"], "auto_map": {"AutoModel": "own.OwnModel"}})",
                 variables),
              ForeignNames::None)
        << "its code may have any names";
    EXPECT_EQ(of(kLlama, {"model.norm.weight", "opt/iter:0"}), ForeignNames::None) << "a stray one";
}

/// Tensors that are dropped, added, renamed or reshaped at random: each is found, whatever the
/// order and a prefix are.
TEST(Expected, RandomDamageNeverFits) {
    std::mt19937 random(5); // NOLINT: the same numbers in each run
    const ModelConfig config = parsed(kLlama);
    const std::vector<OutputTensor> whole = tensorsOf(config);
    for (int round = 0; round < 500; ++round) {
        std::vector<OutputTensor> tensors = whole;
        std::ranges::shuffle(tensors, random);
        const std::size_t damages = random() % 3;
        for (std::size_t i = 0; i < damages; ++i) {
            OutputTensor& tensor = tensors[i]; // another one each
            switch (random() % 4) {
            case 0:
                tensor.name += "_old";
                break;
            case 1:
                tensor.shape = Shape{tensor.shape.size() == 1 ? 17 : 3, 16};
                break;
            case 2:
                tensors.push_back({"model.layers.9.other." + std::to_string(i), Shape{2}});
                break;
            default:
                tensor = {"extra." + std::to_string(i), Shape{3}};
            }
        }
        const std::string prefix = random() % 2 == 0 ? "" : "module.";
        for (OutputTensor& tensor : tensors) {
            tensor.name.insert(0, prefix);
        }
        std::ranges::shuffle(tensors, random);
        EXPECT_EQ(fitOf(config, tensors).difference.count() == 0, damages == 0) << round;
    }
}

TEST(Expected, FindsThePrefix) {
    const ModelConfig config = parsed(kLlama);
    for (const std::string prefix : {"net.", "model.", "a.b."}) {
        auto tensors = tensorsOf(config);
        for (OutputTensor& tensor : tensors) {
            tensor.name.insert(0, prefix);
        }
        const ModelFit fit = fitOf(config, tensors);
        EXPECT_EQ(fit.prefix, prefix);
        EXPECT_EQ(fit.difference.count(), 0U) << prefix;
    }
}

TEST(Expected, AcceptsTheBaseOfATiedModel) {
    for (const bool tied : {true, false}) {
        ModelConfig config = parsed(kLlama);
        config.set("tie_word_embeddings", std::int64_t{tied});
        std::vector<OutputTensor> tensors;
        for (OutputTensor tensor : tensorsOf(config)) {
            if (tensor.name.starts_with("model.")) {
                tensor.name.erase(0, 6);
                tensors.push_back(std::move(tensor));
            }
        }
        const ModelFit fit = fitOf(config, tensors);
        EXPECT_EQ(fit.underBase, tied);
        EXPECT_EQ(fit.difference.count() == 0, tied);
    }
}

TEST(Expected, ChoosesTheClassByTheTensors) {
    const ModelConfig config = parsed(kLlama);
    auto tensors = tensorsOf(config);
    const ModelConfig unnamed = parsed(R"({"model_type": "llama", "hidden_size": 16,
        "intermediate_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "vocab_size": 50})");
    EXPECT_EQ(fitOf(unnamed, tensors).model->name, "LlamaForCausalLM");
    std::erase_if(tensors, [](const OutputTensor& each) { return each.name == "lm_head.weight"; });
    tensors.push_back({"score.weight", Shape{2, 16}});
    EXPECT_EQ(fitOf(unnamed, tensors).model->name, "LlamaForSequenceClassification");
}

TEST(Expected, KnowsNothingOfOthers) {
    for (const std::string_view json :
         {R"({"architectures": ["FooModel"], "model_type": "foo"})", R"({})",
          R"({"architectures": ["LlamaForCausalLM"], "model_type": "qwen2"})"}) {
        const auto fit = fitModel(parsed(json), {});
        ASSERT_TRUE(fit) << json;
        EXPECT_FALSE(*fit) << json;
    }
}

TEST(Expected, RefusesConfigsThatNoModelHas) {
    const auto error = [](std::string_view field, std::int64_t value) {
        ModelConfig config = parsed(kLlama);
        config.set(field, value);
        const auto fit = fitModel(config, {});
        return fit ? ErrorCode::Internal : fit.error().code;
    };
    EXPECT_EQ(error("num_hidden_layers", std::int64_t{1} << 40), ErrorCode::LimitExceeded);
    EXPECT_EQ(error("num_attention_heads", 5), ErrorCode::InvalidArgument);
    EXPECT_EQ(error("num_attention_heads", 0), ErrorCode::InvalidArgument);
    ModelConfig negative = parsed(kLlama);
    negative.set("num_hidden_layers", std::int64_t{-1});
    EXPECT_TRUE(fitModel(negative, {})); // no layers
}

TEST(Expected, KnowsQuantisedLayouts) {
    for (const auto& [method, parts] :
         {std::pair{"gptq", "qweight qzeros scales g_idx"},
          std::pair{"compressed-tensors", "weight_packed weight_scale weight_shape"},
          std::pair{"bitsandbytes", "weight weight.absmax weight.quant_map "
                                    "weight.quant_state.bitsandbytes__nf4"}}) {
        ModelConfig config = parsed(kLlama);
        config.set("quantization_config.quant_method", std::string(method));
        std::vector<OutputTensor> tensors;
        for (const OutputTensor& tensor : tensorsOf(config)) {
            if (!tensor.name.ends_with("_proj.weight")) {
                tensors.push_back(tensor);
                continue;
            }
            const std::string start = tensor.name.substr(0, tensor.name.size() - 6);
            for (std::string_view rest = parts; !rest.empty();) {
                const std::size_t end = std::min(rest.find(' '), rest.size());
                tensors.push_back({start + std::string(rest.substr(0, end)), Shape{7, 1}});
                rest.remove_prefix(std::min(rest.size(), end + 1));
            }
        }
        EXPECT_EQ(fitOf(config, tensors).difference.count(), 0U) << method;
        EXPECT_GT(fitOf(config, tensors).difference.quantised, 0U) << method;
        tensors.pop_back();
        tensors.push_back({"model.layers.0.self_attn.qkv.scales", Shape{1}});
        EXPECT_EQ(fitOf(config, tensors).difference.unexpected.size(), 1U) << method;
    }
}

TEST(Float32, FollowsTheClass) {
    const auto has = [](std::string_view type, bool half, std::string_view glob) {
        ModelConfig config;
        config.set("model_type", std::string(type));
        const auto globs = float32Globs(config, half);
        return std::ranges::find(globs, glob) != globs.end();
    };
    EXPECT_TRUE(has("t5", true, "{,*.}wo{,.*}"));
    EXPECT_FALSE(has("t5", false, "{,*.}wo{,.*}"));
    EXPECT_TRUE(has("deepseek_v3", false, "{,*.}e_score_correction_bias{,.*}"));
    EXPECT_TRUE(has("unknown", false, "*e_score_correction_bias"));
}

} // namespace
} // namespace cairn
