// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/layout.h"
#include "core/formats/safetensors/shard_folder.h"
#include "tests/core/formats/format_fixture.h"

#include <chrono>

namespace cairn::formats::safetensors {
extern const FormatInfo kFormat;
}

namespace cairn::test {
namespace {

using formats::safetensors::kFormat;
const std::filesystem::path kData = CAIRN_SOURCE_DIR "/tests/data/safetensors";

CheckpointPtr opened(const std::filesystem::path& path) {
    auto checkpoint = openAs(kFormat, path);
    EXPECT_TRUE(checkpoint) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

Match probeBytes(std::string_view name, std::string_view bytes) {
    Candidate candidate;
    candidate.path = name;
    candidate.size = bytes.size();
    candidate.head = asBytes(bytes.substr(0, 4096));
    return kFormat.probe(candidate);
}

TEST(SafetensorsReader, ReadsWhatTheReferenceWrote) {
    auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    ASSERT_TRUE(expected);
    for (const JsonMember& file : expected->members()) {
        SCOPED_TRACE(file.key);
        const CheckpointPtr checkpoint = opened(kData / file.key);
        ASSERT_TRUE(checkpoint);
        EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
        expectTensors(*checkpoint, file.value);
    }
}

TEST(SafetensorsReader, ShowsMetadataAndTiedWeights) {
    const CheckpointPtr checkpoint = opened(kData / "tied.safetensors");
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->framework(), "torch");
    const TensorEntry& head = checkpoint->tensor(*checkpoint->find("head.weight"));
    ASSERT_TRUE(head.aliasOf);
    EXPECT_EQ(checkpoint->tensor(*head.aliasOf).name, "embed.weight");
    EXPECT_EQ(totals(*checkpoint).bytes, 48U);
    auto values = checkpoint->values();
    ASSERT_TRUE(values);
    EXPECT_EQ(*values->findPath({"__metadata__", "format"})->asString(), "pt");
    const CheckpointPtr dtypes = opened(kData / "dtypes.safetensors");
    EXPECT_NE(dtypes->values()->find("scalar")->asTensor(), nullptr);
}

TEST(SafetensorsReader, JoinsThePartsOfAllRanks) {
    const CheckpointPtr checkpoint = opened(kData / "per_rank");
    ASSERT_TRUE(checkpoint);
    const TensorEntry& rows = checkpoint->tensor(*checkpoint->find("rows.weight"));
    EXPECT_EQ(rows.shape, (Shape{5, 4}));
    ASSERT_EQ(rows.pieces.size(), 2U);
    EXPECT_EQ(rows.pieces[1].box.origin, (Dims{3, 0}));
    EXPECT_EQ(checkpoint->files().size(), 2U);
}

TEST(SafetensorsReader, RecognisesItsFiles) {
    const std::string good = safetensorsFile("{}", 0);
    EXPECT_EQ(probeBytes("x.safetensors", good), Match::Yes);
    EXPECT_EQ(probeBytes("no_extension", good), Match::Yes);
    EXPECT_EQ(probeBytes("x.safetensors", safetensorsFile(" {}", 0)), Match::Yes);
    EXPECT_EQ(probeBytes("x.bin", safetensorsFile(" {}", 0)), Match::No);
    EXPECT_EQ(probeBytes("x.safetensors", "PK\3\4aaaaaaaaaa"), Match::Maybe);
    EXPECT_EQ(probeBytes("x.pt", "PK\3\4aaaaaaaaaa"), Match::No);
    EXPECT_EQ(probeBytes("x.safetensors", "short"), Match::Maybe);
    EXPECT_EQ(probeBytes("x", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{", 9)), Match::No);
}

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
        {"metadata is null", R"({"__metadata__":null})", 0, ErrorCode::SafetensorsBadMetadata},
        {"metadata of numbers", R"({"__metadata__":{"step":3}})", 0,
         ErrorCode::SafetensorsBadMetadata},
        {"metadata of objects", R"({"__metadata__":{"a":{"b":"c"}}})", 0,
         ErrorCode::SafetensorsBadMetadata},
    };
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
            const bool bad = notice.severity == Severity::Error;
            EXPECT_TRUE(!bad || (*checkpoint)->completeness() == Completeness::Incomplete);
        }
        for (const TensorEntry& tensor : (*checkpoint)->tensors()) {
            (void)readWhole(**checkpoint, tensor, 1U << 20U); // an answer, never a crash
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
    auto good = readWhole(*checkpoint, checkpoint->tensor(*checkpoint->find("good")), 100);
    ASSERT_TRUE(good);
    EXPECT_EQ((*good)[0], std::byte{12});
    auto bad = readWhole(*checkpoint, checkpoint->tensor(*checkpoint->find("bad")), 100);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::CoverageHole);
    const TensorEntry& odd = checkpoint->tensor(*checkpoint->find("odd"));
    EXPECT_EQ(odd.dtype, Dtype::Opaque);
    EXPECT_EQ(odd.shape, (Shape{4}));
    EXPECT_TRUE(readWhole(*checkpoint, odd, 100));
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
    const auto touch = [&](const std::string& bytes) {
        auto checkpoint = openAs(kFormat, folder.write("x.safetensors", bytes));
        if (checkpoint) {
            for (const TensorEntry& tensor : (*checkpoint)->tensors()) {
                (void)readWhole(**checkpoint, tensor, 1U << 20U);
            }
        }
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
        touch(good.substr(0, i));
        for (const char flip : {'\x01', '\x02', '\x80'}) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(bytes[i] ^ flip);
            touch(bytes);
        }
    }
}

TEST(SafetensorsReader, OpensManyTensorsQuickly) {
    std::string header = "{";
    for (int i = 0; i < 200'000; ++i) {
        const std::string begin = std::to_string(i * 8);
        header += (i == 0 ? "\"" : ",\"") + std::string("layers.") + std::to_string(i) +
                  R"(.weight":{"dtype":"F32","shape":[2],"data_offsets":[)" + begin + "," +
                  std::to_string(i * 8 + 8) + "]}";
    }
    const TemporaryFolder folder;
    const auto path = folder.write("x.safetensors", safetensorsFile(header + "}", 8 * 200'000));
    const auto start = std::chrono::steady_clock::now();
    const CheckpointPtr checkpoint = opened(path);
    const auto spent = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(checkpoint->tensors().size(), 200'000U);
    EXPECT_LT(spent, std::chrono::seconds(5));
    RecordProperty(
        "milliseconds",
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(spent).count()));
}

/// Folders of shards without an index.
class SafetensorsFolder : public ::testing::Test {
protected:
    static std::string part(std::string_view name, std::string_view shape, std::size_t bytes,
                            std::string_view offsets) {
        std::string info;
        if (!offsets.empty()) {
            info = R"("__metadata__":{"DCP_SHARDING_INFO":"{\")" + std::string(name) +
                   R"(\":{\"saved_offsets\":)" + std::string(offsets) + R"(}}"},)";
        }
        return safetensorsFile("{" + info + "\"" + std::string(name) +
                                   R"(":{"dtype":"U8","shape":)" + std::string(shape) +
                                   R"(,"data_offsets":[0,)" + std::to_string(bytes) + "]}}",
                               bytes);
    }
    void writeRank(int rank, const std::string& content) const {
        m_folder.write("shard-0000" + std::to_string(rank) + "-model-00001-of-00001.safetensors",
                       content);
    }
    TemporaryFolder m_folder;
};

TEST_F(SafetensorsFolder, ReportsAMissingRankAsAHole) {
    writeRank(1, part("w", "[2,2]", 4, "[0,0]"));
    writeRank(3, part("w", "[2,2]", 4, "[4,0]"));
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->tensors()[0].shape, (Shape{6, 2}));
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::CoverageHole));
}

