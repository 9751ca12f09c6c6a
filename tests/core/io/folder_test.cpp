// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/io/folder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

class FolderTest : public testing::Test {
protected:
    void SetUp() override {
        write("secret", "secret");
        write("inside/plain", "hello");
        write("inside/sub/deep", "deep");
    }
    void write(const fs::path& name, std::string_view text) const { m_scratch.write(name, text); }
    [[nodiscard]] FolderPtr folder() const { return Folder::open(m_base / "inside").value(); }
    [[nodiscard]] ErrorCode errorOf(std::string_view name) const {
        const auto opened = folder()->openFile(name);
        EXPECT_FALSE(opened.has_value()) << name;
        return opened ? ErrorCode::Internal : opened.error().code;
    }
    test::TemporaryFolder m_scratch;
    const fs::path& m_base = m_scratch.path();
};

TEST_F(FolderTest, ReadsFilesBeneath) {
    const auto source = folder()->openFile("sub/deep").value();
    EXPECT_EQ(source->size(), 4U);
    EXPECT_EQ(asText(readRange(*source, {1, 2}).value()), "ee");
}

TEST_F(FolderTest, RefusesEveryWayOut) {
    fs::create_symlink("../secret", m_base / "inside/link");
    fs::create_symlink(m_base / "secret", m_base / "inside/absolute");
    fs::create_symlink("..", m_base / "inside/up");
    EXPECT_EQ(errorOf("../secret"), ErrorCode::OutsideFolder);
    EXPECT_EQ(errorOf("sub/../../secret"), ErrorCode::OutsideFolder);
    EXPECT_EQ(errorOf((m_base / "secret").string()), ErrorCode::OutsideFolder);
    EXPECT_EQ(errorOf("link"), ErrorCode::OutsideFolder);
    EXPECT_EQ(errorOf("absolute"), ErrorCode::OutsideFolder);
    EXPECT_EQ(errorOf("up/secret"), ErrorCode::OutsideFolder);
    EXPECT_EQ(errorOf(""), ErrorCode::OutsideFolder);
}

TEST_F(FolderTest, FollowsLinksThatStayInside) {
    fs::create_symlink("sub/deep", m_base / "inside/alias");
    EXPECT_TRUE(folder()->openFile("alias").has_value());
}

TEST_F(FolderTest, OpensHuggingFaceCacheBlobsAndNothingLikeThem) {
    const std::string hash(40, 'a');
    fs::create_directories(m_base / "repo/snapshots/main");
    fs::create_directories(m_base / "repo/blobs");
    write("repo/blobs/" + hash, "weights");
    write("repo/blobs/notes.txt", "no hash");
    fs::create_symlink("../../blobs/" + hash, m_base / "repo/snapshots/main/model.safetensors");
    fs::create_symlink("../../blobs/notes.txt", m_base / "repo/snapshots/main/evil");
    const auto snapshot = Folder::open(m_base / "repo/snapshots/main").value();
    EXPECT_EQ(snapshot->openFile("model.safetensors").value()->size(), 7U);
    EXPECT_EQ(snapshot->openFile("evil").error().code, ErrorCode::OutsideFolder);
}

TEST_F(FolderTest, HasTheFilesThatItCanOpen) {
    fs::create_symlink("sub/deep", m_base / "inside/alias");
    fs::create_symlink("nothing", m_base / "inside/dangling");
    fs::create_symlink("../secret", m_base / "inside/link");
    fs::create_symlink("..", m_base / "inside/up");
    fs::create_symlink("sub", m_base / "inside/folder");
    ASSERT_EQ(::mkfifo((m_base / "inside/pipe").c_str(), 0600), 0);
    const std::string secret = (m_base / "secret").string();
    const std::string withNul("plain\0", 6);
    const auto here = folder();
    for (const std::string_view name : {"plain", "sub/deep", "./plain", "alias", "folder/deep"}) {
        EXPECT_TRUE(here->hasFile(name)) << name;
    }
    const std::vector<std::string_view> none = {
        "nothing", "sub/nothing", "sub",       ".",    "..",     "",        "folder", "dangling",
        "link",    "up/secret",   "../secret", "pipe", "plain/", "plain/x", secret,   withNul};
    for (const std::string_view name : none) {
        EXPECT_FALSE(here->hasFile(name)) << name;
    }
    for (const std::string_view name : none) { // the two agree on every name
        EXPECT_FALSE(here->openFile(name).has_value()) << name;
    }
}

