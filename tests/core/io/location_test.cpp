// SPDX-License-Identifier: Apache-2.0
#include "core/io/location.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace cairn {
namespace {

namespace fs = std::filesystem;

class LocationTest : public testing::Test {
protected:
    void SetUp() override {
        m_base = fs::path(testing::TempDir()) / ("cairn_location_" + std::to_string(::getpid()));
        fs::create_directories(m_base / "run/sub");
        std::ofstream(m_base / "run/a b.pt") << "content";
        fs::create_symlink("run/a b.pt", m_base / "link");
        m_before = fs::current_path();
        fs::current_path(m_base);
    }
    void TearDown() override {
        fs::current_path(m_before);
        fs::remove_all(m_base);
    }
    static ErrorCode errorOf(const Location& location) {
        const auto opened = location.open();
        EXPECT_FALSE(opened.has_value()) << location.path();
        return opened ? ErrorCode::Internal : opened.error().code;
    }
    fs::path m_base;
    fs::path m_before;
};

TEST_F(LocationTest, AFileIsAFolderAndANameInIt) {
    const auto opened = Location("run/a b.pt").open().value();
    EXPECT_FALSE(opened.isFolder());
    EXPECT_EQ(opened.name, "a b.pt");
    EXPECT_EQ(opened.folder->openFile(opened.name).value()->size(), 7U);
}

TEST_F(LocationTest, AFolderIsItself) {
    for (const char* named : {"run", "run/", "./run/.", "."}) {
        const auto opened = Location(named).open().value();
        EXPECT_TRUE(opened.isFolder()) << named;
        EXPECT_EQ(opened.folder->path(), named);
    }
}

TEST_F(LocationTest, AFolderIsListedWhenItIsOpened) {
    const auto run = Location("run").list().value();
    ASSERT_EQ(run.entries.size(), 2U);
    EXPECT_TRUE(run.place.isFolder());
    EXPECT_EQ(run.entries.front().name, "a b.pt");
    const auto file = Location("run/a b.pt").list().value();
    EXPECT_EQ(file.place.name, "a b.pt");
    EXPECT_TRUE(file.entries.empty());
    EXPECT_EQ(Location("missing").list().error().code, ErrorCode::NotFound);
}

TEST_F(LocationTest, LinksInANamedPathAreFollowed) {
    const Location link("link");
    const auto opened = link.open().value();
    EXPECT_EQ(opened.name, "a b.pt");
    EXPECT_EQ(opened.folder->path().filename(), "run");
    EXPECT_EQ(link.path(), "link");
    EXPECT_TRUE(
        link.openParent().value()->hasFile("run/a b.pt")); // the link's folder, not its target's
}

TEST_F(LocationTest, FileUrlsAreDecoded) {
    const std::string base = m_base.string();
    EXPECT_EQ(Location("file://" + base + "/run/a%20b.pt").path(), base + "/run/a b.pt");
    EXPECT_EQ(Location("file://localhost" + base + "/run").path(), base + "/run");
    EXPECT_EQ(Location("file:///100%25").path(), "/100%");
    EXPECT_EQ(Location("file:///100%").path(), "/100%");
    EXPECT_EQ(Location("file:///%zz").path(), "/%zz");
    EXPECT_EQ(errorOf("file://host/x"), ErrorCode::Unsupported);
    EXPECT_EQ(Location("run/a%20b").path(), "run/a%20b"); // a path is not a URL
}

TEST_F(LocationTest, RemoteLocationsAreUnsupported) {
    for (const char* named :
         {"ssh://host/run", "host:/run", "user@host:~/run", "https://host/x.safetensors",
          "hf://owner/name", "s3://bucket/prefix"}) {
        EXPECT_EQ(errorOf(named), ErrorCode::Unsupported) << named;
    }
    for (const char* named : {"missing", "missing/x:/y", "C:/run", "step:100", ""}) {
        EXPECT_EQ(errorOf(named), ErrorCode::NotFound) << named;
    }
}

TEST_F(LocationTest, AFileThatIsThereIsNotRemote) {
    fs::create_directories("host:");
    std::ofstream("host:/x") << "y";
    EXPECT_EQ(Location("host:/x").open().value().name, "x");
}

TEST_F(LocationTest, ADeviceIsRefusedWithoutBlocking) {
    ASSERT_EQ(::mkfifo("pipe", 0600), 0);
    EXPECT_EQ(errorOf("pipe"), ErrorCode::NotRegularFile);
    EXPECT_EQ(errorOf("run/a b.pt/x"), ErrorCode::NotFound);
}

TEST_F(LocationTest, ExistsUnlessNothingIsThere) {
    EXPECT_TRUE(Location("run").exists());
    EXPECT_FALSE(Location("run/x").exists());
    EXPECT_TRUE(Location(std::string(300, 'x')).exists()); // the system cannot check it
}

} // namespace
} // namespace cairn
