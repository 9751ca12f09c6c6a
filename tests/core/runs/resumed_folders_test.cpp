// SPDX-License-Identifier: Apache-2.0
// Which folder of Lightning continues which: with evidence, or not at all.
#include "core/runs/history/resumed_folders.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/table/examine.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::findRun;
using test::namesOf;
using test::scanned;
using test::smallSafetensors;
using test::TemporaryFolder;

/// A training of saves every 10 steps and rows every 2; `from`: the step that it was resumed at.
VersionFolder versionOf(std::uint64_t number, int from, int to, int lastSave) {
    VersionFolder folder{"/logs/version_" + std::to_string(number), number};
    for (int step = from / 10 * 10 + 10; step <= lastSave; step += 10) {
        folder.saves.push_back(step);
    }
    folder.settings = "lr: 0.1\n";
    folder.log = {from + 1.0, to - 1.0, 2};
    return folder;
}

std::string answer(const VersionFolder& folder, const std::vector<VersionFolder>& earlier) {
    const Decided<fs::path> decided = decideResumed(folder, earlier);
    return decided.isAtLeast(Strength::Recorded) ? decided.value->filename().string()
           : decided                             ? "named"
           : decided.against.empty()             ? "unknown"
                                                 : "undecided";
}

TEST(ResumedFolders, NamesOfFoldersHaveNoInfluence) {
    for (const char* parent : {"/logs", "/a b/best", "/step-10/final"}) {
        for (const std::uint64_t shift : {0U, 1U, 40U}) {
            VersionFolder first = versionOf(shift, 0, 30, 30);
            VersionFolder second = versionOf(shift + 3, 30, 60, 60);
            first.path = fs::path(parent) / first.path.filename();
            second.path = fs::path(parent) / second.path.filename();
            EXPECT_EQ(decideResumed(second, {first}).value, first.path);
            EXPECT_EQ(answer(first, {second}), "unknown") << "an earlier one continues nothing";
        }
    }
    EXPECT_EQ(versionNumber("version_12"), 12U);
    for (const char* name : {"version_", "version_1b", "version_-1", "version", "run_1", ""}) {
        EXPECT_EQ(versionNumber(name), std::nullopt) << name;
    }
}

TEST(ResumedFolders, LessEvidenceIsWeakerOrNone) {
    const VersionFolder first = versionOf(0, 0, 30, 30);
    const VersionFolder second = versionOf(1, 30, 60, 60);
    ASSERT_EQ(answer(second, {first}), "version_0");
    VersionFolder fewer = second;
    fewer.log.reset();
    EXPECT_EQ(answer(fewer, {first}), "unknown");
    fewer = second;
    fewer.saves.clear(); // its rows still say where it began
    EXPECT_EQ(answer(fewer, {first}), "version_0");
    fewer = second;
    fewer.settings.clear();
    EXPECT_EQ(answer(fewer, {first}), "named");
    VersionFolder less = first;
    less.log.reset(); // its save is enough
    EXPECT_EQ(answer(second, {less}), "version_0");
    less.saves.clear();
    EXPECT_EQ(answer(second, {less}), "unknown") << "nothing to resume from";
    less = first;
    less.saves.clear();
    less.hasOtherSaves = true; // "last.ckpt": the end of its log is enough
    EXPECT_EQ(answer(second, {less}), "version_0");
    less.log->last = 40; // rows that were logged again: of an unknown save
    EXPECT_EQ(answer(second, {less}), "unknown");
    EXPECT_EQ(answer(second, {}), "unknown");
}

