// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle.h"
#include "core/codec/pickle/pickle_writer.h"
#include "tests/core/codec/pickle_assembler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <pthread.h>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::pickle;

namespace {

std::span<const std::byte> view(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string hex(std::span<const std::byte> bytes) {
    std::string out;
    for (const std::byte b : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", std::to_integer<unsigned>(b));
        out += digits;
    }
    return out;
}

std::string unhex(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        out += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
    }
    return out;
}

/// As float.hex() of Python writes it.
std::string hexFloat(double value) {
    if (value != value) {
        return "nan";
    }
    char out[64];
    std::snprintf(out, sizeof(out), "%.13a", value);
    std::string text = out;
    if (text == "0x0.0000000000000p+0" || text == "-0x0.0000000000000p+0") {
        return text[0] == '-' ? "-0x0.0p+0" : "0x0.0p+0";
    }
    return text;
}

/// The value in the notation of pickle_corpus.py. Only for small trees without cycles.
std::string dump(const PickleGraph& g, NodeId id);

std::string dumpAll(const PickleGraph& g, std::span<const NodeId> items) {
    std::string out;
    for (const NodeId item : items) {
        out += (out.empty() ? "" : ",") + dump(g, item);
    }
    return out;
}

std::string dumpPairs(const PickleGraph& g, PairView pairs) {
    std::string out;
    for (const auto [key, value] : pairs) {
        out += (out.empty() ? "" : ",") + dump(g, key) + "=" + dump(g, value);
    }
    return "{" + out + "}";
}

std::string dumpObject(const PickleGraph& g, NodeId id) {
    const GlobalName name = g.calleeName(id);
    std::string out = std::string(name.module) + "." + std::string(name.name) + "(" +
                      dumpAll(g, g.items(g.args(id))) + ")";
    if (!g.pairs(id).empty()) {
        out += dumpPairs(g, g.pairs(id));
    }
    if (g.state(id).present()) {
        out += "<" + dump(g, g.state(id)) + ">";
    }
    return out;
}

std::string dump(const PickleGraph& g, NodeId id) {
    switch (g.kind(id)) {
    case NodeKind::Absent:
        return "absent";
    case NodeKind::None:
        return "None";
    case NodeKind::Bool:
        return g.boolean(id) ? "True" : "False";
    case NodeKind::Int:
    case NodeKind::BigInt:
        return g.integerText(id);
    case NodeKind::Float:
        return hexFloat(g.number(id));
    case NodeKind::Str:
        return "s:" + hex(g.bytes(id));
    case NodeKind::Bytes:
        return "b:" + hex(g.bytes(id));
    case NodeKind::ByteArray:
        return "ba:" + hex(g.bytes(id));
    case NodeKind::Tuple:
        return "(" + dumpAll(g, g.items(id)) + ")";
    case NodeKind::List:
        return "[" + dumpAll(g, g.items(id)) + "]";
    case NodeKind::Dict:
        return dumpPairs(g, g.pairs(id));
    case NodeKind::Set:
        return "set[" + dumpAll(g, g.items(id)) + "]";
    case NodeKind::FrozenSet:
        return "frozenset[" + dumpAll(g, g.items(id)) + "]";
    case NodeKind::Global:
        return "global " + std::string(g.global(id).module) + "." + std::string(g.global(id).name);
    case NodeKind::Object:
        return dumpObject(g, id);
    case NodeKind::PersistentId:
        return "pid " + dump(g, g.payload(id));
    case NodeKind::Buffer:
        return "buffer " + std::to_string(g.bufferIndex(id));
    }
    return "?";
}

/// The graph keeps a copy of exactly these bytes, so that a sanitizer sees a read past their end.
PickleBytes owned(std::span<const std::byte> bytes) {
    return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
}

Result<PickleGraph> parsed(std::span<const std::byte> bytes) {
    return parsePickle(owned(bytes));
}

std::string dumpOf(std::span<const std::byte> bytes) {
    const auto graph = parsed(bytes);
    return graph ? dump(*graph, graph->root()) : describe(graph.error());
}

ErrorCode codeOf(std::span<const std::byte> bytes, PickleLimits limits = {}) {
    const auto graph = parsePickle(owned(bytes), limits);
    if (graph) {
        ADD_FAILURE() << "was accepted";
        return ErrorCode::Internal;
    }
    EXPECT_TRUE(graph.error().where.offset.has_value());
    return graph.error().code;
}

struct CorpusRow {
    const char* name;
    int protocol;
    const char* bytes;
    const char* expected;
};
constexpr CorpusRow kCorpus[] = {
#include "tests/core/codec/pickle_corpus.inc"
};

using A = PickleAssembler;

} // namespace

