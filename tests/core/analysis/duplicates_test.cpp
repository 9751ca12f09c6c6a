// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/duplicates.h"
#include "core/formats/format.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

using test::safetensorsFile;
using test::safetensorsHeader;
using test::SafetensorsTensor;
using test::TemporaryFolder;

std::string filled(std::size_t count, char value) {
    return std::string(count, value);
}

SafetensorsTensor bytes(const std::string& name, std::size_t count) {
    return {name, "U8", {static_cast<std::int64_t>(count)}, count};
}

std::string fileOf(const std::vector<SafetensorsTensor>& tensors, const std::string& data) {
    return safetensorsFile(safetensorsHeader(tensors), data);
}

class DuplicatesTest : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& content) {
        add(m_folder.write(name, content));
    }
    void add(const std::filesystem::path& path) {
        m_input.files.push_back(path);
        m_input.checkpoints.push_back(path);
    }
    Duplicates find(const DuplicateOptions& options = {}) {
        m_input.open = [](const std::filesystem::path& path) { return openCheckpoint(path); };
        const auto found = findDuplicates(m_input, options);
        EXPECT_TRUE(found);
        return found ? *found : Duplicates();
    }
    TemporaryFolder m_folder;
    DuplicateInput m_input;
};

TEST_F(DuplicatesTest, TensorsUnderOtherNames) {
    write("a.safetensors", fileOf({bytes("x", 8), bytes("y", 8)}, filled(8, 1) + filled(8, 2)));
    write("b.safetensors", fileOf({bytes("other", 8), bytes("z", 9)}, filled(8, 2) + filled(9, 1)));
    const Duplicates found = find();
    ASSERT_EQ(found.groups.size(), 1U);
    EXPECT_FALSE(found.groups[0].isFile);
    EXPECT_EQ(found.groups[0].bytes, 8U);
    ASSERT_EQ(found.groups[0].places.size(), 2U);
    EXPECT_EQ(found.groups[0].places[0].tensor, "y");
    EXPECT_EQ(found.groups[0].places[1].tensor, "other");
    EXPECT_EQ(found.reclaimable, 8U);
    Sha256 sha;
    const std::string content = filled(8, 2);
    sha.add(std::as_bytes(std::span(content)));
    EXPECT_EQ(hexText(found.groups[0].sha256), hexText(sha.finish()));
}

TEST_F(DuplicatesTest, CopiedFilesAreOneGroup) {
    const std::string content = fileOf({bytes("x", 8)}, filled(8, 1));
    write("a.safetensors", content);
    write("b.safetensors", content);
    write("c.safetensors", fileOf({bytes("renamed", 8)}, filled(8, 1)));
    const Duplicates found = find();
    ASSERT_EQ(found.groups.size(), 2U);
    const auto& file = found.groups[0].isFile ? found.groups[0] : found.groups[1];
    const auto& tensor = found.groups[0].isFile ? found.groups[1] : found.groups[0];
    EXPECT_TRUE(file.isFile);
    EXPECT_EQ(file.reclaimable, content.size());
    EXPECT_EQ(tensor.places.size(), 3U);
    EXPECT_EQ(tensor.reclaimable, 8U); // the copy in b is reclaimed with its file
    EXPECT_EQ(found.reclaimable, content.size() + 8);
}

TEST_F(DuplicatesTest, HardLinksAreOneFile) {
    write("a.safetensors", fileOf({bytes("x", 8)}, filled(8, 1)));
    std::filesystem::create_hard_link(m_folder / "a.safetensors", m_folder / "b.safetensors");
    add(m_folder / "b.safetensors");
    const Duplicates found = find();
    EXPECT_TRUE(found.groups.empty());
    EXPECT_EQ(found.reclaimable, 0U);
}

TEST_F(DuplicatesTest, ZerosAreNotReclaimable) {
    write("a.safetensors", fileOf({bytes("m", 8), bytes("v", 8)}, filled(16, 0)));
    const Duplicates found = find();
    ASSERT_EQ(found.groups.size(), 1U);
    EXPECT_TRUE(found.groups[0].zeros);
    EXPECT_EQ(found.reclaimable, 0U);
}

TEST_F(DuplicatesTest, LargeTensorsThatDifferOutsideTheSample) {
    constexpr std::size_t kSize = std::size_t{1} << 20U;
    std::string data = filled(kSize, 1);
    write("a.safetensors", fileOf({bytes("x", kSize)}, data));
    data[kSize / 4] = 2;
    write("b.safetensors", fileOf({bytes("y", kSize)}, data));
    EXPECT_TRUE(find().groups.empty());
    write("c.safetensors", fileOf({bytes("zz", kSize)}, data));
    const Duplicates found = find();
    ASSERT_EQ(found.groups.size(), 1U);
    EXPECT_EQ(found.groups[0].places[0].tensor, "y");
    EXPECT_EQ(found.reclaimable, kSize);
}

TEST_F(DuplicatesTest, SmallestAndShapesAndDamage) {
    write("a.safetensors", fileOf({{"x", "U8", {2, 4}, 8}}, filled(8, 1)));
    write("b.safetensors", fileOf({{"x", "U8", {4, 2}, 8}}, filled(8, 1)));
    write("c.safetensors", "not a checkpoint");
    Duplicates found = find();
    EXPECT_TRUE(found.groups.empty());
    EXPECT_EQ(found.notices.size(), 1U);
    write("d.safetensors", fileOf({{"longer", "U8", {4, 2}, 8}}, filled(8, 1)));
    EXPECT_EQ(find().groups.size(), 1U);
    DuplicateOptions options;
    options.smallest = 9;
    EXPECT_TRUE(find(options).groups.empty());
}

TEST_F(DuplicatesTest, Cancelled) {
    write("a.safetensors", fileOf({bytes("x", 8)}, filled(8, 1)));
    DuplicateOptions options;
    options.cancel.cancel();
    m_input.open = [](const std::filesystem::path& path) { return openCheckpoint(path); };
    const auto found = findDuplicates(m_input, options);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn
