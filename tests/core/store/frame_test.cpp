// SPDX-License-Identifier: Apache-2.0
#include "core/io/started_program.h"
#include "core/store/message.h"
#include "core/store/quiet_write.h"

#include <gtest/gtest.h>

#include <csignal>
#include <random>

namespace cairn::store {
namespace {

TEST(Frame, IsReadAgainHoweverTheStreamIsCut) {
    std::string stream;
    appendFrame(stream, FrameKind::Data, 7, "bytes");
    appendFrame(stream, FrameKind::Done, 1'234'567'890'123, "");
    EXPECT_EQ(stream.size(), 2 * kFrameHead + 5);
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        FrameParser parser;
        std::vector<Frame> frames;
        for (const std::string_view part :
             {std::string_view(stream).substr(0, cut), std::string_view(stream).substr(cut)}) {
            parser.add(part);
            for (;;) {
                auto frame = parser.next();
                ASSERT_TRUE(frame);
                if (!*frame) {
                    break;
                }
                frames.push_back(*std::move(*frame));
            }
        }
        ASSERT_EQ(frames.size(), 2U);
        EXPECT_EQ(frames[0].payload, "bytes");
        EXPECT_EQ(frames[0].request, 7U);
        EXPECT_EQ(frames[1].kind, FrameKind::Done);
        EXPECT_EQ(frames[1].request, 1'234'567'890'123U);
        EXPECT_TRUE(parser.isEmpty());
    }
}

TEST(Stream, WhoseReaderIsGoneEndsNoProcess) {
    const auto before = ::signal(SIGPIPE, SIG_DFL); // as in a Python program that asks for it
    Pipe pipe = openPipe().value();
    EXPECT_EQ(writeQuietly(pipe.write.fd(), "ab"), 2);
    pipe.read = FileHandle();
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(writeQuietly(pipe.write.fd(), "ab"), -1);
        EXPECT_EQ(errno, EPIPE);
    }
    sigset_t mask;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    EXPECT_EQ(::sigismember(&mask, SIGPIPE), 0);
    ::signal(SIGPIPE, before);
}

TEST(Frame, WhatIsNoneIsRefused) {
    std::string good;
    appendFrame(good, FrameKind::Data, 1, "x");
    for (const auto& [at, value] : {std::pair<std::size_t, char>{4, 0},
                                    {4, 2},
                                    {4, 127},
                                    {5, 1},
                                    {7, 1},
                                    {3, 1},
                                    {2, 0x11}}) {
        std::string bad = good;
        bad[at] = value;
        FrameParser parser;
        parser.add(bad);
        EXPECT_FALSE(parser.next()) << at;
    }
}

TEST(Message, IsReadAgain) {
    const ReadRequest request{
        {{"/root", {"a", "b"}}, "c/d"}, {1, 2, 300, -4, 5}, {{0, 100}, {299, 1}}};
    const auto read = decodeRead(encode(request)).value();
    EXPECT_EQ(read.file.folder, request.file.folder);
    EXPECT_EQ(read.identity, request.identity);
    EXPECT_EQ(read.ranges, request.ranges);
    const auto opened = decodeOpen(encode(OpenPlaceRequest{"~/x", {7, UINT64_MAX}})).value();
    EXPECT_EQ(opened.path, "~/x");
    EXPECT_EQ(opened.known, (std::vector<std::uint64_t>{7, UINT64_MAX}));
    const auto several = decodeGather(encode(std::vector{request, request})).value();
    ASSERT_EQ(several.size(), 2U);
    EXPECT_EQ(several[1].ranges, request.ranges);
    EXPECT_FALSE(decodeGather(encode(std::vector{
        ReadRequest{{{"/", {}}, "x"}, {1, 1, UINT64_MAX, 0, 0}, {{0, kMaxGathered + 1}}}})));
    ListedEntry link{{"l", EntryKind::Link, {1, 2, 3, 4, 5}}, FileIdentity{6, 7, 8, 9, 10}};
    const auto listed = decodeListing(encodeListing({"x"}, {link}).front()).value();
    EXPECT_EQ(listed.inner, std::vector<std::string>{"x"});
    EXPECT_TRUE(listed.last);
    EXPECT_EQ(listed.entries.at(0).file, link.file);
    WireWriter out;
    putError(out, fail(ErrorCode::NotFound, "Cannot open the file").inFile("/x").butFound("gone"));
    WireReader in(out.bytes());
    const Error error = getError(in);
    EXPECT_EQ(error.code, ErrorCode::NotFound);
    EXPECT_EQ(error.found.text(), "gone");
}

