// SPDX-License-Identifier: Apache-2.0
#include "core/store/remote_folder.h"
#include "tests/core/store/far_end.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

namespace cairn::store {
namespace {

namespace fs = std::filesystem;

class RemoteFolderTest : public testing::Test {
protected:
    RemoteFolderTest() {
        std::mt19937 random(1);
        fs::create_directories(root / "inner/deep");
        for (const auto& [name, size] : {std::pair<std::string, std::size_t>{"empty", 0},
                                         {"small", 100},
                                         {"inner/middle", 200'000},
                                         {"inner/deep/large", 5'000'000}}) {
            std::string bytes(size, '\0');
            for (char& each : bytes) {
                each = static_cast<char>(random());
            }
            std::ofstream(root / name) << bytes;
        }
        fs::create_symlink("small", root / "link");
        fs::create_symlink("/etc/passwd", root / "out");
        fs::create_directory_symlink("inner", root / "folder-link");
    }

    FolderPtr far(const HostPtr& host) { return openPlace(host, root.string()).value().folder; }

    test::TemporaryFolder temporary;
    fs::path root = temporary.path() / "root";
    FarEnds ends;
};

std::string listingText(const Folder& folder) {
    std::string text;
    const auto entries = folder.list().value();
    for (const FolderEntry& entry : entries) {
        text += entry.name + " " + std::to_string(static_cast<int>(entry.kind)) + " " +
                std::to_string(entry.identity.size) + "\n";
    }
    return text;
}

TEST_F(RemoteFolderTest, HasTheEntriesOfTheLocalOne) {
    const auto host = ends.host();
    const FolderPtr there = far(host);
    const FolderPtr here = Folder::open(root).value();
    EXPECT_EQ(there->path(), "far:" + root.string());
    EXPECT_EQ(listingText(*there), listingText(*here));
    for (const char* inner : {"inner", "inner/deep", "folder-link", "folder-link/deep"}) {
        EXPECT_EQ(listingText(*there->openFolder(inner).value()),
                  listingText(*here->openFolder(inner).value()))
            << inner;
    }
    for (const char* name : {"small", "link", "out", "inner", "none", "inner/middle", "inner/none",
                             "inner/deep/large", "folder-link/middle", "../root/small", ""}) {
        EXPECT_EQ(there->hasFile(name), here->hasFile(name)) << name;
        const auto a = there->openFile(name);
        const auto b = here->openFile(name);
        EXPECT_EQ(a.has_value(), b.has_value()) << name;
        if (!a && !b) {
            EXPECT_EQ(a.error().code, b.error().code) << name;
        }
        const auto c = there->openFolder(name);
        const auto d = here->openFolder(name);
        EXPECT_EQ(c ? ErrorCode::Cancelled : c.error().code,
                  d ? ErrorCode::Cancelled : d.error().code)
            << name;
    }
}

TEST_F(RemoteFolderTest, OpensTheFolderOfAFile) {
    const auto place = openPlace(ends.host(), (root / "inner/middle").string()).value();
    EXPECT_EQ(place.name, "middle");
    EXPECT_EQ(place.folder->openFile("middle").value()->size(), 200'000U);
    const auto none = openPlace(ends.host(), (root / "none").string());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_EQ(none.error().where.file, "far:" + (root / "none").string());
}

/// Some ranges of all files, compared with the local bytes; false: an error of the connection.
bool readSomeRanges(const Folder& there, const Folder& here, std::mt19937& random, int count) {
    for (int i = 0; i < count; ++i) {
        const char* name =
            std::array{"small", "link", "inner/middle", "inner/deep/large"}.at(random() % 4);
        const auto local = here.openFile(name).value();
        const auto remote = there.openFile(name);
        const std::uint64_t offset = random() % local->size();
        const std::uint64_t most =
            std::array<std::uint64_t, 3>{64, 100'000, 3'000'000}.at(random() % 3);
        const ByteRange range{offset, random() % std::min(most, local->size() - offset)};
        const auto bytes =
            remote ? readRange(**remote, range) : Result<std::vector<std::byte>>(remote.error());
        if (!bytes) {
            EXPECT_EQ(bytes.error().code, ErrorCode::Io) << describe(bytes.error());
            return false;
        }
        EXPECT_EQ(*bytes, readRange(*local, range).value()) << name << " " << range.offset;
    }
    return true;
}

TEST_F(RemoteFolderTest, HasTheBytesOfTheLocalFiles) {
    const auto host = ends.host();
    std::mt19937 random(2);
    EXPECT_TRUE(readSomeRanges(*far(host), *Folder::open(root).value(), random, 200));
    const auto file = far(host)->openFile("small").value();
    EXPECT_EQ(readRange(*file, {90, 11}).error().code, ErrorCode::Truncated);
}

TEST_F(RemoteFolderTest, SeveralThreadsShareAConnection) {
    const auto host = ends.host();
    const FolderPtr there = far(host);
    const FolderPtr here = Folder::open(root).value();
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed) {
        threads.emplace_back([&, seed] {
            std::mt19937 random(seed);
            EXPECT_TRUE(readSomeRanges(*there, *here, random, 30));
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
}

TEST_F(RemoteFolderTest, ACutConnectionIsMadeAgain) {
    std::mt19937 random(4);
    const FolderPtr here = Folder::open(root).value();
    int failed = 0;
    for (int round = 0; round < 25; ++round) {
        const auto host = ends.host({random() % 9'000'000, random() % 300});
        auto place = openPlace(host, root.string());
        if (!place) {
            EXPECT_EQ(place.error().code, ErrorCode::Io);
            ++failed;
            continue;
        }
        failed += readSomeRanges(*place->folder, *here, random, 8) ? 0 : 1;
    }
    EXPECT_LT(failed, 25);
}

TEST_F(RemoteFolderTest, AReplacedFileIsNotMixedWithTheOldOne) {
    const FolderPtr there = far(ends.host());
    const auto file = there->openFile("inner/deep/large").value();
    std::vector<std::byte> bytes(2'000'000);
    EXPECT_TRUE(file->readAt(0, bytes));
    EXPECT_TRUE(file->checkUnchanged());
    std::ofstream(root / "inner/deep/large", std::ios::app) << "more";
    EXPECT_EQ(file->checkUnchanged().error().code, ErrorCode::ChangedOnDisk);
    EXPECT_EQ(file->readAt(2'000'000, bytes).error().code, ErrorCode::ChangedOnDisk);
}

TEST_F(RemoteFolderTest, AnUnchangedFileIsReadOnce) {
    const auto host = ends.host();
    const auto file = far(host)->openFile("inner/middle").value();
    std::vector<std::byte> bytes(1000);
    EXPECT_TRUE(file->readAt(100'000, bytes));
    const auto before = host->traffic().requests;
    EXPECT_TRUE(file->readAt(100'000, bytes));
    EXPECT_TRUE(file->readAt(100'500, bytes));
    EXPECT_EQ(host->traffic().requests, before);
}

TEST_F(RemoteFolderTest, AVerbSendsItsOutputAndExitCode) {
    const auto host = ends.host();
    std::string output;
    std::string errors;
    const auto code = host->run(
        {"-c", "echo out; echo err >&2; head -c 3000000 /dev/zero; exit 7"},
        [&](std::string_view text) { output += text; },
        [&](std::string_view text) { errors += text; }, {});
    EXPECT_EQ(code.value(), 7);
    EXPECT_EQ(output.size(), 3'000'004U);
    EXPECT_EQ(errors, "err\n");
    const CancelToken cancel;
    cancel.cancel();
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(host->run(
                      {"-c", "exec sleep 20"}, [](auto) {}, [](auto) {}, cancel)
                  .value(),
              130);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

/// A far end that sends these bytes and waits.
Result<std::shared_ptr<Connection>> answeredWith(const std::string& bytes, FileHandle& keep) {
    Pipe in = openPipe().value();
    Pipe out = openPipe().value();
    EXPECT_EQ(::write(out.write.fd(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    keep = std::move(out.write);
    Channel channel;
    channel.toFar = std::move(in.write);
    channel.fromFar = std::move(out.read);
    std::thread([from = std::move(in.read)] {
        std::array<char, 4096> buffer{};
        while (::read(from.fd(), buffer.data(), buffer.size()) > 0) {
        }
    }).detach();
    return Connection::start(std::move(channel), "", "far", std::chrono::milliseconds(150));
}

TEST(MaliciousFarEnd, IsAnErrorAndNeverAHang) {
    std::mt19937 random(5);
    const FileIdentity identity{1, 2, 300, 4, 5};
    const std::vector<std::pair<FrameKind, std::string>> parts = {
        {FrameKind::Place,
         [] {
             WireWriter out;
             out.put(std::string_view("/x"));
             out.put(std::string_view("../y"));
             return out.take();
         }()},
        {FrameKind::Listing, encodeListing({".."}, {}).front()},
        {FrameKind::Listing,
         encodeListing({}, {{{"../x", EntryKind::File, identity}, identity}}).front()},
        {FrameKind::Ahead, encode(AheadBytes{{}, "a", identity, 299, "more than there is"})},
        {FrameKind::Data, std::string(500, 'x')},
        {FrameKind::Failed, "cut"},
        {FrameKind::Status, "\1"},
        {FrameKind::Open, "a request"},
        {FrameKind::Done, ""},
        {FrameKind::Exit, ""}};
    for (int round = 0; round < 15; ++round) {
        std::string bytes;
        appendFrame(bytes, FrameKind::Hello, 0, encode(HelloMessage{kProtocol, "x", "/"}));
        const int frames = 1 + static_cast<int>(random() % 3);
        for (int i = 0; i < frames; ++i) {
            const auto& [kind, payload] = parts[random() % parts.size()];
            appendFrame(bytes, kind, round % 7 == 0 ? 99 : 1, payload);
        }
        if (random() % 4 == 0) {
            bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
        }
        FileHandle keep;
        auto connection = answeredWith(bytes, keep);
        if (!connection) {
            continue;
        }
        const auto host = std::make_shared<Host>(
            RemoteName{"", "far", 0, "/"},
            [made = *connection](const RemoteName&) mutable -> Result<std::shared_ptr<Connection>> {
                return made ? Result<std::shared_ptr<Connection>>(std::exchange(made, nullptr))
                            : fail(ErrorCode::Io, "No second connection");
            });
        const auto place = openPlace(host, "/x");
        EXPECT_FALSE(place) << round;
    }
}

} // namespace
} // namespace cairn::store
