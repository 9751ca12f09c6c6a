// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/name_pattern.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(NamePattern, FindsTheNumbersOfAName) {
    const NamePattern pattern("layers.{i}.experts.{e}.w");
    EXPECT_EQ(pattern.match("layers.3.experts.12.w"), (NameNumbers{{"i", 3}, {"e", 12}}));
    EXPECT_EQ(pattern.name({{"i", 3}, {"e", 12}}), "layers.3.experts.12.w");
    EXPECT_EQ(pattern.start(), "layers.");
    EXPECT_EQ(pattern.letters(), (std::vector<std::string>{"i", "e"}));
    for (const char* other :
         {"layers.3.experts.12.w2", "layers.03.experts.1.w", "layers.x.experts.1.w", "layers.3.",
          "layers.99999999999999999999.experts.1.w", "xlayers.3.experts.1.w", ""}) {
        EXPECT_FALSE(pattern.match(other)) << other;
    }
}

TEST(NamePattern, WantsOneNumberForALetter) {
    const NamePattern pattern("a{i}.b{i}");
    EXPECT_TRUE(pattern.match("a1.b1"));
    EXPECT_FALSE(pattern.match("a1.b2"));
    EXPECT_TRUE(NamePattern("norm.weight").match("norm.weight"));
    EXPECT_FALSE(NamePattern().match(""));
}

TEST(NamePattern, TakesARest) {
    const NamePattern pattern("vit.layers.{i}.attention.{*}");
    EXPECT_EQ(pattern.match("vit.layers.4.attention.q.weight"), (NameNumbers{{"i", 4}}));
    EXPECT_EQ(pattern.rest("vit.layers.4.attention.q.weight"), "q.weight");
    EXPECT_EQ(pattern.name({{"i", 4}}, "q.bias"), "vit.layers.4.attention.q.bias");
    EXPECT_FALSE(pattern.match("vit.layers.4.attention."));
    EXPECT_TRUE(NamePattern("{*}").match("x"));
}

TEST(NamePattern, AShiftedNumber) {
    const NamePattern pattern("layers.{i-2}.w");
    EXPECT_EQ(pattern.name({{"i", 5}}), "layers.3.w");
    const auto numbers = pattern.match("layers.3.w");
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->front(), (std::pair<std::string, std::int64_t>{"i", 5}));
    EXPECT_EQ(pattern.letters(), std::vector<std::string>{"i"});
    EXPECT_FALSE(NamePattern("layers.{i+2}.w").match("layers.1.w"));
}

} // namespace
} // namespace cairn
