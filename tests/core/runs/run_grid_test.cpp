// SPDX-License-Identifier: Apache-2.0
// The table of runs: columns by name, filters, order, groups, text for other programs.
#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_grid_text.h"
#include "core/runs/table/run_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cairn {
namespace {

const double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Experiment experimentAt(const std::string& path, const std::string& name) {
    Experiment experiment;
    experiment.path = path;
    experiment.name = name;
    return experiment;
}

/// Runs made of settings and metrics, without files.
class MadeRuns {
public:
    struct Metric {
        std::string name;
        double last = 0;
        double best = kNotANumber;
    };

    MadeRuns& add(const std::string& id, std::vector<RowSetting> settings,
                  std::vector<Metric> metrics = {}) {
        ScannedRun run{id, id, "/experiment/" + id, {}};
        m_experiment.runs.push_back(run);
        RunRow row;
        row.id = id;
        row.settings = std::move(settings);
        std::vector<std::string> names;
        for (const Metric& each : metrics) {
            names.push_back(each.name);
            row.cells.push_back({0, 3, 30, each.last, 20, each.best});
        }
        row.names = std::make_shared<const std::vector<std::string>>(std::move(names));
        m_table.rows.push_back(std::move(row));
        return *this;
    }
    ScannedRun& last() { return m_experiment.runs.back(); }
    RunRow& lastRow() { return m_table.rows.back(); }
    RunGrid grid() const {
        return RunGrid(m_experiment, std::make_shared<const RunTable>(m_table));
    }

private:
    Experiment m_experiment = experimentAt("/experiment", "experiment");
    RunTable m_table;
};

RowSetting set(const std::string& key, Value value) {
    return {key, std::move(value)};
}

std::string names(const RunGrid& grid, const std::vector<std::uint32_t>& rows) {
    std::string text;
    for (const std::uint32_t row : rows) {
        text += (text.empty() ? "" : " ") + grid.rows()[row].id;
    }
    return text;
}

std::string filtered(const RunGrid& grid, const std::string& filter) {
    const auto rows = filterRuns(grid, filter);
    return rows ? names(grid, *rows) : describe(rows.error());
}

std::string sorted(const RunGrid& grid, const std::string& column, bool descending = false) {
    std::vector<std::uint32_t> rows = allRuns(grid);
    sortRuns(grid, rows, *grid.find(column), descending);
    return names(grid, rows);
}

RunGrid sweep() {
    MadeRuns runs;
    for (const std::int64_t seed : {1, 2, 10}) {
        for (const double lr : {0.001, 0.0003}) {
            const double loss = lr * 1000 + static_cast<double>(seed) / 100;
            const std::string id = "run-" + std::to_string(seed) + (lr < 0.001 ? "b" : "a");
            runs.add(id,
                     {set("dir", Value("out/" + id)), set("optimizer.lr", Value(lr)),
                      set("optimizer.name", Value("adamw")), set("seed", Value(seed))},
                     {{"eval_loss", loss + 1, loss}, {"something", 5}});
        }
    }
    return runs.grid();
}

TEST(RunGrid, SettingsThatDifferComeFirst) {
    const RunGrid grid = sweep();
    ASSERT_EQ(grid.settings().size(), 4U);
    EXPECT_EQ(grid.settings()[0].key, "optimizer.lr");
    EXPECT_EQ(grid.settings()[1].key, "seed");
    EXPECT_EQ(grid.settings()[2].key, "dir") << "its text contains the names of the runs";
    EXPECT_TRUE(grid.settings()[2].isIdentity);
    EXPECT_EQ(grid.settings()[3].key, "optimizer.name");
    EXPECT_EQ(grid.differing(), 3U);
    std::vector<std::string> columns;
    for (const GridColumn column : grid.defaultColumns()) {
        columns.push_back(grid.nameOf(column));
    }
    EXPECT_EQ(columns, (std::vector<std::string>{"optimizer.lr", "seed", "eval_loss",
                                                 "eval_loss.last", "something", "state", "bytes"}));
}

TEST(RunGrid, AColumnIsFoundByNameOrLastPart) {
    const RunGrid grid = sweep();
    EXPECT_EQ(grid.nameOf(*grid.find("lr")), "optimizer.lr");
    EXPECT_EQ(grid.nameOf(*grid.find("optimizer.lr")), "optimizer.lr");
    EXPECT_EQ(grid.nameOf(*grid.find("config.optimizer.lr")), "optimizer.lr");
    EXPECT_EQ(grid.nameOf(*grid.find("eval_loss.best")), "eval_loss.best");
    EXPECT_EQ(grid.nameOf(*grid.find("eval/loss")), "eval_loss") << "as runs are compared";
    EXPECT_EQ(*grid.find("size"), GridColumn::of(RunFact::Bytes));
    EXPECT_EQ(grid.nameOf(*grid.find("name")), "name");
    const auto wrong = grid.find("eval_los");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(wrong.error().hint.text().find("eval_loss"), std::string::npos)
        << wrong.error().hint.text();
}

TEST(RunGrid, ASettingWithTheNameOfAFactOrMetricStaysReachable) {
    const RunGrid grid =
        MadeRuns()
            .add("a", {set("lr", Value(0.5)), set("step", Value("big"))}, {{"lr", 7.0}})
            .grid();
    for (const std::string name : {"lr", "metrics.lr", "config.step", "step"}) {
        EXPECT_EQ(grid.nameOf(*grid.find(name)), name);
    }
    EXPECT_EQ(grid.number(0, *grid.find("lr")), 0.5);
    EXPECT_EQ(grid.number(0, *grid.find("metrics.lr")), 7.0);
    EXPECT_EQ(grid.cell(0, *grid.find("config.step")).text, "big");
    EXPECT_FALSE(grid.number(0, *grid.find("step")));
}

TEST(RunGrid, AnAmbiguousNameIsAnErrorThatListsTheColumns) {
    const RunGrid grid =
        MadeRuns().add("a", {set("actor.lr", Value(0.5)), set("critic.lr", Value(0.1))}).grid();
    const auto found = grid.find("lr");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().hint.text().find("actor.lr, critic.lr"), std::string::npos);
    EXPECT_EQ(filtered(grid, "critic.lr < 0.2"), "a");
}

