// SPDX-License-Identifier: Apache-2.0
#include "core/families/gguf/gguf.h"
#include "core/families/gguf/gguf_vocabulary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

namespace cairn {
namespace {

using Files = std::map<std::string, std::string, std::less<>>;

const std::string kSizes =
    R"("vocab_size": 6, "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 2,
       "num_attention_heads": 2)";

std::string configOf(std::string_view type, std::string_view more = "") {
    return R"({"model_type": ")" + std::string(type) + R"(", )" + kSizes +
           (more.empty() ? "" : ", ") + std::string(more) + "}";
}

/// A SentencePiece model of these pieces; `kind` 2 is BPE.
std::string pieces(const std::vector<GgufToken>& tokens, char kind = 2) {
    std::string model;
    for (const GgufToken& token : tokens) {
        std::string piece =
            "\x0A" + std::string(1, static_cast<char>(token.text.size())) + token.text + "\x15";
        const auto bits = std::bit_cast<std::uint32_t>(token.score);
        for (unsigned shift = 0; shift < 32; shift += 8) {
            piece += static_cast<char>(bits >> shift & 0xFFU);
        }
        piece += std::string("\x18") + static_cast<char>(token.type);
        model += "\x0A" + std::string(1, static_cast<char>(piece.size())) + piece;
    }
    return model + std::string("\x12\x02\x18") + kind;
}

const std::vector<GgufToken> kSix = {
    {"<unk>", 0, TokenType::Unknown}, {"<s>", 0, TokenType::Control},
    {"<0x0A>", 0, TokenType::Byte},   {"a", -2, TokenType::Normal},
    {"b", -3, TokenType::Normal},     {"ab", -1, TokenType::Normal}};

/// The keys that llama.cpp gets, as text: numbers as %g, lists joined by commas.
using Shown = std::map<std::string, std::string>;

std::string textOf(const Value& value) {
    if (const auto* text = value.asString()) {
        return *text;
    }
    if (const auto* flag = value.asBool()) {
        return *flag ? "true" : "false";
    }
    if (const auto number = numberOf(value)) {
        std::array<char, 32> out{};
        std::snprintf(out.data(), out.size(), "%g", *number);
        return out.data();
    }
    std::string all;
    for (const ValueItem& item : value.items()) {
        all += (all.empty() ? "" : ",") + textOf(item.value);
    }
    return all;
}

Result<GgufDescription> describe(const Files& files) {
    CAIRN_TRY(const ModelConfig config, ModelConfig::parse(files.at("config.json")));
    CAIRN_TRY(const GgufFamily* family, ggufFamilyOf(config));
    CAIRN_TRY(const ModelConfig settings, ggufSettings(config, *family));
    return describeGguf(*family, settings, [&files](std::string_view name) {
        const auto found = files.find(name);
        return found == files.end() ? std::string_view() : std::string_view(found->second);
    });
}

Shown shown(const Files& files) {
    const auto description = describe(files);
    if (!description) {
        return {{"error",
                 description.error().message.text() + " | " + description.error().where.field}};
    }
    Shown all;
    for (const ValueItem& item : description->metadata) {
        EXPECT_TRUE(all.emplace(*item.key.asString(), textOf(item.value)).second)
            << *item.key.asString();
    }
    return all;
}

std::string refusal(const Files& files) {
    const Shown all = shown(files);
    const auto error = all.find("error");
    return error == all.end() ? "accepted" : error->second;
}

const std::string kLlama3Split =
    R"({"type": "Split", "behavior": "Isolated", "invert": false, "pattern": {"Regex":
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}})";

std::string bytePairs(std::string_view steps, std::string_view more = "") {
    return R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [)" + std::string(steps) +
           R"(]}, "model": {"type": "BPE", "ignore_merges": true, "vocab": {"a": 0, "b": 1, "ab":
           2}, "merges": [["a", "b"], [" ", "b"]]}, "added_tokens": [{"id": 3, "content":
           "<|begin|>", "special": true}, {"id": 4, "content": "x▁y", "special": false}])" +
           std::string(more) + "}";
}
const std::string kBytes =
    R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})";

TEST(Gguf, FamilyAndItsDefaults) {
    const Shown all =
        shown({{"config.json", configOf("mistral")}, {"tokenizer.model", pieces(kSix)}});
    EXPECT_EQ(all.at("general.architecture"), "llama");
    EXPECT_EQ(all.at("llama.attention.head_count_kv"), "8"); // not that of the heads
    EXPECT_EQ(all.at("llama.context_length"), "131072");
    EXPECT_EQ(all.at("llama.rope.dimension_count"), "4");
    EXPECT_EQ(all.at("llama.rope.freq_base"), "10000");
    EXPECT_EQ(all.at("tokenizer.ggml.tokens"), "<unk>,<s>,<0x0A>,a,b,ab");
    EXPECT_EQ(all.at("tokenizer.ggml.scores"), "0,0,0,-2,-3,-1");
    EXPECT_EQ(all.at("tokenizer.ggml.token_type"), "2,3,6,1,1,1");
}

