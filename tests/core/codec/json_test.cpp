// SPDX-License-Identifier: Apache-2.0
#include "core/codec/json/json_value.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

JsonValue parsed(std::string_view text, const JsonOptions& options = {}) {
    auto value = parseJson(text, "t.json", options);
    EXPECT_TRUE(value) << text << ": " << (value ? "" : describe(value.error()));
    return value ? std::move(*value) : JsonValue();
}

TEST(Json, KeepsOrderDuplicatesAndKinds) {
    const JsonValue root = parsed(R"({"b":1,"a":[true,null,"x\n\u00e9"],"b":{"c":-2.5}})");
    auto members = root.asObject();
    ASSERT_TRUE(members);
    ASSERT_EQ(members->size(), 3U);
    EXPECT_EQ((*members)[0].key, "b");
    EXPECT_EQ((*members)[2].key, "b");
    EXPECT_EQ(root.find("b")->find("c")->asReal().value_or(0),
              -2.5); // the last one wins, as in Python
    EXPECT_EQ((*root.find("a")->asArray())[2].asString().value_or(""), "x\n\u00e9");
    EXPECT_EQ(root.find("z"), nullptr);
}

TEST(Json, HandsMembersOfOneObjectOut) {
    std::vector<JsonMember> taken;
    const JsonMemberSink sink{"many", [&](JsonMember&& member) -> Result<void> {
                                  taken.push_back(std::move(member));
                                  return {};
                              }};
    const auto root = parseJson(
        R"({"before":{"many":{"x":1}},"many":{"a":{"many":{"y":[2]}},"b":[{"c":3}],"d":4},"after":[{"many":5}]})",
        "t.json", sink);
    ASSERT_TRUE(root);
    ASSERT_EQ(taken.size(), 3U); // only members of the root object
    EXPECT_EQ(taken[0].key, "a");
    EXPECT_NE(taken[0].value.find("many")->find("y"), nullptr);
    EXPECT_EQ(taken[1].value.elements()[0].find("c")->asInteger().value_or(0), 3);
    EXPECT_EQ(taken[2].value.asInteger().value_or(0), 4);
    EXPECT_EQ(root->find("many")->kind(), JsonKind::Object);
    EXPECT_TRUE(root->find("many")->members().empty());
    EXPECT_NE(root->find("before")->find("many")->find("x"), nullptr);
    EXPECT_EQ(root->find("after")->elements()[0].find("many")->asInteger().value_or(0), 5);
}

TEST(Json, CountsEachMemberThatIsHandedOutAlone) {
    JsonOptions options;
    options.maxValues = 3;
    std::size_t count = 0;
    const JsonMemberSink sink{"m", [&](JsonMember&&) -> Result<void> {
                                  return ++count < 4 ? Result<void>()
                                                     : fail(ErrorCode::BadIndex, "enough");
                              }};
    EXPECT_TRUE(parseJson(R"({"m":{"a":[1],"b":[2],"c":[3]}})", "t.json", sink, options));
    EXPECT_EQ(parseJson(R"({"m":{"a":[1,2,3]}})", "t.json", sink, options).error().code,
              ErrorCode::LimitExceeded);
    const auto stopped = parseJson(R"({"m":{"a":1,"b":2}})", "t.json", sink, options);
    EXPECT_EQ(stopped.error().code, ErrorCode::BadIndex); // returned by the sink
    EXPECT_FALSE(parseJson(R"({"m":{"a":1)", "t.json", sink, options));
}

