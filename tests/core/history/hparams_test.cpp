// SPDX-License-Identifier: Apache-2.0
#include "tests/core/history/history_fixture.h"

#include <cmath>
#include <limits>

namespace cairn {
namespace {

/// The settings of hparams.yaml; null if there are none.
Value settingsOf(const RunHistory& history, std::string_view name = "hparams.yaml") {
    const Value* found = history.settings.find(name);
    return found != nullptr ? *found : Value();
}

RunHistory readYaml(const std::string& text, const std::string& name = "hparams.yaml") {
    const HistoryFolder folder;
    folder.write(name, text);
    return folder.read();
}

std::string textAt(const Value& value, std::string_view key) {
    const Value* found = value.find(key);
    return found != nullptr && found->asString() != nullptr ? *found->asString() : "(none)";
}

TEST(Hparams, ReadsWhatLightningWrote) {
    const RunHistory history = readData("csv_lightning");
    const Value settings = settingsOf(history, "lightning_logs/version_0/hparams.yaml");
    ASSERT_EQ(settings.kind(), ValueKind::Dict);
    EXPECT_EQ(*settings.find("lr")->asFloat(), 0.001);
    EXPECT_EQ(*settings.find("flag")->asBool(), true);
    EXPECT_EQ(textAt(settings, "name"), "tiny");
    EXPECT_EQ(textAt(settings, "path"), "/data/x");
    EXPECT_EQ(settings.find("sizes")->kind(), ValueKind::Tuple);
    EXPECT_EQ(*settings.findPath({"optimizer", "betas", "1"})->asFloat(), 0.999);
    EXPECT_EQ(settings.findPath({"optimizer", "fused"})->kind(), ValueKind::Null);
    ASSERT_EQ(settings.find("args")->kind(), ValueKind::Object);
    EXPECT_EQ(settings.find("args")->asNode()->className, "argparse.Namespace");
    EXPECT_EQ(*settings.findPath({"args", "seed"})->asInt(), 7);
}

TEST(Hparams, ScalarsAreThoseOfPyYaml) {
    const Value values = settingsOf(readYaml(
        "a: 1.0e-05\nb: 1e-5\nc: '1'\nd: 0x1f\ne: 1_000\nf: -.inf\ng: .NaN\nh: ~\ni: yes\nj: 'no'\n"
        "k: 010\nl: 123456789012345678901234567890\nm: 1:30\nn: nan\no: .\np: +12\nq: 0.5\n"
        "r: !!float 3\ns: !!str 5\nt: 2026-01-02\nu: |\n  two\n  lines\nv: .5\nw: 1.2.3\n"));
    EXPECT_EQ(*values.find("a")->asFloat(), 1e-5);
    EXPECT_EQ(*values.find("b")->asFloat(), 1e-5);
    EXPECT_EQ(textAt(values, "c"), "1");
    EXPECT_EQ(*values.find("d")->asInt(), 31);
    EXPECT_EQ(*values.find("e")->asInt(), 1000);
    EXPECT_EQ(*values.find("f")->asFloat(), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(*values.find("g")->asFloat()));
    EXPECT_EQ(values.find("h")->kind(), ValueKind::Null);
    EXPECT_EQ(*values.find("i")->asBool(), true);
    EXPECT_EQ(textAt(values, "j"), "no");
    EXPECT_EQ(*values.find("k")->asInt(), 8);
    EXPECT_EQ(values.find("l")->asBigInt()->digits, "123456789012345678901234567890");
    EXPECT_EQ(textAt(values, "m"), "1:30");
    EXPECT_EQ(textAt(values, "n"), "nan");
    EXPECT_EQ(*values.find("p")->asInt(), 12);
    EXPECT_EQ(*values.find("q")->asFloat(), 0.5);
    EXPECT_EQ(*values.find("r")->asFloat(), 3.0);
    EXPECT_EQ(textAt(values, "s"), "5");
    EXPECT_EQ(textAt(values, "t"), "2026-01-02");
    EXPECT_EQ(textAt(values, "u"), "two\nlines\n");
    EXPECT_EQ(*values.find("v")->asFloat(), 0.5);
    EXPECT_EQ(textAt(values, "w"), "1.2.3");
}

TEST(Hparams, PythonTagsAreDataAndNothingIsCalled) {
    const Value values = settingsOf(readYaml(
        "run: !!python/object/apply:os.system [\"touch /tmp/cairn-owned\"]\n"
        "new: !!python/object/new:a.B {args: [1], state: {x: 2}}\n"
        "act: !!python/name:torch.nn.ReLU ''\nmod: !!python/module:os ''\nnone: !!python/none ''\n"
        "set: !!set {a, b}\nown: !mine {x: 1}\n"));
    ASSERT_EQ(values.find("run")->kind(), ValueKind::Object);
    EXPECT_EQ(values.find("run")->asNode()->className, "os.system");
    EXPECT_EQ(*values.find("run")->items().at(0).value.asString(), "touch /tmp/cairn-owned");
    EXPECT_EQ(*values.findPath({"new", "state", "x"})->asInt(), 2);
    EXPECT_EQ(textAt(values, "act"), "torch.nn.ReLU");
    EXPECT_EQ(textAt(values, "mod"), "os");
    EXPECT_EQ(values.find("none")->kind(), ValueKind::Null);
    EXPECT_EQ(values.find("set")->kind(), ValueKind::Set);
    EXPECT_EQ(*values.findPath({"own", "x"})->asInt(), 1);
    EXPECT_FALSE(std::filesystem::exists("/tmp/cairn-owned"));
}

TEST(Hparams, AliasesMergesAndRepeatedKeys) {
    const Value values = settingsOf(readYaml("base: &b {lr: 1, wd: 2}\nrun:\n  <<: *b\n  lr: 3\n"
                                             "again: *b\nx: 1\nx: 2\nmany:\n  <<: [*b, {z: 4}]\n"));
    EXPECT_EQ(*values.findPath({"run", "lr"})->asInt(), 3);
    EXPECT_EQ(*values.findPath({"run", "wd"})->asInt(), 2);
    EXPECT_EQ(*values.findPath({"again", "lr"})->asInt(), 1);
    EXPECT_EQ(*values.find("x")->asInt(), 2);
    EXPECT_EQ(*values.findPath({"many", "z"})->asInt(), 4);
}

TEST(Hparams, AnAliasBombDoesNotGrow) {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 30; ++i) {
        const std::string one = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + one;
        for (int j = 0; j < 9; ++j) {
            text += ", " + one;
        }
        text += "]\n";
    }
    text += "self: &s [*s]\nlast: 1\n";
    const RunHistory history = readYaml(text);
    const Value values = settingsOf(history);
    EXPECT_LT(expandedSize(values, 10'000'000), 200'000U);
    EXPECT_EQ(*values.find("last")->asInt(), 1);
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::LimitExceeded));
}

