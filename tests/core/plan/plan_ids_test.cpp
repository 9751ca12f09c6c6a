// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/plan/copy_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace cairn {
namespace {

/// Each id has a row of its own: a name for documents that no other has, and a title.
template <class Id> void expectRows(std::size_t count) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < count; ++i) {
        const auto id = static_cast<Id>(i);
        const std::string_view name = idName(id);
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_FALSE(name.empty());
        EXPECT_TRUE(std::ranges::all_of(name, [](char c) {
            return c == '_' || (c >= 'a' && c <= 'z') || isDigit(c);
        })) << name;
        EXPECT_FALSE(titleOf(id).empty()) << name;
    }
    EXPECT_EQ(names.size(), count);
}

TEST(PlanIds, EachHasARow) {
    expectRows<DecisionId>(kDecisionIds);
    expectRows<CheckId>(kCheckIds);
}

TEST(PlanIds, SeparateWhatOneNounNames) {
    EXPECT_EQ(titleOf(DecisionId::PrefixKept), titleOf(DecisionId::PrefixDropped));
    EXPECT_EQ(idName(DecisionId::PrefixKept), "prefix_kept");
    EXPECT_EQ(idName(DecisionId::PrefixDropped), "prefix_dropped");
    EXPECT_TRUE(isTied(DecisionId::TiedLeftOut));
    EXPECT_TRUE(isTied(DecisionId::TiedShared));
    EXPECT_TRUE(isTied(DecisionId::TiedRepeated));
    EXPECT_FALSE(isTied(DecisionId::TiedSeparated)) << "of a fold, under another noun";
}

TEST(PlanIds, TitlesAreTheNounsOfDecisionsAndChecks) {
    const PlanDecision decision{DecisionId::TiedLeftOut, "written once", ""};
    EXPECT_EQ(decision.what(), "tied tensors");
    EXPECT_EQ(titleOf(DecisionId::LongChains).text(), "ranks above 192");
    const ChecklistItem item{CheckId::Config, true, ""};
    EXPECT_EQ(item.item(), "config.json");
    EXPECT_EQ(titleOf(CheckId::FrameworkNames), "names");
}

} // namespace
} // namespace cairn
