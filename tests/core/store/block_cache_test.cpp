// SPDX-License-Identifier: Apache-2.0
#include "core/io/hash.h"
#include "core/io/prefetch.h"
#include "core/store/block_cache.h"
#include "core/store/remote_folder.h"
#include "tests/core/store/far_end.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>
#include <random>

namespace cairn::store {
namespace {

namespace fs = std::filesystem;

std::string randomBytes(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string bytes(size, '\0');
    for (char& each : bytes) {
        each = static_cast<char>(random());
    }
    return bytes;
}

constexpr std::uint64_t kSize = 3'000'001;
const CachedFile kFile{"far", "/data/x", {1, 2, kSize, 4, 5}};

TEST(BlockCache, HasTheCompletePagesOfWhatWasPut) {
    const test::TemporaryFolder folder;
    const BlockCache cache(folder.path() / "cairn/blocks");
    const std::string whole = randomBytes(kSize, 1);
    std::mt19937 random(2);
    std::vector<bool> known(kSize / BlockCache::kPage + 1);
    for (int i = 0; i < 60; ++i) {
        const std::uint64_t offset = random() % kSize;
        const std::uint64_t length = std::min<std::uint64_t>(random() % 200'000, kSize - offset);
        cache.put(kFile, offset, std::string_view(whole).substr(offset, length));
        for (std::uint64_t page = 0; page < known.size(); ++page) {
            const std::uint64_t begin = page * BlockCache::kPage;
            const std::uint64_t end = std::min(kSize, begin + BlockCache::kPage);
            known[page] = known[page] || (begin >= offset && end <= offset + length);
        }
    }
    std::vector<bool> found(known.size());
    for (std::uint64_t block = 0; block < kSize; block += BlockCache::kBlock) {
        for (const BlockCache::Run& run : cache.block(kFile, block)) {
            EXPECT_EQ(run.bytes, whole.substr(run.offset, run.bytes.size()));
            for (std::uint64_t at = 0; at < run.bytes.size(); at += BlockCache::kPage) {
                found[(run.offset + at) / BlockCache::kPage] = true;
            }
        }
    }
    EXPECT_EQ(found, known);
    for (const CachedFile& other : {CachedFile{"near", kFile.path, kFile.identity},
                                    {"far", "/data/y", kFile.identity},
                                    {"far", kFile.path, {1, 2, kSize, 4, 6}},
                                    {"far", kFile.path, {1, 2, kSize, 5, 5}},
                                    {"far", kFile.path, {1, 3, kSize, 4, 5}},
                                    {"far", kFile.path, {0, 2, kSize, 4, 5}}}) {
        EXPECT_TRUE(cache.block(other, 0).empty());
    }
    for (const auto& entry : fs::directory_iterator(folder.path() / "cairn/blocks")) {
        struct stat status {};
        ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0600U);
    }
    fs::remove_all(folder.path() / "cairn");
    EXPECT_TRUE(cache.block(kFile, 0).empty());
    cache.put(kFile, 0, std::string_view(whole).substr(0, 4096));
    EXPECT_EQ(cache.block(kFile, 0).size(), 1U);
}

TEST(BlockCache, TheEndOfTheLargestFileIsAnEnd) {
    const test::TemporaryFolder folder;
    const BlockCache cache(folder.path() / "blocks");
    const CachedFile file{"far", "/x", {1, 2, UINT64_MAX, 4, 5}};
    cache.put(file, UINT64_MAX - 10, "0123456789");
    EXPECT_TRUE(cache.block(file, UINT64_MAX - 10).empty());
    cache.put(file, UINT64_MAX - 4095, std::string(4095, 'x'));
    EXPECT_EQ(cache.block(file, UINT64_MAX - 10).at(0).bytes.size(), 4095U);
}

TEST(BlockCache, ABlockThatGrowsIsNeverMissing) {
    const test::TemporaryFolder folder;
    const BlockCache cache(folder.path() / "blocks");
    const std::string page(BlockCache::kPage, 'x');
    cache.put(kFile, 0, page);
    std::atomic<bool> ended = false;
    std::thread writer([&] {
        for (std::uint64_t i = 1; i < 200; ++i) {
            cache.put(kFile, i * BlockCache::kPage, page);
        }
        ended = true;
    });
    int missing = 0;
    while (!ended) {
        missing += cache.block(kFile, 0).empty() ? 1 : 0;
    }
    writer.join();
    EXPECT_EQ(missing, 0);
}

TEST(Settled, OnlyWhatNoMappingMayStillChangeUnseen) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t now = 1'700'000'000 * kSecond;
    const auto isSettled = [&](std::int64_t age) {
        return Host::isSettled({1, 2, 3, 4, now - age * kSecond}, now);
    };
    for (const int age : {-5, 0, 4, 36, 59}) { // pages are written back after 35 s at most
        EXPECT_FALSE(isSettled(age)) << age;
    }
    EXPECT_TRUE(isSettled(61));
    EXPECT_FALSE(Host::isSettled({1, 2, 3, 4, 0}, now));
    EXPECT_FALSE(Host::isSettled({1, 2, 3, 4, 5}, 0));
}

TEST(BlockCache, WhatIsDamagedIsMissing) {
    const test::TemporaryFolder folder;
    const BlockCache cache(folder.path() / "blocks");
    const std::string whole = randomBytes(kSize, 1);
    cache.put(kFile, 0, std::string_view(whole).substr(0, 10'000));
    const fs::path file = fs::directory_iterator(folder.path() / "blocks")->path();
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i) {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        const auto at = static_cast<std::streamoff>(random() % fs::file_size(file));
        stream.seekg(at);
        const int before = stream.get();
        stream.seekp(at);
        stream.put(static_cast<char>(before ^ (1 + static_cast<int>(random() % 255))));
        stream.close();
        EXPECT_TRUE(cache.block(kFile, 0).empty());
        std::fstream again(file, std::ios::in | std::ios::out | std::ios::binary);
        again.seekp(at);
        again.put(static_cast<char>(before));
    }
    EXPECT_EQ(cache.block(kFile, 0).size(), 1U);
}

TEST(BlockCache, ProcessesShareIt) {
    const test::TemporaryFolder folder;
    const BlockCache cache(folder.path() / "blocks");
    const std::string whole = randomBytes(kSize, 1);
    std::vector<pid_t> children;
    for (unsigned seed = 0; seed < 3; ++seed) {
        const pid_t child = ::fork();
        if (child == 0) {
            std::mt19937 random(seed);
            for (int i = 0; i < 40; ++i) {
                const std::uint64_t at = random() % (kSize - 50'000);
                cache.put(kFile, at, std::string_view(whole).substr(at, 50'000));
            }
            ::_exit(0);
        }
        children.push_back(child);
    }
    std::size_t seen = 0;
    for (int i = 0; i < 200; ++i) {
        for (const BlockCache::Run& run : cache.block(kFile, i % 3 * BlockCache::kBlock)) {
            ASSERT_EQ(run.bytes, whole.substr(run.offset, run.bytes.size()));
            ++seen;
        }
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_FALSE(cache.block(kFile, 0).empty());
}

class SecondOpen : public testing::Test {
protected:
    SecondOpen() {
        fs::create_directories(root / "inner");
        for (const auto& [name, size] : sizes) {
            std::ofstream(root / name) << randomBytes(size, static_cast<unsigned>(size));
        }
    }

    HostPtr host() {
        return ends.host({}, kMostSilence, BlockCache(temporary.path() / "cache/blocks"));
    }
    /// Opens the folder and reads the ends and some of the middle of each file.
    std::uint64_t contentOfOpening(const HostPtr& host) {
        const FolderPtr there = openPlace(host, root.string()).value().folder;
        const FolderPtr here = Folder::open(root).value();
        for (const auto& [name, size] : sizes) {
            const auto remote = there->openFile(name).value();
            const auto local = here->openFile(name).value();
            for (const ByteRange range : {ByteRange{0, std::min<std::uint64_t>(size, 20'000)},
                                          {size / 2, size / 100},
                                          {size - std::min<std::uint64_t>(size, 70'000),
                                           std::min<std::uint64_t>(size, 70'000)},
                                          {3, std::min<std::uint64_t>(size - 3, 1'500'000)}}) {
                EXPECT_EQ(readRange(*remote, range).value(), readRange(*local, range).value())
                    << name << " " << range.offset;
            }
            EXPECT_TRUE(remote->checkUnchanged());
        }
        return host->traffic().content;
    }

    const std::vector<std::pair<std::string, std::uint64_t>> sizes{{"small", 100},
                                                                   {"inner/middle", 200'003},
                                                                   {"inner/large", 5'000'001},
                                                                   {"large", 9'000'000}};
    test::TemporaryFolder temporary;
    fs::path root = temporary.path() / "root";
    FarEnds ends;
};

TEST_F(SecondOpen, MovesNoContent) {
    ends.setClock(std::chrono::hours(1)); // the files are old
    const std::uint64_t first = contentOfOpening(host());
    EXPECT_GT(first, 3'000'000U);
    EXPECT_EQ(contentOfOpening(host()), 0U);
    fs::remove_all(temporary.path() / "cache");
    EXPECT_EQ(contentOfOpening(host()), first);
    EXPECT_EQ(contentOfOpening(host()), 0U);
}

TEST_F(SecondOpen, WhateverIsCutNoByteIsWrong) {
    ends.setClock(std::chrono::hours(1));
    std::mt19937 random(7);
    const FolderPtr here = Folder::open(root).value();
    int failed = 0;
    for (int round = 0; round < 14; ++round) {
        const HostPtr far = ends.host({random() % 400'000, random() % 3'000'000, random() % 300},
                                      kMostSilence, BlockCache(temporary.path() / "cache/blocks"));
        const auto place = openPlace(far, root.string());
        for (int i = 0; place && i < 6; ++i) {
            const auto& [name, size] = sizes.at(random() % sizes.size());
            const auto remote = place->folder->openFile(name);
            const auto local = here->openFile(name).value();
            const ByteRange range{random() % size, 0};
            const std::uint64_t most = std::min<std::uint64_t>(2'000'000, size - range.offset);
            const ByteRange wanted{range.offset, 1 + random() % most};
            if (remote && random() % 2 == 0) {
                prefetch(std::vector<SoonRead>{
                    {remote->get(), wanted}, {remote->get(), {0, std::min(size, wanted.length)}}});
            }
            const auto bytes = remote ? readRange(**remote, wanted)
                                      : Result<std::vector<std::byte>>(remote.error());
            failed += bytes ? 0 : 1;
            if (bytes) {
                EXPECT_EQ(*bytes, readRange(*local, wanted).value()) << name;
            } else {
                EXPECT_EQ(bytes.error().code, ErrorCode::Io) << describe(bytes.error());
            }
        }
        if (random() % 10 == 0) {
            fs::remove_all(temporary.path() / "cache");
        }
    }
    EXPECT_LT(failed, 42);
    (void)contentOfOpening(host()); // what is in the cache is right
    EXPECT_EQ(contentOfOpening(host()), 0U);
}

TEST_F(SecondOpen, AFileThatMayStillChangeUnseenIsNotKept) {
    for (const auto clock : {std::chrono::hours(0), std::chrono::hours(-5)}) {
        ends.setClock(clock); // slower than the disk's: never on the safe side by accident
        EXPECT_GT(contentOfOpening(host()), 3'000'000U);
        EXPECT_GT(contentOfOpening(host()), 3'000'000U);
    }
}

TEST_F(SecondOpen, AReplacedFileIsReadAnew) {
    ends.setClock(std::chrono::hours(1));
    (void)contentOfOpening(host());
    std::mt19937 random(6);
    for (int round = 0; round < 6; ++round) {
        const auto& [name, size] = sizes.at(random() % sizes.size());
        struct stat before {};
        ASSERT_EQ(::stat((root / name).c_str(), &before), 0);
        const std::string bytes = randomBytes(size, 100 + static_cast<unsigned>(round));
        if (round % 2 == 0) { // in place; else another file
            std::ofstream(root / name, std::ios::in | std::ios::out) << bytes;
        } else {
            std::ofstream(root / "new") << bytes;
            fs::rename(root / "new", root / name);
        }
        const std::array<timespec, 2> times{before.st_atim,
                                            before.st_mtim}; // as rsync -t leaves it
        ASSERT_EQ(::utimensat(AT_FDCWD, (root / name).c_str(), times.data(), 0), 0);
        (void)contentOfOpening(host()); // compares each byte with the file here
    }
}

TEST_F(SecondOpen, AnnouncedReadsTakeOneRequest) {
    const HostPtr far = host();
    const FolderPtr there = openPlace(far, root.string()).value().folder;
    const FolderPtr here = Folder::open(root).value();
    std::vector<ByteSourcePtr> files;
    std::vector<SoonRead> reads;
    for (const char* name : {"inner/middle", "inner/large", "large"}) {
        files.push_back(there->openFile(name).value());
        for (std::uint64_t at = 60'000; at + 40'000 < files.back()->size(); at += 130'000) {
            files.push_back(makeSliceSource(files.back(), {0, files.back()->size()}));
            reads.push_back({files.back().get(), {at, 30'000}});
        }
    }
    const Host::Traffic before = far->traffic();
    prefetch(reads);
    EXPECT_EQ(far->traffic().requests, before.requests + 1);
    EXPECT_LT(far->traffic().content - before.content, reads.size() * 40'000);
    for (const SoonRead& each : reads) {
        const auto bytes = readRange(*each.source, each.range).value();
        const std::string name = each.source->name().substr(root.string().size() + 5); // "far:"
        EXPECT_EQ(bytes, readRange(*here->openFile(name).value(), each.range).value());
    }
    prefetch(reads);
    EXPECT_EQ(far->traffic().requests, before.requests + 1);
    // What cannot be fetched is only a hint that was of no use.
    fs::remove(root / "large");
    const auto gone = files.back();
    prefetch(std::vector<SoonRead>{
        {gone.get(), {0, 3}}, {gone.get(), {5'000'000, 100}}, {gone.get(), {UINT64_MAX - 1, 100}}});
}

TEST_F(SecondOpen, AnnouncedReadsThatTouchAreFetchedHoweverLong) {
    const HostPtr far = host();
    const auto file = openPlace(far, root.string()).value().folder->openFile("large").value();
    std::vector<SoonRead> reads;
    for (std::uint64_t i = 0; i < 9; ++i) { // more than one request may ask for
        reads.push_back({file.get(), {i * 1'000'000, 1'000'000}});
        reads.push_back({file.get(), {i * 1'000'000 + 10, 500}});
    }
    const auto before = far->traffic().requests;
    EXPECT_TRUE(prefetch(reads));
    EXPECT_EQ(far->traffic().requests, before + 2);
    const auto here = Folder::open(root).value()->openFile("large").value();
    for (const SoonRead& each : reads) {
        EXPECT_EQ(readRange(*file, each.range).value(), readRange(*here, each.range).value());
    }
    EXPECT_EQ(far->traffic().requests, before + 2);
}

TEST_F(SecondOpen, AnnouncingTellsWhetherTheHostAnswered) {
    const HostPtr far = host();
    const FolderPtr there = openPlace(far, root.string()).value().folder;
    const auto file = there->openFile("large").value();
    const CancelToken cancel;
    cancel.cancel();
    const auto before = far->traffic().requests;
    EXPECT_FALSE(prefetch(std::vector<SoonRead>{{file.get(), {1'000'000, 10}}}, cancel));
    EXPECT_EQ(far->traffic().requests, before);
    EXPECT_TRUE(prefetch(std::vector<SoonRead>{{file.get(), {1'000'000, 10}}}));
    ends.setLine(Line::Cut);
    EXPECT_TRUE(prefetch(std::vector<SoonRead>{{file.get(), {1'000'000, 10}}})) << "is here";
    EXPECT_FALSE(prefetch(std::vector<SoonRead>{{file.get(), {2'000'000, 10}}}));
}

} // namespace
} // namespace cairn::store
