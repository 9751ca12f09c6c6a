// SPDX-License-Identifier: Apache-2.0
#include "core/base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
    const auto glob = Glob::parse(pattern);
    EXPECT_TRUE(glob) << pattern;
    return glob && glob->matches(name);
}

TEST(Glob, StarsAndQuestionMarksStandForCharacters) {
    EXPECT_TRUE(matches("*.weight", "layers.0.q_proj.weight"));
    EXPECT_TRUE(matches("layers.?.bias", "layers.7.bias"));
    EXPECT_TRUE(matches("layers.?.bias", "layers.é.bias")) << "one character, not one byte";
    EXPECT_FALSE(matches("layers.?.bias", "layers.17.bias"));
    EXPECT_FALSE(matches("weight", "the.weight")) << "the whole name";
    EXPECT_TRUE(matches("*", ""));
}

TEST(Glob, BracesGiveAlternatives) {
    EXPECT_TRUE(matches("{q,k}_proj.{weight,bias}", "k_proj.bias"));
    EXPECT_TRUE(matches("a{b{c,d},e}", "abd"));
    EXPECT_TRUE(matches("a{b{c,d},e}", "ae"));
    EXPECT_FALSE(matches("{q,k}_proj", "v_proj"));
    EXPECT_EQ(Glob::parse("{a").error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(Glob::parse("a}").error().code, ErrorCode::InvalidArgument);
    std::string many;
    for (int i = 0; i < 13; ++i) {
        many += "{a,b}";
    }
    EXPECT_EQ(Glob::parse(many).error().code, ErrorCode::InvalidArgument);
}

TEST(Glob, AQuotedNameMatchesItselfAlone) {
    for (const std::string name : {"w", "a*b", "a?b", "{x,y}", "back\\slash", "[0]", "a\\*{", ""}) {
        EXPECT_TRUE(matches(Glob::quoted(name), name)) << name;
        EXPECT_TRUE(Glob::parse(Glob::quoted(name))->literal()) << name;
        EXPECT_FALSE(matches(Glob::quoted(name), name + "b")) << name;
    }
    EXPECT_FALSE(matches(Glob::quoted("a*b"), "acb"));
    EXPECT_FALSE(matches(Glob::quoted("a?b"), "acb"));
    EXPECT_FALSE(matches(Glob::quoted("{x,y}"), "x"));
}

TEST(Glob, ManyStarsTakeNoLongerThanNameTimesPattern) {
    std::string pattern;
    for (int i = 0; i < 200; ++i) {
        pattern += "*a";
    }
    EXPECT_FALSE(matches(pattern + "b", std::string(5000, 'a')));
}

} // namespace
} // namespace cairn
