// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor_entry.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace cairn;

namespace {

Piece pieceOf(std::uint64_t offset) {
    Piece piece;
    piece.box = Box::whole(Shape{2, 3, 4});
    piece.bytes = {offset, 24};
    return piece;
}

std::vector<std::uint64_t> offsets(const PieceList& pieces) {
    std::vector<std::uint64_t> all;
    for (const Piece& piece : pieces) {
        all.push_back(piece.bytes.offset);
    }
    return all;
}

using Offsets = std::vector<std::uint64_t>;

} // namespace

TEST(Dims, CopiesChangeAlone) {
    for (std::size_t rank = 0; rank <= 70; ++rank) {
        Dims first(rank, 5);
        const Dims second = first;
        for (std::size_t i = 0; i < rank; ++i) {
            first[i] = static_cast<std::int64_t>(i);
        }
        EXPECT_EQ(second, Dims(rank, 5)) << rank;
        EXPECT_EQ(first == second, rank == 0) << rank;
        const Dims taken = std::move(first);
        EXPECT_EQ(taken.size(), rank);
        EXPECT_TRUE(first.empty()); // NOLINT(bugprone-use-after-move)
    }
}

TEST(Dims, ZerosOfOneOriginAreNotThoseOfAnother) {
    for (std::size_t rank = 1; rank <= 70; ++rank) {
        Dims changed(rank, 0);
        changed[rank - 1] = 7;
        EXPECT_EQ(changed[rank - 1], 7);
        const Dims other(rank, 0);
        EXPECT_EQ(other[rank - 1], 0) << rank;
    }
}

TEST(Dims, AssignsItselfAndSmallToLarge) {
    Dims dims{1, 2, 3, 4};
    const Dims& same = dims;
    dims = same;
    EXPECT_EQ(dims, (Dims{1, 2, 3, 4}));
    dims = Dims{9};
    EXPECT_EQ(dims, Dims{9});
    dims = Dims{4, 3, 2};
    EXPECT_EQ(dims, (Dims{4, 3, 2}));
}

TEST(Dims, CopiesOfSeveralThreadsShareABlock) {
    const Dims shared{1, 2, 3, 4, 5};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&shared, t] {
            for (int i = 0; i < 20'000; ++i) {
                Dims own = shared;
                own[2] = t;
                ASSERT_EQ(shared[2], 3);
                ASSERT_EQ(own[2], t);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST(PieceList, IsAVectorThatHoldsOneWithoutAHeap) {
    PieceList pieces;
    EXPECT_TRUE(pieces.empty());
    EXPECT_EQ(pieces.begin(), pieces.end());
    for (std::uint64_t i = 0; i < 5; ++i) {
        pieces.push_back(pieceOf(i));
        EXPECT_EQ(pieces.size(), i + 1);
        EXPECT_EQ(pieces.back().bytes.offset, i);
    }
    EXPECT_EQ(offsets(pieces), (Offsets{0, 1, 2, 3, 4}));
    PieceList copy = pieces;
    copy.eraseIf([](const Piece& piece) { return piece.bytes.offset % 2 == 0; });
    EXPECT_EQ(offsets(copy), (Offsets{1, 3}));
    EXPECT_EQ(pieces.size(), 5U);
    copy.truncate(1);
    EXPECT_EQ(offsets(copy), (Offsets{1}));
    copy.pop_back();
    EXPECT_TRUE(copy.empty());
    copy.push_back(pieceOf(9));
    EXPECT_EQ(offsets(copy), (Offsets{9}));
    copy = std::move(pieces);
    EXPECT_EQ(copy.size(), 5U);
    copy.clear();
    EXPECT_TRUE(copy.empty());
}

TEST(PieceList, OneIsRemovedAsOneOfMany) {
    PieceList one{pieceOf(3)};
    PieceList other = one;
    one.eraseIf([](const Piece&) { return false; });
    EXPECT_EQ(offsets(one), (Offsets{3}));
    one.eraseIf([](const Piece&) { return true; });
    EXPECT_TRUE(one.empty());
    EXPECT_EQ(offsets(other), (Offsets{3}));
    const PieceList moved = std::move(other);
    EXPECT_EQ(offsets(moved), (Offsets{3}));
    EXPECT_TRUE(other.empty()); // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(offsets(PieceList(std::vector{pieceOf(1)})), (Offsets{1}));
    EXPECT_EQ(offsets(PieceList(std::vector{pieceOf(1), pieceOf(2)})), (Offsets{1, 2}));
}

TEST(TensorEntry, StaysSmall) {
    EXPECT_EQ(sizeof(Dims), 24U);
    EXPECT_LE(sizeof(TensorEntry), 184U); // an index of a million tensors has a million of them
}
