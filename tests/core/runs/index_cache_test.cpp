// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/facts_cache.h"
#include "core/runs/facts/index_bytes.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::smallSafetensors;
using test::TemporaryFolder;

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}
std::string textOf(const std::optional<std::vector<std::byte>>& bytes) {
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                 : std::string("nothing");
}
/// The only file in a folder.
fs::path onlyFile(const fs::path& folder) {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        EXPECT_TRUE(found.empty()) << "more than one file";
        found = entry.path();
    }
    return found;
}

/// Every path below a folder with its size and time.
std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>>
allBelow(const fs::path& path) {
    std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> all;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        const auto size = entry.is_regular_file() ? entry.file_size() : 0;
        all[entry.path().string()] = {size, entry.last_write_time()};
    }
    return all;
}

TEST(IndexCache, GivesBackWhatWasWrittenLast) {
    const TemporaryFolder folder;
    const IndexCache cache(folder.path() / "a/b/index");
    EXPECT_FALSE(cache.read("entry"));
    EXPECT_TRUE(cache.write("entry", bytesOf("first")));
    EXPECT_TRUE(cache.write("entry", bytesOf("second")));
    EXPECT_TRUE(cache.write("other", bytesOf("")));
    EXPECT_EQ(textOf(cache.read("entry")), "second");
    EXPECT_EQ(textOf(cache.read("other")), "");
    EXPECT_FALSE(cache.read("nothing of that name"));
    const auto mode = fs::status(folder.path() / "a/b/index").permissions();
    EXPECT_EQ(mode & fs::perms::all, fs::perms::owner_all) << "nobody else's business";
}

TEST(IndexCache, DecisionsOfABuildWithOtherRulesAreNotRepeated) {
    const TemporaryFolder folder;
    const CacheFolder earlier(folder.path() / "index", {.ending = ".index",
                                                        .version = CAIRN_VERSION,
                                                        .mostEntry = IndexCache::kMaxEntry,
                                                        .mostFolder = IndexCache::kMaxFolder});
    ASSERT_TRUE(earlier.write("entry", bytesOf("of the same version")));
    ASSERT_TRUE(earlier.read("entry"));
    EXPECT_FALSE(IndexCache(folder.path() / "index").read("entry"));
}

TEST(IndexCache, WhatIsDamagedIsNotThereAndIsWrittenAnew) {
    const TemporaryFolder folder;
    const IndexCache cache(folder.path() / "index");
    ASSERT_TRUE(cache.write("entry", bytesOf("content of some length")));
    const fs::path file = onlyFile(cache.folder());
    const std::string whole = test::readText(file);
    const auto put = [&](const std::string& content) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
    };
    for (std::size_t size = 0; size < whole.size(); ++size) {
        put(whole.substr(0, size));
        EXPECT_FALSE(cache.read("entry")) << "cut at " << size;
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x41);
        put(flipped);
        EXPECT_FALSE(cache.read("entry")) << "byte " << at;
    }
    put(whole + "x");
    EXPECT_FALSE(cache.read("entry")) << "something follows";
    put(whole);
    EXPECT_EQ(textOf(cache.read("entry")), "content of some length");
    put("CAIRNIX1 of an older version, and then some");
    EXPECT_FALSE(cache.read("entry"));
    EXPECT_TRUE(cache.write("entry", bytesOf("new")));
    EXPECT_EQ(textOf(cache.read("entry")), "new");
}

TEST(IndexCache, AFileOfAnotherShelfIsNotTaken) {
    const TemporaryFolder folder;
    const IndexCache one(folder.path() / "one");
    const IndexCache two(folder.path() / "two");
    ASSERT_TRUE(one.write("mine", bytesOf("mine")));
    ASSERT_TRUE(two.write("yours", bytesOf("yours")));
    fs::copy_file(onlyFile(two.folder()), onlyFile(one.folder()),
                  fs::copy_options::overwrite_existing);
    EXPECT_FALSE(one.read("mine"));
}

TEST(IndexCache, WorksWithoutAPlaceToWrite) {
    const TemporaryFolder folder;
    folder.write("file", "no folder");
    for (const IndexCache& cache : {IndexCache(folder.path() / "file/index"), IndexCache({}),
                                    IndexCache("/proc/nowhere/index")}) {
        EXPECT_FALSE(cache.write("entry", bytesOf("x")));
        EXPECT_FALSE(cache.read("entry"));
    }
}

