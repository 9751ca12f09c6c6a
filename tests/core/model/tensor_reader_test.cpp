// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor_reader.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace cairn {
namespace {

using synthetic::bytesOf;

std::vector<std::int32_t> asInts(const std::vector<std::byte>& bytes) {
    std::vector<std::int32_t> values(bytes.size() / 4);
    if (!bytes.empty()) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
    }
    return values;
}

std::vector<Box> grid(const Shape& shape, std::int64_t rows, std::int64_t columns) {
    std::vector<Box> boxes;
    for (const Box& row : synthetic::chunks(shape, 0, rows)) {
        for (const Box& column : synthetic::chunks(shape, 1, columns)) {
            Box box = row;
            box.origin[1] = column.origin[1];
            box.extent[1] = column.extent[1];
            boxes.push_back(box);
        }
    }
    return boxes;
}

struct Sharding {
    const char* name;
    Shape shape;
    std::vector<Box> boxes;
};

std::vector<Sharding> shardings() {
    return {
        {"scalar", {}, {Box{}}},
        {"one piece", {5, 7}, {Box::whole({5, 7})}},
        {"rows", {10, 6}, synthetic::chunks({10, 6}, 0, 4)},
        {"columns", {10, 6}, synthetic::chunks({10, 6}, 1, 4)},
        {"uneven with empty", {3, 5}, synthetic::chunks({3, 5}, 0, 8)},
        {"grid", {7, 9}, grid({7, 9}, 2, 2)},
        {"middle of three", {4, 6, 5}, synthetic::chunks({4, 6, 5}, 1, 3)},
        {"last of four", {2, 3, 4, 7}, synthetic::chunks({2, 3, 4, 7}, 3, 3)},
    };
}

TEST(TensorReader, ReadsEveryShardingWhole) {
    for (const Sharding& sharding : shardings()) {
        CheckpointData data;
        data.tensors.push_back(synthetic::cutTensor(data, "t", sharding.shape, sharding.boxes));
        const auto checkpoint = Checkpoint::make(std::move(data));
        const auto bytes = readComplete(*checkpoint, checkpoint->tensors()[0], 1 << 20);
        ASSERT_TRUE(bytes.has_value()) << sharding.name;
        EXPECT_EQ(asInts(*bytes), synthetic::counting(sharding.shape)) << sharding.name;
    }
}

TEST(TensorReader, ReadsEveryRunOfEveryBox) {
    for (const Sharding& sharding : shardings()) {
        CheckpointData data;
        data.tensors.push_back(synthetic::cutTensor(data, "t", sharding.shape, sharding.boxes));
        const auto checkpoint = Checkpoint::make(std::move(data));
        const auto reader = TensorReader::open(*checkpoint, checkpoint->tensors()[0]).value();
        TensorReader::Scratch scratch;
        Box box = Box::whole(sharding.shape);
        for (std::size_t d = 0; d < box.extent.size();
             ++d) { // a box strictly inside, where there is room
            if (box.extent[d] > 2) {
                box.origin[d] += 1;
                box.extent[d] -= 2;
            }
        }
        const auto expected = synthetic::countingBox(sharding.shape, box);
        for (std::size_t first = 0; first < expected.size(); ++first) {
            for (std::size_t last = first; last <= expected.size(); ++last) {
                std::vector<std::byte> out((last - first) * 4);
                ASSERT_TRUE(reader.readBytes(box, first * 4, out, scratch).has_value());
                ASSERT_EQ(asInts(out),
                          std::vector(expected.begin() + static_cast<std::ptrdiff_t>(first),
                                      expected.begin() + static_cast<std::ptrdiff_t>(last)))
                    << sharding.name << " " << first << ".." << last;
            }
        }
    }
}

/// A single piece with the given strides over a counting buffer.
Result<std::vector<std::byte>> readStrided(Shape shape, Strides strides, std::uint64_t length,
                                           Dtype dtype = Dtype::Int32, ElementFlags flags = {},
                                           std::vector<std::byte> stored = {}) {
    CheckpointData data;
    if (stored.empty()) {
        stored = bytesOf(synthetic::counting({1000}));
    }
    const FileIndex file = synthetic::addMemoryFile(data, std::move(stored), "f");
    TensorEntry tensor{"t", dtype, shape, Role::Weight, {}, {}};
    tensor.pieces.push_back(
        {Box::whole(shape), file, {0, length}, std::move(strides), kRawCodec, flags});
    data.tensors.push_back(std::move(tensor));
    const auto checkpoint = Checkpoint::make(std::move(data));
    return readComplete(*checkpoint, checkpoint->tensors()[0], 1 << 20);
}