TEST(RunGrid, FiltersReadSettingsMetricsAndFacts) {
    const RunGrid grid = sweep();
    EXPECT_EQ(filtered(grid, "lr < 1e-3"), "run-1b run-2b run-10b");
    EXPECT_EQ(filtered(grid, "optimizer.name == AdamW and seed >= 2 lr == 1e-3"), "run-2a run-10a");
    EXPECT_EQ(filtered(grid, "eval_loss < 0.32"), "run-1b") << "the best one";
    EXPECT_EQ(filtered(grid, "eval_loss.last < 1.32"), "run-1b");
    EXPECT_EQ(filtered(grid, "something.best == 5"), "") << "no better direction is known";
    EXPECT_EQ(filtered(grid, "something == 5 -10"), "run-1a run-1b run-2a run-2b");
    EXPECT_EQ(filtered(grid, ""), "run-1a run-1b run-2a run-2b run-10a run-10b");
    EXPECT_NE(filtered(grid, "nope > 1").find("Unknown column"), std::string::npos);
}

TEST(RunGrid, SortsNaturallyWithMissingValuesLast) {
    const RunGrid grid = sweep();
    EXPECT_EQ(sorted(grid, "name"), "run-1a run-1b run-2a run-2b run-10a run-10b");
    EXPECT_EQ(sorted(grid, "lr"), "run-1b run-2b run-10b run-1a run-2a run-10a") << "stable";
    EXPECT_EQ(sorted(grid, "lr", true), "run-1a run-2a run-10a run-1b run-2b run-10b");
    const RunGrid gaps = MadeRuns()
                             .add("none", {})
                             .add("nan", {}, {{"loss", kNotANumber, kNotANumber}})
                             .add("two", {}, {{"loss", 2.0, 2.0}})
                             .add("one", {}, {{"loss", 1.0, 1.0}})
                             .grid();
    EXPECT_EQ(sorted(gaps, "loss"), "one two nan none") << "diverged is not the same as missing";
    EXPECT_EQ(sorted(gaps, "loss", true), "two one nan none");
    const RunGroups all = groupRuns(gaps, allRuns(gaps), {});
    const Figures figures = groupFigures(gaps, all.groups[0], *gaps.find("loss"));
    EXPECT_EQ(figures.n, 2U);
    EXPECT_EQ(figures.nan, 1U);
    EXPECT_EQ(bestRowOf(gaps, all.groups[0].rows, 0), 3U);
    EXPECT_EQ(sorted(gaps, "loss.last", true), "two one nan none");
}

