// SPDX-License-Identifier: Apache-2.0
// Where a call can hide: in later streams, frames, bytes, dropped results, and behind errors.
#include "tests/core/codec/pickle_scan_fixture.h"

using namespace cairn;
using namespace cairn::pickle;
using namespace cairn::pickle::scanning;

TEST(PickleScan, ResultsThatAreDroppedCount) {
    EXPECT_EQ(verdictOf(payload().op('0').op('N').stop()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().op('(').raw(payload().str()).op('1').op('N').stop()),
              Verdict::WouldRunCode);
}

TEST(PickleScan, ABreakAfterThePayloadHidesNothing) {
    EXPECT_EQ(verdictOf(payload()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(payload().op(0xFF)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(payload().op('X').little(0xFFFF'FFFFU)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(payload().op('h').op(77).stop()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().op('N').op(0xFF)), Verdict::Malformed);
    EXPECT_EQ(verdictOf(A()), Verdict::Malformed);
}

TEST(PickleScan, LaterStreamsCount) {
    const std::string harmless = A().proto(2).op('N').stop().str();
    const std::string evil = payload().stop().str();
    EXPECT_EQ(verdictOf(A().raw(harmless).raw(evil)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().raw(harmless).raw(std::string(100, '\0')).raw(evil)),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().raw(harmless).raw(harmless).raw(harmless).raw(evil)),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().raw(harmless).raw("padding").proto(2).raw(evil)),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().raw(harmless).raw(harmless)), Verdict::Inert);
    ScanOptions first;
    first.follow = false;
    EXPECT_EQ(scanPickle(A().raw(harmless).raw(evil), first).verdict, Verdict::Inert);
}

TEST(PickleScan, FramesThatReadersTakeDifferently) {
    EXPECT_EQ(verdictOf(A().proto(4).frame(3).bytes("hidden").stop()), Verdict::Ambiguous);
    EXPECT_EQ(verdictOf(A().proto(4).frame(40).op('N').frame(1).op('N').stop().repeat("N", 40)),
              Verdict::Ambiguous);
    EXPECT_EQ(verdictOf(A().proto(4).frame(400).op('N').stop()), Verdict::Ambiguous);
    EXPECT_EQ(verdictOf(A().proto(4).frame(3).bytes("hidden").op('0').raw(payload().str()).stop()),
              Verdict::WouldRunCode);
}

TEST(PickleScan, BothReadingsOfAShortFrameAreJudged) {
    // At the end of a frame, CPython's C unpickler drops "abc" and reads the name again from after
    // the frame.
    const A split = A().proto(4).frame(6).raw("cx\nabc").raw("system\n").stop();
    const PickleReport report = scanPickle(split);
    EXPECT_TRUE(names(report, "x", "abcsystem"));
    EXPECT_TRUE(names(report, "x", "system"));
    EXPECT_EQ(report.verdict, Verdict::Ambiguous);
    const A hidden =
        A().proto(4).frame(8).raw("cos\nharm").raw("system\n").text("id").op(0x85).reduce().stop();
    EXPECT_EQ(verdictOf(hidden), Verdict::WouldRunCode);
}

TEST(PickleScan, TypeConfusionDoesNotStopTheScan) {
    EXPECT_EQ(verdictOf(A().op(']')
                            .op('N')
                            .op('a')
                            .integer(0)
                            .op('N')
                            .op('s')
                            .op('0')
                            .raw(payload().str())
                            .stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().op('}').op(']').op('N').op('s').op('0').raw(payload().str()).stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().text("\xff").op('0').raw(payload().str()).stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().op('}').op(']').op('N').op('s').stop()), Verdict::Malformed);
}

TEST(PickleScan, PicklesInsideBytes) {
    const std::string evil = A().proto(2).raw(payload().str()).stop().str();
    const PickleReport report = scanPickle(A().proto(2)
                                               .global("torch.storage", "_load_from_bytes")
                                               .bytes(evil)
                                               .op(0x85)
                                               .reduce()
                                               .stop());
    EXPECT_EQ(report.verdict, Verdict::WouldRunCode);
    EXPECT_TRUE(names(report, "os", "system"));
    EXPECT_TRUE(std::ranges::any_of(report.globals, [](const auto& g) { return g.nested; }));
    EXPECT_EQ(verdictOf(A().proto(2).bytes(evil).stop()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(2)
                            .global("torch.storage", "_load_from_bytes")
                            .global("_codecs", "encode")
                            .text("cos\nsystem\nX\x02")
                            .op('0')
                            .text("cos\nsystem\n(tR.")
                            .text("latin1")
                            .op(0x86)
                            .reduce()
                            .op(0x85)
                            .reduce()
                            .stop()),
              Verdict::WouldRunCode);
    // Bytes that only begin like a pickle.
    EXPECT_EQ(verdictOf(A().proto(2).bytes("\x80\x02\xff\xff data.").stop()), Verdict::Inert);
    EXPECT_EQ(scanPickle(A().proto(2)
                             .global("torch.storage", "_load_from_bytes")
                             .bytes("PK\x03\x04 zip")
                             .op(0x85)
                             .reduce()
                             .stop())
                  .archives.size(),
              1U);
}

TEST(PickleScan, AStreamBehindAnyDataIsFound) {
    const std::string harmless = A().proto(2).op('N').stop().str();
    const std::string evil = payload().stop().str();
    for (const std::string& between :
         {std::string(300'000, '\0'), std::string("tttt"), std::string("S'"),
          std::string(70'000, ' '), std::string("((((")}) {
        EXPECT_EQ(verdictOf(A().raw(harmless).raw(between).raw(evil)), Verdict::WouldRunCode)
            << between.size();
    }
    EXPECT_EQ(verdictOf(A().raw(harmless).raw(std::string(200'000, 'N'))), Verdict::Inert);
    std::string many;
    for (int i = 0; i < 500; ++i) {
        many += harmless;
    }
    EXPECT_EQ(verdictOf(A().raw(many).raw(evil)), Verdict::WouldRunCode);
}

TEST(PickleScan, BytesNeedNotBeAPickle) {
    ScanOptions maybe;
    maybe.maybe = true;
    const auto streams = [&](const A& bytes) { return scanPickle(bytes, maybe).streams; };
    EXPECT_EQ(streams(A().raw("cat\ndog\nbird\n")), 0U);
    EXPECT_EQ(streams(A().raw("Some text.")), 0U);
    EXPECT_EQ(scanPickle(A().raw("Some text."), maybe).verdict, Verdict::Inert);
    EXPECT_EQ(streams(payload()), 1U);
    EXPECT_EQ(scanPickle(A().op('N').op('0').raw(payload().str()), maybe).verdict,
              Verdict::WouldRunCode);
    EXPECT_EQ(scanPickle(A().raw("cantigravity\nx\n"), maybe).verdict, Verdict::WouldRunCode)
        << "importing it is enough";
}

TEST(PickleScan, PicklesThatAreComputedAreNotTrusted) {
    const auto loading = [](const A& argument) {
        return A()
            .proto(2)
            .global("torch.storage", "_load_from_bytes")
            .raw(argument.str())
            .op(0x85)
            .reduce()
            .stop();
    };
    EXPECT_EQ(verdictOf(loading(A().global("builtins", "bytes").op(']').op(0x85).reduce())),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(loading(A().text("text"))), Verdict::WouldRunCode);
}

TEST(PickleScan, NumbersThatSomePythonReadsDoNotEndTheScan) {
    for (const char* before : {"F1_0\n0", "F 1 \n0", "I0x1_0\n0", "I010\n0", "L 5 \n0"}) {
        EXPECT_EQ(verdictOf(A().raw(before).raw(payload().str()).stop()), Verdict::WouldRunCode)
            << before;
    }
    EXPECT_EQ(verdictOf(A().raw("Fnothing\n.")), Verdict::Malformed);
}
