// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/expression.h"

#include <gtest/gtest.h>

#include <limits>

namespace cairn {
namespace {

ModelConfig config() {
    auto parsed = ModelConfig::parse(R"({"hidden_size": 64, "num_attention_heads": 8,
        "tie_word_embeddings": true, "head_dim": null, "model_type": "llama", "rope_theta": 1e4,
        "layer_types": ["full", "sliding"], "text_config": {"hidden_size": 32}})");
    return parsed ? *parsed : ModelConfig();
}

std::int64_t valueOf(std::string_view text, const ModelConfig& fields = config()) {
    const auto expression = Expression::parse(text);
    if (!expression) {
        ADD_FAILURE() << describe(expression.error());
        return -1;
    }
    const auto value = expression->evaluate(fields);
    EXPECT_TRUE(value) << text << ": " << (value ? "" : describe(value.error()));
    return value.value_or(-1);
}

TEST(Expression, HasTheUsualPrecedence) {
    EXPECT_EQ(valueOf("2 + 3 * 4 - 1"), 13);
    EXPECT_EQ(valueOf("(2 + 3) * -4"), -20);
    EXPECT_EQ(valueOf("hidden_size / num_attention_heads % 3"), 2);
    EXPECT_EQ(valueOf("not 1 == 2 and 3 >= 3"), 1);
    EXPECT_EQ(valueOf("0 and 1 or 1"), 1);
    EXPECT_EQ(valueOf("min(3, max(1, 2)) - 1"), 1);
    EXPECT_EQ(valueOf("10 - 3 - 2"), 5);
}

TEST(Expression, ReadsFieldsOfEveryKind) {
    EXPECT_EQ(valueOf("tie_word_embeddings"), 1);
    EXPECT_EQ(valueOf("has(head_dim)"), 0);
    EXPECT_EQ(valueOf("has(head_dim) and head_dim > 3"), 0); // not asked for
    EXPECT_EQ(valueOf("is(model_type, llama)"), 1);
    EXPECT_EQ(valueOf("is(absent, llama)"), 0);
    EXPECT_EQ(valueOf("layer_types.#"), 2);
    ModelConfig fields = config();
    fields.set("i", std::int64_t{1});
    EXPECT_EQ(valueOf("is(layer_types.{i}, sliding)", fields), 1);
    EXPECT_EQ(valueOf("hidden_size + num_attention_heads", fields.part("text_config")), 40);
}

TEST(Expression, RefusesWhatItCannotCompute) {
    for (const char* text : {"", "1 +", "(1", "1)", "f(1)", "1 2", "a == ", "min(1)", "$", "3x"}) {
        EXPECT_FALSE(Expression::parse(text)) << text;
    }
    EXPECT_FALSE(Expression::parse(std::string(10'000, '(')));
    EXPECT_FALSE(Expression::parse(std::string(10'000, '-')));
    const auto error = [](std::string_view text, std::int64_t field = 0) {
        ModelConfig fields = config();
        fields.set("x", field);
        return Expression::parse(text)->evaluate(fields);
    };
    EXPECT_FALSE(error("absent"));
    EXPECT_FALSE(error("1 / 0"));
    EXPECT_FALSE(error("7 / 2"));
    EXPECT_FALSE(error("x * 3", std::numeric_limits<std::int64_t>::max()));
    EXPECT_FALSE(error("-x", std::numeric_limits<std::int64_t>::min()));
    EXPECT_FALSE(error("model_type"));
}

TEST(ModelConfig, RefusesWhatIsNoObject) {
    EXPECT_FALSE(ModelConfig::parse("[1]"));
    EXPECT_FALSE(ModelConfig::parse("{"));
    EXPECT_EQ(ModelConfig::parse(R"({"architectures": ["A", "B"]})")->texts("architectures").size(),
              2U);
    EXPECT_DOUBLE_EQ(config().number("rope_theta").value_or(0), 1e4);
}

} // namespace
} // namespace cairn
