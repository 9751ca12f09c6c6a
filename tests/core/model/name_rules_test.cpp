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

TEST(NameRules, LeaveVeryLongNamesToPlainRules) {
    const std::string name = std::string(5000, 'a') + ".w";
    EXPECT_EQ(renamed("re:a+=b", name), name);
    EXPECT_EQ(renamed("a=b", name), "b" + name.substr(1));
}

} // namespace
} // namespace cairn