TEST(Pickle, ReadsWhatCPythonWritesInEveryProtocol) {
    for (const CorpusRow& row : kCorpus) {
        const std::string bytes = unhex(row.bytes);
        const auto graph = parsed(view(bytes));
        ASSERT_TRUE(graph) << row.name << ": " << describe(graph.error());
        EXPECT_EQ(dump(*graph, graph->root()), row.expected) << row.name;
        EXPECT_EQ(graph->consumed(), bytes.size()) << row.name;
        EXPECT_EQ(graph->protocol(), row.protocol < 2 ? 0 : row.protocol) << row.name;
        EXPECT_TRUE(graph->anomalies().empty()) << row.name;
    }
}

TEST(Pickle, EveryTruncationOfEverySampleFails) {
    for (const CorpusRow& row : kCorpus) {
        const std::string bytes = unhex(row.bytes);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            // A copy of exact size, so that a sanitizer sees a read past its end.
            const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<long>(length));
            const auto graph = parsePickle(std::as_bytes(std::span(cut)));
            ASSERT_FALSE(graph) << row.name << " cut to " << length;
            const ErrorCode code = graph.error().code;
            EXPECT_TRUE(code == ErrorCode::PickleTruncated || code == ErrorCode::PickleBadFrame)
                << row.name << " cut to " << length << ": " << describe(graph.error());
        }
    }
}

TEST(Pickle, ReadsOpcodesThatModernPicklersNoLongerWrite) {
    EXPECT_EQ(dumpOf(A().raw("(lp0\nI1\naL2L\naI01\naF2.5\na.")),
              "[1,2,True,0x1.4000000000000p+1]");
    EXPECT_EQ(dumpOf(A().raw("(dp0\nS'a\\x41\\n\\\\'\nV\\u20ac\\\\\ns.")),
              "{s:61410a5c=s:e282ac5c5c}");
    EXPECT_EQ(dumpOf(A().raw("S'\\xff'\n.")), "b:ff");
    EXPECT_EQ(dumpOf(A().raw("T\x03").raw(std::string(3, '\0')).raw("abc.")), "s:616263");
    EXPECT_EQ(dumpOf(A().raw("U\x01\xfe.")), "b:fe");
    EXPECT_EQ(dumpOf(A().raw("(I1\nI2\nicopy_reg\n_reconstructor\n.")),
              "copyreg._reconstructor(1,2)");
    EXPECT_EQ(dumpOf(A().raw("(c__builtin__\nset\nI1\no.")), "builtins.set(1)");
    EXPECT_EQ(dumpOf(A().raw("Pabc\n.")), "pid s:616263");
    EXPECT_EQ(dumpOf(A().raw("(K\x01K\x02tQ.")), "pid (1,2)");
    EXPECT_EQ(dumpOf(A().raw("\x82\x07.")), "global copyreg extension.7");
    EXPECT_EQ(dumpOf(A().raw("\x83").little<std::uint16_t>(300).stop()),
              "global copyreg extension.300");
    EXPECT_EQ(dumpOf(A().raw("\x84").little<std::uint32_t>(70000).stop()),
              "global copyreg extension.70000");
    EXPECT_EQ(dumpOf(A().raw("K\x01(K\x02K\x03").op('1').stop()), "1");
    EXPECT_EQ(dumpOf(A().raw("K\x01K\x02").op('0').op('2').op(0x86).stop()), "(1,1)");
    EXPECT_EQ(dumpOf(A().raw("I0x1F\n.")), "31");
    EXPECT_EQ(dumpOf(A().raw("I-1_000\n.")), "-1000");
    EXPECT_EQ(dumpOf(A().proto(5).op(0x97).op(0x98).op(0x97).op(0x86).stop()),
              "(buffer 0,buffer 1)");
    EXPECT_EQ(dumpOf(A().op(0x8b).little<std::int32_t>(0).stop()), "0");
    EXPECT_EQ(
        dumpOf(A().op(0x8a).op(9).raw(std::string(8, '\xff')).raw(std::string(1, '\0')).stop()),
        "18446744073709551615");
}

