// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/records.h"
#include "core/families/expected/expected.h"
#include "core/families/expected/float32.h"
#include "core/families/names/conversion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace cairn {
namespace {

TEST(Records, FieldsAreTakenInOrder) {
    std::string_view record = "class: Foo\nbase: \nw [2]\nv: 1";
    EXPECT_EQ(takeField(record, "type"), "");
    EXPECT_EQ(takeField(record, "class"), "Foo");
    EXPECT_EQ(takeField(record, "class"), "");
    EXPECT_EQ(takeField(record, "base"), "");
    EXPECT_EQ(record, "w [2]\nv: 1");
    std::string_view last = "types: a b";
    EXPECT_EQ(takeField(last, "types"), "a b");
    EXPECT_EQ(last, "");
}

/// Fields that no reader took, because their names or their order are wrong, would be text.
bool hasField(std::string_view text) {
    return text.substr(0, text.find('\n')).find(": ") != text.npos;
}

/// One comment, then records without blank lines at their ends.
void expectForm(std::span<const std::string_view> records, std::size_t least) {
    ASSERT_GT(records.size(), least);
    EXPECT_TRUE(isComment(records.front()));
    for (const std::string_view record : records.subspan(1)) {
        EXPECT_FALSE(isComment(record)) << record;
        EXPECT_FALSE(record.empty() || record.starts_with('\n') || record.ends_with('\n'))
            << record;
    }
}

TEST(Records, EveryFileHasTheForm) {
    expectForm(expectedTensorRecords(), 200);
    expectForm(float32ModuleRecords(), 20);
    expectForm(publishedRecipeRecords(), 100);
}

TEST(Records, EveryClassHasItsFields) {
    const auto models = knownModels();
    EXPECT_EQ(models.size() + 1, expectedTensorRecords().size());
    std::set<std::string> seen;
    for (const KnownModel& model : models) {
        EXPECT_FALSE(model.name.empty() || model.type.empty() || model.ignored.empty());
        EXPECT_TRUE(seen.insert(std::string(model.name) + " " + std::string(model.type)).second)
            << model.name;
        EXPECT_FALSE(hasField(model.text)) << model.name;
        const auto isBase = [&](const KnownModel& each) {
            return each.name == model.base && each.type == model.type && each.base.empty();
        };
        EXPECT_TRUE(model.base.empty() || std::ranges::any_of(models, isBase)) << model.name;
        EXPECT_TRUE(!model.text.empty() || !model.base.empty()) << model.name;
    }
}

TEST(Records, EveryPublishedRecipeIsReadable) {
    const auto recipes = publishedRecipes();
    EXPECT_EQ(recipes.size() + 1, publishedRecipeRecords().size());
    for (const KnownRecipe& known : recipes) {
        EXPECT_FALSE(known.classes.empty() || known.types.empty());
        EXPECT_EQ(known.from, "transformers-5");
        EXPECT_EQ(known.to, "hf");
        EXPECT_FALSE(hasField(known.rules)) << known.classes;
        const auto recipe = Recipe::parse(known.rules);
        ASSERT_TRUE(recipe) << known.classes << ": " << describe(recipe.error());
        EXPECT_FALSE(recipe->rules().empty()) << known.classes;
    }
}

TEST(Records, EveryModuleInFloat32HasTypes) {
    for (const std::string_view each : float32ModuleRecords().subspan(1)) {
        std::string_view record = each;
        EXPECT_NE(takeField(record, "types"), "") << each;
        EXPECT_NE(takeField(record, "modules"), "") << each;
        const std::string_view strict = takeField(record, "strict");
        EXPECT_TRUE(strict.empty() || strict == "yes") << each;
        EXPECT_EQ(record, "") << each;
    }
}

} // namespace
} // namespace cairn
