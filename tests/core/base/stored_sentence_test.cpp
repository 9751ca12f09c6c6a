// SPDX-License-Identifier: Apache-2.0
// Sentences in files: what is stored comes back with its arguments, whatever else stands there is
// plain text.
#include "core/base/stored_sentence.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace cairn {
namespace {

/// Pattern, kinds and arguments, in words.
std::string structure(const Sentence& sentence) {
    std::string words = "{" + std::string(sentence.pattern());
    for (const SentenceArgument& argument : sentence.arguments()) {
        words += "|" + std::to_string(static_cast<int>(argument.kind)) + argument.text;
        words += argument.kind == SentenceArgument::Kind::Sentence ? structure(argument.sentence)
                                                                   : std::string();
    }
    return words + "}";
}

Sentence stored(const Sentence& sentence) {
    return restoredSentence(sentence.text(), storedForm(sentence));
}

TEST(StoredSentence, ComesBackWithItsArguments) {
    const std::string odd = "a\tb\\c\nd\r\x1f\xff %1 \\t";
    for (const Sentence& each :
         {sentence("The file %1 is missing", odd),
          sentence("%1 of %2 are not in any file", amount("1.5 GB"), amount("16 GB")),
          sentence("%1%2", counting(12, "tensor"), std::string()),
          sentence("%2 before %1: %2", -3, sentence("It is %1", "damaged")),
          sentence("100 % of %1, 5%", std::uint64_t{18'446'744'073'709'551'615U}), verbatim(odd),
          verbatim("%1 %n"), sentenceList(std::vector<Sentence>(60, counting(2, "file")), ", ")}) {
        EXPECT_EQ(structure(stored(each)), structure(each)) << each.text();
        EXPECT_EQ(storedForm(each).find('\n'), std::string::npos);
    }
    EXPECT_EQ(structure(restoredSentence(storedTogether(counting(3, "file")))),
              structure(counting(3, "file")));
}

TEST(StoredSentence, IsItsTextWithoutArguments) {
    EXPECT_EQ(storedForm("The file is empty"), "");
    EXPECT_EQ(structure(restoredSentence("The file is empty", "")), "{The file is empty}");
    EXPECT_EQ(storedTogether("The file is empty"), "The file is empty");
    // The text of a file from before there was a form.
    EXPECT_EQ(structure(restoredSentence("The file a is missing")), "{The file a is missing}");
    EXPECT_EQ(restoredSentence("", "").text(), "");
}

TEST(StoredSentence, IsPlainTextIfTheFormIsWrong) {
    const std::string text = "a is missing";
    for (const std::string form :
         {"1\tS%1 is missing\tTb\t.",     // of another text
          "2\tS%1 is missing\tTa\t.",     // of a later version
          "1\tS%2 is missing\tTa\t.",     // another hole
          "1\tS%1 is missing\tTa\tTb\t.", // an argument without a hole
          "1\tSa is missing\tTb\t.", "1\tS%1 is missing\tTa", "1\tS%1 is missing\tTa\t.\t",
          "1\tS%1 is missing\tTa\t.x", "1\tS%1 is missing\tXa\t.", "1\tS%1 is missing\tNa\t.",
          "1\tS%1 is missing\tTa\\\t.", "1\tS%1 is missing\tTa\\x\t.", "1\tT%1\tTa\t.", "1", "1\t",
          "\t", "1\tS", "1\t.", "x"}) {
        const Sentence read = restoredSentence(text, form);
        EXPECT_EQ(read.text(), text) << form;
        EXPECT_TRUE(read.arguments().empty()) << form;
    }
    // The same with a correct form is a sentence.
    EXPECT_EQ(restoredSentence(text, "1\tS%1 is missing\tTa\t.").arguments().size(), 1U);
}

/// Each of these would take longer than the universe is old, or all memory.
TEST(StoredSentence, BoundsWhatAFormCanAskFor) {
    const auto nested = [](int depth, const std::string& pattern, const std::string& innermost) {
        std::string form = "1";
        for (int i = 0; i < depth; ++i) {
            form += "\tS" + pattern;
        }
        form += "\tT" + innermost;
        for (int i = 0; i < depth; ++i) {
            form += "\t.";
        }
        return form;
    };
    for (const int depth : {8, 60, 100, 101, 100'000}) {
        for (const char* innermost : {"", "a"}) {
            const Sentence read =
                restoredSentence(innermost, nested(depth, "%1%1%1%1%1%1%1%1", innermost));
            EXPECT_TRUE(read.arguments().empty());
            EXPECT_EQ(read.text(), innermost);
        }
    }
    EXPECT_EQ(restoredSentence("a", nested(90, "%1", "a")).arguments().size(), 1U);
    std::string many = "1\tS%1";
    for (int i = 0; i < 1'000'000; ++i) {
        many += "\tT";
    }
    EXPECT_TRUE(restoredSentence("a", many + "\t.").arguments().empty());
    EXPECT_TRUE(restoredSentence("a", "1\tS%1\tT" + std::string(10'000'000, 'a') + "\t.")
                    .arguments()
                    .empty());
}

TEST(StoredSentence, SurvivesAnyDamage) {
    const Sentence whole = sentence("%1 in %2: %1", counting(3, "file"), std::string("a%1\tb"));
    const std::string form = storedForm(whole);
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
        std::string damaged = form;
        for (unsigned n = random() % 4 + 1; n > 0; --n) {
            const std::size_t at = random() % damaged.size();
            switch (random() % 3) {
            case 0:
                damaged[at] = "\t\\.STNA%1n9\x1f"[random() % 12];
                break;
            case 1:
                damaged.erase(at, 1);
                break;
            default:
                damaged.insert(at, damaged.substr(random() % damaged.size(), 5));
            }
            damaged += damaged.empty() ? "x" : "";
        }
        ASSERT_EQ(restoredSentence(whole.text(), damaged).text(), whole.text()) << damaged;
    }
}

} // namespace
} // namespace cairn
