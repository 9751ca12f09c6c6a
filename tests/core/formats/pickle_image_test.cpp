// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/pickle_image.h"
#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/pickle_corpus.h"
#include "tests/core/codec/pickle_dump.h"
#include "tests/core/formats/format_fixture.h"

#include <string>

// A pickle parsed without the contents of its long byte strings, compared with the same pickle
// parsed completely.

using namespace cairn;
using namespace cairn::formats;

namespace {

using A = PickleAssembler;
using test::TemporaryFolder;

constexpr std::size_t kMany = 3'000'000;

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto bytes = asBytes(text);
    return {bytes.begin(), bytes.end()};
}

/// Bytes that are not valid UTF-8 and contain no zeros.
std::string noise(std::size_t count) {
    std::string text(count, '\xFF');
    for (std::size_t i = 0; i < count; ++i) {
        text[i] = static_cast<char>(1 + (i * 7919 + i / 251) % 255);
    }
    text[0] = '\xFF';
    return text;
}

struct Read {
    PickleImagePtr image;
    pickle::PickleRun run;
};
Read readImage(std::string_view pickle, std::string_view before = "") {
    const auto source = makeMemorySource(bytesOf(std::string(before) + std::string(pickle)), "x");
    auto image = PickleImage::read(source, {before.size(), pickle.size()});
    EXPECT_TRUE(image) << describe(image.error());
    return {*image, pickle::runPickle({(*image)->bytes(), *image})};
}

} // namespace

TEST(PickleImage, SaysWhatTheWholePickleSays) {
    for (const pickle::CorpusRow& row : pickle::kCorpus) {
        const std::string bytes = pickle::unhex(row.bytes);
        const auto [image, run] = readImage(bytes);
        ASSERT_FALSE(run.error) << row.name << ": " << describe(*run.error);
        EXPECT_EQ(dump(run.graph, run.graph.root()), row.expected) << row.name;
        EXPECT_EQ(run.graph.consumed(), bytes.size()) << row.name;
    }
}

TEST(PickleImage, LeavesOutLongBytesAndFetchesThem) {
    const std::string first = noise(kMany);
    const std::string second = noise(kMany + 77);
    const std::string text(kMany, 't');
    A pickle;
    pickle.proto(5).op('(').bytes(first).text(text);
    pickle.op(0x8e).little<std::uint64_t>(second.size()).raw(second); // BINBYTES8
    pickle.op(0x96).little<std::uint64_t>(first.size()).raw(first);   // BYTEARRAY8
    pickle.op('U').op(3).raw("abc").integer(7).op('t').stop();
    const auto [image, run] = readImage(pickle.str(), "a header");
    ASSERT_FALSE(run.error) << describe(*run.error);
    EXPECT_LT(image->bytesRead(), text.size() + (std::size_t{3} << 20U));
    const auto& graph = run.graph;
    const auto items = graph.items(graph.root());
    ASSERT_EQ(items.size(), 6U);
    EXPECT_EQ(*image->contentOf(graph.bytes(items[0])), bytesOf(first));
    EXPECT_EQ(graph.text(items[1]), text);
    EXPECT_EQ(*image->contentOf(graph.bytes(items[2])), bytesOf(second));
    EXPECT_EQ(*image->contentOf(graph.bytes(items[3])), bytesOf(first));
    EXPECT_EQ(graph.text(items[4]), "abc");
    EXPECT_EQ(graph.integer(items[5]), 7);
    EXPECT_EQ(image->placeOf(graph.bytes(items[0])).offset, 8 + 2 + 1 + 5U);
    // Their first bytes are present, followed by zeros: the rest has not been read.
    const auto bytes = graph.bytes(items[0]);
    EXPECT_EQ(asText(bytes.first(PickleImage::kHead)), first.substr(0, PickleImage::kHead));
    EXPECT_EQ(bytes[kMany / 2], std::byte{0});
}