TEST(Pickle, KeepsWhatCallsAndStatesSay) {
    const A bytes = A().proto(4)
                        .global("m", "C")
                        .op(')')
                        .op('}')
                        .text("k")
                        .integer(1)
                        .op('s')
                        .op(0x92)
                        .text("first")
                        .op('b')
                        .text("second")
                        .op('b')
                        .integer(5)
                        .op('a')
                        .text("key")
                        .integer(6)
                        .op('s')
                        .stop();
    const auto graph = parsed(bytes);
    ASSERT_TRUE(graph) << describe(graph.error());
    const NodeId id = graph->root();
    EXPECT_EQ(graph->madeBy(id), MadeBy::NewObjEx);
    EXPECT_EQ(dump(*graph, graph->kwargs(id)), "{s:6b=1}");
    ASSERT_EQ(graph->states(id).size(), 2U);
    EXPECT_EQ(graph->text(graph->states(id)[0]), "first");
    EXPECT_EQ(graph->text(graph->state(id)), "second");
    EXPECT_EQ(dumpAll(*graph, graph->items(id)), "5");
    EXPECT_EQ(graph->integer(graph->find(id, "key")), 6);
    EXPECT_FALSE(graph->find(id, "other").present());
    ASSERT_EQ(graph->globals().size(), 1U);
    EXPECT_TRUE(graph->globals()[0].called);
    EXPECT_FALSE(graph->globals()[0].asFunction);
    EXPECT_TRUE(graph->globals()[0].built);
}

TEST(Pickle, ALaterPairOfTheSameKeyCounts) {
    const auto graph =
        parsed(A().op('}').text("a").integer(1).op('s').text("a").integer(2).op('s').stop());
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->pairs(graph->root()).size(), 2U);
    EXPECT_EQ(graph->integer(graph->find(graph->root(), "a")), 2);
}

TEST(Pickle, ContainersThatGrowOftenKeepTheirItems) {
    A bytes;
    bytes.op(']').put(0).op(']').put(1);
    for (int i = 0; i < 70'000; ++i) {
        bytes.op(']').integer(i).op('a').op('a').get(0).integer(i).op('a').op('0');
    }
    bytes.get(0).op(0x86).stop();
    const auto graph = parsed(bytes);
    ASSERT_TRUE(graph) << describe(graph.error());
    const auto both = graph->items(graph->root());
    const auto nested = graph->items(both[0]);
    const auto flat = graph->items(both[1]);
    ASSERT_EQ(nested.size(), 70'000U);
    ASSERT_EQ(flat.size(), 70'000U);
    for (std::size_t i = 0; i < flat.size(); ++i) {
        ASSERT_EQ(graph->integer(flat[i]), static_cast<std::int64_t>(i));
        ASSERT_EQ(graph->integer(graph->items(nested[i])[0]), static_cast<std::int64_t>(i));
    }
    EXPECT_LT(graph->memoryBytes(), bytes.str().size() * 4);
}

TEST(Pickle, StopsAtStopAndSaysHowFarItRead) {
    const std::string two = A().integer(1).stop().integer(2).stop().str();
    const auto first = parsed(view(two));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->consumed(), 6U);
    EXPECT_EQ(dumpOf(view(two).subspan(6)), "2");
}

TEST(Pickle, AnOwnedBufferOutlivesItsOwner) {
    const std::string text = A().text("kept").stop().str();
    auto buffer =
        std::make_shared<const std::vector<std::byte>>(view(text).begin(), view(text).end());
    const auto graph = parsePickle(buffer);
    buffer.reset();
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->text(graph->root()), "kept");
}

TEST(Pickle, AskingForTheWrongKindGivesNothing) {
    const auto graph = parsed(A().text("x").integer(7).op(0x86).stop());
    ASSERT_TRUE(graph);
    const NodeId id = graph->root();
    const NodeId text = graph->items(id)[0];
    EXPECT_EQ(graph->text(id), "");
    EXPECT_EQ(graph->integer(text), 0);
    EXPECT_FALSE(graph->asInteger(text));
    EXPECT_TRUE(graph->items(text).empty());
    EXPECT_TRUE(graph->pairs(id).empty());
    EXPECT_FALSE(graph->callable(id).present());
    EXPECT_FALSE(graph->args(NodeId{}).present());
    EXPECT_EQ(graph->kind(NodeId{}), NodeKind::Absent);
    EXPECT_EQ(graph->kind(NodeId{12345}), NodeKind::Absent);
    EXPECT_EQ(graph->text(NodeId{12345}), "");
    EXPECT_EQ(graph->calleeName(text), GlobalName{});
    EXPECT_EQ(graph->number(text), 0.0);
    EXPECT_EQ(graph->integerText(text), "");
    EXPECT_FALSE(graph->payload(text).present());
}

