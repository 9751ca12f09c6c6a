// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cairn::test {
namespace {

TEST(ZipWrite, AlignsEveryMember) {
    const std::vector<std::string> contents = {"pickle", std::string(1000, 'a'), "", "end"};
    const std::vector<ZipMember> members = {{"archive/data.pkl", 6, {}},
                                            {"archive/data/0", 1000, {}},
                                            {"archive/data/1", 0, {}},
                                            {"archive/version", 3, {}}};
    for (const std::uint64_t alignment : {1U, 64U, 4096U, 32768U}) {
        auto layout = layOutStoredZip(members, alignment);
        ASSERT_TRUE(layout);
        const Bytes bytes = fillLayout(*layout, contents);
        ASSERT_EQ(bytes.size(), layout->size);
        auto archive = openZip(makeMemorySource(bytes, "w.pt"));
        ASSERT_TRUE(archive) << describe(archive.error());
        for (std::size_t i = 0; i < members.size(); ++i) {
            const ZipEntry& entry = archive->entries()[i];
            EXPECT_EQ(layout->members[i].dataOffset % alignment, 0U);
            auto range = archive->dataRange(entry);
            ASSERT_TRUE(range) << describe(range.error());
            EXPECT_EQ(range->offset, layout->members[i].dataOffset);
            EXPECT_EQ(content(*archive, members[i].name), contents[i]);
            EXPECT_TRUE(archive->verifyEntry(entry, {}).value_or(false));
        }
    }
}

TEST(ZipWrite, RefusesNamesAndAlignmentsThatDoNotFit) {
    EXPECT_EQ(layOutStoredZip({}, 3).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(layOutStoredZip({}, 65536).error().code, ErrorCode::InvalidArgument);
    for (const std::string& name :
         {std::string(), std::string(70'000, 'n'), std::string("\xff"), std::string("a\0b", 3)}) {
        const std::vector<ZipMember> members = {{name, 1, {}}};
        EXPECT_EQ(layOutStoredZip(members, 64).error().code, ErrorCode::NameNotRepresentable);
    }
    const std::vector<ZipMember> twice = {{"a", 1, {}}, {"a", 1, {}}};
    EXPECT_EQ(layOutStoredZip(twice, 64).error().code, ErrorCode::NameNotRepresentable);
    const std::vector<ZipMember> huge = {{"a", ~std::uint64_t{0}, {}}};
    EXPECT_EQ(layOutStoredZip(huge, 64).error().code, ErrorCode::InvalidArgument);
}

/// A sparse file: everything between the headers is zeros.
TEST(ZipWrite, LaysOutMembersBeyondFourGigabytes) {
    const std::uint64_t large = (std::uint64_t{5} << 30U) + 3;
    const std::vector<ZipMember> members = {{"a/big", large, 0U}, {"a/after", 4, crcOf("tail")}};
    auto layout = layOutStoredZip(members, 64);
    ASSERT_TRUE(layout);
    const TemporaryFolder scratch;
    const auto path = scratch / "large.zip";
    {
        std::ofstream file(path, std::ios::binary);
        const auto write = [&](std::uint64_t offset, std::span<const std::byte> bytes) {
            file.seekp(static_cast<std::streamoff>(offset));
            file.write(asText(bytes).data(), static_cast<std::streamsize>(bytes.size()));
        };
        write(0, layout->members[0].header);
        write(layout->members[1].headerOffset, layout->members[1].header);
        write(layout->members[1].dataOffset, asBytes("tail"));
        write(layout->directoryOffset, layout->directory);
    }
    auto folder = Folder::open(path.parent_path());
    ASSERT_TRUE(folder);
    auto source = (*folder)->openFile(path.filename().string());
    ASSERT_TRUE(source);
    auto archive = openZip(*source);
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_EQ(archive->find("a/big")->size, large);
    EXPECT_TRUE(archive->dataRange(*archive->find("a/big")));
    EXPECT_EQ(content(*archive, "a/after"), "tail");
    const std::string check = "python3 -c \"import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); "
                              "assert z.read('a/after')==b'tail'; "
                              "assert z.getinfo('a/big').file_size==5*2**30+3\" " +
                              path.string();
    if (std::system("python3 -c 'import zipfile' 2>/dev/null") == 0) {
        EXPECT_EQ(std::system(check.c_str()), 0);
    }
}

} // namespace
} // namespace cairn::test
