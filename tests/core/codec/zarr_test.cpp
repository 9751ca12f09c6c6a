// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/zarr/array_info.h"
#include "core/codec/zarr/chunk_source.h"

#include <gtest/gtest.h>

#include <bit>

namespace cairn::zarr {
namespace {

std::string v2(const std::string& more, const std::string& dtype = "<f4") {
    return R"({"zarr_format":2,"shape":[5,3],"chunks":[2,3],"dtype":")" + dtype +
           R"(","filters":null)" + more + "}";
}

ArrayInfo parsed(const std::string& text, int version) {
    auto info = parseArrayInfo(text, version, "test");
    EXPECT_TRUE(info.has_value()) << (info ? "" : describe(info.error()));
    return info ? *info : ArrayInfo{};
}

ErrorCode failure(const std::string& text, int version) {
    const auto info = parseArrayInfo(text, version, "test");
    return info ? ErrorCode::Internal : info.error().code;
}

TEST(ZarrInfo, ReadsVersionTwo) {
    const ArrayInfo info = parsed(
        v2(R"(,"order":"F","compressor":{"id":"zstd","level":1},"fill_value":1.5)", ">f4"), 2);
    EXPECT_EQ(info.shape, (std::vector<std::int64_t>{5, 3}));
    EXPECT_EQ(info.inner, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(info.type.name, "float32");
    EXPECT_TRUE(info.type.bigEndian);
    EXPECT_TRUE(info.fortran);
    EXPECT_EQ(info.encoding.compression, Compression::Zstd);
    EXPECT_EQ(info.innerBytes(), 24U);
    ASSERT_EQ(info.fill.size(), 4U);
    EXPECT_EQ(info.fill[0], std::byte{0x3F}); // big-endian 1.5
    EXPECT_EQ(info.fill[1], std::byte{0xC0});
}

TEST(ZarrInfo, TypesHaveTheirNamesAndSizes) {
    EXPECT_EQ(parsed(v2("", "bfloat16"), 2).type.bytes, 2U);
    EXPECT_EQ(parsed(v2("", "int4"), 2).type.name, "int4");
    EXPECT_EQ(parsed(v2("", "|b1"), 2).type.name, "bool");
    EXPECT_EQ(parsed(v2("", "<c16"), 2).type.bytes, 16U);
    EXPECT_FALSE(parsed(v2("", ">u1"), 2).type.bigEndian);
    EXPECT_EQ(failure(v2("", "float32"), 2), ErrorCode::Unsupported);
    EXPECT_EQ(failure(v2("", "<b1f"), 2), ErrorCode::Unsupported);
}

TEST(ZarrInfo, FillValuesBecomeElements) {
    const auto fill = [](const std::string& value, const std::string& dtype) {
        return parsed(v2(R"(,"fill_value":)" + value, dtype), 2).fill;
    };
    EXPECT_EQ(loadLittle<std::uint32_t>(fill("\"NaN\"", "<f4")),
              std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN()));
    EXPECT_EQ(loadLittle<std::uint64_t>(fill("\"-Infinity\"", "<f8")), 0xFFF0000000000000U);
    EXPECT_EQ(loadLittle<std::uint16_t>(fill("1.0", "bfloat16")), 0x3F80U);
    EXPECT_EQ(loadLittle<std::uint16_t>(fill("-2.5", "<f2")), 0xC100U);
    EXPECT_EQ(loadLittle<std::int64_t>(fill("-7", "<i8")), -7);
    EXPECT_EQ(loadLittle<std::uint64_t>(fill("18446744073709551615", "<u8")), ~std::uint64_t{0});
    EXPECT_EQ(fill("true", "|b1"), std::vector<std::byte>{std::byte{1}});
    EXPECT_EQ(loadLittle<std::uint32_t>(fill("[0.0, 1.0]", "<c8"), 4), 0x3F800000U);
    EXPECT_FALSE(parsed(v2(R"(,"fill_value":null)"), 2).hasFill);
    // As ml_dtypes converts zeros: some types have no negative one, one type has none.
    EXPECT_EQ(fill("-0.0", "float8_e3m4"), std::vector<std::byte>{std::byte{0x80}});
    EXPECT_EQ(fill("-0.0", "float8_e4m3fnuz"), std::vector<std::byte>{std::byte{0}});
    EXPECT_EQ(fill("-0.0", "float6_e2m3fn"), std::vector<std::byte>{std::byte{0x20}});
    EXPECT_EQ(fill("-0.0", "float4_e2m1fn"), std::vector<std::byte>{std::byte{8}});
    EXPECT_EQ(fill("0.0", "float8_e8m0fnu"), std::vector<std::byte>{std::byte{0xFF}});
    EXPECT_EQ(failure(v2(R"(,"fill_value":"many")"), 2), ErrorCode::ZarrBadMetadata);
}

std::string v3(const std::string& codecs, const std::string& more = {}) {
    return R"({"zarr_format":3,"node_type":"array","shape":[4,6],"data_type":"int16","fill_value":0,)"
           R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,6]}},"codecs":)" +
           codecs + more + "}";
}