TEST(RunGrid, NumbersAndTextsInOneSetting) {
    const RunGrid grid = MadeRuns()
                             .add("text", {set("warmup", Value("auto"))})
                             .add("float", {set("warmup", Value(10.0))})
                             .add("int", {set("warmup", Value(std::int64_t{10}))})
                             .add("quoted", {set("warmup", Value("10"))})
                             .add("small", {set("warmup", Value("2"))})
                             .add("null", {set("warmup", Value())})
                             .add("none", {})
                             .grid();
    const GridSetting& warmup = grid.settings().front();
    EXPECT_EQ(warmup.values.size(), 4U) << "10, 10.0 and \"10\" are the same";
    EXPECT_FALSE(warmup.isNumeric);
    EXPECT_EQ(sorted(grid, "warmup"), "small float int quoted text null none");
    EXPECT_EQ(filtered(grid, "warmup == 10"), "float int quoted");
    EXPECT_EQ(filtered(grid, "warmup == auto"), "text");
    EXPECT_EQ(filtered(grid, "warmup != 10"), "text small null");
}

TEST(RunGrid, ATableShowsSixDigitsUnlessTwoValuesReadTheSame) {
    const Value some(0.00029917772415989);
    const Value close(0.00029917772415990);
    const auto shownOf = [](const std::vector<Value>& values) {
        MadeRuns runs;
        for (std::size_t i = 0; i < values.size(); ++i) {
            runs.add(std::to_string(i), {set("lr", values[i])});
        }
        const RunGrid grid = runs.grid();
        std::vector<std::string> shown;
        for (std::size_t row = 0; row < values.size(); ++row) {
            shown.emplace_back(grid.shown(row, GridColumn::setting(0)));
        }
        return shown;
    };
    EXPECT_EQ(shownOf({some, Value(0.0041723790684760), Value(0.5)}),
              (std::vector<std::string>{"0.000299178", "0.00417238", "0.5"}));
    EXPECT_EQ(shownOf({some, close}),
              (std::vector<std::string>{"0.00029917772415989", "0.0002991777241599"}));
}

TEST(RunGrid, TextsThatLookLikeNumbersStayDifferent) {
    const RunGrid grid = MadeRuns()
                             .add("a", {set("version", Value("2.1"))})
                             .add("b", {set("version", Value("2.10"))})
                             .grid();
    EXPECT_EQ(grid.settings().front().values.size(), 2U);
}

TEST(RunGrid, ADirectionIsKnownIfAllRunsAgree) {
    MadeRuns runs;
    runs.add("plain", {}, {{"score", 1.0}});
    runs.add("goal", {}, {{"score", 2.0, 3.0}});
    runs.lastRow().goals.push_back({"score", names::Direction::Smaller, true});
    const RunGrid mixed = runs.grid();
    EXPECT_EQ(mixed.metrics().front().better, names::Direction::Unknown)
        << "the name implies another direction than the goal of one run";
    EXPECT_EQ(mixed.number(0, *mixed.find("score")), 1.0) << "the last value of both runs";
    EXPECT_EQ(mixed.number(1, *mixed.find("score")), 2.0);
    MadeRuns agreeing;
    for (const std::string id : {"a", "b"}) {
        agreeing.add(id, {}, {{"wer_x", 2.0, 1.0}});
        agreeing.lastRow().goals.push_back({"wer*", names::Direction::Larger, true});
    }
    const RunGrid grid = agreeing.grid();
    EXPECT_EQ(grid.metrics().front().better, names::Direction::Larger);
    EXPECT_EQ(grid.number(0, *grid.find("wer_x")), 1.0);
}

TEST(RunGrid, OfSeveralCurvesWithOneNameTheLongestCounts) {
    MadeRuns runs;
    runs.add("a", {}, {{"loss", 1.0, 1.0}, {"loss", 2.0, 2.0}, {"loss", 3.0, 3.0}});
    runs.lastRow().cells[1].points = 9;
    const RunGrid grid = runs.grid();
    EXPECT_EQ(grid.metrics().size(), 1U);
    EXPECT_EQ(grid.metric(0, 0)->last, 2.0);
}

