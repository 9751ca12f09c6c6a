// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/conversion.h"
#include "core/families/names/inverse.h"
#include "tests/core/families/stored_tensors.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace cairn {
namespace {

TEST(Inverse, RefusesWhatLeavesOutElements) {
    ModelConfig config;
    config.set("n", std::int64_t{4});
    for (const char* text :
         {"a | split 0 2 n -> b | select 0 0", // half of it
          "a -> b | slice 0 1 n",              // not from the start
          "a -> b | slice 0 0 n -> c | slice 0 n+1 n", "a -> b | slice 0 0 n -> c | slice 1 n n",
          "a -> b | merge 0 2", // of unknown extents
          "a\n  + b\n  & concat 0\n  -> c", "layers.{i}.a -> b", "a -> b | slice 0 0 unknown"}) {
        const auto recipe = Recipe::parse(text);
        ASSERT_TRUE(recipe) << text;
        const InverseRecipe inverse = invert(*recipe, config);
        EXPECT_TRUE(inverse.recipe.rules().empty()) << text;
        EXPECT_FALSE(inverse.lost.empty()) << text;
    }
    const auto recipe = Recipe::parse("a -> b | merge 0 2");
    const InverseRecipe inverse = invert(*recipe, config);
    ASSERT_NE(inverse.whyLost("b"), nullptr);
    EXPECT_EQ(inverse.whyLost("c"), nullptr);
}

TEST(Inverse, UndoesEveryOperation) {
    ModelConfig config;
    config.set("n", std::int64_t{2});
    for (const char* text :
         {"a | split 0 n 3; swap 0 1; merge 0 2 -> b",
          "a -> b.{e}.x | each 0 e; slice 0 0 1 -> b.{e}.y | each 0 e; slice 0 1 3",
          "a | insert 0; swap 0 2 -> b", "a -> b | swap 0 1",
          "a -> b | slice 1 0 1 -> c | slice 1 1 3", "a -> c | slice 1 1 3 -> b | slice 1 0 1",
          "a | split 1 n n -> b | select 1 1 -> c | select 1 0"}) {
        const CheckpointPtr base = checkpointOf({{"a", {6, 4}}});
        const auto recipe = Recipe::parse(text);
        ASSERT_TRUE(recipe) << text;
        const auto there = convertTensors(base, all(*base), *recipe, config);
        ASSERT_TRUE(there) << text << describe(there.error());
        const CheckpointPtr made = there->checkpoint;
        const auto back = convertTensors(made, all(*made), invert(*recipe, config).recipe, config);
        ASSERT_TRUE(back) << text << describe(back.error());
        EXPECT_EQ(shown(*back->checkpoint), shown(*base)) << text;
    }
}

} // namespace
} // namespace cairn
