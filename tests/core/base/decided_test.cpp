// SPDX-License-Identifier: Apache-2.0
#include "core/base/decided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cairn {
namespace {

Claim<int> claim(int value, Strength strength, std::string_view id) {
    return {value, {strength, id, Sentence()}};
}

std::vector<std::string_view> idsOf(const std::vector<Evidence>& all) {
    std::vector<std::string_view> ids;
    for (const Evidence& each : all) {
        ids.push_back(each.id);
    }
    std::ranges::sort(ids);
    return ids;
}

using Ids = std::vector<std::string_view>;

TEST(Decided, TheStrongestClaimDecidesInAnyOrder) {
    std::vector<Claim<int>> claims = {
        claim(1, Strength::Named, "a"), claim(1, Strength::Named, "b"),
        claim(2, Strength::Recorded, "c"), claim(3, Strength::Proven, "d"),
        claim(3, Strength::Named, "e")};
    std::ranges::sort(claims, {}, [](const auto& each) { return each.evidence.id; });
    do {
        const Decided<int> decided = decide(claims);
        ASSERT_EQ(decided.value, 3);
        EXPECT_EQ(decided.because.front().id, "d");
        EXPECT_EQ(idsOf(decided.because), (Ids{"d", "e"}));
        EXPECT_EQ(idsOf(decided.against), (Ids{"a", "b", "c"}));
        EXPECT_TRUE(decided.isAtLeast(Strength::Proven));
    } while (std::ranges::next_permutation(claims, {}, [](const auto& each) {
                 return each.evidence.id;
             }).found);
}

TEST(Decided, AContradictionOfTheStrongestIsUndecided) {
    const Decided<int> decided =
        decide<int>({claim(1, Strength::Recorded, "a"), claim(2, Strength::Recorded, "b"),
                     claim(2, Strength::Named, "c")});
    EXPECT_FALSE(decided);
    EXPECT_TRUE(decided.because.empty());
    EXPECT_EQ(idsOf(decided.against), (Ids{"a", "b", "c"}));
    EXPECT_FALSE(decided.isAtLeast(Strength::Named));
}

TEST(Decided, WithoutStrongerEvidenceAWeakerAnswerOrNone) {
    EXPECT_FALSE(decide<int>({}));
    EXPECT_TRUE(decide<int>({}).against.empty());
    const Decided<int> named = decide<int>({claim(7, Strength::Named, "a")});
    EXPECT_EQ(named.value, 7);
    EXPECT_TRUE(named.isAtLeast(Strength::Named));
    EXPECT_FALSE(named.isAtLeast(Strength::Recorded));
}

} // namespace
} // namespace cairn