TEST(PickleImage, ReadsTheStringsOfPython2ByWhatTheyHold) {
    const auto string = [](const std::string& value) {
        return A().op('T').little(static_cast<std::int32_t>(value.size())).raw(value).stop().str();
    };
    const std::string bytes = noise(kMany);
    const auto [image, run] = readImage(string(bytes));
    ASSERT_FALSE(run.error);
    EXPECT_EQ(run.graph.kind(run.graph.root()), pickle::NodeKind::Bytes);
    EXPECT_LT(image->bytesRead(), std::uint64_t{1} << 18U);
    EXPECT_EQ(*image->contentOf(run.graph.bytes(run.graph.root())), bytesOf(bytes));
    // Any character may lie across the limit up to which text is checked.
    for (const std::string_view character : {"a", "\u00e9", "\u20ac", "\U0001F600"}) {
        for (std::size_t shift = 0; shift < 4; ++shift) {
            std::string text(shift, '.');
            while (text.size() < 200'000) {
                text += character;
            }
            const auto [whole, parsed] = readImage(string(text));
            ASSERT_FALSE(parsed.error);
            EXPECT_EQ(parsed.graph.kind(parsed.graph.root()), pickle::NodeKind::Str);
            EXPECT_EQ(parsed.graph.text(parsed.graph.root()), text);
        }
    }
}

TEST(PickleImage, FailsWhereTheWholePickleFails) {
    A good;
    good.proto(4).global("collections", "OrderedDict").op(')').op('R').op('(').text("key");
    good.bytes(noise(40'000)).text("more").op('G').little(std::uint64_t{0}).op('u').stop();
    std::vector<std::string> broken = {
        A().proto(4).bytes(noise(40'000)).op(0xFF).stop().str(), // no opcode
        A().op('T').little(std::int32_t{-5}).raw(noise(40'000)).str(),
        A().op(0x8b).little(std::int32_t{-1}).stop().str(),
        A().op(0x8e).little(~std::uint64_t{0}).raw(noise(40'000)).str(),
        A().raw("I12").str(),
        A().raw("cos").str(),
        A().raw(".").str(),
        "",
    };
    for (std::size_t length = 0; length < good.str().size();
         length += length < 100 || length > 40'000 ? 1 : 997) {
        broken.push_back(good.str().substr(0, length));
    }
    for (const std::string& pickle : broken) {
        const auto whole = pickle::runPickle(asBytes(pickle));
        const auto [image, run] = readImage(pickle);
        ASSERT_TRUE(whole.error) << pickle.size();
        ASSERT_TRUE(run.error) << pickle.size();
        EXPECT_EQ(run.error->code, whole.error->code) << pickle.size();
        EXPECT_EQ(run.error->where.offset, whole.error->where.offset) << pickle.size();
    }
}

TEST(PickleImage, ReadsLittleOfAFileOfManyGibibytes) {
    const TemporaryFolder folder;
    constexpr std::uint64_t kGreat = std::uint64_t{20} << 30U;
    const std::string front = A().proto(4).op('(').op(0x8e).little(kGreat).str();
    const std::string back = A().text("behind").op('t').stop().str();
    const auto path = folder.write("x.pkl", front);
    std::filesystem::resize_file(path, front.size() + kGreat); // a hole
    std::ofstream(path, std::ios::binary | std::ios::app) << back;
    const auto opened = Folder::open(folder.path());
    const auto source = (*opened)->openFile("x.pkl");
    ASSERT_TRUE(source);
    const auto image = PickleImage::read(*source, {0, (*source)->size()});
    ASSERT_TRUE(image) << describe(image.error());
    EXPECT_LT((*image)->bytesRead(), std::uint64_t{1} << 16U);
    const auto graph = pickle::parsePickle({(*image)->bytes(), *image});
    ASSERT_TRUE(graph) << describe(graph.error());
    EXPECT_EQ(graph->bytes(graph->items(graph->root())[0]).size(), kGreat);
    EXPECT_EQ(graph->text(graph->items(graph->root())[1]), "behind");
}
