// SPDX-License-Identifier: Apache-2.0
#include "core/codec/msgpack/msgpack.h"

#include <gtest/gtest.h>

namespace cairn::msgpack {
namespace {

ByteSourcePtr sourceOf(std::vector<unsigned> bytes) {
    std::vector<std::byte> data;
    for (const unsigned byte : bytes) {
        data.push_back(static_cast<std::byte>(byte));
    }
    return makeMemorySource(std::move(data), "test");
}

Token only(std::vector<unsigned> bytes) {
    Reader reader(sourceOf(std::move(bytes)));
    auto token = reader.next();
    EXPECT_TRUE(token.has_value());
    EXPECT_TRUE(reader.atEnd());
    return token ? *token : Token{};
}

TEST(Msgpack, NumbersOfAllWidths) {
    EXPECT_EQ(only({0x7F}).integer, 127);
    EXPECT_EQ(only({0xE0}).integer, -32);
    EXPECT_EQ(only({0xCC, 200}).integer, 200);
    EXPECT_EQ(only({0xCD, 1, 0}).integer, 256);
    EXPECT_EQ(only({0xD0, 0x80}).integer, -128);
    EXPECT_EQ(only({0xD1, 0xFF, 0xFE}).integer, -2);
    EXPECT_EQ(only({0xD2, 0x80, 0, 0, 0}).integer, INT32_MIN);
    EXPECT_EQ(only({0xD3, 0x80, 0, 0, 0, 0, 0, 0, 0}).integer, INT64_MIN);
    const Token wide = only({0xCF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
    EXPECT_EQ(wide.kind, Kind::Unsigned);
    EXPECT_EQ(wide.wide, UINT64_MAX);
    EXPECT_EQ(only({0xCA, 0x3F, 0xC0, 0, 0}).real, 1.5);
    EXPECT_EQ(only({0xCB, 0xC0, 0x04, 0, 0, 0, 0, 0, 0}).real, -2.5);
    EXPECT_TRUE(only({0xC3}).flag);
    EXPECT_EQ(only({0xC0}).kind, Kind::Nil);
}

TEST(Msgpack, PayloadsAreSkippedAndCanBeEntered) {
    Reader reader(sourceOf({0x92, 0xC7, 3, 5, 0x01, 0x02, 0x03, 0xA2, 'h', 'i'}));
    EXPECT_EQ(reader.next()->items, 2U);
    const auto extension = reader.next();
    ASSERT_TRUE(extension.has_value());
    EXPECT_EQ(extension->extension, 5);
    EXPECT_EQ(extension->payload, (ByteRange{4, 3}));
    reader.enter(*extension);
    EXPECT_EQ(reader.next()->integer, 1);
    reader.leave(*extension);
    const auto text = reader.next();
    EXPECT_EQ(*reader.text(*text, 10), "hi");
    EXPECT_EQ(reader.text(*text, 1).error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(reader.atEnd());
}

TEST(Msgpack, LengthsBeyondTheEndAreRefused) {
    for (const auto& bytes : std::vector<std::vector<unsigned>>{{0xDB, 0xFF, 0xFF, 0xFF, 0xFF, 1},
                                                                {0xDF, 0xFF, 0xFF, 0xFF, 0xFF, 1},
                                                                {0xDD, 0, 0, 0, 2, 1},
                                                                {0xC9, 0, 0, 0, 9, 1, 1},
                                                                {0xCF, 1},
                                                                {0xD9},
                                                                {}}) {
        Reader reader(sourceOf(bytes));
        const auto token = reader.next();
        ASSERT_FALSE(token.has_value());
        EXPECT_EQ(token.error().code, ErrorCode::Truncated);
    }
    Reader reader(sourceOf({0xC1}));
    EXPECT_EQ(reader.next().error().code, ErrorCode::MsgpackBadData);
}

} // namespace
} // namespace cairn::msgpack
