// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/safetensors_fixture.h"

namespace cairn::test::safetensors {
namespace {

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

TEST_F(SafetensorsFolder, ReadsTheNewestSaveOfRanks) {
    const auto write = [&](const std::string& name, const std::string& content, int age) {
        m_folder.write(name, content);
        std::filesystem::last_write_time(m_folder.path() / name,
                                         std::filesystem::file_time_type::clock::now() -
                                             std::chrono::seconds(age));
    };
    write("shard-00001-model-00001-of-00002.safetensors", part("a", "[2,2]", 4, "[0,0]"), 100);
    write("shard-00001-model-00002-of-00002.safetensors", part("old", "[2,2]", 4, "[0,0]"), 100);
    for (const char* rank : {"1", "2"}) {
        const std::string start = std::string("shard-0000") + rank + "-model-0000";
        const char* offsets = *rank == '1' ? "[0,0]" : "[1,0]";
        write(start + "1-of-00003.safetensors", part("a", "[1,2]", 2, offsets), 1);
        write(start + "2-of-00003.safetensors", part("b", "[1,2]", 2, offsets), 1);
        write(start + "3-of-00003.safetensors", part("c", "[1,2]", 2, offsets), 1);
    }
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_FALSE(checkpoint->find("old"));
    ASSERT_TRUE(checkpoint->find("a"));
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("a")).pieces.size(), 2U);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::StaleShard));
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);

    // A lost part would make the tensor shorter.
    std::filesystem::remove(m_folder.path() / "shard-00002-model-00003-of-00003.safetensors");
    const CheckpointPtr lost = opened(m_folder.path());
    ASSERT_TRUE(lost);
    EXPECT_TRUE(hasNotice(*lost, ErrorCode::ShardsNotJoined));
    EXPECT_EQ(lost->completeness(), Completeness::Incomplete);
    std::filesystem::remove(m_folder.path() /
                            "shard-00001-model-00003-of-00003.safetensors"); // the whole file
    const CheckpointPtr without = opened(m_folder.path());
    ASSERT_TRUE(without);
    EXPECT_TRUE(hasNotice(*without, ErrorCode::MissingShard));
}

TEST_F(SafetensorsFolder, DoesNotMixTwoSavesOfOneAge) {
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const char* name : {"shard-00001-model-00001-of-00001.safetensors",
                             "shard-00001-model-00001-of-00002.safetensors",
                             "shard-00001-model-00002-of-00002.safetensors"}) {
        m_folder.write(name, part("a", "[2,2]", 4, "[0,0]"));
        std::filesystem::last_write_time(m_folder.path() / name, now);
    }
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
}

TEST_F(SafetensorsFolder, FailsWhenNothingCanBeRead) {
    writeRank(1, "short");
    auto checkpoint = openAs(kFormat, m_folder.path());
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::Truncated);
}

TEST_F(SafetensorsFolder, MayCountFromZero) {
    m_folder.write("w-00000-of-00002.safetensors", part("a", "[2]", 2, ""));
    m_folder.write("w-00001-of-00002.safetensors", part("b", "[2]", 2, ""));
    const CheckpointPtr checkpoint = opened(m_folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 2U);
    m_folder.write("w-00002-of-00002.safetensors", part("c", "[2]", 2, ""));
    const CheckpointPtr beyond = opened(m_folder.path());
    ASSERT_TRUE(beyond);
    EXPECT_EQ(beyond->tensors().size(), 2U);
    EXPECT_TRUE(hasNotice(*beyond, ErrorCode::StrayFile));
}

} // namespace
} // namespace cairn::test::safetensors
