// SPDX-License-Identifier: Apache-2.0
#include "core/io/near_reads.h"
#include "core/io/open_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// A file whose reads are counted, and which can be changed and damaged beneath its readers.
class CountedFile final : public ByteSource {
public:
    explicit CountedFile(std::size_t size) : bytes(size) {
        std::mt19937 random(7);
        std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
    }
    std::uint64_t size() const override { return bytes.size(); }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        ++calls;
        total += out.size();
        if (!ByteRange{offset, out.size()}.fitsInto(bytes.size())) {
            return fail(ErrorCode::Truncated, "beyond the end").at(offset);
        }
        if (damaged >= offset && damaged < offset + out.size()) {
            return fail(ErrorCode::Io, "Reading failed").at(offset);
        }
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
        return {};
    }

    std::vector<std::byte> bytes;
    std::uint64_t damaged = ~std::uint64_t{0};
    mutable std::atomic<std::size_t> calls{0};
    mutable std::atomic<std::size_t> total{0};

private:
    std::string m_name = "file";
};

bool readsRight(const ByteSource& source, const CountedFile& file, std::uint64_t offset,
                std::size_t length) {
    std::vector<std::byte> out(length);
    return source.readAt(offset, out).has_value() &&
           std::ranges::equal(out, std::span(file.bytes).subspan(offset, length));
}

TEST(NearReads, ManySmallItemsCostACallABlock) {
    const auto file = std::make_shared<const CountedFile>(std::size_t{1577} * 4000);
    const ByteSourcePtr joined = joinNearReads(file);
    for (std::uint64_t item = 0; item < 4000; ++item) { // as a nested archive is read
        EXPECT_TRUE(readsRight(*joined, *file, item * 1577 + 553, 1024));
        EXPECT_TRUE(readsRight(*joined, *file, item * 1577, 1577));
        EXPECT_TRUE(readsRight(*joined, *file, item * 1577 + 704, 16));
    }
    EXPECT_LE(file->calls, 200U);
    EXPECT_LE(file->total, file->bytes.size() * 5 / 4);
}

TEST(NearReads, BackwardsToo) {
    const auto file = std::make_shared<const CountedFile>(std::size_t{1} << 20U);
    const ByteSourcePtr joined = joinNearReads(file);
    for (std::uint64_t at = file->size(); at >= 100; at -= 100) {
        EXPECT_TRUE(readsRight(*joined, *file, at - 100, 100));
    }
    EXPECT_LE(file->calls, 30U);
}

TEST(NearReads, FarAndLargeReadsFetchNothingElse) {
    const auto file = std::make_shared<const CountedFile>(std::size_t{8} << 20U);
    const ByteSourcePtr joined = joinNearReads(file);
    std::size_t asked = 0;
    for (std::uint64_t at = 0; at + 65536 <= file->size(); at += std::uint64_t{256} << 10U) {
        EXPECT_TRUE(readsRight(*joined, *file, at, 22));
        EXPECT_TRUE(readsRight(*joined, *file, at + 100'000, 30'000));
        asked += 30'022;
    }
    EXPECT_EQ(file->total, asked);
}

TEST(NearReads, ADamagedNeighbourHarmsNobody) {
    const auto file = std::make_shared<CountedFile>(100'000);
    file->damaged = 50'000;
    const ByteSourcePtr joined = joinNearReads(file);
    for (std::uint64_t at = 0; at + 10 <= file->size(); at += 10) {
        EXPECT_EQ(readsRight(*joined, *file, at, 10), at != 50'000) << at;
    }
    std::vector<std::byte> out(10);
    const auto failed = joined->readAt(50'000, out);
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().where.offset, 50'000U); // that of the read, not of a block
    EXPECT_FALSE(joined->readAt(file->size() - 5, out).has_value());
}

TEST(NearReads, AProofDoesNotSeeWhatWasKept) {
    const auto file = std::make_shared<CountedFile>(10'000);
    const ByteSourcePtr joined = joinNearReads(file);
    for (std::uint64_t at = 0; at < 1000; at += 10) {
        EXPECT_TRUE(readsRight(*joined, *file, at, 10));
    }
    file->bytes[505] ^= std::byte{1};
    EXPECT_FALSE(readsRight(*joined, *file, 500, 10)) << "nothing was kept";
    forgetNearReads();
    EXPECT_TRUE(readsRight(*joined, *file, 500, 10));
}

TEST(NearReads, ThreadsAtDifferentPlaces) {
    const auto file = std::make_shared<const CountedFile>(std::size_t{4} << 20U);
    const ByteSourcePtr joined = joinNearReads(file);
    std::atomic<std::size_t> wrong{0};
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < 4; ++seed) {
        threads.emplace_back([&, seed] {
            std::mt19937_64 random(seed);
            std::uint64_t at = seed << 20U;
            for (int i = 0; i < 20'000; ++i) {
                const std::size_t length = 1 + random() % (i % 50 == 0 ? 9000 : 200);
                at = (at + random() % 400) % (file->size() - 9000);
                wrong += readsRight(*joined, *file, at, length) ? 0U : 1U;
            }
        });
    }
    threads.clear();
    EXPECT_EQ(wrong, 0U);
    EXPECT_LE(file->calls, 8000U);
}

TEST(OpenFiles, TheLastUsedStayOpen) {
    const auto some = [] { return std::make_shared<const CountedFile>(1); };
    const std::size_t most = OpenFiles::mostKept();
    ASSERT_GE(most, 128U);
    std::vector<std::weak_ptr<const ByteSource>> known;
    OpenFiles other;
    {
        OpenFiles files;
        for (std::size_t i = 0; i < most; ++i) {
            known.emplace_back(files.keep(static_cast<std::uint32_t>(i), some()));
        }
        EXPECT_NE(files.find(0), nullptr); // now 1 is the oldest
        other.keep(0, some());             // all checkpoints share what may be open
        EXPECT_NE(files.find(0), nullptr);
        EXPECT_EQ(files.find(1), nullptr);
        EXPECT_TRUE(known[1].expired());
        const auto inUse = files.find(2);
        for (std::size_t i = 0; i < most + 2; ++i) {
            other.keep(static_cast<std::uint32_t>(i), some());
        }
        EXPECT_EQ(files.find(2), inUse) << "opened twice, although somebody reads it";
        EXPECT_EQ(files.find(3), nullptr);
    }
    EXPECT_NE(other.find(static_cast<std::uint32_t>(most)), nullptr)
        << "closed with another checkpoint";
}

} // namespace
} // namespace cairn
