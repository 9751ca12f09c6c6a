// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/compressed/compressed_source.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace cairn {
namespace {

std::string gzipOf(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

ByteSourcePtr sourceOf(const std::string& text) {
    const auto bytes = asBytes(text);
    return makeMemorySource({bytes.begin(), bytes.end()}, "packed");
}

std::string contentOf(const Decompressed& opened) {
    const auto bytes = readRange(*opened.content, {0, opened.content->size()});
    EXPECT_TRUE(bytes);
    return bytes ? std::string(asText(*bytes)) : "";
}

Decompressed opened(const std::string& packed, ExpansionLimits limits = {}) {
    auto result = openCompressed(sourceOf(packed), Compression::Gzip, limits, {});
    EXPECT_TRUE(result);
    return std::move(*result);
}

TEST(Compressed, IsKnownByItsFirstBytes) {
    EXPECT_EQ(compressionOf(asBytes(gzipOf("a"))), Compression::Gzip);
    EXPECT_EQ(compressionOf(asBytes("BZh91AY&SY")), Compression::Bzip2);
    EXPECT_EQ(compressionOf(asBytes("BZhello, hello")), std::nullopt);
    EXPECT_EQ(compressionOf(asBytes("\x78\x9c")), Compression::Zlib);
    EXPECT_EQ(compressionOf(asBytes(std::string(64, '\0'))), std::nullopt);
    EXPECT_EQ(compressionOf({}), std::nullopt);
}

TEST(Compressed, StreamsThatFollowAreOneContent) {
    EXPECT_EQ(contentOf(opened(gzipOf("abc") + gzipOf("def"))), "abcdef");
    EXPECT_EQ(contentOf(opened(gzipOf("abc") + std::string(99, '\0') + gzipOf("def"))), "abcdef");
    const Decompressed trailing = opened(gzipOf("abc") + "something else");
    EXPECT_EQ(contentOf(trailing), "abc");
    EXPECT_FALSE(trailing.incomplete);
}

TEST(Compressed, DamagedDataHaveTheirContentUpToThere) {
    const std::string packed = gzipOf(std::string(100'000, 'x') + "tail");
    const Decompressed cut = opened(packed.substr(0, packed.size() / 2));
    ASSERT_TRUE(cut.incomplete);
    EXPECT_EQ(cut.incomplete->code, ErrorCode::Truncated);
    EXPECT_GT(cut.content->size(), 0U);
    EXPECT_EQ(contentOf(cut).find_first_not_of('x'), std::string::npos);
    std::string crc = packed;
    crc[crc.size() - 6] = static_cast<char>(crc[crc.size() - 6] + 1);
    EXPECT_EQ(contentOf(opened(crc)).size(), 100'004U) << "a reader that streams has seen it all";
}

TEST(Compressed, BombsAreLeft) {
    ExpansionLimits limits;
    limits.free = 1 << 20U;
    const Decompressed bomb = opened(gzipOf(std::string(50'000'000, '\0')), limits);
    ASSERT_TRUE(bomb.incomplete);
    EXPECT_EQ(bomb.incomplete->code, ErrorCode::LimitExceeded);
    EXPECT_LT(bomb.content->size(), 2U << 20U);
}

} // namespace
} // namespace cairn
