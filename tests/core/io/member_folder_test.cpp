// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/member_folder.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

FolderPtr folderOf(std::vector<FolderMember> members) {
    const auto bytes = asBytes("0123456789abcdef");
    return makeMemberFolder(makeMemorySource({bytes.begin(), bytes.end()}, "x.tar"), members,
                            "/data/x.tar");
}

FolderPtr sample() {
    return folderOf({{"./plain", {0, 4}},
                     {"a/b/deep", {4, 2}},
                     {"a-1", {6, 1}},
                     {"a/c10", {7, 1}},
                     {"a//./c9", {8, 3}},
                     {"plain", {10, 3}},
                     {"../out", {0, 1}},
                     {"a/../out", {0, 1}},
                     {".", {0, 1}}});
}

std::string textOf(const Folder& folder, std::string_view name) {
    const auto source = folder.openFile(name);
    if (!source) {
        return "";
    }
    const auto bytes = readRange(**source, {0, (*source)->size()}).value();
    return std::string(asText(bytes));
}

TEST(MemberFolder, OpensWindowsOfTheWhole) {
    const FolderPtr folder = sample();
    EXPECT_EQ(textOf(*folder, "plain"), "abc"); // the later of the two
    EXPECT_EQ(textOf(*folder, "a/b/deep"), "45");
    EXPECT_EQ(textOf(*folder, "./a//b/./deep"), "45");
    EXPECT_EQ(textOf(*folder->openFolder("a").value(), "c9"), "89a");
    EXPECT_EQ(textOf(*folder->openFolder("a/b").value(), "deep"), "45");
    const auto source = folder->openFile("a/c9").value();
    std::vector<std::byte> four(4);
    EXPECT_EQ(source->readAt(0, four).error().code, ErrorCode::Truncated);
    EXPECT_EQ(source->name(), "/data/x.tar/a/c9");
    EXPECT_EQ(source->identity().size, 3U);
    EXPECT_NE(source->identity(),
              folder->openFile("plain").value()->identity()); // although the size is the same
    EXPECT_EQ(source->descriptor(), -1);
}

TEST(MemberFolder, ListsOneLevelInNaturalOrder) {
    const auto entries = sample()->list().value();
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].name, "a");
    EXPECT_EQ(entries[0].kind, EntryKind::Folder);
    EXPECT_EQ(entries[1].name, "a-1");
    EXPECT_EQ(entries[2].name, "plain");
    EXPECT_EQ(entries[2].identity.size, 3U);
    const auto inner = sample()->openFolder("a").value()->list().value();
    ASSERT_EQ(inner.size(), 3U);
    EXPECT_EQ(inner[0].name, "b");
    EXPECT_EQ(inner[1].name, "c9");
    EXPECT_EQ(inner[2].name, "c10");
    EXPECT_EQ(sample()->list(2).error().code, ErrorCode::LimitExceeded);
}

TEST(MemberFolder, NothingIsOutsideOfIt) {
    const FolderPtr folder = sample()->openFolder("a").value();
    for (const std::string_view name : {"../plain", "b/../../plain", "/etc/passwd", "..", "/"}) {
        EXPECT_EQ(folder->openFile(name).error().code, ErrorCode::OutsideFolder) << name;
        EXPECT_EQ(folder->openFolder(name).error().code, ErrorCode::OutsideFolder) << name;
    }
    for (const std::string_view name : {"", ".", "b", "out", "plain", "b/deep/x"}) {
        EXPECT_EQ(folder->openFile(name).error().code, ErrorCode::NotFound) << name;
    }
    EXPECT_EQ(folder->openFolder("c9").error().code, ErrorCode::NotFound);
    EXPECT_EQ(sample()->openFile("out").error().code, ErrorCode::NotFound);
}

TEST(MemberFolder, TellsWhereAFileLies) {
    const FolderPtr folder = sample()->openFolder("a").value();
    const auto* members = dynamic_cast<const MemberFolder*>(folder.get());
    ASSERT_NE(members, nullptr);
    EXPECT_EQ(members->placeOf("c9"), (ByteRange{8, 3}));
    EXPECT_EQ(members->placeOf("../plain"), std::nullopt);
    EXPECT_EQ(members->placeOf("b"), std::nullopt);
    EXPECT_EQ(dynamic_cast<const MemberFolder*>(Folder::open("/").value().get()), nullptr);
}

} // namespace
} // namespace cairn
