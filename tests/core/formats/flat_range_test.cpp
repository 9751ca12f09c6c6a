// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/flat_range.h"
#include "core/model/coverage.h"
#include "core/model/tensor_reader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

namespace cairn {
namespace {

using formats::boxesOfRun;
using formats::FlatCutter;

/// C-order positions of a box's elements.
std::vector<std::uint64_t> positions(const Shape& shape, const Box& box) {
    std::vector<std::uint64_t> found{0};
    const Strides strides = denseStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        std::vector<std::uint64_t> next;
        for (const std::uint64_t at : found) {
            for (std::int64_t i = 0; i < box.extent[d]; ++i) {
                next.push_back(at + static_cast<std::uint64_t>((box.origin[d] + i) * strides[d]));
            }
        }
        found = std::move(next);
    }
    return found;
}

TEST(FlatRange, EveryRunOfEveryShapeIsItsBoxesInOrder) {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{7}, Shape{3, 4}, Shape{1, 5}, Shape{5, 1},
                               Shape{2, 3, 4}, Shape{2, 1, 3, 2}, Shape{3, 2, 2, 2}}) {
        const std::uint64_t all = elementCount(shape).value();
        for (std::uint64_t first = 0; first <= all; ++first) {
            for (std::uint64_t count = 0; first + count <= all; ++count) {
                const auto boxes = boxesOfRun(shape, first, count);
                EXPECT_LE(boxes.size(), std::max<std::size_t>(1, 2 * shape.size()));
                std::uint64_t next = first;
                for (const Box& box : boxes) {
                    EXPECT_TRUE(fitsInto(box, shape));
                    for (const std::uint64_t at : positions(shape, box)) {
                        ASSERT_EQ(at, next++) << formatDims(shape) << " " << first << "+" << count;
                    }
                }
                ASSERT_EQ(next, first + count);
            }
        }
    }
}

TEST(FlatRange, ShapesWithoutElementsHaveNoBoxes) {
    EXPECT_TRUE(boxesOfRun(Shape{0, 3}, 0, 0).empty());
    EXPECT_TRUE(boxesOfRun(Shape{3, 0}, 0, 0).empty());
}

/// Two files of floats 0, 1, 2, …; a flat tensor of 12 elements in the first, every second one in
/// the second.
struct Parts {
    CheckpointData data;
    TensorEntry dense{"dense", Dtype::Float32, Shape{12}, Role::Other, {}, {}};
    TensorEntry spread{"spread", Dtype::Float32, Shape{6}, Role::Other, {}, {}};
    Parts() {
        for (const float base : {0.0F, 100.0F}) {
            std::vector<float> values(12);
            std::iota(values.begin(), values.end(), base);
            std::vector<std::byte> bytes(48);
            std::memcpy(bytes.data(), values.data(), 48);
            CheckpointFile file;
            file.path = "memory";
            file.source = makeMemorySource(std::move(bytes), "memory");
            data.addFile(std::move(file));
        }
        dense.pieces.push_back({Box::whole(Shape{12}), FileIndex(0), {0, 48}, {}, kRawCodec, {}});
        spread.pieces.push_back(
            {Box::whole(Shape{6}), FileIndex(1), {0, 44}, Strides{2}, kRawCodec, {}});
    }
};

/// The piece's first byte is the position of its elements.
class Plain : public PieceCodec {
public:
    std::string_view name() const override { return "plain"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece&) const override {
        return LocatedPiece{file, {0, tensor.bytes()}, {}, {}, std::nullopt, {}};
    }
};

std::vector<float> elementsOf(CheckpointData data, TensorEntry tensor) {
    data.tensors.push_back(std::move(tensor));
    const CheckpointPtr checkpoint = Checkpoint::make(std::move(data));
    const auto bytes = readComplete(*checkpoint, checkpoint->tensors()[0], 1000);
    if (!bytes) {
        ADD_FAILURE() << bytes.error().message.text();
        return {};
    }
    std::vector<float> values(bytes->size() / 4);
    std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

TEST(FlatRange, ATensorThatStraddlesTwoFilesReadsWhole) {
    Parts parts;
    TensorEntry target{"t", Dtype::Float32, Shape{3, 4}, Role::Weight, {}, {}};
    FlatCutter cutter(parts.data);
    ASSERT_TRUE(cutter.cut(parts.dense, {5, 7}, target, 0));
    ASSERT_TRUE(cutter.cut(parts.spread, {1, 5}, target, 7));
    EXPECT_TRUE(coverage(target).complete());
    EXPECT_EQ(elementsOf(std::move(parts.data), std::move(target)),
              (std::vector<float>{5, 6, 7, 8, 9, 10, 11, 102, 104, 106, 108, 110}));
}

TEST(FlatRange, EncodedPartsAreCutToo) {
    Parts parts;
    parts.dense.pieces[0].codec = parts.data.addCodec(std::make_shared<Plain>());
    TensorEntry target{"t", Dtype::Float32, Shape{2, 4}, Role::Weight, {}, {}};
    FlatCutter cutter(parts.data);
    ASSERT_TRUE(cutter.cut(parts.dense, {3, 8}, target, 0));
    EXPECT_EQ(elementsOf(std::move(parts.data), std::move(target)),
              (std::vector<float>{3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(FlatRange, WhatDoesNotFitIsRefused) {
    Parts parts;
    TensorEntry target{"t", Dtype::Float32, Shape{2, 4}, Role::Weight, {}, {}};
    FlatCutter cutter(parts.data);
    EXPECT_EQ(cutter.cut(parts.dense, {5, 8}, target, 0).error().code, ErrorCode::CoverageHole);
    EXPECT_EQ(cutter.cut(parts.dense, {0, 4}, target, 5).error().code, ErrorCode::CoverageHole);
    EXPECT_EQ(cutter.cut(parts.dense, {~std::uint64_t{0}, 2}, target, 0).error().code,
              ErrorCode::CoverageHole);
    target.dtype = Dtype::Bfloat16;
    EXPECT_EQ(cutter.cut(parts.dense, {0, 4}, target, 0).error().code, ErrorCode::Unsupported);
    EXPECT_TRUE(target.pieces.empty());
}

} // namespace
} // namespace cairn
