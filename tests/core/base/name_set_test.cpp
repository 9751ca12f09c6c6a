// SPDX-License-Identifier: Apache-2.0
#include "core/base/name_set.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_set>
#include <vector>

namespace cairn {
namespace {

TEST(NameSet, TellsANameThatWasThereBefore) {
    NameSet names;
    EXPECT_TRUE(names.insert("a"));
    EXPECT_TRUE(names.insert(""));
    EXPECT_FALSE(names.insert("a"));
    EXPECT_FALSE(names.insert(""));
    EXPECT_TRUE(names.insert("b"));
}

TEST(NameSet, AgreesWithASetOfStringsWhileItGrows) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < 50'000; ++i) {
        all.push_back("model.layers." + std::to_string(i * 7919 % 30'011) + ".weight");
    }
    for (const std::size_t expected : {std::size_t{0}, all.size()}) {
        NameSet names(expected);
        std::unordered_set<std::string> known;
        for (const std::string& name : all) {
            ASSERT_EQ(names.insert(name), known.insert(name).second) << name;
        }
    }
}

} // namespace
} // namespace cairn