TEST(Message, ALongListingIsSentInParts) {
    std::vector<ListedEntry> entries(20'000);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i].entry.name = "name-" + std::to_string(i) + std::string(50, 'x');
    }
    const auto parts = encodeListing({}, entries);
    EXPECT_GT(parts.size(), 1U);
    std::size_t count = 0;
    for (const std::string& part : parts) {
        EXPECT_LE(part.size(), kMaxPayload);
        count += decodeListing(part).value().entries.size();
    }
    EXPECT_EQ(count, entries.size());
}

TEST(Message, NamesThatLeadElsewhereAreRefused) {
    for (const char* name : {"", ".", "..", "a/b", "/etc/passwd", "../x"}) {
        EXPECT_FALSE(decodeListing(encodeListing({}, {{{name, EntryKind::File, {}}, {}}}).front()))
            << name;
        EXPECT_FALSE(decodeListing(encodeListing({name}, {}).front())) << name;
        EXPECT_FALSE(decodeAhead(encode(AheadBytes{{}, name, {1, 1, 1, 0, 0}, 0, "x"}))) << name;
    }
    EXPECT_FALSE(decodeAhead(encode(AheadBytes{{}, "x", {1, 1, 1, 0, 0}, 1, "x"})));
    EXPECT_FALSE(decodeRead(encode(ReadRequest{{{"/", {}}, "x"}, {1, 1, 10, 0, 0}, {{5, 6}}})));
    EXPECT_FALSE(decodeRead(
        encode(ReadRequest{{{"/", {}}, "x"}, {1, 1, UINT64_MAX, 0, 0}, {{0, UINT64_MAX}}})));
}

TEST(Message, NumbersWhoseSumsOverflowAreRefused) {
    for (const std::uint64_t size : {std::uint64_t{INT64_MAX} + 1, UINT64_MAX}) {
        const FileIdentity identity{1, 2, size, 4, 5};
        EXPECT_FALSE(decodeAhead(encode(AheadBytes{{}, "a", identity, size - 10, "x"})));
        EXPECT_FALSE(
            decodeListing(encodeListing({}, {{{"a", EntryKind::File, identity}, {}}}).front()));
        EXPECT_FALSE(decodeRead(encode(ReadRequest{{{"/", {}}, "x"}, identity, {{0, 1}}})));
    }
    const FileIdentity largest{1, 2, INT64_MAX, 4, 5};
    EXPECT_TRUE(decodeAhead(encode(AheadBytes{{}, "a", largest, INT64_MAX - 10, "x"})));
    EXPECT_TRUE(decodeHello(encode(HelloMessage{kProtocol, "x", "/", INT64_MAX / 2})));
    for (const std::int64_t now : {std::int64_t{-1}, INT64_MIN, INT64_MAX / 2 + 1, INT64_MAX}) {
        EXPECT_FALSE(decodeHello(encode(HelloMessage{kProtocol, "x", "/", now}))) << now;
    }
}

TEST(Message, ADamagedOneIsAnErrorOrAnotherMessage) {
    std::mt19937 random(3);
    const std::vector<std::string> good = {
        encode(ReadRequest{{{"/root", {"a"}}, "c"}, {1, 2, 300, 4, 5}, {{0, 100}}}),
        encodeListing({"x"}, {{{"y", EntryKind::File, {}}, {}}}).front(),
        encode(AheadBytes{{"x"}, "y", {1, 2, 300, 4, 5}, 3, "bytes"}),
        encodeWords({"a", "b"}),
        encode(OpenPlaceRequest{"/root", {1, 2, 3}}),
        encode(GatheredBytes{1, 2, "bytes"}),
        encode(std::vector{ReadRequest{{{"/r", {}}, "c"}, {1, 2, 300, 4, 5}, {{0, 100}}}})};
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = good[random() % good.size()];
        bytes[random() % bytes.size()] = static_cast<char>(random());
        bytes.resize(bytes.size() - random() % 3);
        (void)decodeRead(bytes);
        (void)decodeListing(bytes);
        (void)decodeStat(bytes);
        (void)decodeWords(bytes);
        (void)decodeHello(bytes);
        (void)decodeOpen(bytes);
        (void)decodeGathered(bytes);
        (void)decodeGather(bytes);
        if (const auto ahead = decodeAhead(bytes)) {
            EXPECT_LE(ahead->offset + ahead->bytes.size(), ahead->identity.size);
        }
    }
}

} // namespace
} // namespace cairn::store
