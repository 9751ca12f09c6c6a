// SPDX-License-Identifier: Apache-2.0
#include "core/model/name_rules.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

std::string renamed(const std::string& rules, const std::string& name) {
    const auto parsed = NameRules::parse(rules);
    EXPECT_TRUE(parsed) << rules;
    return parsed ? parsed->apply(name) : std::string("(no rules)");
}

TEST(NameRules, TakeThePlainFromAsTheBeginning) {
    EXPECT_EQ(renamed("encoder.=enc.", "encoder.0.w"), "enc.0.w");
    EXPECT_EQ(renamed("encoder.=enc.", "my.encoder.0.w"), "my.encoder.0.w");
    EXPECT_EQ(renamed("model.=", "model.w"), "w");
}

TEST(NameRules, KnowARegularExpressionByItsSigns) {
    EXPECT_EQ(renamed("^layers\\.(\\d+)\\.=h.$1.", "layers.12.w"), "h.12.w");
    EXPECT_EQ(renamed("(\\d+)=\\1x", "a.3.b.4"), "a.3x.b.4x");
    EXPECT_EQ(renamed("re:attn=attention", "l.attn.q"), "l.attention.q");
    EXPECT_EQ(renamed("gamma$=weight", "norm.gamma"), "norm.weight");
    EXPECT_FALSE(NameRules::parse("re:(=x"));
    EXPECT_FALSE(NameRules::parse("no-equals"));
}

TEST(NameRules, TheFirstThatAppliesWins) {
    EXPECT_EQ(renamed("a.=b.;b.=c.", "a.w"), "b.w");
    EXPECT_EQ(renamed("# a note\nx.=y.\n\n  a.=b.  ", "a.w"), "b.w");
}

TEST(NameRules, PresetsComeBeforeTheNextRules) {
    EXPECT_EQ(renamed("strip-prefixes", "module.model._orig_mod.l.w"), "l.w");
    EXPECT_EQ(renamed("strip-wrappers", "module._orig_mod.model.l._fsdp_wrapped_module.w"),
              "model.l.w");
    EXPECT_EQ(renamed("strip-wrappers;model.=transformer.", "module.model.l.w"), "transformer.l.w");
}

TEST(NameRules, TellWhatWasOfNoUse) {
    const auto rules = NameRules::parse("a.=b.;z.=y.;strip-wrappers");
    ASSERT_TRUE(rules);
    EXPECT_EQ(rules->unused({"a.w", "c.w"}), (std::vector<std::string>{"z.=y.", "strip-wrappers"}));
}

TEST(NameRules, GiveTheTextThatMakesThemAgain) {
    const std::string written = "\xEF\xBB\xBF# a note; z.=y.\r\n \tencoder. = enc. \r\n;;"
                                "^layers\\.(\\d+)\\.attn#(.)=h.$1#\\2;strip-wrappers\t\n"
                                "re:a[=b]=c; # more; d.=e.\nx=y=z\rg.=\n";
    const auto rules = NameRules::parse(written);
    ASSERT_TRUE(rules);
    EXPECT_EQ(rules->text(), "encoder. = enc.;^layers\\.(\\d+)\\.attn#(.)=h.$1#\\2;strip-wrappers;"
                             "re:a[=b]=c;x=y=z;g.=");
    const auto again = NameRules::parse(rules->text());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->text(), rules->text());
    const std::vector<std::string_view> names = {
        "encoder.w", "layers.3.attn#q.w", "ab", "x=yw", "module.g.w", "d.w", "z.w", "module.ab"};
    for (const std::string_view name : names) {
        EXPECT_EQ(again->apply(name), rules->apply(name)) << name;
    }
    EXPECT_EQ(again->unused(names), rules->unused(names));
    EXPECT_EQ(rules->apply("layers.3.attn#q.w"), "h.3#q.w");
    EXPECT_EQ(rules->apply("encoder.w"), "enc.w");
    EXPECT_EQ(rules->apply("module.g.w"), "w");
    EXPECT_EQ(NameRules().text(), "");
    EXPECT_EQ(NameRules::parse("# nothing")->text(), "");
}

