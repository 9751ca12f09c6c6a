// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/sentence.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace cairn {
namespace {

// No text but a literal is a sentence by itself.
static_assert(std::is_convertible_v<const char (&)[4], Sentence>);
static_assert(!std::is_convertible_v<std::string, Sentence>);
static_assert(!std::is_convertible_v<std::string_view, Sentence>);
static_assert(!std::is_convertible_v<const char*, Sentence>);
static_assert(!std::is_convertible_v<char (&)[4], Sentence>);
static_assert(!std::is_constructible_v<SentenceArgument, char>);
static_assert(!std::is_constructible_v<SentenceArgument, bool>);
static_assert(sizeof(Sentence) < sizeof(std::string));

TEST(Sentence, IsEnglishWithTheArgumentsInPlace) {
    const std::string name = "a.bin";
    EXPECT_EQ(sentence("The file %1 has %2 elements", name, 12U).text(),
              "The file a.bin has 12 elements");
    EXPECT_EQ(sentence("%2 before %1, and %2 again", -1, name).text(),
              "a.bin before -1, and a.bin again");
    EXPECT_EQ(sentence("%1 of %2", amount("1.5 GB"), std::string_view("it")).text(),
              "1.5 GB of it");
    EXPECT_EQ(Sentence("The file is empty").text(), "The file is empty");
    EXPECT_EQ(Sentence().text(), "");
}

TEST(Sentence, KeepsPercentSigns) {
    EXPECT_EQ(Sentence("100 % of %1 and %n").text(), "100 % of %1 and %n");
    EXPECT_EQ(sentence("50 % of %1, 5% more%", "x%1%2%n%").text(), "50 % of x%1%2%n%, 5% more%");
    EXPECT_EQ(verbatim("%1 %n %").text(), "%1 %n %");
    EXPECT_EQ(fixedText("%1 is not filled").text(), "%1 is not filled");
}

TEST(Sentence, ContainsSentences) {
    const Sentence inner = sentence("%1 tensors", 3);
    const Sentence outer = sentence("%1 in %2: %1", inner, sentence("[%1]", std::string("%1")));
    EXPECT_EQ(outer.text(), "3 tensors in [%1]: 3 tensors");
    ASSERT_EQ(outer.arguments().size(), 2U);
    EXPECT_EQ(outer.arguments()[0].kind, SentenceArgument::Kind::Sentence);
    EXPECT_EQ(outer.arguments()[0].sentence.pattern(), "%1 tensors");
    const Sentence literal = sentence("It is %1", "damaged");
    EXPECT_EQ(literal.arguments()[0].kind, SentenceArgument::Kind::Sentence);
    const char* text = "a name";
    EXPECT_EQ(sentence("It is %1", text).arguments()[0].kind, SentenceArgument::Kind::Text);
}

TEST(Sentence, CountsWithOneAndMany) {
    EXPECT_EQ(counting(1, "file").text(), "1 file");
    EXPECT_EQ(counting(0, "file").text(), "0 files");
    EXPECT_EQ(counting(1, "entry", "entries").text(), "1 entry");
    EXPECT_EQ(counting(1000, "entry", "entries").text(), "1000 entries");
    EXPECT_EQ(counting(2, "entry", "entries").pattern(), "%n entries");
    const Sentence copy = counting(2, "file"); // its pattern is its own
    EXPECT_EQ(sentence("%1 of them", copy).text(), "2 files of them");
}

TEST(Sentence, ComparesAndIsEmptyByItsText) {
    EXPECT_TRUE(Sentence().empty());
    EXPECT_TRUE(Sentence("").empty());
    EXPECT_TRUE(verbatim("").empty());
    EXPECT_TRUE(sentence("%1%2", "", Sentence()).empty());
    EXPECT_FALSE(sentence("%1", 0).empty());
    EXPECT_EQ(sentence("the %1", std::string("file")), Sentence("the file"));
    EXPECT_FALSE(Sentence("a") == Sentence("b"));
}

TEST(Sentence, IsWhatAnErrorSays) {
    const Error error = fail(ErrorCode::Truncated, sentence("The file %1 ends", std::string("x")))
                            .butFound(sentence("%1 bytes", 12))
                            .expecting("more")
                            .withHint("Copy it again");
    EXPECT_EQ(describe(error), "The file x ends; found 12 bytes; expected more; Copy it again");
}

} // namespace
} // namespace cairn
