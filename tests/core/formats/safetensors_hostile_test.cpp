// SPDX-License-Identifier: Apache-2.0
#include "core/model/finding_rules.h"
#include "tests/core/formats/safetensors_fixture.h"

namespace cairn::test::safetensors {
namespace {

constexpr std::string_view kF32 = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";

std::string oneTensor(std::string_view fields) {
    return R"({"a":{)" + std::string(fields) + "}}";
}

TEST(SafetensorsReader, RefusesFilesWithoutAHeader) {
    struct Case {
        std::string name;
        std::string bytes;
        ErrorCode code;
    };
    const std::string good = safetensorsFile(oneTensor(kF32), 8);
    const auto header = [](std::string_view text) { return safetensorsFile(text, 8); };
    std::string huge = good;
    huge.replace(0, 8, std::string("\x01\xe1\xf5\x05\0\0\0\0", 8)); // 100 000 001
    std::string enormous = good;
    enormous.replace(0, 8, std::string(8, '\xff'));
    std::string beyond = good;
    beyond[0] = '\x7f';
    const std::string deep =
        "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
    const std::vector<Case> cases = {
        {"nothing", "", ErrorCode::Truncated},
        {"seven bytes", "1234567", ErrorCode::Truncated},
        {"header cut off", good.substr(0, 30), ErrorCode::Truncated},
        {"header beyond the file", beyond, ErrorCode::Truncated},
        {"header too large", huge, ErrorCode::SafetensorsHeaderTooLarge},
        {"length of all ones", enormous, ErrorCode::SafetensorsHeaderTooLarge},
        {"empty header", header(""), ErrorCode::SafetensorsBadHeader},
        {"spaces", header("    "), ErrorCode::SafetensorsBadHeader},
        {"array", header("[]"), ErrorCode::SafetensorsBadHeader},
        {"number", header("3"), ErrorCode::SafetensorsBadHeader},
        {"text", header("hello"), ErrorCode::SafetensorsBadHeader},
        {"not closed", header("{\"a\":{"), ErrorCode::SafetensorsBadHeader},
        {"string not closed", header("{\"a"), ErrorCode::SafetensorsBadHeader},
        {"two documents", header("{}{}"), ErrorCode::SafetensorsBadHeader},
        {"text after it", header("{} x"), ErrorCode::SafetensorsBadHeader},
        {"missing comma", header(R"({"a":{} "b":{}})"), ErrorCode::SafetensorsBadHeader},
        {"missing colon", header(R"({"a" {}})"), ErrorCode::SafetensorsBadHeader},
        {"trailing comma", header(R"({"a":{},})"), ErrorCode::SafetensorsBadHeader},
        {"bad escape", header(R"({"\q":{}})"), ErrorCode::SafetensorsBadHeader},
        {"control character", header("{\"a\x01\":{}}"), ErrorCode::SafetensorsBadHeader},
        {"not UTF-8", header("{\"\xff\":{}}"), ErrorCode::BadEncoding},
        {"overlong UTF-8", header("{\"\xc0\xaf\":{}}"), ErrorCode::BadEncoding},
        {"zero bytes in it", header(std::string_view("{}\0\0", 4)),
         ErrorCode::SafetensorsBadHeader},
    };
    const TemporaryFolder folder;
    for (const Case& item : cases) {
        auto checkpoint = openAs(kFormat, folder.write("x.safetensors", item.bytes));
        ASSERT_FALSE(checkpoint) << item.name;
        EXPECT_EQ(checkpoint.error().code, item.code)
            << item.name << ": " << describe(checkpoint.error());
        EXPECT_FALSE(checkpoint.error().where.file.empty());
        EXPECT_TRUE(checkpoint.error().where.offset) << item.name;
    }
    // Deep nesting inside a tensor's entry: skipped without recursion.
    auto nested = openAs(kFormat, folder.write("deep.safetensors", safetensorsFile(deep, 0)));
    ASSERT_TRUE(nested) << describe(nested.error());
    EXPECT_TRUE(hasNotice(**nested, ErrorCode::SafetensorsBadHeader));
}

struct RuleCase {
    std::string name;
    std::string header;
    std::size_t dataBytes;
    ErrorCode code;
};

std::vector<RuleCase> brokenRules() {
    const auto one = [](std::string_view fields) { return oneTensor(fields); };
    const std::string two = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":)";
    std::string deepShape = R"("dtype":"U8","shape":[1)";
    for (int i = 0; i < 64; ++i) {
        deepShape += ",1";
    }
    deepShape += R"(],"data_offsets":[0,1])";
    return {
        {"entry is a string", R"({"a":"x"})", 0, ErrorCode::SafetensorsBadHeader},
        {"entry is null", R"({"a":null})", 0, ErrorCode::SafetensorsBadHeader},
        {"entry is an array", R"({"a":[1]})", 0, ErrorCode::SafetensorsBadHeader},
        {"entry is empty", R"({"a":{}})", 0, ErrorCode::SafetensorsBadHeader},
        {"no dtype", one(R"("shape":[2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadHeader},
        {"no shape", one(R"("dtype":"F32","data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadHeader},
        {"no offsets", one(R"("dtype":"F32","shape":[2])"), 8, ErrorCode::SafetensorsBadHeader},
        {"dtype is a number", one(R"("dtype":32,"shape":[2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadHeader},
        {"dtype twice", one(R"("dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadHeader},
        {"unknown dtype", one(R"("dtype":"F33","shape":[2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsUnknownDtype},
        {"lower-case dtype", one(R"("dtype":"f32","shape":[2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsUnknownDtype},
        {"empty dtype", one(R"("dtype":"","shape":[2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsUnknownDtype},
        {"shape is a number", one(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadShape},
        {"shape of strings", one(R"("dtype":"F32","shape":["2"],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadShape},
        {"fractional shape", one(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadShape},
        {"negative shape", one(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadShape},
        {"shape of 2^63", one(R"("dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,8])"),
         8, ErrorCode::SafetensorsBadShape},
        {"shape beyond 64 bits",
         one(R"("dtype":"U8","shape":[99999999999999999999],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsBadShape},
        {"shape overflows",
         one(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])"), 0,
         ErrorCode::SafetensorsBadShape},
        {"bits overflow",
         one(R"("dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0])"), 0,
         ErrorCode::SafetensorsBadShape},
        {"65 dimensions", one(deepShape), 1, ErrorCode::SafetensorsBadShape},
        {"half a byte", one(R"("dtype":"F4","shape":[3],"data_offsets":[0,2])"), 2,
         ErrorCode::SafetensorsBadShape},
        {"six bits", one(R"("dtype":"F6_E3M2","shape":[3],"data_offsets":[0,3])"), 3,
         ErrorCode::SafetensorsBadShape},
        {"offsets are a string", one(R"("dtype":"F32","shape":[2],"data_offsets":"0,8")"), 8,
         ErrorCode::SafetensorsBadOffsets},
        {"one offset", one(R"("dtype":"F32","shape":[2],"data_offsets":[8])"), 8,
         ErrorCode::SafetensorsBadOffsets},
        {"three offsets", one(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,8])"), 8,
         ErrorCode::SafetensorsBadOffsets},
        {"negative offset", one(R"("dtype":"F32","shape":[2],"data_offsets":[-8,0])"), 8,
         ErrorCode::SafetensorsBadOffsets},
        {"end before begin", one(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"), 8,
         ErrorCode::SafetensorsBadOffsets},
        {"offset wraps",
         one(R"("dtype":"F32","shape":[2],"data_offsets":[18446744073709551615,7])"), 8,
         ErrorCode::SafetensorsBadOffsets},
        {"too few bytes", one(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsSizeMismatch},
        {"too many bytes", one(R"("dtype":"F32","shape":[1],"data_offsets":[0,8])"), 8,
         ErrorCode::SafetensorsSizeMismatch},
        {"scalar of no bytes", one(R"("dtype":"F32","shape":[],"data_offsets":[0,0])"), 0,
         ErrorCode::SafetensorsSizeMismatch},
        {"file cut off", one(kF32), 7, ErrorCode::Truncated},
        {"end of 2^64",
         one(R"("dtype":"U8","shape":[8],"data_offsets":[18446744073709551607,)"
             R"(18446744073709551615])"),
         8, ErrorCode::Truncated},
        {"trailing bytes", one(kF32), 9, ErrorCode::SafetensorsTrailingBytes},
        {"bytes without tensors", "{}", 5, ErrorCode::SafetensorsTrailingBytes},
        {"hole at the start", one(R"("dtype":"U8","shape":[4],"data_offsets":[4,8])"), 8,
         ErrorCode::SafetensorsHole},
        {"hole between", two + R"({"dtype":"U8","shape":[3],"data_offsets":[5,8]}})", 8,
         ErrorCode::SafetensorsHole},
        {"same bytes twice", two + R"({"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4,
         ErrorCode::SafetensorsOverlap},
        {"overlap by one", two + R"({"dtype":"U8","shape":[4],"data_offsets":[3,7]}})", 7,
         ErrorCode::SafetensorsOverlap},
        {"one inside the other", two + R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 4,
         ErrorCode::SafetensorsOverlap},
        {"same name twice",
         R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
         R"("a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
         8, ErrorCode::DuplicateTensor},
        {"same name, written differently",
         R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
         R"("\u0061":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
         8, ErrorCode::DuplicateTensor},
        {"metadata is a string", R"({"__metadata__":"x"})", 0, ErrorCode::SafetensorsBadMetadata},
        {"metadata is false", R"({"__metadata__":false})", 0, ErrorCode::SafetensorsBadMetadata},
        {"metadata of numbers", R"({"__metadata__":{"step":3}})", 0,
         ErrorCode::SafetensorsBadMetadata},
        {"metadata of objects", R"({"__metadata__":{"a":{"b":"c"}}})", 0,
         ErrorCode::SafetensorsBadMetadata},
    };
}

TEST(SafetensorsReader, KeysMayBeEscaped) {
    const TemporaryFolder folder;
    const auto checkpoint = openAs(
        kFormat, folder.write("x.safetensors",
                              safetensorsFile(R"({"a":{"dt\u0079pe":"\u00558","\u0073hape":[4],)"
                                              R"("data\u005foffsets":[0,4],"dtype\u0020":"F32"}})",
                                              4)));
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_TRUE((*checkpoint)->notices().empty()) << noticesText(**checkpoint);
    ASSERT_EQ((*checkpoint)->tensors().size(), 1U);
    EXPECT_EQ((*checkpoint)->tensors()[0].dtype, Dtype::Uint8);
    EXPECT_EQ((*checkpoint)->tensors()[0].shape, Shape{4});
}

TEST(SafetensorsReader, NotesEachBrokenRuleAndReadsOn) {
    const TemporaryFolder folder;
    const auto cases = brokenRules();
    EXPECT_GE(cases.size(), 40U);
    for (const RuleCase& item : cases) {
        SCOPED_TRACE(item.name);
        auto checkpoint = openAs(
            kFormat, folder.write("x.safetensors", safetensorsFile(item.header, item.dataBytes)));
        ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
        EXPECT_TRUE(hasNotice(**checkpoint, item.code)) << noticesText(**checkpoint);
        for (const Notice& notice : (*checkpoint)->notices()) {
            EXPECT_FALSE(notice.error.where.file.empty());
            const bool bad = notice.severity == Severity::Error &&
                             findingRule(notice.error.code).stops != Stops::Never;
            EXPECT_TRUE(!bad || (*checkpoint)->completeness() == Completeness::Incomplete);
        }
        for (const TensorEntry& tensor : (*checkpoint)->tensors()) {
            (void)readComplete(**checkpoint, tensor, 1U << 20U); // must not crash
        }
    }
}

TEST(SafetensorsReader, OneBadTensorHidesNoOther) {
    const TemporaryFolder folder;
    const CheckpointPtr checkpoint = opened(
        folder.write("x.safetensors",
                     safetensorsFile(R"({"bad":{"dtype":"F32","shape":[9],"data_offsets":[0,8]},)"
                                     R"("odd":{"dtype":"Q9","shape":[9],"data_offsets":[8,12]},)"
                                     R"("good":{"dtype":"U8","shape":[2],"data_offsets":[12,14]}})",
                                     14)));
    ASSERT_TRUE(checkpoint);
    ASSERT_EQ(checkpoint->tensors().size(), 3U);
    auto good = readComplete(*checkpoint, checkpoint->tensor(*checkpoint->find("good")), 100);
    ASSERT_TRUE(good);
    EXPECT_EQ((*good)[0], std::byte{12});
    auto bad = readComplete(*checkpoint, checkpoint->tensor(*checkpoint->find("bad")), 100);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::CoverageHole);
    const TensorEntry& odd = checkpoint->tensor(*checkpoint->find("odd"));
    EXPECT_EQ(odd.dtype, Dtype::Opaque);
    EXPECT_EQ(odd.shape, (Shape{4}));
    EXPECT_TRUE(readComplete(*checkpoint, odd, 100));
}

TEST(SafetensorsReader, OfTwoEntriesTheLastCounts) {
    const TemporaryFolder folder;
    const CheckpointPtr checkpoint = opened(folder.write(
        "x.safetensors", safetensorsFile(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                                         R"("a":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}})",
                                         6)));
    ASSERT_EQ(checkpoint->tensors().size(), 1U);
    EXPECT_EQ(checkpoint->tensors()[0].shape, (Shape{2}));
}

TEST(SafetensorsReader, EveryTruncationAndEveryFlippedByteEndsInAnAnswer) {
    const TemporaryFolder folder;
    const std::string good = readText(kData / "tied.safetensors");
    /// Whether every byte of every tensor can be read, for a checkpoint without error notices.
    const auto touch = [&](const std::string& bytes) {
        const auto checkpoint = openAs(kFormat, folder.write("x.safetensors", bytes));
        bool whole = checkpoint && (*checkpoint)->notices().empty();
        if (checkpoint) {
            for (const TensorEntry& tensor : (*checkpoint)->tensors()) {
                whole = readComplete(**checkpoint, tensor, 1U << 20U).has_value() && whole;
            }
        }
        return whole;
    };
    EXPECT_TRUE(touch(good));
    for (std::size_t i = 0; i < good.size(); ++i) {
        EXPECT_FALSE(touch(good.substr(0, i))) << "cut at " << i;
        for (const char flip : {'\x01', '\x02', '\x80'}) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(bytes[i] ^ flip);
            touch(bytes);
        }
    }
}

} // namespace
} // namespace cairn::test::safetensors