TEST(ZarrInfo, ReadsVersionThreeWithShards) {
    const ArrayInfo info = parsed(
        v3(R"([{"name":"sharding_indexed","configuration":{"chunk_shape":[2,3],"codecs":[{"name":"bytes"},{"name":"zstd"},"crc32c"],)"
           R"("index_codecs":[{"name":"bytes"},{"name":"crc32c"}],"index_location":"start"}}])"),
        3);
    ASSERT_TRUE(info.sharding.has_value());
    EXPECT_EQ(info.sharding->grid, (std::vector<std::int64_t>{2, 2}));
    EXPECT_FALSE(info.sharding->indexAtEnd);
    EXPECT_TRUE(info.sharding->indexCrc32c);
    EXPECT_TRUE(info.encoding.crc32c);
    EXPECT_EQ(info.encoding.compression, Compression::Zstd);
    EXPECT_EQ(info.innerBytes(), 12U);
}

TEST(ZarrInfo, TranspositionsThatReverseAreColumnOrder) {
    const std::string bytes = R"({"name":"bytes","configuration":{"endian":"little"}}])";
    EXPECT_TRUE(
        parsed(v3(R"([{"name":"transpose","configuration":{"order":[1,0]}},)" + bytes), 3).fortran);
    EXPECT_FALSE(
        parsed(v3(R"([{"name":"transpose","configuration":{"order":[0,1]}},)" + bytes), 3).fortran);
    EXPECT_EQ(
        failure(v3(R"([{"name":"transpose","configuration":{"order":[0]}},{"name":"magic"}])"), 3),
        ErrorCode::Unsupported);
    EXPECT_EQ(failure(v3("[]"), 3), ErrorCode::ZarrBadMetadata);
}

TEST(ZarrInfo, ChunksAreNamedAsTheEncodingStates) {
    const auto keys = [](const std::string& encoding) {
        return v3(R"([{"name":"bytes","configuration":{"endian":"little"}}])",
                  encoding.empty() ? "" : R"(,"chunk_key_encoding":)" + encoding);
    };
    EXPECT_EQ(parsed(keys(""), 3).keys, kPrefixedSlashes);
    EXPECT_EQ(parsed(keys(R"({"name":"default"})"), 3).keys, kPrefixedSlashes);
    EXPECT_EQ(parsed(keys(R"({"name":"default","configuration":{"separator":"."}})"), 3).keys,
              kPrefixedDots);
    EXPECT_EQ(parsed(keys(R"({"name":"default","separator":"."})"), 3).keys, kPrefixedDots);
    EXPECT_EQ(parsed(keys(R"({"name":"v2"})"), 3).keys, kDotted);
    for (const char* other :
         {R"({"name":"v2","configuration":{"separator":"/"}})", R"({"name":"hashed"})",
          R"({"name":"default","separator":"-"})", "7"}) {
        EXPECT_EQ(failure(keys(other), 3), ErrorCode::Unsupported) << other;
    }
}

TEST(ZarrKey, TellsIndices) {
    std::vector<std::int64_t> indices;
    std::uint8_t forms = 0;
    EXPECT_TRUE(parseChunkKey("0.12", indices, forms));
    EXPECT_EQ(indices, (std::vector<std::int64_t>{0, 12}));
    EXPECT_EQ(forms, kDotted);
    EXPECT_TRUE(parseChunkKey("c/3/4/5", indices, forms));
    EXPECT_EQ(indices, (std::vector<std::int64_t>{3, 4, 5}));
    EXPECT_EQ(forms, kPrefixedSlashes);
    EXPECT_TRUE(parseChunkKey("c.3.4", indices, forms));
    EXPECT_EQ(indices, (std::vector<std::int64_t>{3, 4}));
    EXPECT_EQ(forms, kPrefixedDots);
    EXPECT_TRUE(parseChunkKey("7", indices, forms));
    EXPECT_EQ(forms, kDotted | kSlashed);
    EXPECT_TRUE(parseChunkKey("c", indices, forms));
    EXPECT_TRUE(indices.empty());
    for (const char* key : {"", "a", "-1", "1.", ".1", "1..2", "01", "c/", "c.", "c/x", "c.0/1",
                            "c/0.1", "0.1/2", "99999999999999999999"}) {
        EXPECT_FALSE(parseChunkKey(key, indices, forms)) << key;
    }
}

TEST(ZarrChunk, InnerChunksAreFoundByTheIndex) {
    std::vector<std::byte> shard(8 + 32);
    for (std::size_t i = 0; i < 8; ++i) {
        shard[i] = static_cast<std::byte>(i + 1);
    }
    storeLittle<std::uint64_t>(shard, 8, 0); // the first: bytes 0 to 8
    storeLittle<std::uint64_t>(shard, 16, 8);
    storeLittle<std::uint64_t>(shard, 24, ~std::uint64_t{0}); // the second: absent
    storeLittle<std::uint64_t>(shard, 32, ~std::uint64_t{0});
    const auto cache = std::make_shared<ChunkCache>(1000);
    ChunkPlace place{
        makeMemorySource(shard, "shard"), {0, shard.size()}, {}, 8, Sharding{{2}, true, false}, 0,
        {std::byte{9}, std::byte{0}}};
    std::vector<std::byte> out(8);
    ASSERT_TRUE(makeChunkSource(place, cache, ChunkReading::Complete)->readAt(0, out));
    EXPECT_EQ(out[7], std::byte{8});
    place.innerIndex = 1;
    ASSERT_TRUE(makeChunkSource(place, cache, ChunkReading::Complete)->readAt(0, out));
    EXPECT_EQ(out[6], std::byte{9});
    EXPECT_EQ(out[7], std::byte{0});
    place.innerIndex = 2;
    EXPECT_EQ(makeChunkSource(place, cache, ChunkReading::Complete)->readAt(0, out).error().code,
              ErrorCode::ZarrBadChunk);
}

} // namespace
} // namespace cairn::zarr