TEST(IndexCache, TwoProcessesAtOnce) {
    const TemporaryFolder folder;
    const IndexCache cache(folder.path() / "index");
    ASSERT_TRUE(cache.write("entry", bytesOf(std::string(1000, '0'))));
    std::vector<pid_t> children;
    for (char letter : {'a', 'b', 'c'}) {
        const pid_t child = ::fork();
        if (child == 0) {
            for (std::size_t i = 0; i < 200; ++i) {
                (void)cache.write("entry", bytesOf(std::string(1000 + i * 17, letter)));
            }
            ::_exit(0);
        }
        children.push_back(child);
    }
    int whole = 0;
    for (int i = 0; i < 2000; ++i) {
        if (const auto bytes = cache.read("entry")) {
            const std::string text = textOf(bytes);
            ASSERT_EQ(text.find_first_not_of(text.front()), std::string::npos) << "mixed";
            ++whole;
        }
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_GT(whole, 0);
    EXPECT_TRUE(cache.read("entry"));
    onlyFile(cache.folder()); // no half-written file remains
}

TEST(IndexCache, StaysWithinTheLimitThatTheFolderRecords) {
    const TemporaryFolder folder;
    const IndexCache cache(folder.path() / "index");
    EXPECT_EQ(cache.limit(), IndexCache::kMaxFolder);
    EXPECT_EQ(cache.used(), 0U);
    const std::string content(10'000, 'x');
    for (const char* entry : {"a", "b", "c"}) {
        EXPECT_TRUE(cache.write(entry, bytesOf(content)));
    }
    EXPECT_GT(cache.used(), 3 * content.size());
    EXPECT_TRUE(cache.setLimit(15'000));
    const IndexCache other(folder.path() / "index"); // of another program
    EXPECT_EQ(other.limit(), 15'000U);
    EXPECT_LE(other.used(), 15'000U);
    EXPECT_GT(other.used(), 0U);
    // also where the others seem as new (times of files go in steps) or newer (clocks are set back)
    for (const auto& file : fs::directory_iterator(other.folder())) {
        fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::hours(1));
    }
    EXPECT_TRUE(other.write("d", bytesOf(content)));
    EXPECT_TRUE(other.read("d"));
    EXPECT_LE(other.used(), 15'000U);
    EXPECT_FALSE(other.write("large", bytesOf(std::string(20'000, 'x'))));
    EXPECT_TRUE(other.read("d"));
    cache.clear();
    EXPECT_EQ(other.used(), 0U);
    EXPECT_EQ(other.limit(), 15'000U);
    EXPECT_TRUE(cache.setLimit(0));
    EXPECT_FALSE(cache.write("e", bytesOf("e")));
    std::ofstream(folder.path() / "index/limit") << "lots";
    EXPECT_EQ(cache.limit(), IndexCache::kMaxFolder);
}

TEST(IndexCache, WithoutAFolderNothingIsLimitedOrCleared) {
    const TemporaryFolder folder;
    const IndexCache missing(folder.path() / "index");
    missing.clear();
    EXPECT_FALSE(fs::exists(folder.path() / "index"));
    const IndexCache off({});
    EXPECT_FALSE(off.setLimit(5));
    EXPECT_EQ(off.used(), 0U);
    off.clear();
}

TEST(IndexCache, LiesInTheUsersCacheFolder) {
    const auto with = [](const char* name, const char* value) {
        value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    };
    const auto keep = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    };
    const auto home = keep("HOME");
    const auto xdg = keep("XDG_CACHE_HOME");
    const auto wish = keep("CAIRN_CACHE");
    with("CAIRN_CACHE", nullptr);
    with("HOME", "/home/somebody");
    with("XDG_CACHE_HOME", "/scratch/cache");
    EXPECT_EQ(IndexCache::ofUser().folder(), "/scratch/cache/cairn/index");
    with("XDG_CACHE_HOME", "relative");
    EXPECT_EQ(IndexCache::ofUser().folder(), "/home/somebody/.cache/cairn/index");
    with("XDG_CACHE_HOME", nullptr);
    with("HOME", nullptr);
    EXPECT_FALSE(IndexCache::ofUser().isOn());
    with("HOME", "/home/somebody");
    with("CAIRN_CACHE", "off");
    EXPECT_FALSE(IndexCache::ofUser().isOn());
    with("HOME", home ? home->c_str() : nullptr);
    with("XDG_CACHE_HOME", xdg ? xdg->c_str() : nullptr);
    with("CAIRN_CACHE", wish ? wish->c_str() : nullptr);
}

struct Looked {
    std::size_t hits = 0;
    std::vector<CheckpointFacts> facts;
};
Looked lookAt(const IndexCache& cache, const fs::path& path) {
    const auto experiment = scanExperiment(path);
    EXPECT_TRUE(experiment);
    FactsCache factsCache(cache, path);
    Looked looked;
    for (const ScannedRun& run : experiment->runs) {
        for (const ScannedCheckpoint& each : run.checkpoints) {
            looked.facts.push_back(*factsCache.examine(each, {}));
        }
    }
    factsCache.save();
    looked.hits = factsCache.hits();
    return looked;
}

TEST(FactsCache, ASecondOpeningKnowsTheFirst) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    folder.write("run/checkpoint-5/config.json", "{}");
    folder.write("run/checkpoint-5/model.safetensors", smallSafetensors());
    folder.write("run/checkpoint-5/trainer_state.json",
                 R"({"global_step":5,"epoch":0.5,"best_metric":0.25,
                     "best_model_checkpoint":"x/checkpoint-5","log_history":[{"eval_f1":0.25}]})");
    folder.write("run/step-6.safetensors", smallSafetensors());
    folder.write("run/step-7.safetensors", "cut");
    const auto before = allBelow(folder.path());
    const IndexCache cache(home.path() / "index");
    const Looked first = lookAt(cache, folder.path());
    EXPECT_EQ(first.hits, 0U);
    EXPECT_EQ(first.facts.size(), 3U);
    const Looked second = lookAt(cache, folder.path());
    EXPECT_EQ(second.hits, 3U);
    EXPECT_EQ(second.facts, first.facts) << "every field comes back";
    EXPECT_EQ(second.facts[0].record->metric, "eval_f1");
    // The same folder through another path.
    fs::create_directory_symlink(folder.path(), home.path() / "alias");
    EXPECT_EQ(lookAt(cache, home.path() / "alias").hits, 3U);
    EXPECT_EQ(lookAt(cache, folder.path()).hits, 3U);
    EXPECT_EQ(allBelow(folder.path()), before) << "nothing is written into the user's folder";
}

/// So that a window in another language translates them.
TEST(FactsCache, ReasonsComeBackWithTheirArguments) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    folder.write("step-5/config.json", "{}");
    folder.write("step-5/model-00001-of-00002.safetensors", smallSafetensors());
    folder.write("step-5/model.safetensors.index.json",
                 R"({"weight_map": {"a": "model-00001-of-00002.safetensors",
                                    "b": "model-00002-of-00002.safetensors"}})");
    const IndexCache cache(home.path());
    const Looked first = lookAt(cache, folder.path());
    const Looked second = lookAt(cache, folder.path());
    EXPECT_EQ(second.hits, 1U);
    const Sentence& before = first.facts.at(0).reason;
    const Sentence& after = second.facts.at(0).reason;
    ASSERT_FALSE(before.arguments().empty()) << before.text();
    EXPECT_EQ(after.text(), before.text());
    EXPECT_EQ(after.pattern(), before.pattern());
    EXPECT_EQ(after.arguments().size(), before.arguments().size());
}

TEST(FactsCache, ChangedFilesAreLookedAtAgain) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    const IndexCache cache(home.path());
    folder.write("step-1.safetensors", smallSafetensors());
    folder.write("step-2.safetensors", smallSafetensors());
    lookAt(cache, folder.path());
    // The same size and modification time: the inode's change time differs.
    const auto time = fs::last_write_time(folder.path() / "step-2.safetensors");
    std::string other = smallSafetensors();
    other[8] = '!';
    folder.write("step-2.safetensors", other);
    fs::last_write_time(folder.path() / "step-2.safetensors", time);
    const Looked again = lookAt(cache, folder.path());
    EXPECT_EQ(again.hits, 1U);
    EXPECT_EQ(again.facts[1].state, CheckpointState::Damaged);
}

TEST(FactsCache, ACacheOfNonsenseIsIgnoredAndWrittenAnew) {
    const TemporaryFolder folder;
    const TemporaryFolder home;
    const IndexCache cache(home.path());
    folder.write("step-1.safetensors", smallSafetensors());
    lookAt(cache, folder.path());
    const std::string name = "facts with all fields:" + fs::canonical(folder.path()).string();
    const auto good = cache.read(name);
    ASSERT_TRUE(good);
    // Content that a CRC does not detect: a complete entry made by somebody else.
    for (std::size_t at = 0; at < good->size(); ++at) {
        for (const int value : {0x00, 0x7f, 0xff}) {
            std::vector<std::byte> hostile = *good;
            hostile[at] = static_cast<std::byte>(value);
            ASSERT_TRUE(cache.write(name, hostile));
            const Looked looked = lookAt(cache, folder.path());
            ASSERT_LE(static_cast<int>(looked.facts.at(0).state), 4) << "at " << at;
        }
        std::vector<std::byte> cut(good->begin(), good->begin() + static_cast<long>(at));
        ASSERT_TRUE(cache.write(name, cut));
        ASSERT_EQ(lookAt(cache, folder.path()).hits, 0U);
        ASSERT_EQ(lookAt(cache, folder.path()).hits, 1U) << "it was written anew";
    }
    IndexWriter huge;
    huge.put(std::uint64_t{1} << 60U);
    ASSERT_TRUE(cache.write(name, huge.bytes()));
    EXPECT_EQ(lookAt(cache, folder.path()).hits, 0U);
}

TEST(FactsCache, WithTheCacheOffItKnowsForAsLongAsItLives) {
    const TemporaryFolder folder;
    folder.write("step-1.safetensors", smallSafetensors());
    const auto experiment = scanExperiment(folder.path());
    const IndexCache off({});
    FactsCache factsCache(off, folder.path());
    const ScannedCheckpoint& only = experiment->runs.at(0).checkpoints.at(0);
    const auto first = factsCache.examine(only, {});
    EXPECT_EQ(*factsCache.examine(only, {}), *first);
    EXPECT_EQ(factsCache.hits(), 1U);
    factsCache.save();
    CancelToken cancel;
    cancel.cancel();
    folder.write("step-1.safetensors", smallSafetensors());
    const auto cancelled = factsCache.examine(only, cancel);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn
