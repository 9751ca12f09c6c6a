// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/pickle_dump.h"
#include "tests/support/growth.h"

#include <string>

using namespace cairn;
using namespace cairn::pickle;

namespace {

using A = PickleAssembler;

} // namespace

// Hostile streams and the error code for each.
TEST(PickleHostile, Truncated) {
    EXPECT_EQ(codeOf({}), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().proto(2)), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('N')), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op(0x80)), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('J').raw("abc")), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('G').raw("abcdefg")), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('c').raw("module\nname")), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('I')), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('V').raw("no end")), ErrorCode::PickleTruncated);
}

TEST(PickleHostile, LengthsBeyondTheStreamAllocateNothing) {
    constexpr auto kHuge = std::uint64_t{1} << 62;
    for (const int code : {0x8d, 0x8e, 0x96}) { // BINUNICODE8, BINBYTES8, BYTEARRAY8
        EXPECT_EQ(codeOf(A().op(code).little(kHuge).raw("x").stop()), ErrorCode::PickleTruncated);
        EXPECT_EQ(codeOf(A().op(code).little(~std::uint64_t{0}).stop()),
                  ErrorCode::PickleTruncated);
    }
    EXPECT_EQ(codeOf(A().op('X').little(0xFFFF'FFFFU).stop()), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('B').little(0x7FFF'FFFFU).stop()), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op(0x8a).op(255).stop()), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op(0x8b).little(0x7FFF'FFFF).stop()), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('T').little(0x7FFF'FFFF).stop()), ErrorCode::PickleTruncated);
    EXPECT_EQ(codeOf(A().op('U').op(9).raw("short").stop()), ErrorCode::PickleTruncated);
}

TEST(PickleHostile, NegativeLengths) {
    EXPECT_EQ(codeOf(A().op('T').little(-1).stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op(0x8b).little(-5).stop()), ErrorCode::PickleBadOperand);
}

TEST(PickleHostile, UnknownOpcodesAndProtocols) {
    EXPECT_EQ(codeOf(A().op(0x00).stop()), ErrorCode::PickleBadOpcode);
    EXPECT_EQ(codeOf(A().op(0xFF).stop()), ErrorCode::PickleBadOpcode);
    EXPECT_EQ(codeOf(A().op(0x99).stop()), ErrorCode::PickleBadOpcode);
    EXPECT_EQ(codeOf(A().proto(6).op('N').stop()), ErrorCode::PickleBadProtocol);
    EXPECT_EQ(codeOf(A().proto(255).op('N').stop()), ErrorCode::PickleBadProtocol);
}

TEST(PickleHostile, StackUnderflow) {
    for (const char code : {'.', '0', '2', 'R', 'b', 'a', 's', 'Q', 'q'}) {
        EXPECT_EQ(codeOf(A().op(code).op(0).stop()), ErrorCode::PickleStackUnderflow) << code;
    }
    for (const int code : {0x81, 0x85, 0x86, 0x87, 0x92, 0x93, 0x94, 0x98}) {
        EXPECT_EQ(codeOf(A().op(code).stop()), ErrorCode::PickleStackUnderflow) << code;
    }
    EXPECT_EQ(codeOf(A().op('N').op('R').stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op('N').op(0x86).stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op('(').op('e').stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op('(').op('u').stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op('(').op(0x90).stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op('(').op('o').stop()), ErrorCode::PickleStackUnderflow);
}

TEST(PickleHostile, NothingIsPoppedFromBelowAMark) {
    EXPECT_EQ(codeOf(A().op('N').op('(').op('R').stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op('N').op('(').stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op(']').op('(').op('N').op('a').stop()), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(codeOf(A().op(']').op('(').op('(').op('N').op('e').stop()),
              ErrorCode::PickleStackUnderflow);
}

TEST(PickleHostile, NoMark) {
    for (const int code :
         std::initializer_list<int>{'t', 'l', 'd', 'e', 'u', '1', 'o', 0x90, 0x91}) {
        EXPECT_EQ(codeOf(A().op('N').op('N').op(code).stop()), ErrorCode::PickleNoMark) << code;
    }
    EXPECT_EQ(codeOf(A().op('i').raw("m\nC\n").stop()), ErrorCode::PickleNoMark);
}

TEST(PickleHostile, BadMemo) {
    EXPECT_EQ(codeOf(A().op('h').op(0).stop()), ErrorCode::PickleBadMemo);
    EXPECT_EQ(codeOf(A().op('j').little(0xFFFF'FFFFU).stop()), ErrorCode::PickleBadMemo);
    EXPECT_EQ(codeOf(A().op('g').raw("7\n").stop()), ErrorCode::PickleBadMemo);
    EXPECT_EQ(codeOf(A().op('g').raw("x\n").stop()), ErrorCode::PickleBadMemo);
    EXPECT_EQ(codeOf(A().op('N').op('p').raw("-1\n").stop()), ErrorCode::PickleBadMemo);
    EXPECT_EQ(codeOf(A().op('N').op('p').raw("99999999999999999999\n").stop()),
              ErrorCode::PickleBadMemo);
    // An index between two filled ones is still empty.
    EXPECT_EQ(codeOf(A().op('N').put(0).put(9).get(5).stop()), ErrorCode::PickleBadMemo);
}

TEST(PickleHostile, WildMemoIndicesCostNothing) {
    const auto graph = parsed(
        A().text("far").op('r').little(0xFFFF'FFFFU).op('0').op('j').little(0xFFFF'FFFFU).stop());
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->text(graph->root()), "far");
    // If every index is twice the previous one, a flat list would double each time.
    A doubling;
    doubling.op('N');
    for (std::uint32_t index = 1; index < 0x8000'0000U; index *= 2) {
        doubling.op('r').little(index);
    }
    EXPECT_TRUE(parsed(doubling.stop()));
}

TEST(PickleHostile, MemoizeCountsDistinctSlots) {
    // PUT 0, PUT 0 again, then MEMOIZE goes to slot 1.
    const A bytes = A().proto(4)
                        .text("a")
                        .put(0)
                        .op('0')
                        .text("b")
                        .put(0)
                        .op('0')
                        .text("c")
                        .op(0x94)
                        .op('0')
                        .get(0)
                        .get(1)
                        .op(0x86)
                        .stop();
    EXPECT_EQ(dumpOf(bytes), "(s:62,s:63)");
}

TEST(PickleHostile, Frames) {
    EXPECT_EQ(codeOf(A().proto(4).frame(100).op('N').stop()), ErrorCode::PickleBadFrame);
    EXPECT_EQ(codeOf(A().proto(4).frame(~std::uint64_t{0}).op('N').stop()),
              ErrorCode::PickleBadFrame);
    EXPECT_EQ(codeOf(A().proto(4).frame(2).integer(1).stop()), ErrorCode::PickleBadFrame);
    EXPECT_EQ(codeOf(A().proto(4).frame(12).op('N').frame(1).op('N').stop()),
              ErrorCode::PickleBadFrame);
    EXPECT_EQ(codeOf(A().proto(4).op(0x95).raw("abc")), ErrorCode::PickleTruncated);
    EXPECT_EQ(dumpOf(A().proto(4).frame(0).op('N').stop()), "None");
    EXPECT_EQ(dumpOf(A().proto(4).frame(1).op('N').frame(1).stop()), "None");
}

TEST(PickleHostile, NumbersThatAreNone) {
    EXPECT_EQ(codeOf(A().raw("I12x\n.")), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().raw("I\n.")), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().raw("I-\n.")), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().raw("I1__0\n.")), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().raw("L12L3\n.")), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().raw("F1.5.2\n.")), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().raw("F\n.")), ErrorCode::PickleBadOperand);
}

TEST(PickleHostile, AMillionDigits) {
    EXPECT_LT(test::growth(
                  100'000,
                  [](std::size_t count) {
                      const std::string digits(count, '7');
                      const A binary =
                          A().op(0x8b).little(static_cast<std::uint32_t>(count)).raw(digits).stop();
                      return test::processorSeconds([&] {
                          EXPECT_EQ(codeOf(A().op('I').raw(digits).raw("\n.")),
                                    ErrorCode::LimitExceeded);
                          EXPECT_EQ(codeOf(A().op('L').raw(digits).raw("L\n.")),
                                    ErrorCode::LimitExceeded);
                          const auto graph = parsed(binary);
                          ASSERT_TRUE(graph);
                          EXPECT_EQ(graph->integerText(graph->root()).substr(0, 6), "0x3737");
                      });
                  }),
              test::kLinear);
}

TEST(PickleHostile, BadText) {
    EXPECT_EQ(codeOf(A().text("\xff\xfe").stop()), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().text("\xc0\x80").stop()), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().text("\xf5\x80\x80\x80").stop()), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().text("abcdefgh\xe2\x82").stop()), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().raw("S'no end\n.")), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().raw("Sbare\n.")), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().raw("S'\\x4'\n.")), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().raw("V\\u12\n.")), ErrorCode::PickleBadText);
    EXPECT_EQ(codeOf(A().raw("V\\U00110000\n.")), ErrorCode::PickleBadText);
}

