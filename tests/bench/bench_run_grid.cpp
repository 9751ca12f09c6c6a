// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/curve_groups.h"
#include "core/runs/table/run_explain.h"
#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_groups.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

/// The table of runs in memory: bench_run_grid [RUNS [METRICS]] prints milliseconds.
namespace {

using namespace cairn;

template <class Work> void timed(const char* name, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t result = work();
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    std::printf("%-44s %9.2f ms  (%zu)\n", name, elapsed.count(), result);
}

/// `shared`: all runs have the same list of names.
RunTable tableOf(std::size_t runs, std::size_t metrics, bool shared, Experiment& experiment) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    RunTable table;
    std::shared_ptr<const std::vector<std::string>> names;
    for (std::size_t i = 0; i < runs; ++i) {
        const std::string id = "run-" + std::to_string(i);
        experiment.runs.push_back({id, id, "/e/" + id, {}});
        if (!names || !shared) {
            std::vector<std::string> list{"eval_loss"};
            for (std::size_t m = 1; m < metrics; ++m) {
                list.push_back("layers." + std::to_string(m) + "/grad_norm");
            }
            names = std::make_shared<const std::vector<std::string>>(std::move(list));
        }
        RunRow row;
        row.id = id;
        row.names = names;
        for (std::size_t m = 0; m < metrics; ++m) {
            row.cells.push_back({0, 5, 5, normal(random), 3, normal(random)});
        }
        row.settings = {{"lr", Value(std::pow(10.0, -static_cast<double>(i % 5) - 1))},
                        {"name", Value(id)},
                        {"seed", Value(static_cast<std::int64_t>(i / 5))}};
        for (int s = 0; s < 150; ++s) {
            row.settings.push_back(
                {"setting_" + std::to_string(s),
                 Value(s < 20 ? std::to_string(i * 7 % (static_cast<std::size_t>(s) + 2))
                              : "same")});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::size_t aggregated(std::size_t runs, std::size_t points, AggregateSet wanted, bool shifted) {
    std::vector<std::vector<CurvePoint>> curves(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        for (std::size_t i = 0; i < points; ++i) {
            const double shift = shifted ? static_cast<double>(run) / 1000 : 0;
            curves[run].push_back(
                {static_cast<double>(i) + shift, std::sin(static_cast<double>(i * run))});
        }
    }
    std::vector<double> at;
    for (std::size_t i = 0; i < 2000; ++i) {
        at.push_back(static_cast<double>(i * points) / 2000);
    }
    timed("  at 2,000 positions", [&] { return aggregateCurves(curves, wanted, at)->x.size(); });
    if (!shifted) {
        timed("  at all x", [&] { return aggregateCurves(curves, wanted)->x.size(); });
    }
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    const std::size_t runs = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1500;
    const std::size_t metrics = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1500;
    for (const bool shared : {true, false}) {
        std::printf("%zu runs, %zu metrics, names %s\n", runs, metrics,
                    shared ? "shared" : "of each run");
        Experiment experiment;
        experiment.path = "/e";
        const auto table =
            std::make_shared<const RunTable>(tableOf(runs, metrics, shared, experiment));
        RunGrid grid;
        timed("build", [&] { return (grid = RunGrid(experiment, table)).rows().size(); });
        timed("filter by setting and metric",
              [&] { return filterRuns(grid, "lr < 1e-2 and eval_loss < 0 seed > 3")->size(); });
        timed("filter by name", [&] { return filterRuns(grid, "run-1")->size(); });
        for (const char* column : {"eval_loss", "name", "lr"}) {
            timed(column, [&] {
                auto rows = allRuns(grid);
                sortRuns(grid, rows, *grid.find(column));
                return static_cast<std::size_t>(rows.front());
            });
        }
        timed("group by lr, sort by mean", [&] {
            auto groups = groupRuns(grid, allRuns(grid), *parseGroupKeys(grid, "lr"));
            sortGroups(grid, groups, *grid.find("eval_loss"));
            return groups.groups.size();
        });
        timed("an unknown column",
              [&] { return grid.find("evl_loss").error().hint.text().size(); });
        timed("explain eval_loss", [&] {
            return explainColumn(grid, allRuns(grid), *grid.find("eval_loss"))->settings.size();
        });
    }
    std::printf("200 curves of 100,000 points, mean and std, equal x\n");
    aggregated(200, 100'000, {Aggregate::Mean, Aggregate::Std}, false);
    std::printf("200 curves of 100,000 points, all aggregates, equal x\n");
    aggregated(200, 100'000, AggregateSet::all(), false);
    std::printf("200 curves of 100,000 points, mean and std, different x\n");
    aggregated(200, 100'000, {Aggregate::Mean, Aggregate::Std}, true);
    return 0;
}