TEST(TensorReader, FollowsStrides) {
    EXPECT_EQ(asInts(readStrided({2, 3}, {1, 2}, 24).value()),
              (std::vector<std::int32_t>{0, 2, 4, 1, 3, 5}));
    EXPECT_EQ(asInts(readStrided({2, 3}, {0, 1}, 12).value()),
              (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(asInts(readStrided({3}, {5}, 44).value()), (std::vector<std::int32_t>{0, 5, 10}));
}

TEST(TensorReader, RefusesElementsBeyondTheStoredBytes) {
    EXPECT_EQ(readStrided({2, 3}, {3, 1}, 20).error().code, ErrorCode::TorchStorageTooSmall);
    EXPECT_EQ(readStrided({2}, {std::int64_t{1} << 62}, 4000).error().code,
              ErrorCode::TorchStorageTooSmall);
    EXPECT_EQ(readStrided({2}, {-1}, 4000).error().code, ErrorCode::TorchStorageTooSmall);
    EXPECT_EQ(readStrided({2}, {1}, 5000).error().code, ErrorCode::Truncated);
}

TEST(TensorReader, AppliesByteOrderNegationAndConjugation) {
    const auto stored = [](std::initializer_list<int> values) {
        std::vector<std::byte> bytes;
        for (const int value : values) {
            bytes.push_back(static_cast<std::byte>(value));
        }
        return bytes;
    };
    ElementFlags swap;
    swap.swapBytes = true;
    EXPECT_EQ(asInts(readStrided({1}, {}, 4, Dtype::Int32, swap, stored({0, 0, 1, 2})).value())[0],
              0x0102);
    ElementFlags negate;
    negate.negate = true;
    EXPECT_EQ(
        asInts(readStrided({1}, {}, 4, Dtype::Int32, negate, stored({7, 0, 0, 0})).value())[0], -7);
    ElementFlags conjugate;
    conjugate.conjugate = true;
    const std::vector<float> number{1.5F, 2.5F};
    const auto conjugated =
        readStrided({1}, {}, 8, Dtype::Complex64, conjugate, bytesOf(number)).value();
    EXPECT_EQ(conjugated, bytesOf(std::vector<float>{1.5F, -2.5F}));
}

TEST(TensorReader, NamesTheHole) {
    CheckpointData data;
    auto boxes = synthetic::chunks({8, 2}, 0, 4);
    boxes.pop_back();
    data.tensors.push_back(synthetic::cutTensor(data, "t", {8, 2}, boxes));
    const auto checkpoint = Checkpoint::make(std::move(data));
    const auto reader = TensorReader::open(*checkpoint, checkpoint->tensors()[0]);
    ASSERT_FALSE(reader.has_value());
    EXPECT_EQ(reader.error().code, ErrorCode::CoverageHole);
    EXPECT_EQ(reader.error().where.tensor, "t");
}

TEST(TensorReader, SpansLargerThanTheScratchAreSplit) {
    // 8 columns of a 3 Mi-row matrix, every other column stored elsewhere: the span (96 MiB) is far
    // beyond kMaxSpan.
    const Shape shape{3 << 20, 2};
    CheckpointData data;
    data.tensors.push_back(synthetic::cutTensor(data, "t", shape, synthetic::chunks(shape, 1, 2)));
    const auto checkpoint = Checkpoint::make(std::move(data));
    const auto reader = TensorReader::open(*checkpoint, checkpoint->tensors()[0]).value();
    TensorReader::Scratch scratch;
    std::vector<std::byte> out(checkpoint->tensors()[0].bytes());
    ASSERT_TRUE(reader.readBytes(Box::whole(shape), 0, out, scratch).has_value());
    EXPECT_EQ(asInts(out), synthetic::counting(shape));
    EXPECT_LE(scratch.bytes.size(), TensorReader::kMaxSpan);
}

/// Counts the bytes read from it.
class CountingSource : public ByteSource {
public:
    explicit CountingSource(std::vector<std::byte> bytes)
        : m_bytes(makeMemorySource(std::move(bytes), "counted")) {}
    std::uint64_t size() const override { return m_bytes->size(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        read += out.size();
        return m_bytes->readAt(offset, out);
    }
    const std::string& name() const override { return m_bytes->name(); }
    mutable std::uint64_t read = 0;

private:
    ByteSourcePtr m_bytes;
};

TEST(TensorReader, ReadsRowsOnceForAllWhoTakeColumnsOfThem) {
    const Shape shape{3000, 7,
                      40}; // rows of 1,120 bytes, 117 of them in a window; two pieces, by rows
    const auto halves = synthetic::chunks(shape, 0, 2);
    CheckpointData data;
    TensorEntry tensor{"t", Dtype::Int32, shape, Role::Weight, {}, {}};
    std::vector<std::shared_ptr<CountingSource>> sources;
    for (const Box& box : halves) {
        auto bytes = bytesOf(synthetic::countingBox(shape, box));
        ElementFlags flags;
        flags.swapBytes = sources.empty(); // the first half big-endian
        for (std::size_t i = 0; flags.swapBytes && i < bytes.size(); i += 4) {
            std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                         bytes.begin() + static_cast<std::ptrdiff_t>(i) + 4);
        }
        sources.push_back(std::make_shared<CountingSource>(std::move(bytes)));
        CheckpointFile file;
        file.path = "shard" + std::to_string(sources.size());
        file.identity.size = sources.back()->size();
        file.source = sources.back();
        const std::uint64_t length = sources.back()->size();
        tensor.pieces.push_back(
            {box, data.addFile(std::move(file)), {0, length}, {}, kRawCodec, flags});
    }
    data.tensors.push_back(std::move(tensor));
    const auto checkpoint = Checkpoint::make(std::move(data));
    const auto reader = TensorReader::open(*checkpoint, checkpoint->tensors()[0]).value();

    for (const std::size_t dim : {std::size_t{1}, std::size_t{2}}) {
        for (const auto& source : sources) {
            source->read = 0;
        }
        const auto boxes = synthetic::chunks(shape, dim, 5);
        std::vector<std::vector<std::byte>> made(boxes.size());
        TensorReader::Scratch scratch;
        scratch.keepsRows = true;
        for (std::int64_t row = 0; row < shape[0];
             row += 100) { // side by side, across windows and pieces
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                Box part = boxes[i];
                part.origin[0] = row;
                part.extent[0] = 100;
                std::vector<std::byte> out(elementCount(part.extent).value() * 4);
                ASSERT_TRUE(reader.readBox(part, out, scratch).has_value());
                made[i].insert(made[i].end(), out.begin(), out.end());
            }
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            EXPECT_EQ(asInts(made[i]), synthetic::countingBox(shape, boxes[i])) << dim << " " << i;
        }
        for (const auto& source : sources) {
            EXPECT_EQ(source->read, source->size()) << dim;
        }
    }
}

} // namespace
} // namespace cairn