TEST(PickleHostile, UnhashableKeys) {
    EXPECT_EQ(codeOf(A().op('}').op(']').op('N').op('s').stop()), ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(codeOf(A().op('}').op('}').op('N').op('s').stop()), ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(codeOf(A().op('}').op('(').op(0x8f).op('N').op('u').stop()),
              ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(codeOf(A().op('}').op(0x96).little<std::uint64_t>(0).op('N').op('s').stop()),
              ErrorCode::PickleUnhashableKey);
    // A list inside a tuple inside a tuple.
    EXPECT_EQ(codeOf(A().op('}').op(']').op(0x85).op(0x85).op('N').op('s').stop()),
              ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(codeOf(A().op(0x8f).op('(').op(']').op(0x90).stop()), ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(codeOf(A().op('(').op(']').op(0x91).stop()), ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(codeOf(A().op('(').op('}').op('N').op('d').stop()), ErrorCode::PickleUnhashableKey);
}

TEST(PickleHostile, TypeConfusion) {
    EXPECT_EQ(codeOf(A().op('N').op('N').op('a').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op('}').op('N').op('a').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op(')').op('(').op('N').op('e').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op(']').op('N').op('N').op('s').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().text("s").op('(').op('N').op('N').op('u').stop()),
              ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op(']').op('(').op('N').op(0x90).stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op('}').op('(').op('N').op('u').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op('(').op('N').op('d').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().integer(1).op('N').op('b').stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().integer(1).op(')').reduce().stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().global("m", "f").op('N').reduce().stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().integer(1).text("name").op(0x93).stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op(0x82).op(0).stop()), ErrorCode::PickleBadOperand);
    EXPECT_EQ(codeOf(A().op(0x84).little(0xFFFF'FFFFU).stop()), ErrorCode::PickleBadOperand);
}

TEST(PickleHostile, LimitsHold) {
    EXPECT_EQ(codeOf(A().repeat("N", 100).stop(), {.maxStack = 50, .onBuilt = {}}),
              ErrorCode::LimitExceeded);
    EXPECT_EQ(codeOf(A().repeat("]", 100).stop(), {.maxNodes = 50, .onBuilt = {}}),
              ErrorCode::LimitExceeded);
    EXPECT_EQ(codeOf(A().repeat("(", 100).stop(), {.maxStack = 50, .onBuilt = {}}),
              ErrorCode::LimitExceeded);
}

TEST(PickleHostile, OnlyTheReadPartOfARunIsKeptWhenItBreaks) {
    const A bytes = A().global("os", "system").text("id").op(0x85).reduce().op('0').op(0xFF);
    const PickleRun run = runPickle(owned(bytes));
    ASSERT_TRUE(run.error);
    EXPECT_EQ(run.error->code, ErrorCode::PickleBadOpcode);
    ASSERT_EQ(run.graph.globals().size(), 1U);
    EXPECT_TRUE(run.graph.globals()[0].called);
    EXPECT_EQ(run.graph.kind(run.graph.root()), NodeKind::Absent);
}

TEST(PickleHostile, OddThingsAreNoted) {
    const auto kinds = [](const A& bytes) {
        std::vector<AnomalyKind> out;
        const PickleRun run = runPickle(owned(bytes));
        for (const Anomaly& anomaly : run.graph.anomalies()) {
            out.push_back(anomaly.kind);
        }
        return out;
    };
    using K = AnomalyKind;
    EXPECT_EQ(kinds(A().op('N').integer(1).stop()), std::vector{K::LeftOnStack});
    EXPECT_EQ(kinds(A().op('N').put(0).integer(1).put(0).op(0x86).stop()),
              (std::vector{K::MemoOverwritten, K::OpcodeOfLaterProtocol}));
    EXPECT_EQ(kinds(A().proto(2).op('N').proto(2).stop()), std::vector{K::ProtocolRepeated});
    EXPECT_EQ(kinds(A().proto(2).op(0x8f).stop()), std::vector{K::OpcodeOfLaterProtocol});
    EXPECT_EQ(kinds(A().global("m", "C").op('}').op('b').stop()), std::vector{K::BuildOnNonObject});
    EXPECT_EQ(kinds(A().global("m", "f").op(')').reduce().op(')').reduce().stop()),
              std::vector{K::ComputedCallable});
}
