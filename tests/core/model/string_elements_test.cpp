// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_reader.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

/// Adds a file with the canonical form of these strings; returns the piece for `box`.
Piece addStrings(CheckpointData& data, const Box& box, const std::vector<std::string>& strings) {
    std::vector<std::byte> bytes(5, std::byte{0xEE});
    for (const std::string& text : strings) {
        appendStringElement(bytes, asBytes(text));
    }
    const std::uint64_t length = bytes.size() - 5;
    const FileIndex file = synthetic::addMemoryFile(data, std::move(bytes), "strings");
    return {box, file, {5, length}, {}, kRawCodec, {}};
}

TensorEntry stringTensor(Shape shape) {
    TensorEntry tensor;
    tensor.name = "names";
    tensor.dtype = Dtype::String;
    tensor.shape = std::move(shape);
    return tensor;
}

CheckpointPtr whole(const std::vector<std::string>& strings, Shape shape) {
    CheckpointData data;
    TensorEntry tensor = stringTensor(shape);
    tensor.pieces.push_back(addStrings(data, Box::whole(shape), strings));
    data.tensors.push_back(std::move(tensor));
    return Checkpoint::make(std::move(data));
}

std::string canonical(const std::vector<std::string>& strings) {
    std::vector<std::byte> bytes;
    for (const std::string& text : strings) {
        appendStringElement(bytes, asBytes(text));
    }
    return std::string(asText(bytes));
}

TEST(StringElements, AreReadWholeAndByBox) {
    const std::string large(200'000, 'x');
    const std::vector<std::string> strings{"a", "", "long", std::string("\0\xff", 2), large, "z"};
    const auto checkpoint = whole(strings, {2, 3});
    const TensorEntry& tensor = checkpoint->tensors()[0];
    EXPECT_EQ(readStrings(*checkpoint, tensor, Box::whole(tensor.shape)).value(), strings);
    const Box column{{0, 1}, {2, 2}};
    EXPECT_EQ(readStrings(*checkpoint, tensor, column).value(),
              (std::vector<std::string>{"", "long", large, "z"}));
    EXPECT_EQ(asText(readComplete(*checkpoint, tensor, 1 << 20).value()), canonical(strings));
    EXPECT_EQ(tensor.bytes(), canonical(strings).size());
}

TEST(StringElements, OfSeveralPiecesComeInTheTensorsOrder) {
    CheckpointData data;
    TensorEntry tensor = stringTensor({2, 2});
    tensor.pieces.push_back(addStrings(data, {{0, 1}, {2, 1}}, {"b", "dddd"}));
    tensor.pieces.push_back(addStrings(data, {{0, 0}, {2, 1}}, {"aaa", "cc"}));
    data.tensors.push_back(tensor);
    const auto checkpoint = Checkpoint::make(std::move(data));
    const std::vector<std::string> all{"aaa", "b", "cc", "dddd"};
    EXPECT_EQ(readStrings(*checkpoint, tensor, Box::whole(tensor.shape)).value(), all);
    EXPECT_EQ(asText(readStringBytes(*checkpoint, tensor, 1000).value()), canonical(all));
}

TEST(StringElements, ThatDoNotFillTheirPlaceAreRefused) {
    const auto codeOf = [](const std::vector<std::string>& strings, Shape shape) {
        const auto checkpoint = whole(strings, std::move(shape));
        const auto read = readStringBytes(*checkpoint, checkpoint->tensors()[0], 1 << 20);
        return read ? std::string("read") : std::string(errorName(read.error().code));
    };
    EXPECT_EQ(codeOf({"a", "b"}, {2}), "read");
    EXPECT_EQ(codeOf({"a", "b"}, {3}), "bad-encoding");
    EXPECT_EQ(codeOf({"a", "b", "c"}, {2}), "bad-encoding");
    EXPECT_EQ(codeOf({"a"}, {std::int64_t{1} << 60}), "bad-encoding");
    EXPECT_EQ(codeOf({}, {0}), "read");
}

TEST(StringElements, LengthsBeyondTheDataAreRefused) {
    CheckpointData data;
    std::vector<std::byte> bytes(8, std::byte{0xFF});
    const FileIndex file = synthetic::addMemoryFile(data, std::move(bytes), "strings");
    TensorEntry tensor = stringTensor({1});
    tensor.pieces.push_back({Box::whole({1}), file, {0, 8}, {}, kRawCodec, {}});
    data.tensors.push_back(tensor);
    const auto checkpoint = Checkpoint::make(std::move(data));
    EXPECT_EQ(readStringBytes(*checkpoint, tensor, 1 << 20).error().code, ErrorCode::BadEncoding);
}

TEST(StringElements, MemoryIsBounded) {
    const auto checkpoint = whole({std::string(1000, 'x'), "y"}, {2});
    const TensorEntry& tensor = checkpoint->tensors()[0];
    const Box all = Box::whole(tensor.shape);
    EXPECT_EQ(readStrings(*checkpoint, tensor, all, 1000).error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(readStrings(*checkpoint, tensor, all, 1100));
    EXPECT_EQ(readStringBytes(*checkpoint, tensor, 500).error().code, ErrorCode::LimitExceeded);
}

TEST(StringElements, HolesAndPlainReadersAreRefused) {
    CheckpointData data;
    TensorEntry tensor = stringTensor({2});
    tensor.pieces.push_back(addStrings(data, {{0}, {1}}, {"a"}));
    data.tensors.push_back(tensor);
    const auto checkpoint = Checkpoint::make(std::move(data));
    EXPECT_EQ(readStringBytes(*checkpoint, tensor, 100).error().code, ErrorCode::CoverageHole);
    EXPECT_EQ(TensorReader::open(*checkpoint, tensor).error().code, ErrorCode::Unsupported);
}

} // namespace
} // namespace cairn
