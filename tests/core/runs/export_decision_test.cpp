// SPDX-License-Identifier: Apache-2.0
// The judge of exports: what a job's manifest states of its output and of its source.
#include "core/runs/scan/export_decision.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::smallSafetensors;
using test::TemporaryFolder;

/// Members of a manifest; those without text are left out.
std::string manifestOf(const std::map<std::string, std::string>& members) {
    std::string text = R"({"schema":"cairn/manifest/1")";
    for (const auto& [key, value] : members) {
        text += value.empty() ? "" : ",\"" + key + "\":" + value;
    }
    return text + "}";
}

Decided<bool> lacksState(const TemporaryFolder& folder,
                         const std::map<std::string, std::string>& members) {
    folder.write("out.cairn.json", manifestOf(members));
    std::uint64_t budget = 1 << 20;
    const auto found = readExport(folder.path() / "out.cairn.json", budget);
    EXPECT_TRUE(found);
    return found ? found->lacksState : Decided<bool>();
}

TEST(ExportDecision, LessOfAManifestIsWeakerOrUndecided) {
    const TemporaryFolder folder;
    const std::map<std::string, std::string> selected{
        {"job", R"("consolidate")"},
        {"options", R"({"only":"weights","dtype":"bf16"})"},
        {"left_out", R"([{"role":"optimizer"}])"}};
    const std::map<std::string, std::string> whole{{"job", R"("rename")"},
                                                   {"options", R"({"only":"all","dtype":"keep"})"},
                                                   {"left_out", "[]"}};
    ASSERT_EQ(lacksState(folder, selected).value, true);
    EXPECT_EQ(lacksState(folder, selected).because.size(), 3U);
    ASSERT_EQ(lacksState(folder, whole).value, false);
    for (const auto& [members, lacks] : {std::pair(selected, true), std::pair(whole, false)}) {
        for (unsigned bits = 0; bits < 8; ++bits) {
            std::map<std::string, std::string> fewer = members;
            unsigned bit = 1;
            for (auto& [key, value] : fewer) {
                value = (bits & bit) != 0 ? value : "";
                bit *= 2;
            }
            const Decided<bool> found = lacksState(folder, fewer);
            EXPECT_EQ(found.value.value_or(lacks), lacks) << manifestOf(fewer);
        }
    }
    EXPECT_FALSE(lacksState(folder, {}));
}

TEST(ExportDecision, NamesOfOutputsDecideNothing) {
    const TemporaryFolder folder;
    for (const char* name : {"step-7", "export", "final", "best", "a b", "x.safetensors"}) {
        const std::string file = std::string(name) + ".cairn.json";
        folder.write(file, manifestOf({{"job", R"("cast")"}, {"options", "{}"}}));
        std::uint64_t budget = 1 << 20;
        const auto found = readExport(folder.path() / file, budget);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->lacksState.value, true) << name;
        EXPECT_TRUE(found->lacksState.isBy("job-of-models")) << name;
        EXPECT_TRUE(found->lacksState.isAtLeast(Strength::Recorded)) << name;
    }
    folder.write("step-8-export.cairn.json", R"({"schema":"other/1","job":"cast"})");
    std::uint64_t budget = 1 << 20;
    EXPECT_FALSE(readExport(folder.path() / "step-8-export.cairn.json", budget));
}

FoundExport::Source sourceOf(const fs::path& file) {
    struct stat status {};
    EXPECT_EQ(::stat(file.c_str(), &status), 0);
    return {file.filename(),
            {{file.filename(), static_cast<std::uint64_t>(status.st_size),
              std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec}}};
}

TEST(ExportDecision, ASourceThatDiffersInOneFactIsNone) {
    const TemporaryFolder folder;
    folder.write("a/step-4.safetensors", smallSafetensors());
    const fs::path file = fs::canonical(folder.path()) / "a/step-4.safetensors";
    const FoundExport::Source truth = sourceOf(file);
    const auto found = isSource(file, truth, "/out.cairn.json");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->strength, Strength::Proven);
    FoundExport::Source other = truth;
    other.files[0].bytes += 1;
    EXPECT_FALSE(isSource(file, other, "/out.cairn.json"));
    other = truth;
    other.files[0].modifiedNs += 1;
    EXPECT_FALSE(isSource(file, other, "/out.cairn.json"));
    other = truth;
    other.files.clear();
    EXPECT_FALSE(isSource(file, other, "/out.cairn.json")) << "an equal name decides nothing";
    other.path = file; // absolute
    const auto byPath = isSource(file, other, "/out.cairn.json");
    ASSERT_TRUE(byPath);
    EXPECT_EQ(byPath->strength, Strength::Recorded);
    other.path = "step-5.safetensors";
    EXPECT_FALSE(isSource(file, other, "/out.cairn.json"));
}

/// Random jobs against what the generator knows of them.
TEST(ExportDecision, Neighbours) {
    const TemporaryFolder folder;
    std::mt19937 random(17);
    const auto pick = [&](std::size_t count) { return random() % count; };
    struct Job {
        const char* name;
        bool lacks; ///< whatever its options
    };
    const std::array<Job, 9> jobs{{{"consolidate", false},
                                   {"reshard", false},
                                   {"rename", false},
                                   {"pack", false},
                                   {"unpack", false},
                                   {"cast", true},
                                   {"average", true},
                                   {"fold", true},
                                   {"export", true}}};
    int wrong = 0;
    int undecided = 0;
    for (int round = 0; round < 1000; ++round) {
        const Job& job = jobs[pick(jobs.size())];
        const std::array<std::string, 3> only{"all", "weights", "model.*"};
        const std::array<std::string, 2> dtype{"keep", "bf16"};
        const std::size_t selected = pick(3);
        const std::size_t cast = pick(2);
        const bool bundle = pick(4) == 0;
        const bool leftOut = pick(3) == 0;
        const bool truth = job.lacks || selected > 0 || cast > 0 || bundle || leftOut;
        std::map<std::string, std::string> members{
            {"job", "\"" + std::string(job.name) + "\""},
            {"options", R"({"only":")" + only[selected] + R"(","dtype":")" + dtype[cast] + "\"" +
                            (bundle ? R"(,"bundle":"true")" : "") + "}"},
            {"left_out", leftOut ? R"([{"role":"optimizer"}])" : "[]"}};
        const std::array<std::string, 3> keys{"job", "options", "left_out"};
        if (pick(4) == 0) { // written by an older version
            members[keys[pick(3)]] = "";
        }
        const Decided<bool> found = lacksState(folder, members);
        wrong += found.value.value_or(truth) != truth ? 1 : 0;
        undecided += found ? 0 : 1;
    }
    std::cout << "exports: " << wrong << " wrong, " << undecided << " undecided of 1000\n";
    EXPECT_EQ(wrong, 0);
    EXPECT_LT(undecided, 200);
}

} // namespace
} // namespace cairn