TEST(Json, KeepsIntegersExact) {
    const JsonValue root = parsed("[-9223372036854775808,9223372036854775807,"
                                  "18446744073709551615,18446744073709551616,-0,1e3]");
    auto items = *root.asArray();
    EXPECT_EQ(items[0].asInteger().value_or(0), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(items[1].kind(), JsonKind::Integer);
    EXPECT_EQ(items[2].asUnsigned().value_or(0), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(items[3].kind(), JsonKind::BigInteger);
    EXPECT_EQ(std::get<JsonBigInteger>(items[3].storage()).digits, "18446744073709551616");
    EXPECT_EQ(items[4].asInteger().value_or(1), 0);
    EXPECT_EQ(items[5].kind(), JsonKind::Real);
}

TEST(Json, ReadsWhatPythonWritesForNonFiniteNumbers) {
    const JsonValue root = parsed(R"({"loss": NaN, "a": [Infinity, -Infinity], "text": "NaN"})");
    EXPECT_TRUE(std::isnan(root.find("loss")->asReal().value_or(0)));
    EXPECT_TRUE(std::isinf((*root.find("a")->asArray())[1].asReal().value_or(0)));
    EXPECT_EQ(root.find("text")->kind(), JsonKind::String);
    auto strict = parseJson("[NaN]", "t.json", {.allowNonFinite = false});
    ASSERT_FALSE(strict);
    EXPECT_EQ(strict.error().code, ErrorCode::JsonSyntax);
    EXPECT_EQ(strict.error().where.offset, 1U);
}

TEST(Json, AcceptsScalarsAndAByteOrderMarkAtTheRoot) {
    EXPECT_EQ(parsed("\xEF\xBB\xBF 3 ").asInteger().value_or(0), 3);
    EXPECT_EQ(parsed("\"x\"").asString().value_or(""), "x");
    EXPECT_TRUE(parsed("null").isNull());
    EXPECT_TRUE(parsed(" {} ").asObject()->empty());
}

TEST(Json, RefusesWhatIsNotJson) {
    for (const std::string text : {"",
                                   " ",
                                   "1 2",
                                   "1,2",
                                   "1],[2",
                                   "[1,]",
                                   "[,1]",
                                   "{,}",
                                   "{\"a\" 1}",
                                   "{\"a\":}",
                                   "{\"a\":1,}",
                                   "{1:2}",
                                   "nul",
                                   "truee",
                                   "[01]",
                                   "[1.]",
                                   "[.5]",
                                   "[+1]",
                                   "[1e]",
                                   "[--1]",
                                   "\"abc",
                                   "[\"\\q\"]",
                                   "[1]]",
                                   "[[1]",
                                   "{\"a\":[}",
                                   "]",
                                   "}",
                                   "[NaN NaN]",
                                   "[1 2]",
                                   "{\"a\":1 \"b\":2}",
                                   "[\"a\x01\"]",
                                   "'a'",
                                   "[0x10]",
                                   "// c\n1",
                                   "[\"\\u12\"]"}) {
        auto value = parseJson(text, "t.json");
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::JsonSyntax) << text;
    }
    auto bad = parseJson("\"\xff\"", "t.json");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::BadEncoding);
}

TEST(Json, SaysWhere) {
    auto value = parseJson("{\"a\": tru}", "t.json");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().where.offset, 6U);
    EXPECT_EQ(value.error().where.file, "t.json");
}

TEST(Json, BoundsTheDepth) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(parseJson(nested(1000), "t.json"));
    for (const std::string& text : {nested(1001), std::string(5'000'000, '[')}) {
        auto value = parseJson(text, "t.json");
        ASSERT_FALSE(value);
        EXPECT_EQ(value.error().code, ErrorCode::JsonTooDeep);
    }
    std::string objects;
    for (int i = 0; i < 2000; ++i) {
        objects += "{\"a\":";
    }
    EXPECT_EQ(parseJson(objects + "1" + std::string(2000, '}'), "t.json").error().code,
              ErrorCode::JsonTooDeep);
}

TEST(Json, BoundsTheNumberOfValues) {
    std::string many = "[";
    for (int i = 0; i < 100; ++i) {
        many += "[],";
    }
    many += "0]";
    EXPECT_TRUE(parseJson(many, "t.json", {.maxValues = 102}));
    EXPECT_EQ(parseJson(many, "t.json", {.maxValues = 101}).error().code, ErrorCode::LimitExceeded);
}

TEST(Json, RefusesDuplicateKeysWhenAsked) {
    const JsonOptions options{.refuseDuplicateKeys = true};
    EXPECT_TRUE(parseJson(R"({"a":{"a":1},"b":{"a":2}})", "t.json", options));
    auto value = parseJson(R"({"x":{"a":1,"a":2}})", "t.json", options);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ErrorCode::JsonDuplicateKey);
    EXPECT_EQ(value.error().where.field, "a");
}

TEST(Json, NamesTheWrongKind) {
    auto text = parsed("[1]").asString();
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::JsonWrongType);
    EXPECT_EQ(text.error().found.text(), "an array");
    EXPECT_FALSE(parsed("-1").asUnsigned());
    EXPECT_FALSE(parsed("1.5").asInteger());
    EXPECT_FALSE(parsed("1").asBool());
    EXPECT_EQ(parsed("3").find("a"), nullptr);
}

TEST(Json, EveryTruncationEndsInAnAnswer) {
    const std::string good = R"({"a":[1,2.5,"\u00e9",{"b":null}],"c":NaN,"d":-1e-5,"e":true})";
    for (std::size_t i = 0; i < good.size(); ++i) {
        EXPECT_FALSE(parseJson(good.substr(0, i), "t.json"));
        for (const char other : {'\0', '"', '{', ']', ',', '\xff', '9'}) {
            std::string bytes = good;
            bytes[i] = other;
            (void)parseJson(bytes, "t.json");
        }
    }
}

} // namespace
} // namespace cairn
