// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/recipe.h"
#include "tests/core/families/stored_tensors.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

Result<Converted> convert(const CheckpointPtr& base, std::string_view text,
                          const ModelConfig& config = {}) {
    CAIRN_TRY(const Recipe recipe, Recipe::parse(text));
    return convertTensors(base, all(*base), recipe, config);
}

std::vector<std::string> shown(const Result<Converted>& converted) {
    return converted ? shown(*converted->checkpoint)
                     : std::vector<std::string>{describe(converted.error())};
}

using Lines = std::vector<std::string>;

TEST(Recipe, SplitsGroupedHeadsAndJoinsThemAgain) {
    ModelConfig config;
    config.set("heads", std::int64_t{2});
    config.set("groups", std::int64_t{1});
    const CheckpointPtr base = checkpointOf({{"layers.0.qkv.weight", {4, 2}}}); // q q k v, d = 1
    const char* there = R"(
let g = heads/groups
let d = 1
layers.{i}.qkv.(weight|bias) | split 0 groups g+2 d
  -> h.{i}.q.(weight|bias) | slice 1 0 g; merge 0 3
  -> h.{i}.k.(weight|bias) | slice 1 g 1; merge 0 3
  -> h.{i}.v.(weight|bias) | slice 1 g+1 1; merge 0 3
)";
    const auto split = convert(base, there, config);
    EXPECT_EQ(shown(split), (Lines{"h.0.q.weight [2, 2]: 0 1 2 3", "h.0.k.weight [1, 2]: 4 5",
                                   "h.0.v.weight [1, 2]: 6 7"}));
    const char* back = R"(
h.{i}.q.weight | split 0 groups heads/groups 1
  + h.{i}.k.weight | split 0 groups 1 1
  + h.{i}.v.weight | split 0 groups 1 1
  & concat 1
  -> layers.{i}.qkv.weight | merge 0 3
)";
    EXPECT_EQ(shown(convert(split->checkpoint, back, config)),
              (Lines{"layers.0.qkv.weight [4, 2]: 0 1 2 3 4 5 6 7"}));
}

TEST(Recipe, NoticesFollowTheirTensors) {
    CheckpointData data = checkpointOf({{"a.qkv", {2, 2}}, {"b", {2}}, {"c", {2}}})->data();
    for (const char* name : {"a.qkv", "b", "c", "missing"}) {
        data.notices.push_back({Severity::Error, fail(ErrorCode::StaleShard, "x").inTensor(name)});
    }
    const auto made = convert(Checkpoint::make(std::move(data)),
                              "a.qkv -> q | slice 0 0 1 -> k | slice 0 1 1\nb -> bias\ndrop c");
    ASSERT_TRUE(made) << describe(made.error());
    Lines names;
    for (const Notice& notice : made->checkpoint->notices()) {
        names.push_back(notice.error.where.tensor);
    }
    EXPECT_EQ(names, (Lines{"q", "bias", "c", "missing"}));
}

TEST(Recipe, UnstacksAndStacksExperts) {
    const CheckpointPtr base = checkpointOf({{"experts.up", {2, 2, 2}}});
    const auto single = convert(base, "experts.up -> e.{e}.a | each 0 e; slice 0 0 d0/2 -> e.{e}.b "
                                      "| each 0 e; slice 0 d0/2 d0/2");
    EXPECT_EQ(shown(single), (Lines{"e.0.a [1, 2]: 0 1", "e.1.a [1, 2]: 4 5", "e.0.b [1, 2]: 2 3",
                                    "e.1.b [1, 2]: 6 7"}));
    EXPECT_EQ(
        shown(convert(single->checkpoint,
                      "e.{e}.a | stack e\n  + e.{e}.b | stack e\n  & concat 1\n  -> experts.up")),
        (Lines{"experts.up [2, 2, 2]: 0 1 2 3 4 5 6 7"}));
    const auto lost =
        convert(checkpointOf({{"e.0.a", {1}}, {"e.2.a", {1}}}), "e.{e}.a | stack e -> x");
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().expected.text(), "e.1.a");
}

TEST(Recipe, TurnsRotaryPairsIntoHalves) {
    ModelConfig config;
    config.set("n", std::int64_t{1});
    const CheckpointPtr base = checkpointOf({{"wq", {4, 1}}});
    EXPECT_EQ(shown(convert(base, "wq | split 0 n d0/n/2 2; swap 1 2; merge 0 3 -> q", config)),
              (Lines{"q [4, 1]: 0 2 1 3"}));
}