TEST(RunGrid, NumbersInCheckpointsAreMetrics) {
    MadeRuns runs;
    runs.add("a", {}, {{"loss", 1.0, 1.0}});
    for (const std::int64_t step : {1, 2, 3}) {
        ScannedCheckpoint each;
        each.name = "step-" + std::to_string(step);
        each.step = step;
        each.state = CheckpointState::Complete;
        each.latest = step == 3;
        each.metrics = {{"loss", 9.0}, {"val_acc", 0.5 + 0.1 * static_cast<double>(step % 3)}};
        runs.last().checkpoints.push_back(each);
    }
    const RunGrid grid = runs.grid();
    EXPECT_EQ(grid.number(0, *grid.find("loss")), 1.0) << "the curve has precedence";
    EXPECT_NEAR(*grid.number(0, *grid.find("val_acc")), 0.7, 1e-9);
    EXPECT_EQ(grid.number(0, *grid.find("val_acc.best_step")), 2);
    EXPECT_NEAR(*grid.number(0, *grid.find("val_acc.last")), 0.5, 1e-9);
    EXPECT_EQ(grid.rows()[0].newestName, "step-3");
    EXPECT_EQ(grid.rows()[0].state, "complete");
    EXPECT_EQ(grid.rows()[0].step, 3);
}

TEST(RunGrid, NothingAndOne) {
    const RunGrid none = RunGrid(Experiment(), nullptr);
    EXPECT_TRUE(none.rows().empty());
    EXPECT_TRUE(none.defaultColumns().empty());
    EXPECT_EQ(filtered(none, ""), "");
    EXPECT_EQ(groupRuns(none, {}, {}).groups.size(), 0U);
    const RunGrid one = MadeRuns().add("a", {set("lr", Value(0.5))}).grid();
    EXPECT_EQ(one.differing(), 0U);
    EXPECT_EQ(filtered(one, "lr == 0.5"), "a");
    Experiment bare = experimentAt("/e", "e");
    bare.runs.push_back({"x", "x", "/e/x", {}});
    const RunGrid withoutTable(bare, nullptr);
    EXPECT_EQ(withoutTable.rows()[0].state, "no-checkpoints");
    EXPECT_TRUE(withoutTable.outline(0).values.empty());
}

TEST(RunGrid, SeveralExperimentsHaveDistinctNames) {
    Experiment a = experimentAt("/a/sweep", "sweep");
    a.runs.push_back({"x", "x", "/a/sweep/x", {}});
    Experiment b = experimentAt("/b/sweep", "sweep");
    b.runs.push_back({".", "sweep", "/b/sweep", {}});
    const std::vector<GridSource> sources{{&a, nullptr}, {&b, nullptr}};
    const RunGrid grid(sources);
    EXPECT_EQ(grid.rows()[0].id, "/a/sweep/x");
    EXPECT_EQ(grid.rows()[1].id, "/b/sweep");
    EXPECT_EQ(grid.rows()[1].source, 1U);
}

TEST(RunGroups, AllButTheSeed) {
    const RunGrid grid = sweep();
    const auto keys = parseGroupKeys(grid, "all but seed");
    ASSERT_TRUE(keys) << describe(keys.error());
    const RunGroups groups = groupRuns(grid, allRuns(grid), *keys);
    ASSERT_EQ(groups.groups.size(), 2U) << "folders and names do not separate groups";
    EXPECT_EQ(groupLabel(grid, groups, groups.groups[0]), "lr 0.0003");
    EXPECT_EQ(names(grid, groups.groups[0].rows), "run-1b run-2b run-10b");
    const Figures figures = groupFigures(grid, groups.groups[0], *grid.find("eval_loss"));
    EXPECT_EQ(figures.n, 3U);
    EXPECT_NEAR(figures.of(Aggregate::Mean), 0.3 + 0.13 / 3, 1e-12);
    EXPECT_EQ(bestRowOf(grid, groups.groups[0].rows, grid.find("eval_loss")->index), 1U);
}

TEST(RunGroups, ShortLabelsAreValuesAndInitials) {
    const auto run = [](double rate, const char* optimizer, double decay, double warmup) {
        return std::vector<RowSetting>{set("learning_rate", Value(rate)),
                                       set("optimizer", Value(optimizer)),
                                       set("weight_decay", Value(decay)),
                                       set("warmup_days", Value(warmup)), set("seed", Value(1.0))};
    };
    const RunGrid grid = MadeRuns()
                             .add("a", run(0.001, "lion", 0, 10))
                             .add("b", run(0.003, "adamw", 0.1, 20))
                             .grid();
    const RunGroups groups = groupRuns(
        grid, allRuns(grid), *parseGroupKeys(grid, "learning_rate,optimizer,weight_decay"));
    EXPECT_EQ(shortGroupLabel(grid, groups, groups.groups[0]), "0.001 · lion · wd 0");
    const RunGroups alike = groupRuns(
        grid, allRuns(grid), *parseGroupKeys(grid, "learning_rate,weight_decay,warmup_days"));
    EXPECT_EQ(shortGroupLabel(grid, alike, alike.groups[1]),
              "0.003 · weight_decay 0.1 · warmup_days 20")
        << "two of them would be wd";
}