TEST(NameRules, CommentsGoToTheEndOfTheLine) {
    EXPECT_EQ(renamed("# formerly x.=y.; a.=b.\na.=c.", "a.w"), "c.w");
    EXPECT_EQ(renamed("x.=y.; # not a.=b.; a.=c.", "a.w"), "a.w");
}

TEST(NameRules, ReadTheFilesOfOtherSystems) {
    EXPECT_EQ(renamed("\xEF\xBB\xBF"
                      "a.=b.\r\n",
                      "a.w"),
              "b.w");
    EXPECT_EQ(renamed("# x\ra.=b.\rc.=d.\r", "c.w"), "d.w");
    EXPECT_EQ(renamed("a. =\tb.", "a.w"), "b.w");
    const auto wide = NameRules::parse(std::string_view("a\0.\0=\0b\0.\0", 10));
    ASSERT_FALSE(wide); // UTF-16
    EXPECT_EQ(wide.error().code, ErrorCode::InvalidArgument);
}

TEST(NameRules, RefuseWhatWouldReplaceWithNothing) {
    for (const std::string rules :
         {"re:=x", "=x", " = x", "re: = x", "^h\\.\\d+=layers.$1", "(\\d)=$12", "(\\d)=\\2",
          "^layers\\.(\\d+)=h.\\g<1>", "^layers\\.(\\d+)=h.${1}", "a$=b$", "a=b # note",
          "strip-wrappers\t# note"}) {
        const auto parsed = NameRules::parse(rules);
        ASSERT_FALSE(parsed) << rules;
        EXPECT_EQ(parsed.error().code, ErrorCode::InvalidArgument);
    }
    EXPECT_EQ(renamed("(\\d)=$012", "h.3"), "h.32");
    EXPECT_EQ(renamed("re:h=$$$&\\0", "h.3"), "$hh.3");
    EXPECT_EQ(renamed("a.=$1.", "a.w"), "$1.w"); // a prefix has no groups
}

TEST(NameRules, TakeLinearTimeForEveryExpressionAndName) {
    const std::string name = std::string(100'000, 'a') + ".w"; // hours with backtracking
    EXPECT_EQ(renamed("re:((.*)*)*z=b", name), name);
    EXPECT_EQ(renamed("re:(a+)+$=b", name), name);
    EXPECT_EQ(renamed("re:(a|aa)+=b", name), "b.w");
    EXPECT_EQ(renamed("a=b", name), "b" + name.substr(1));
    for (const std::string rules : {"^(?!head)=model.", "a(?=b)=c", "(a)\\1=c"}) {
        const auto parsed = NameRules::parse(rules);
        ASSERT_FALSE(parsed) << rules;
        EXPECT_NE(parsed.error().message.text().find("Invalid regular expression"),
                  std::string::npos);
    }
}

TEST(NameRules, ReplaceEmptyMatchesAndWhatIsAroundThem) {
    EXPECT_EQ(renamed("^=model.", "a.w"), "model.a.w");
    EXPECT_EQ(renamed("re:x*=-", "abc"), "-a-b-c-");
    EXPECT_EQ(renamed("re:x*=-", "xab"), "--a-b-"); // as String.replaceAll of ECMAScript
    EXPECT_EQ(renamed("$=.w", "a"), "a.w");
    EXPECT_EQ(renamed("re:\\.=[$`|$']", "a.b"), "a[a|b]b");
    EXPECT_EQ(renamed("re:(a)|(b)=<$1$2>", "ab"), "<a><b>"); // a group that took no part is empty
    EXPECT_EQ(renamed("re:.=x", "\xFF\xC3\xA9"), "xxx");     // bytes
}

} // namespace
} // namespace cairn