TEST_F(SafetensorsFolder, KeepsOneOfReplicatedParts) {
    writeRank(1, part("w", "[2,2]", 4, "[0,0]"));
    writeRank(2, part("w", "[2,2]", 4, "[0,0]"));
    writeRank(3, part("w", "[1,2]", 2, "[2,0]"));
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->tensors()[0].pieces.size(), 2U);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
}

TEST_F(SafetensorsFolder, NotesPartsThatContradict) {
    struct Case {
        std::string name;
        std::string content;
        ErrorCode code;
    };
    const std::vector<Case> cases = {
        {"other rank", part("w", "[4]", 4, "[4]"), ErrorCode::BadIndex},
        {"offset of another rank", part("w", "[2,2]", 4, "[4]"), ErrorCode::BadIndex},
        {"offset overflows", part("w", "[2,2]", 4, "[9223372036854775807,0]"), ErrorCode::BadIndex},
        {"negative offset", part("w", "[2,2]", 4, "[-1,0]"), ErrorCode::SafetensorsBadOffsets},
        {"offset is text", part("w", "[2,2]", 4, R"([\"a\",0])"), ErrorCode::SafetensorsBadOffsets},
        {"offsets are no list", part("w", "[2,2]", 4, "7"), ErrorCode::SafetensorsBadOffsets},
        {"no place at all", part("w", "[2,2]", 4, ""), ErrorCode::DuplicateTensor},
        {"information is no JSON", part("w", "[2,2]", 4, "[0"), ErrorCode::JsonSyntax},
        {"unreadable", "short", ErrorCode::Truncated},
        {"far away", part("w", "[2,2]", 4, "[4000000000000000000,0]"), ErrorCode::CoverageHole},
    };
    for (const Case& item : cases) {
        SCOPED_TRACE(item.name);
        writeRank(1, part("w", "[2,2]", 4, "[0,0]"));
        writeRank(2, item.content);
        const CheckpointPtr checkpoint = opened(m_folder.path());
        ASSERT_TRUE(checkpoint);
        EXPECT_TRUE(hasNotice(*checkpoint, item.code)) << noticesText(*checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    }
}

TEST_F(SafetensorsFolder, FindsMissingStaleAndStrayShards) {
    m_folder.write("model-00001-of-00003.safetensors", part("a", "[2]", 2, ""));
    m_folder.write("model-00003-of-00003.safetensors", part("c", "[2]", 2, ""));
    m_folder.write("model-00001-of-00005.safetensors", part("old", "[2]", 2, ""));
    m_folder.write("other.safetensors", part("x", "[2]", 2, ""));
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::MissingShard));
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::StaleShard));
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::StrayFile));
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
}