TEST(Gguf, OldAndNewFormsOfTheRotaryEmbedding) {
    const std::string tokens = pieces(kSix);
    for (const char* rope :
         {R"("rope_theta": 5000, "rope_scaling": {"type": "linear", "factor": 2})",
          R"("rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 5000.0})"}) {
        const Shown all =
            shown({{"config.json", configOf("llama", rope)}, {"tokenizer.model", tokens}});
        EXPECT_EQ(all.at("llama.rope.freq_base"), "5000") << rope;
        EXPECT_EQ(all.at("llama.rope.scaling.type"), "linear");
        EXPECT_EQ(all.at("llama.rope.scaling.factor"), "2");
    }
}

TEST(Gguf, WhatLlamaCppComputesInAnotherWayIsRefused) {
    const auto because = [](std::string_view type, std::string_view more) {
        return refusal({{"config.json", configOf(type, more)}, {"tokenizer.model", pieces(kSix)}});
    };
    EXPECT_EQ(because("llama", ""), "accepted");
    const std::string caps = R"("attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0)";
    EXPECT_EQ(because("gemma2", caps), "accepted");
    EXPECT_NE(because("gemma2", ""), "accepted"); // the caps may be null
    EXPECT_NE(because("gemma2", caps + R"(, "query_pre_attn_scalar": 200)"), "accepted");
    EXPECT_NE(because("gemma2", caps + R"(, "layer_types": ["full_attention", "full_attention"])"),
              "accepted");
    EXPECT_NE(because("llama", R"("hidden_act": "gelu")"), "accepted");
    EXPECT_NE(because("llama", R"("rope_scaling": {"rope_type": "dynamic", "factor": 2})"),
              "accepted");
    EXPECT_NE(because("qwen2", R"("rope_scaling": {"rope_type": "llama3", "factor": 8})"),
              "accepted");
    EXPECT_NE(because("llama", R"("partial_rotary_factor": 0.5)"), "accepted");
    EXPECT_NE(because("llama", R"("quantization_config": {"quant_method": "gptq"})"), "accepted");
    EXPECT_NE(because("bert", ""), "accepted");
    EXPECT_NE(because("llama", R"("architectures": ["LlamaForSequenceClassification"])"),
              "accepted");
    EXPECT_NE(refusal({{"config.json", R"({"model_type": "llama"})"}}), "accepted");
}

TEST(Gguf, FactorsOfLlama3) {
    const auto description =
        describe({{"config.json",
                   configOf("llama", R"("head_dim": 128, "rope_parameters": {"rope_type": "llama3",
               "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
               "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})")},
                  {"tokenizer.model", pieces(kSix)}});
    ASSERT_TRUE(description);
    ASSERT_EQ(description->tensors.size(), 1U);
    const std::vector<float>& factors = description->tensors.front().values;
    ASSERT_EQ(factors.size(), 64U);
    EXPECT_EQ(factors.front(), 1.0F);
    EXPECT_EQ(factors.back(), 8.0F);
    EXPECT_GT(factors[30], 1.0F);
    EXPECT_LT(factors[30], 8.0F);
}

TEST(Gguf, BytePairs) {
    const Shown all = shown(
        {{"config.json", configOf("llama", R"("bos_token_id": 3, "eos_token_id": [4, 5])")},
         {"tokenizer.json", bytePairs(kLlama3Split + "," + kBytes)},
         {"tokenizer_config.json", R"({"chat_template": "{{ x }}", "add_bos_token": true})"}});
    EXPECT_EQ(all.at("tokenizer.ggml.model"), "gpt2");
    EXPECT_EQ(all.at("tokenizer.ggml.pre"), "llama-bpe");
    EXPECT_EQ(all.at("tokenizer.ggml.tokens"), "a,b,ab,<|begin|>,x y,[PAD5]");
    EXPECT_EQ(all.at("tokenizer.ggml.token_type"), "1,1,1,3,4,5");
    EXPECT_EQ(all.at("tokenizer.ggml.merges"), "a b,Ġ b");
    EXPECT_EQ(all.at("tokenizer.ggml.bos_token_id"), "3");
    EXPECT_FALSE(all.contains("tokenizer.ggml.eos_token_id"));
    EXPECT_EQ(all.at("tokenizer.ggml.add_bos_token"), "true");
    EXPECT_EQ(all.at("tokenizer.chat_template"), "{{ x }}");
}