TEST(ResumedFolders, WhatContradictsItIsNotJoined) {
    const VersionFolder first = versionOf(0, 0, 30, 30);
    const VersionFolder second = versionOf(1, 30, 60, 60);
    const VersionFolder twin = versionOf(1, 0, 30, 30);
    EXPECT_EQ(answer(versionOf(2, 30, 60, 60), {first, twin}), "undecided");
    VersionFolder other = twin;
    other.settings = "lr: 0.2\n";
    EXPECT_EQ(answer(versionOf(2, 30, 60, 60), {first, other}), "undecided");
    other.saves.clear(); // removed since
    EXPECT_EQ(answer(versionOf(2, 30, 60, 60), {first, other}), "undecided");
    EXPECT_EQ(answer(versionOf(2, 30, 60, 60), {first, versionOf(1, 0, 12, 10)}), "version_0");
    other = first;
    other.saves.push_back(40); // it went on without the second one
    EXPECT_EQ(answer(second, {other}), "unknown");
    other = first;
    other.settings = "lr: 0.2\n";
    EXPECT_EQ(answer(second, {other}), "named");
    VersionFolder fresh = versionOf(1, 0, 60, 60); // saved only later, but started at the start
    fresh.saves = {40, 50, 60};
    EXPECT_EQ(answer(fresh, {first}), "unknown");
    VersionFolder sparse = second; // its first row may be that of a training that started
    sparse.log = {49, 149, 50};
    EXPECT_EQ(answer(sparse, {first}), "unknown");
    VersionFolder later = second; // resumed from a save that is not here
    later.log->first = 41;
    EXPECT_EQ(answer(later, {first}), "unknown");
}

TEST(ResumedFolders, OfSeveralOptimizersTheLogCountsBatches) {
    const auto doubled = [](VersionFolder folder) {
        for (std::int64_t& save : folder.saves) {
            save *= 2;
        }
        return folder;
    };
    const VersionFolder first = versionOf(0, 0, 30, 30);
    const VersionFolder second = versionOf(1, 30, 60, 60);
    EXPECT_EQ(answer(doubled(second), {doubled(first)}), "version_0");
    EXPECT_EQ(answer(second, {doubled(first)}), "unknown") << "one of them has two optimizers";
    EXPECT_EQ(answer(doubled(second), {doubled(versionOf(0, 0, 40, 40))}), "unknown")
        << "it was saved later, too";
    VersionFolder unlike = doubled(first);
    unlike.saves.back() = 70; // neither one nor two a batch
    EXPECT_EQ(answer(doubled(second), {unlike}), "unknown");
}

