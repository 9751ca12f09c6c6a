// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_mapping.h"
#include "core/io/folder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSize = 2 * FileMapping::kWindow + 12'345;

class FileMappingTest : public testing::Test {
protected:
    void SetUp() override {
        m_bytes.resize(kSize);
        for (std::size_t i = 0; i < kSize; ++i) {
            m_bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
        }
        write();
    }

    void write() const {
        std::ofstream(path(), std::ios::binary)
            .write(reinterpret_cast<const char*>(m_bytes.data()), kSize);
    }
    [[nodiscard]] fs::path path() const { return m_folder.path() / "file"; }
    [[nodiscard]] ByteSourcePtr source() const {
        return Folder::open(m_folder.path()).value()->openFile("file").value();
    }
    test::TemporaryFolder m_folder;
    std::vector<std::byte> m_bytes;
};

std::uint64_t sumOf(std::span<const std::byte> bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                           [](std::uint64_t sum, std::byte byte) {
                               return sum + std::to_integer<std::uint64_t>(byte);
                           });
}

TEST_F(FileMappingTest, ShowsWhatReadingGives) {
    constexpr std::size_t kFirst = 1001;
    const auto mapping =
        FileMapping::of(source(), {kFirst, kSize - kFirst}, FileMapping::Show::Always);
    ASSERT_TRUE(mapping);
    for (const std::size_t offset :
         {kFirst, std::size_t{4096}, FileMapping::kWindow - 1, 2 * FileMapping::kWindow + 5}) {
        for (const std::size_t length : {std::size_t{1}, std::size_t{5000}, kSize - offset}) {
            const auto bytes = mapping->warm(offset, length);
            ASSERT_EQ(bytes.size(), length);
            bool same = false;
            EXPECT_TRUE(FileMapping::guarded([&] {
                same = std::ranges::equal(bytes, std::span(m_bytes).subspan(offset, length));
            }));
            EXPECT_TRUE(same);
        }
    }
}

TEST_F(FileMappingTest, ShowsNothingOutsideItsRange) {
    const auto mapping = FileMapping::of(source(), {1000, 2000}, FileMapping::Show::Always);
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->warm(1000, 2000).size(), 2000U);
    EXPECT_TRUE(mapping->warm(999, 1).empty());
    EXPECT_TRUE(mapping->warm(1000, 2001).empty());
    EXPECT_TRUE(mapping->warm(3000, 1).empty());
    EXPECT_TRUE(mapping->warm(~std::uint64_t{0}, 2).empty());
}

TEST_F(FileMappingTest, MemoryIsNotMapped) {
    EXPECT_FALSE(FileMapping::of(makeMemorySource(m_bytes, "m"), {0, kSize}));
    EXPECT_FALSE(FileMapping::of(makeSliceSource(source(), {5, 100}), {0, 100}));
    EXPECT_FALSE(FileMapping::of(source(), {0, 0}));
}

TEST_F(FileMappingTest, AFileThatIsCutEndsTheWorkNotTheProcess) {
    const auto file = source();
    const auto mapping = FileMapping::of(file, {0, kSize}, FileMapping::Show::Always);
    ASSERT_TRUE(mapping);
    const auto bytes = mapping->warm(0, kSize);
    ASSERT_EQ(bytes.size(), kSize);
    fs::resize_file(path(), 4096);
    std::uint64_t sum = 0;
    EXPECT_FALSE(FileMapping::guarded([&] { sum = sumOf(bytes); }));
    EXPECT_TRUE(FileMapping::guarded([&] { sum = sumOf(bytes.first(4096)); }));
    EXPECT_EQ(sum, sumOf(std::span(m_bytes).first(4096)));
    std::vector<std::byte> out(kSize);
    const auto read = file->readAt(0, out);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::ChangedOnDisk);
}

TEST_F(FileMappingTest, PagesThatAreGoneAreNotShown) {
    const auto mapping = FileMapping::of(source(), {0, kSize}, FileMapping::Show::Always);
    ASSERT_TRUE(mapping);
    fs::resize_file(path(), 0);
    EXPECT_TRUE(mapping->warm(0, kSize).empty());
}

TEST_F(FileMappingTest, ThreadsSurviveAFileThatGrowsAndShrinks) {
    const auto mapping = FileMapping::of(source(), {0, kSize}, FileMapping::Show::Always);
    ASSERT_TRUE(mapping);
    const auto bytes = mapping->warm(0, kSize);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> lost{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; ++i) {
            threads.emplace_back([&] {
                while (!stop) {
                    std::uint64_t sum = 0;
                    lost += FileMapping::guarded([&] { sum = sumOf(bytes); }) ? 0 : 1;
                }
            });
        }
        for (int i = 0; i < 200 || (lost == 0 && i < 100'000); ++i) {
            fs::resize_file(path(), 0);
            fs::resize_file(path(), kSize);
        }
        stop = true;
    }
    EXPECT_GT(lost, 0U);
}

using FileMappingDeathTest = FileMappingTest;

TEST_F(FileMappingDeathTest, OtherBusErrorsStayWhatTheyWere) {
    const auto mapping = FileMapping::of(source(), {0, kSize}, FileMapping::Show::Always);
    ASSERT_TRUE(mapping);
    const auto bytes = mapping->warm(0, kSize);
    fs::resize_file(path(), 0);
    EXPECT_DEATH(std::exit(static_cast<int>(sumOf(bytes))), "");
}

} // namespace
} // namespace cairn