TEST(Gguf, UnknownTokenizersAreRefused) {
    const std::string config = configOf("llama");
    EXPECT_EQ(refusal({{"config.json", config}}),
              "llama.cpp needs a tokenizer, which is not beside the model | ");
    const auto because = [&](const std::string& tokenizer) {
        return refusal({{"config.json", config}, {"tokenizer.json", tokenizer}});
    };
    EXPECT_EQ(because(bytePairs(kLlama3Split + "," + kBytes)), "accepted");
    EXPECT_NE(because(bytePairs(kBytes)), "accepted");
    EXPECT_NE(because(bytePairs(R"({"type": "Whitespace"},)" + kBytes)), "accepted");
    EXPECT_NE(
        because(bytePairs(kLlama3Split + "," + kBytes, R"(, "normalizer": {"type": "Lowercase"})")),
        "accepted");
    EXPECT_NE(because(R"({"model": {"type": "Unigram", "vocab": []}})"), "accepted");
    EXPECT_NE(because("{}"), "accepted");
    EXPECT_NE(because("[1]"), "accepted");
    EXPECT_NE(because("{"), "accepted");
    EXPECT_NE(refusal({{"config.json", configOf("gemma3_text", R"("query_pre_attn_scalar": 256)")},
                       {"tokenizer.json", bytePairs(kLlama3Split + "," + kBytes)}}),
              "accepted");
}

TEST(Gguf, MoreTokensThanTheModelHas) {
    std::string config = configOf("llama");
    config.replace(config.find("\"vocab_size\": 6"), 15, "\"vocab_size\": 4");
    EXPECT_NE(refusal({{"config.json", config},
                       {"tokenizer.json", bytePairs(kLlama3Split + "," + kBytes)}}),
              "accepted");
    config.replace(config.find("\"vocab_size\": 4"), 15, "\"vocab_size\": 4000000000000");
    EXPECT_NE(refusal({{"config.json", config}, {"tokenizer.model", pieces(kSix)}}), "accepted");
}

TEST(Gguf, DamagedPieces) {
    const std::string sound = pieces(kSix);
    ASSERT_TRUE(readSentencePieces(sound));
    EXPECT_FALSE(readSentencePieces(pieces(kSix, 1))); // unigram
    EXPECT_FALSE(readSentencePieces(""));
    std::size_t refused = 0;
    for (std::size_t size = 0; size < sound.size(); ++size) {
        refused += readSentencePieces(std::string_view(sound).substr(0, size)) ? 0U : 1U;
        std::string changed = sound;
        changed[size] = static_cast<char>(changed[size] ^ 0x7F);
        (void)readSentencePieces(changed);
    }
    EXPECT_EQ(refused, sound.size()); // the kind comes last
}

/// Scores from tokenizer.json follow the merges.
TEST(Gguf, PiecesWithoutTheirModel) {
    const Shown all =
        shown({{"config.json", configOf("llama")},
               {"tokenizer.json",
                R"({"decoder": {"type": "Sequence"}, "model": {"type": "BPE", "byte_fallback": true,
              "vocab": {"<unk>": 0, "<0x0A>": 1, "a": 2, "b": 3, "ab": 4, "aba": 5},
              "merges": ["a b", "ab a", "a ba"]},
              "added_tokens": [{"id": 0, "content": "<unk>", "special": true}]})"}});
    EXPECT_EQ(all.at("tokenizer.ggml.model"), "llama");
    EXPECT_EQ(all.at("tokenizer.ggml.scores"), "-1000,-1000,-1000,-1000,0,-1");
    EXPECT_EQ(all.at("tokenizer.ggml.token_type"), "3,6,1,1,1,1");
}

TEST(Gguf, SizeLabels) {
    EXPECT_EQ(ggufSizeLabel(std::vector<GgufTensorSize>{{"a.weight", 6'738'415'616, 1}}), "6.7B");
    EXPECT_EQ(ggufSizeLabel(std::vector<GgufTensorSize>{{"a.weight", 124'439'808, 1}}), "124M");
    EXPECT_EQ(ggufSizeLabel(std::vector<GgufTensorSize>{{"a.weight", 412, 1}}), "0.41K");
    EXPECT_EQ(ggufSizeLabel(std::vector<GgufTensorSize>{
                  {"a.weight", 1'600'000'000, 1}, {"blk.0.ffn_up_exps.weight", 45'000'000'000, 8}}),
              "8x7.2B");
}

TEST(Gguf, Float32) {
    EXPECT_TRUE(isGgufFloat32("blk.0.attn_norm.weight", 1));
    EXPECT_TRUE(isGgufFloat32("blk.0.ffn_gate_inp.weight", 2));
    EXPECT_TRUE(isGgufFloat32("position_embd.weight", 2));
    EXPECT_FALSE(isGgufFloat32("token_embd.weight", 2));
    EXPECT_FALSE(isGgufFloat32("blk.0.ffn_gate_exps.weight", 3));
}

TEST(Gguf, RecipesAreRead) {
    for (const char* type : {"llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma2",
                             "gemma3_text", "gpt2", "phi3"}) {
        ModelConfig config;
        config.set("model_type", std::string(type));
        const auto family = ggufFamilyOf(config);
        ASSERT_TRUE(family) << type;
        const auto recipe = Recipe::parse((*family)->rules);
        ASSERT_TRUE(recipe) << type << ": " << recipe.error().message.text();
        EXPECT_GT(recipe->rules().size(), 8U);
    }
}

} // namespace
} // namespace cairn