/// Random trainings of Lightning, resumed, restarted and begun anew, against what the generator
/// knows.
TEST(ResumedFolders, Neighbours) {
    std::mt19937 random(41);
    const auto pick = [&](int count) {
        return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    int wrong = 0;
    int right = 0;
    int undecided = 0;
    int fresh = 0;
    for (int round = 0; round < 2000; ++round) {
        struct Made {
            VersionFolder folder;
            int start = 0; ///< steps
            int end = 0;
            int newest = 0; ///< step of the newest save, kept or not
        };
        std::vector<Made> made;
        const int interval = 1 + pick(6);    // of rows
        const int every = 5 * (1 + pick(4)); // of saves
        const int count = 2 + pick(4);
        for (int i = 0; i < count; ++i) {
            int from = 0;
            std::optional<std::size_t> of;
            if (i > 0 && pick(3) > 0) {
                of = static_cast<std::size_t>(pick(i));
                from = made[*of].newest;
                if (pick(4) == 0 && from - every > made[*of].start) {
                    from -= every; // from an older save of it
                }
            }
            of = from == 0 ? std::nullopt : of;
            const int to = from + every * (1 + pick(5)) + pick(every); // killed after a save
            Made next;
            next.folder.number = static_cast<std::uint64_t>(i);
            next.folder.path = "/logs/version_" + std::to_string(i);
            next.folder.settings =
                of && pick(8) > 0 ? made[*of].folder.settings : "lr: 0." + std::to_string(pick(3));
            next.start = from;
            next.end = to;
            for (int step = from / every * every + every; step <= to; step += every) {
                next.newest = step;
                if (pick(3) > 0) { // retention
                    next.folder.saves.push_back(step);
                }
            }
            const bool keepsLast = pick(3) == 0;
            next.folder.hasOtherSaves = keepsLast;
            const bool keepsNewest =
                !next.folder.saves.empty() && next.folder.saves.back() == next.newest;
            if (!keepsLast && !keepsNewest) {
                next.folder.saves.push_back(next.newest); // a trainer keeps one to resume from
            }
            VersionFolder::Log log{1e9, -1, 0};
            double before = -1;
            for (int step = from; step < to; ++step) {
                if ((step + 1) % interval == 0 || (step + 1) % every == 0) {
                    log.first = std::min<double>(log.first, step);
                    log.last = step;
                    log.widest = before < 0 ? log.widest : std::max(log.widest, step - before);
                    before = step;
                }
            }
            if (log.last > log.first) {
                next.folder.log = log;
            }
            std::vector<VersionFolder> earlier;
            for (const Made& each : made) {
                earlier.push_back(each.folder);
            }
            const Decided<fs::path> decided = decideResumed(next.folder, earlier);
            const bool joins = decided.isAtLeast(Strength::Recorded);
            const bool isTrue = joins && of && *decided.value == made[*of].folder.path;
            wrong += joins && !isTrue ? 1 : 0;
            right += isTrue ? 1 : 0;
            undecided += !joins && of ? 1 : 0;
            fresh += of ? 0 : 1;
            if (joins && !isTrue && wrong < 5) {
                std::cout << "round " << round << ": " << next.folder.path << " from " << from
                          << " of " << (of ? made[*of].folder.path.string() : "none")
                          << ", decided " << *decided.value << "\n";
            }
            made.push_back(std::move(next));
        }
    }
    std::cout << "resumed: " << wrong << " wrong, " << right << " joined, " << undecided
              << " not joined, " << fresh << " started again\n";
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(right, 500);
}

std::string tableOf(int from, int to, double loss) {
    std::string text = "epoch,step,val_loss\n";
    for (int step = from + 1; step < to; step += 2) {
        text += std::to_string(step / 10) + "," + std::to_string(step) + "," +
                std::to_string(loss - step / 100.0) + "\n";
    }
    return text;
}

void writeVersion(const TemporaryFolder& folder, const std::string& name, int from, int to,
                  int lastSave, const std::string& settings = "lr: 0.1\n") {
    folder.write(name + "/metrics.csv", tableOf(from, to, 1));
    folder.write(name + "/hparams.yaml", settings);
    for (int step = from / 10 * 10 + 10; step <= lastSave; step += 10) {
        folder.write(name + "/checkpoints/epoch=" + std::to_string(step / 10 - 1) +
                         "-step=" + std::to_string(step) + ".ckpt",
                     smallSafetensors());
    }
}

TEST(ResumedFolders, ATrainingThatWasResumedTwiceIsOneRun) {
    const TemporaryFolder folder;
    writeVersion(folder, "logs/version_0", 0, 34, 30); // killed at step 34
    writeVersion(folder, "logs/version_1", 30, 60, 60);
    writeVersion(folder, "logs/version_2", 60, 80, 80);
    writeVersion(folder, "logs/version_3", 0, 90, 90, "lr: 0.2\n"); // another training
    Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 2U);
    ScannedRun& run = experiment.runs[0];
    EXPECT_EQ(run.id, "logs/version_0");
    ASSERT_EQ(run.resumedIn.size(), 2U);
    EXPECT_EQ(run.resumedIn[1].path, folder.path() / "logs/version_2");
    EXPECT_EQ(run.resumedIn[0].because.front().strength, Strength::Recorded);
    EXPECT_EQ(namesOf(run),
              (std::vector<std::string>{
                  "epoch=0-step=10.ckpt", "epoch=1-step=20.ckpt", "epoch=2-step=30.ckpt",
                  "version_1/epoch=3-step=40.ckpt", "version_1/epoch=4-step=50.ckpt",
                  "version_1/epoch=5-step=60.ckpt", "version_2/epoch=6-step=70.ckpt",
                  "version_2/epoch=7-step=80.ckpt"}));
    EXPECT_TRUE(run.checkpoints.back().latest);
    EXPECT_EQ(experiment.runs[1].id, "logs/version_3");
    EXPECT_TRUE(experiment.runs[1].resumedIn.empty());

    const auto history = readHistory(run.path, folder.path());
    ASSERT_TRUE(history);
    ASSERT_EQ(history->named("val_loss").size(), 1U);
    const MetricSeries& loss = history->named("val_loss")[0];
    EXPECT_EQ(loss.steps.front(), 1);
    EXPECT_EQ(loss.steps.back(), 79);
    EXPECT_EQ(loss.replaced.size(), 2U); // 31 and 33
    EXPECT_EQ(loss.restarts.size(), 1U);
    EXPECT_EQ(history->settings.items().size(), 3U);
}

} // namespace
} // namespace cairn