TEST(Recipe, KeepsDropsAndRefuses) {
    const CheckpointPtr base =
        checkpointOf({{"a", {1}}, {"b._extra_state", {1}}, {"other", {1}}, {"c", {2}}});
    const auto converted =
        convert(base, "drop b._extra_state\na -> x\nwhen 0\nc -> z\nalways\nc -> y");
    EXPECT_EQ(shown(converted), (Lines{"x [1]: 0", "other [1]: 2", "y [2]: 3 4"}));
    EXPECT_EQ(converted->dropped, (Lines{"b._extra_state"}));
    EXPECT_EQ(converted->kept, (Lines{"other"}));
    EXPECT_EQ(converted->renamed, 2U);

    const auto twice = convert(base, "a -> x\nc -> x");
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().code, ErrorCode::DuplicateTensor);
    const auto clash = convert(base, "a -> other");
    EXPECT_FALSE(clash);
    const auto field = convert(base, "a | slice 0 0 rows -> x");
    ASSERT_FALSE(field);
    EXPECT_EQ(field.error().found.text(), "rows");
    EXPECT_EQ(field.error().where.tensor, "a");
    EXPECT_FALSE(convert(base, "c | slice 0 1 2 -> x"));
}

TEST(Recipe, NamesWhatIsAddedUp) {
    const CheckpointPtr base =
        checkpointOf({{"rank.1.bias", {2}}, {"rank.0.bias", {2}}, {"rank.0.norm", {3}}});
    const auto made =
        convert(base, "rank.{r}.bias | sum r -> bias\nrank.{r}.norm | mean r -> norm");
    ASSERT_TRUE(made) << describe(made.error());
    ASSERT_EQ(made->summed.size(), 1U) << "a single part is not a sum";
    EXPECT_EQ(made->checkpoint->tensor(made->summed[0].tensor).name, "bias");
    EXPECT_EQ(made->summed[0].parts, (std::vector{TensorIndex(1), TensorIndex(0)}));
    EXPECT_FALSE(made->summed[0].isMean);
    EXPECT_FALSE(convert(checkpointOf({{"rank.0.bias", {2}}, {"rank.1.bias", {3}}}),
                         "rank.{r}.bias | sum r -> bias"));
    EXPECT_FALSE(convert(checkpointOf({{"rank.0.bias", {2}}, {"rank.2.bias", {2}}}),
                         "rank.{r}.bias | sum r -> bias"));
    for (const char* text : {"a.{r} | sum r; merge 0 1 -> b", "a.{r} | mean r -> b | merge 0 1",
                             "a.{r} | mean r\n  + c.{r} | stack r\n  & concat 0\n  -> b"}) {
        EXPECT_FALSE(Recipe::parse(text)) << text;
    }
}

TEST(Recipe, RenamesABeginning) {
    const CheckpointPtr base =
        checkpointOf({{"model.a.w", {1}}, {"model.a.b", {1}}, {"head", {1}}});
    EXPECT_EQ(shown(convert(base, "model.{*} -> language_model.model.{*}")),
              (Lines{"language_model.model.a.w [1]: 0", "language_model.model.a.b [1]: 1",
                     "head [1]: 2"}));
}

TEST(Recipe, ChecksExtentsAndConditionsOfANumber) {
    ModelConfig config;
    config.set("first", std::int64_t{1});
    const CheckpointPtr base = checkpointOf({{"a.0", {2}}, {"a.1", {2}}});
    EXPECT_EQ(
        shown(convert(base, "when i >= first\na.{i} -> b.{i}\nalways\na.{i} -> c.{i}", config)),
        (Lines{"c.0 [2]: 0 1", "b.1 [2]: 2 3"}));
    EXPECT_FALSE(convert(base, "when i >= unknown\na.{i} -> b.{i}", config));
    EXPECT_EQ(shown(convert(base, "a.{i} | size 0 2 -> b.{i}", config)),
              (Lines{"b.0 [2]: 0 1", "b.1 [2]: 2 3"}));
    const auto wrong = convert(base, "a.{i} | size 0 first -> b.{i}", config);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().where.tensor, "a.0");
    EXPECT_FALSE(convert(base, "a.{i} | size 1 1 -> b.{i}", config));
}

TEST(Recipe, NamesTheLineOfAFault) {
    for (const char* wrong :
         {"a", "a -> ", "a | turn 1 -> b", "a | slice 1 -> b", "let x", "a b -> c"}) {
        EXPECT_FALSE(Recipe::parse(wrong)) << wrong;
    }
    const auto recipe = Recipe::parse("a -> b\n\na | slice 0 1 ( -> c\n");
    ASSERT_FALSE(recipe);
    EXPECT_GE(recipe.error().where.offset.value_or(0), 3U);
}

} // namespace
} // namespace cairn