TEST_F(SafetensorsFolder, TakesTheWholeOfTwoSets) {
    m_folder.write("model-00001-of-00002.safetensors", part("a", "[2]", 2, ""));
    m_folder.write("model-00002-of-00002.safetensors", part("b", "[2]", 2, ""));
    m_folder.write("model-00001-of-00003.safetensors", part("old", "[2]", 2, ""));
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(checkpoint->find("a"));
    EXPECT_TRUE(checkpoint->find("b"));
    EXPECT_FALSE(checkpoint->find("old"));
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
}

TEST_F(SafetensorsFolder, FailsWhenNothingCanBeRead) {
    writeRank(1, "short");
    auto checkpoint = openAs(kFormat, m_folder.path());
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::Truncated);
}

/// The layout: what it writes is what the reader reads.
std::vector<LayoutTensor> everyTensor(const Checkpoint& source) {
    std::vector<LayoutTensor> tensors;
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
        const TensorEntry& entry = source.tensors()[i];
        LayoutTensor tensor{TensorIndex(i), entry.name, entry.dtype, entry.shape, std::nullopt};
        if (entry.aliasOf) {
            tensor.aliasOf = entry.aliasOf->position();
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

TEST(SafetensorsLayout, WritesWhatTheReaderReads) {
    auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    for (const JsonMember& item : expected->members()) {
        SCOPED_TRACE(item.key);
        const CheckpointPtr source = opened(kData / item.key);
        const auto tensors = everyTensor(*source);
        LayoutRequest request;
        request.tensors = tensors;
        auto layout = formats::safetensors::layOut(request);
        ASSERT_TRUE(layout) << describe(layout.error());
        ASSERT_EQ(layout->files.size(), 1U);
        EXPECT_EQ(layout->files[0].name, "model.safetensors");
        EXPECT_FALSE(layout->folder);
        const TemporaryFolder folder;
        const CheckpointPtr copy =
            opened(folder.write("model.safetensors", fillFile(*source, layout->files[0])));
        ASSERT_TRUE(copy);
        EXPECT_TRUE(copy->notices().empty()) << noticesText(*copy);
        expectTensors(*copy, item.value);
        for (const TensorSegment& segment : layout->files[0].tensors) {
            const std::uint32_t bits = dtypeInfo(segment.dtype).bits;
            EXPECT_EQ(segment.offset % std::max(1U, bits / 8), 0U) << segment.name;
        }
        if (!layout->files[0].tensors.empty()) {
            EXPECT_EQ(layout->files[0].tensors[0].offset % 4096, 0U);
        }
    }
}

TEST(SafetensorsLayout, SplitsIntoShardsWithAnIndex) {
    const CheckpointPtr source = opened(kData / "dtypes.safetensors");
    const auto tensors = everyTensor(*source);
    LayoutRequest request;
    request.tensors = tensors;
    request.maxShardBytes = 64;
    auto layout = formats::safetensors::layOut(request);
    ASSERT_TRUE(layout) << describe(layout.error());
    EXPECT_TRUE(layout->folder);
    ASSERT_GT(layout->files.size(), 3U);
    EXPECT_EQ(layout->files.back().name, "model.safetensors.index.json");
    const TemporaryFolder folder;
    for (const OutputFile& file : layout->files) {
        folder.write(file.name, fillFile(*source, file));
        std::uint64_t bytes = 0;
        for (const TensorSegment& segment : file.tensors) {
            bytes += segment.length;
        }
        EXPECT_LE(bytes, 64U);
    }
    auto index = parseJson(readText(folder / "model.safetensors.index.json"), "index");
    ASSERT_TRUE(index) << describe(index.error());
    EXPECT_EQ(index->find("weight_map")->asObject()->size(), tensors.size());
    EXPECT_EQ(index->find("metadata")->find("total_size")->asUnsigned().value_or(0),
              totals(*source).bytes);
    auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    const CheckpointPtr copy = opened(folder.path());
    expectTensors(*copy, *expected->find("dtypes.safetensors"));
}

TEST(SafetensorsLayout, PacksTorchsPairsOfFourBits) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "q", Dtype::Float4E2m1fnX2, Shape{2, 4}, std::nullopt}};
    LayoutRequest request;
    request.tensors = tensors;
    auto layout = formats::safetensors::layOut(request);
    ASSERT_TRUE(layout);
    const std::string text(asText(layout->files[0].literals[0].bytes).substr(8));
    EXPECT_NE(text.find(R"("dtype":"F4","shape":[2,8],"data_offsets":[0,8])"), std::string::npos)
        << text;
}