TEST(RunGroups, AMissingKeyIsAGroupOfItsOwn) {
    const RunGrid grid =
        MadeRuns()
            .add("a", {set("lora.r", Value(std::int64_t{8}))}, {{"loss", 3.0, 3.0}})
            .add("b", {}, {{"loss", 1.0, 1.0}})
            .add("c", {set("lora.r", Value())})
            .grid();
    RunGroups groups = groupRuns(grid, allRuns(grid), *parseGroupKeys(grid, "r"));
    ASSERT_EQ(groups.groups.size(), 3U);
    EXPECT_EQ(groupLabel(grid, groups, groups.groups[0]), "r 8");
    EXPECT_EQ(groupLabel(grid, groups, groups.groups[1]), "r null") << "set to null is not missing";
    EXPECT_EQ(groupLabel(grid, groups, groups.groups[2]), "r –");
    sortGroups(grid, groups, *grid.find("loss"));
    EXPECT_EQ(groupLabel(grid, groups, groups.groups[0]), "r –");
    EXPECT_EQ(groupLabel(grid, groups, groups.groups[2]), "r null") << "without a value";
    const RunGrid two = MadeRuns()
                            .add("a", {set("lr", Value(0.1)), set("note", Value("x"))})
                            .add("b", {set("lr", Value(0.1))})
                            .add("c", {set("seed", Value(0.1))})
                            .grid();
    const RunGroups some = groupRuns(two, allRuns(two), *parseGroupKeys(two, "lr,note"));
    EXPECT_EQ(groupLabel(two, some, some.groups[0]), "lr 0.1 · note x");
    EXPECT_EQ(groupLabel(two, some, some.groups[1]), "lr 0.1");
    EXPECT_EQ(groupLabel(two, some, some.groups[2]), "lr – · note –");
    EXPECT_EQ(shortGroupLabel(two, some, some.groups[0]), "0.1 · x");
    EXPECT_EQ(shortGroupLabel(two, some, some.groups[2]), "lr – · note –");
    EXPECT_FALSE(parseGroupKeys(grid, "loss")) << "a metric";
    EXPECT_TRUE(parseGroupKeys(grid, "")->empty());
}

TEST(RunGridText, CsvIsQuotedAsInRfc4180) {
    const RunGrid grid =
        MadeRuns()
            .add("a,b", {set("note", Value("say \"hi\"\nthere"))}, {{"loss", kNotANumber, 0.1}})
            .add("=1+1", {set("note", Value("|"))}, {{"loss", 0.30000000000000004, 0.1}})
            .grid();
    const std::vector<GridColumn> columns{GridColumn::of(RunFact::Name), *grid.find("note"),
                                          *grid.find("loss.last")};
    const TextGrid text = exactText(grid, allRuns(grid), columns);
    EXPECT_EQ(csvText(text), "name,note,loss.last\r\n"
                             "\"a,b\",\"say \"\"hi\"\"\nthere\",nan\r\n"
                             "=1+1,|,0.30000000000000004\r\n");
    EXPECT_EQ(markdownText(text), "| name | note | loss.last |\n| --- | --- | ---: |\n"
                                  "| a,b | say \"hi\" there | nan |\n"
                                  "| =1+1 | \\| | 0.30000000000000004 |\n");
    EXPECT_EQ(tsvText(text), "name\tnote\tloss.last\na,b\t\"say \"\"hi\"\"\nthere\"\tnan\n"
                             "=1+1\t|\t0.30000000000000004\n");
}

TEST(RunGridText, GroupsHaveMeanStdAndN) {
    const RunGrid grid = sweep();
    const RunGroups groups = groupRuns(grid, allRuns(grid), *parseGroupKeys(grid, "lr"));
    const std::vector<GridColumn> columns{*grid.find("something"), *grid.find("lr"),
                                          *grid.find("optimizer.name"), *grid.find("seed")};
    EXPECT_EQ(
        csvText(exactText(grid, groups, columns)),
        "group,n,optimizer.lr,something.n,something.mean,something.std,optimizer.name,seed\r\n"
        "lr 0.0003,3,0.0003,3,5,0,adamw,4.333333333333333\r\n"
        "lr 0.001,3,0.001,3,5,0,adamw,4.333333333333333\r\n");
}

} // namespace
} // namespace cairn