/// Tests run as root, for which permissions are not checked: a child process
/// asks as user nobody.
TEST_F(FolderTest, HasNoFileThatMayNotBeRead) {
    write("inside/closed/file", "");
    ASSERT_EQ(::chmod(m_base.c_str(), 0755), 0);
    fs::permissions(m_base / "inside/plain", fs::perms::none);
    fs::permissions(m_base / "inside/closed", fs::perms::none);
    write("inside/open", "");
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) {
            ::_exit(32);
        }
        const auto here = folder();
        ::_exit((here->hasFile("plain") ? 1 : 0) | (here->hasFile("closed/file") ? 2 : 0) |
                (here->hasFile("open") ? 0 : 4) | (here->openFile("plain") ? 8 : 0));
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    fs::permissions(m_base / "inside/closed", fs::perms::owner_all);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "bits say what was wrong; 32: no other user to be";
}

TEST_F(FolderTest, ListsLargeFoldersAndSeveralAtATime) {
    const auto here = folder();
    for (int i = 0; i < 3000; ++i) { // more than one block of names
        write("inside/sub/a-file-with-a-long-name-" + std::to_string(i), "");
    }
    const auto sub = here->openFolder("sub").value();
    std::vector<std::jthread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { right += sub->list().value().size() == 3001 ? 1 : 0; });
    }
    threads.clear();
    EXPECT_EQ(right, 4);
    EXPECT_EQ(sub->list().value()[10].name, "a-file-with-a-long-name-10");
}

TEST_F(FolderTest, RefusesPipesWithoutWaiting) {
    ASSERT_EQ(::mkfifo((m_base / "inside/pipe").c_str(), 0600), 0);
    EXPECT_EQ(errorOf("pipe"), ErrorCode::NotRegularFile);
    EXPECT_EQ(errorOf("sub"), ErrorCode::NotRegularFile);
    EXPECT_EQ(errorOf("nothing"), ErrorCode::NotFound);
}

TEST_F(FolderTest, ListsInNaturalOrder) {
    write("inside/shard_10", "");
    write("inside/shard_2", "");
    const auto entries = folder()->list().value();
    std::vector<std::string> names;
    std::ranges::transform(entries, std::back_inserter(names), &FolderEntry::name);
    EXPECT_EQ(names, (std::vector<std::string>{"plain", "shard_2", "shard_10", "sub"}));
    EXPECT_EQ(folder()->list(2).error().code, ErrorCode::LimitExceeded);
}

TEST_F(FolderTest, NoticesChangesUnderneath) {
    const auto source = folder()->openFile("plain").value();
    EXPECT_TRUE(source->checkUnchanged().has_value());
    write("inside/plain", "hi");
    EXPECT_EQ(source->checkUnchanged().error().code, ErrorCode::ChangedOnDisk);
    std::vector<std::byte> out(5);
    EXPECT_EQ(source->readAt(0, out).error().code, ErrorCode::ChangedOnDisk);
    EXPECT_EQ(source->readAt(6, out).error().code, ErrorCode::Truncated);
}

TEST(NaturalLess, OrdersDigitsAsNumbers) {
    EXPECT_TRUE(naturalLess("step-900", "step-1000"));
    EXPECT_FALSE(naturalLess("step-1000", "step-900"));
    EXPECT_TRUE(naturalLess("a7", "a07") != naturalLess("a07", "a7"));
    EXPECT_FALSE(naturalLess("same", "same"));
    EXPECT_TRUE(naturalLess("lr0.0003-seed2", "lr0.001-seed1"));
    EXPECT_TRUE(naturalLess("lr0.0001-seed2", "lr0.001-seed1"));
    EXPECT_FALSE(naturalLess("lr0.001-seed1", "lr0.0001-seed2"));
    EXPECT_TRUE(naturalLess("v1.9", "v1.10"));
    EXPECT_TRUE(naturalLess("v1.09", "v1.1"));
    EXPECT_TRUE(naturalLess("99999999999999999999998", "99999999999999999999999"));
}

} // namespace
} // namespace cairn