TEST(SafetensorsLayout, NamesWhatItCannotHold) {
    const auto layOutOne = [](std::string name, Dtype dtype, Shape shape) {
        const std::vector<LayoutTensor> tensors = {
            {TensorIndex(0), std::move(name), dtype, std::move(shape), std::nullopt}};
        LayoutRequest request;
        request.tensors = tensors;
        return formats::safetensors::layOut(request);
    };
    for (const Dtype dtype : {Dtype::Complex128, Dtype::Complex32, Dtype::Qint8, Dtype::Quint4x2,
                              Dtype::Bits8, Dtype::String, Dtype::Opaque}) {
        auto layout = layOutOne("w", dtype, Shape{4});
        ASSERT_FALSE(layout);
        EXPECT_EQ(layout.error().code, ErrorCode::DtypeNotRepresentable);
        EXPECT_EQ(layout.error().where.tensor, "w");
    }
    EXPECT_EQ(layOutOne("w", Dtype::Float4, Shape{3}).error().code,
              ErrorCode::DtypeNotRepresentable);
    EXPECT_EQ(layOutOne("__metadata__", Dtype::Uint8, Shape{3}).error().code,
              ErrorCode::NameNotRepresentable);
    EXPECT_EQ(layOutOne("\xff", Dtype::Uint8, Shape{3}).error().code,
              ErrorCode::NameNotRepresentable);
    EXPECT_EQ(layOutOne("w", Dtype::Uint8, Shape{std::int64_t{1} << 62, 4}).error().code,
              ErrorCode::DtypeNotRepresentable);
}

} // namespace
} // namespace cairn::test