TEST(Hparams, DepthAndNumberOfValuesAreBounded) {
    for (const std::string& text :
         {std::string(100'000, '['), std::string(100'000, '{'),
          "a: [" + std::string(1'000'000, ',') + "]",
          std::string(50'000, '-') + "\n" + std::string(4000, ' ') + "? x"}) {
        EXPECT_EQ(readYaml(text).sources.size(), 1U);
    }
    std::string many;
    for (int i = 0; i < 150'000; ++i) {
        many += "k" + std::to_string(i) + ": 1\n";
    }
    const RunHistory history = readYaml(many);
    EXPECT_GT(settingsOf(history).items().size(), 40'000U);
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::LimitExceeded));
}

TEST(Hparams, ABrokenDocumentGivesWhatComesBefore) {
    const RunHistory history = readYaml("lr: 0.5\nmodel:\n  layers: 3\n  width: \"12");
    EXPECT_EQ(*settingsOf(history).find("lr")->asFloat(), 0.5);
    EXPECT_EQ(*settingsOf(history).findPath({"model", "layers"})->asInt(), 3);
    EXPECT_TRUE(warnsOf(history.sources.at(0), ErrorCode::HistoryBadRow));
    EXPECT_EQ(readYaml("- 1\n- 2\n").settings.kind(), ValueKind::Null);
    EXPECT_TRUE(readYaml("lr: 1\n", "other.yaml").sources.empty());
}

TEST(Hparams, JsonOfTheSameNames) {
    const RunHistory history = readYaml(R"({"lr": 1e-3, "epochs": 5, "x": NaN})", "args.json");
    ASSERT_EQ(history.sources.size(), 1U);
    EXPECT_EQ(history.sources[0].kind, "hparams");
    EXPECT_TRUE(history.series.empty());
    EXPECT_EQ(*settingsOf(history, "args.json").find("epochs")->asInt(), 5);
    EXPECT_TRUE(readYaml("{\"lr\": ", "args.json").sources.empty());
}

} // namespace
} // namespace cairn
