// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_writer.h"
#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/pickle_corpus.h"
#include "tests/core/codec/pickle_dump.h"

#include <pthread.h>
#include <string>

using namespace cairn;
using namespace cairn::pickle;

namespace {

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

} // namespace

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
