// SPDX-License-Identifier: Apache-2.0
#include "core/io/prefetch.h"
#include "core/store/remote_folder.h"
#include "core/store/remote_source.h"
#include "tests/core/store/far_end.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

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
    EXPECT_LE(failed, 10); // a greeting that is cut is not repeated
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
        [&](std::string_view text) {
            output += text;
            return Result<void>();
        },
        [&](std::string_view text) {
            errors += text;
            return Result<void>();
        },
        {});
    EXPECT_EQ(code.value(), 7);
    EXPECT_EQ(output.size(), 3'000'004U);
    EXPECT_EQ(errors, "err\n");
    const CancelToken cancel;
    cancel.cancel();
    const auto ignored = [](std::string_view) { return Result<void>(); };
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(host->run({"-c", "exec sleep 20"}, ignored, ignored, cancel).value(), 130);
    // What is not taken stops it.
    const auto full = [](std::string_view) -> Result<void> {
        return fail(ErrorCode::LimitExceeded, "Full");
    };
    const fs::path running = temporary.path() / "running";
    EXPECT_EQ(host->run({"-c", "trap 'rm " + running.string() + "; exit 1' INT; touch " +
                                   running.string() + "; echo a; while :; do sleep 0.1; done"},
                        full, ignored, {})
                  .error()
                  .code,
              ErrorCode::LimitExceeded);
    while (fs::exists(running) &&
           std::chrono::steady_clock::now() - begun < std::chrono::seconds(10)) {
        ::usleep(10'000);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

TEST_F(RemoteFolderTest, WhatAVerbMadeIsThereAtOnce) {
    const auto host = ends.host();
    const FolderPtr there = far(host);
    EXPECT_FALSE(there->hasFile("made"));
    EXPECT_EQ(there->openFolder("inner").value()->list().value().size(), 2U);
    const auto ignored = [](std::string_view) { return Result<void>(); };
    EXPECT_EQ(host->run({"-c", "cd " + root.string() + "; touch made inner/made; exit 3"}, ignored,
                        ignored, {})
                  .value(),
              3);
    EXPECT_TRUE(there->hasFile("made"));
    EXPECT_EQ(there->openFolder("inner").value()->list().value().size(), 3U);
}

TEST_F(RemoteFolderTest, OpeningAgainKeepsNoMoreDescriptors) {
    const auto host = ends.host();
    (void)far(host);
    const auto open = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = open();
    for (int i = 0; i < 50; ++i) {
        (void)far(host);
    }
    EXPECT_LT(open(), before + 10);
}

TEST_F(RemoteFolderTest, AReplacedFolderIsListedAnew) {
    const auto host = ends.host();
    const std::string path = (root / "inner").string();
    EXPECT_EQ(openListed(host, path).value().folder->list().value().size(), 2U);
    fs::rename(root / "inner", root / "before");
    fs::create_directory(root / "inner");
    EXPECT_EQ(openListed(host, path).value().folder->list().value().size(), 0U);
}

/// The frames of a stream, up to the last one of an answer to that request.
std::vector<Frame> framesUntilEnd(const FileHandle& from, std::uint64_t request) {
    std::vector<Frame> frames;
    FrameParser parser;
    std::array<char, 4096> buffer{};
    while (frames.empty() || frames.back().request != request ||
           frames.back().kind < FrameKind::Done) {
        auto frame = parser.next().value();
        if (frame) {
            frames.push_back(*std::move(frame));
            continue;
        }
        const ssize_t got = ::read(from.fd(), buffer.data(), buffer.size());
        if (got <= 0) {
            break;
        }
        parser.add({buffer.data(), static_cast<std::size_t>(got)});
    }
    return frames;
}

TEST_F(RemoteFolderTest, ANumberOfAVerbIsUsedOnce) {
    Channel channel = ends.connect();
    std::string bytes;
    appendFrame(bytes, FrameKind::Run, 1, encodeWords({"-c", "exec sleep 20"}));
    appendFrame(bytes, FrameKind::Run, 1, encodeWords({"-c", "true"}));
    ASSERT_EQ(::write(channel.toFar.fd(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    const auto frames = framesUntilEnd(channel.fromFar, 1);
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ(frames.back().kind, FrameKind::Failed);
}

/// How a child that closes what it inherited finds this file: true if it is open there.
bool isOpenInAChild(int file) {
    const pid_t child = ::fork();
    if (child == 0) {
        closeInheritedStreams();
        ::_exit(::fcntl(file, F_GETFD) < 0 ? 1 : 0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status == 0;
}

TEST_F(RemoteFolderTest, AChildDoesNotKeepTheStreamsOpen) {
    Channel channel = ends.connect();
    const int stream = channel.toFar.fd();
    {
        const auto connection = Connection::start(std::move(channel), "", "far");
        ASSERT_TRUE(connection) << describe(connection.error());
        EXPECT_FALSE(isOpenInAChild(stream));
        EXPECT_GE(::fcntl(stream, F_GETFD), 0);
    }
    const FileHandle other(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, stream));
    EXPECT_TRUE(isOpenInAChild(other.fd())); // not mistaken for the stream that had its number
}

/// A far end that greets, waits for a request, sends these bytes, and waits for the end.
Result<std::shared_ptr<Connection>> answeredWith(std::string bytes,
                                                 std::uint32_t protocol = kProtocol) {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe in = openPipe().value();
    Pipe out = openPipe().value();
    Channel channel;
    channel.toFar = std::move(in.write);
    channel.fromFar = std::move(out.read);
    std::string hello;
    appendFrame(hello, FrameKind::Hello, 0,
                encode(HelloMessage{protocol, "x", "/", INT64_MAX / 2}));
    std::thread([from = std::move(in.read), to = std::move(out.write), hello = std::move(hello),
                 answer = std::move(bytes)] {
        const auto write = [&](std::string_view text) {
            while (!text.empty()) {
                const ssize_t put = ::write(to.fd(), text.data(), text.size());
                if (put <= 0) {
                    return;
                }
                text.remove_prefix(static_cast<std::size_t>(put));
            }
        };
        write(hello);
        std::array<char, 4096> buffer{};
        for (bool isFirst = true; ::read(from.fd(), buffer.data(), buffer.size()) > 0;
             isFirst = false) {
            write(isFirst ? answer : "");
        }
    }).detach();
    return Connection::start(std::move(channel), "", "far", std::chrono::milliseconds(150));
}

/// What openPlace() makes of an answer.
Result<RemotePlace> openedWith(const std::string& answer) {
    CAIRN_TRY(const auto connection, answeredWith(answer));
    const auto host = std::make_shared<Host>(
        RemoteName{"", "far", 0, "/"},
        [made = connection](const RemoteName&) mutable -> Result<std::shared_ptr<Connection>> {
            return made ? Result<std::shared_ptr<Connection>>(std::exchange(made, nullptr))
                        : fail(ErrorCode::Io, "No second connection");
        });
    return openPlace(host, "/x");
}

std::string placeText(std::string_view root, std::string_view name) {
    WireWriter out;
    out.put(root);
    out.put(name);
    return out.take();
}

/// A valid place, `part`, and the end of the answer.
std::string answerWith(FrameKind kind, std::string_view payload, int count = 1,
                       std::uint64_t request = 1) {
    std::string bytes;
    appendFrame(bytes, FrameKind::Place, 1, placeText("/x", ""));
    for (int i = 0; i < count; ++i) {
        appendFrame(bytes, kind, request, payload);
    }
    appendFrame(bytes, FrameKind::Done, 1, "");
    return bytes;
}

constexpr FileIdentity kSomeFile{1, 2, 300, 4, 5};

std::string listingOf(const std::string& name) {
    return encodeListing({}, {{{name, EntryKind::File, kSomeFile}, kSomeFile}}).front();
}

TEST(MaliciousFarEnd, ABadPartIsAnError) {
    struct Part {
        FrameKind kind;
        std::string payload;
        int count = 1;
        std::uint64_t request = 1;
    };
    const FileIdentity large{1, 2, 600'000, 4, 5};
    const std::string much = encode(AheadBytes{{}, "a", large, 0, std::string(500'000, 'x')});
    const std::vector<std::string> deep(kMaxLevels + 1, "a");
    const std::vector<std::string> longest(kMaxLevels, std::string(kMaxEntryName, 'a'));
    const FileIdentity huge{1, 2, UINT64_MAX, 4, 5};
    for (const Part& good : {Part{FrameKind::Listing, listingOf("a")},
                             {FrameKind::Listing, listingOf(std::string(kMaxEntryName, 'x'))},
                             {FrameKind::Ahead, encode(AheadBytes{{}, "a", kSomeFile, 299, "x"})},
                             {FrameKind::Ahead, much, 3},
                             {FrameKind::Alive, ""}}) {
        const auto place = openedWith(answerWith(good.kind, good.payload, good.count));
        EXPECT_TRUE(place) << describe(place.error());
    }
    for (const Part& bad :
         {Part{FrameKind::Place, placeText("/x", "../y")},
          {FrameKind::Place, placeText("x", "y")},
          {FrameKind::Listing, encodeListing({".."}, {}).front()},
          {FrameKind::Listing, encodeListing(deep, {}).front()},
          {FrameKind::Listing, listingOf("../x")},
          {FrameKind::Listing, listingOf(std::string(kMaxEntryName + 1, 'x'))},
          {FrameKind::Ahead, encode(AheadBytes{{}, "a", kSomeFile, 299, "more than there is"})},
          {FrameKind::Ahead, encode(AheadBytes{deep, "a", kSomeFile, 299, "x"})},
          {FrameKind::Ahead, much, 9},
          {FrameKind::Ahead, encode(AheadBytes{longest, "a", kSomeFile, 299, "x"}), 2000},
          {FrameKind::Ahead, encode(AheadBytes{{}, "a", huge, huge.size - 10, "x"})},
          {FrameKind::Place, placeText("/x", "")},
          {FrameKind::Listing, listingOf("a"), 2},
          {FrameKind::Listing, encodeListing({}, {}).front(), 2},
          {FrameKind::Listing, std::string(9, '\0')},
          {FrameKind::Data, std::string(500, 'x')},
          {FrameKind::Failed, "cut"},
          {FrameKind::Status, "\1"},
          {FrameKind::Open, "a request"},
          {FrameKind::Exit, ""},
          {FrameKind::Data, "", 1, 99}}) {
        const auto place = openedWith(answerWith(bad.kind, bad.payload, bad.count, bad.request));
        ASSERT_FALSE(place) << static_cast<int>(bad.kind) << " " << bad.payload.substr(0, 50);
        EXPECT_EQ(place.error().code, ErrorCode::Io);
    }
    EXPECT_EQ(answeredWith("", kProtocol + 1).error().code, ErrorCode::Unsupported);
}

TEST(MaliciousFarEnd, FoldersHaveAnEnd) {
    const auto answer = [](std::size_t folders) {
        std::string bytes;
        appendFrame(bytes, FrameKind::Place, 1, placeText("/x", ""));
        for (std::size_t i = 0; i < folders; ++i) {
            appendFrame(bytes, FrameKind::Listing, 1,
                        encodeListing({std::to_string(i)}, {}).front());
        }
        appendFrame(bytes, FrameKind::Done, 1, "");
        return bytes;
    };
    EXPECT_TRUE(openedWith(answer(kMaxListedFolders)));
    EXPECT_FALSE(openedWith(answer(kMaxListedFolders + 1)));
}

TEST(MaliciousFarEnd, ChangedBytesAreNeverAHang) {
    std::mt19937 random(5);
    const std::string good = answerWith(FrameKind::Listing, listingOf("a"));
    for (int round = 0; round < 15; ++round) {
        std::string bytes = good;
        bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
        if (const auto place = openedWith(bytes)) {
            EXPECT_TRUE(place->folder->path().native().starts_with("far:/")) << round;
        }
    }
}

/// What a host answers with; a second connection is refused.
HostPtr hostThatAnswers(const std::string& answer, BlockCache blocks) {
    return std::make_shared<Host>(
        RemoteName{"", "far", 0, "/"},
        [made = answeredWith(answer).value()](
            const RemoteName&) mutable -> Result<std::shared_ptr<Connection>> {
            return made ? Result<std::shared_ptr<Connection>>(std::exchange(made, nullptr))
                        : fail(ErrorCode::Io, "No second connection");
        },
        std::move(blocks));
}

TEST(MaliciousFarEnd, CannotPlaceBytesThatWereNotAskedFor) {
    const test::TemporaryFolder temporary;
    const FileIdentity there{1, 2, 600'000, 4, 5};
    const FileRef file{{"/x", {"../../y"}}, "../../../a"};
    const std::string page(4096, 'x');
    int caches = 0;
    const auto isKept = [&](std::uint32_t place, std::uint64_t offset, int count,
                            const std::vector<GatheredBytes>& more = {}) {
        std::string answer;
        for (int i = 0; i < count; ++i) {
            appendFrame(answer, FrameKind::Gathered, 1, encode(GatheredBytes{place, offset, page}));
        }
        for (const GatheredBytes& each : more) {
            appendFrame(answer, FrameKind::Gathered, 1, encode(each));
        }
        appendFrame(answer, FrameKind::Done, 1, "");
        const HostPtr host = hostThatAnswers(
            answer, BlockCache(temporary.path() / ("cache" + std::to_string(caches++))));
        const FileIdentity here = host->identityHere(there);
        const auto source = makeRemoteSource(host, file, here, "far:/x/a");
        prefetch(std::vector<SoonRead>{{source.get(), {100, 50}}});
        std::vector<std::byte> bytes(4096);
        return host->cached(file, here, offset, bytes);
    };
    EXPECT_TRUE(isKept(0, 0, 1));
    EXPECT_FALSE(isKept(1, 0, 1));
    EXPECT_FALSE(isKept(0, 1, 1));
    EXPECT_FALSE(isKept(0, 4096, 1));
    EXPECT_FALSE(isKept(0, UINT64_MAX - 10, 1));
    EXPECT_FALSE(isKept(0, 0, 2)) << "from an answer that is not valid, nothing is kept";
    EXPECT_FALSE(isKept(0, 0, 1, {{0, 0, ""}}));
    EXPECT_FALSE(isKept(0, 0, 0, {{0, 0, ""}, {0, 0, page}}));
    EXPECT_FALSE(isKept(0, 0, 0, {{0, 0, page.substr(1)}, {0, 4095, "x"}})) << "in small parts";
    int written = 0;
    for (const auto& entry : fs::recursive_directory_iterator(temporary.path())) {
        if (entry.is_regular_file()) {
            ++written;
            EXPECT_EQ(entry.path().parent_path(), temporary.path() / "cache0") << entry.path();
        }
    }
    EXPECT_EQ(written, 1);
}

TEST(MaliciousFarEnd, CannotCancelForTheUser) {
    WireWriter error;
    putError(error, fail(ErrorCode::Cancelled, "Stopped"));
    EXPECT_EQ(openedWith(answerWith(FrameKind::Failed, error.bytes())).error().code, ErrorCode::Io);
}

} // namespace
} // namespace cairn::store