TEST(Pickle, AMemoBombStaysTiny) {
    A bytes;
    bytes.op(']').put(0);
    for (int level = 1; level < 61; ++level) {
        bytes.op('(').get(level - 1).get(level - 1).get(level - 1).get(level - 1).op('l').put(
            level);
    }
    bytes.stop();
    const auto graph = parsed(bytes);
    ASSERT_TRUE(graph) << describe(graph.error());
    EXPECT_LT(graph->memoryBytes(), 16'384U);
    std::size_t visited = 0;
    forEachReachable(*graph, graph->root(), [&](NodeId) {
        ++visited;
        return true;
    });
    EXPECT_EQ(visited, 61U);
}

TEST(Pickle, CyclesAreWalkedOnce) {
    // l = []; l.append(l); an object inside its own state.
    const auto list = parsed(A().op(']').put(0).get(0).op('a').stop());
    ASSERT_TRUE(list);
    EXPECT_EQ(list->items(list->root())[0], list->root());
    const auto object = parsed(A().proto(2)
                                   .global("m", "C")
                                   .op(')')
                                   .op(0x81)
                                   .put(0)
                                   .op('}')
                                   .text("self")
                                   .get(0)
                                   .op('s')
                                   .op('b')
                                   .stop());
    ASSERT_TRUE(object);
    EXPECT_EQ(object->find(object->state(object->root()), "self"), object->root());
    std::size_t visited = 0;
    forEachReachable(*object, object->root(), [&](NodeId) { return ++visited < 100; });
    EXPECT_LT(visited, 10U);
}

namespace {
void* parseDeep(void* result) {
    constexpr std::size_t kDepth = 1'000'000;
    A lists;
    lists.repeat("]", kDepth).repeat("a", kDepth - 1).stop();
    A tuples;
    tuples.op(')').repeat("\x85", kDepth).stop();
    A objects;
    objects.global("m", "C").put(0).op(')');
    for (std::size_t i = 0; i < kDepth; ++i) {
        objects.op(0x85).get(0).op('2').op('0').op('0').get(0).op('0');
    }
    objects.stop();
    bool good = true;
    for (const A* bytes : {&lists, &tuples, &objects}) {
        const auto graph = parsed(*bytes);
        good = good && graph.has_value();
        if (graph) {
            std::size_t count = 0;
            forEachReachable(*graph, graph->root(), [&](NodeId) { return ++count > 0; });
            good = good && count >= kDepth;
        }
    }
    *static_cast<bool*>(result) = good;
    return nullptr;
}
TEST(PickleWriter, KeepsEveryByteAcrossItsBuffer) {
    for (std::size_t length = 4070; length < 4110; ++length) {
        PickleWriter writer;
        std::string expected = "\x80\x02";
        const std::string content(length, 'a');
        const auto addText = [&](const std::string& text) {
            writer.text(text);
            expected += 'X';
            for (int i = 0; i < 4; ++i) {
                expected += static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
            }
            expected += text;
        };
        addText(content);
        writer.get(0x01020304);
        expected += "j\x04\x03\x02\x01";
        writer.integer(7);
        expected += std::string("K\x07", 2);
        writer.integer(-2);
        expected += "J\xfe\xff\xff\xff";
        addText("b");
        addText(content + content);
        expected += '.';
        EXPECT_EQ(hex(std::move(writer).finish()), hex(view(expected))) << length;
    }
}

} // namespace

TEST(Pickle, AMillionLevelsFitASmallStack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 512 * 1024);
    pthread_t thread{};
    bool good = false;
    ASSERT_EQ(pthread_create(&thread, &attributes, parseDeep, &good), 0);
    pthread_join(thread, nullptr);
    EXPECT_TRUE(good);
}

// Hostile streams: each names its code.
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
    // A slot between two that were filled is still empty.
    EXPECT_EQ(codeOf(A().op('N').put(0).put(9).get(5).stop()), ErrorCode::PickleBadMemo);
}

TEST(PickleHostile, WildMemoIndicesCostNothing) {
    const auto graph = parsed(
        A().text("far").op('r').little(0xFFFF'FFFFU).op('0').op('j').little(0xFFFF'FFFFU).stop());
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->text(graph->root()), "far");
    // Each index twice the one before would double a flat list each time.
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
    const std::string digits(1'000'000, '7');
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(codeOf(A().op('I').raw(digits).raw("\n.")), ErrorCode::LimitExceeded);
    EXPECT_EQ(codeOf(A().op('L').raw(digits).raw("L\n.")), ErrorCode::LimitExceeded);
    const A binary = A().op(0x8b).little(1'000'000).raw(digits).stop();
    const auto graph = parsed(binary);
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->integerText(graph->root()).substr(0, 6), "0x3737");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
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
    EXPECT_EQ(codeOf(A().repeat("N", 100).stop(), {.maxStack = 50}), ErrorCode::LimitExceeded);
    EXPECT_EQ(codeOf(A().repeat("]", 100).stop(), {.maxNodes = 50}), ErrorCode::LimitExceeded);
    EXPECT_EQ(codeOf(A().repeat("(", 100).stop(), {.maxStack = 50}), ErrorCode::LimitExceeded);
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
