// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_codec.h"
#include "core/formats/dcp/known_items.h"
#include "core/formats/format.h"
#include "tests/core/formats_dcp/dcp_builder.h"

#include <gtest/gtest.h>

#include <filesystem>

// An item that equals one read before is not parsed again. Whatever is changed in it, the result
// must be that of a codec that has read nothing before.

namespace cairn::test {
namespace {

TensorEntry entryOf(Dtype dtype, const Shape& shape) {
    TensorEntry tensor;
    tensor.name = "w";
    tensor.dtype = dtype;
    tensor.shape = shape;
    return tensor;
}

/// The codec's result for an item that is all of `bytes`.
std::string answer(const PieceCodec& codec, std::string_view bytes, const TensorEntry& tensor) {
    const auto file = makeMemorySource(toBytes(bytes), "shard");
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.bytes = {0, bytes.size()};
    const auto located = codec.locate(file, tensor, piece);
    if (!located) {
        return describe(located.error());
    }
    const auto range = [](const ByteRange& wanted) {
        return std::to_string(wanted.offset) + "+" + std::to_string(wanted.length) + " ";
    };
    return "at " + range(located->bytes) + formatDims(located->strides) + " crc " +
           (located->crc32 ? std::to_string(*located->crc32) : "none") + " of " +
           range(located->crcRange) + (located->flags.swapBytes ? "swapped" : "") +
           (located->source == file ? "" : " elsewhere");
}

/// Compares the results for `item` with every byte changed in several ways, and for parts of it.
void expectSameAnswers(const std::string& known, const std::string& item,
                       const TensorEntry& tensor) {
    const auto experienced = formats::dcp::makeTorchSaveCodec();
    ASSERT_TRUE(answer(*experienced, known, tensor).starts_with("at "));
    const auto compare = [&](const std::string& bytes, const std::string& what) {
        EXPECT_EQ(answer(*experienced, bytes, tensor),
                  answer(*formats::dcp::makeTorchSaveCodec(), bytes, tensor))
            << what;
        // An invalid item must not be remembered as known.
        ASSERT_TRUE(answer(*experienced, known, tensor).starts_with("at "));
    };
    compare(item, "as it is");
    for (std::size_t at = 0; at < item.size(); ++at) {
        for (const int change : {0x01, 0x80, 0xFF}) {
            std::string changed = item;
            changed[at] = static_cast<char>(changed[at] ^ change);
            compare(changed, "byte " + std::to_string(at));
        }
        std::string zeroed = item;
        zeroed[at] = '\0';
        compare(zeroed, "zero at " + std::to_string(at));
        compare(item.substr(0, at), "cut at " + std::to_string(at));
    }
    for (const char* signature : {"PK\5\6", "PK\3\4", "PK\1\2", "PK\6\7"}) {
        for (std::size_t at = 0; at + 4 <= item.size(); ++at) {
            std::string changed = item;
            changed.replace(at, 4, signature);
            compare(changed, "signature at " + std::to_string(at));
        }
    }
}

TEST(DcpKnownItems, DifferInElementsAndTheirChecksumAlone) {
    using namespace formats::dcp;
    const auto itemOf = [](const std::string& pickle, float first) {
        return makeItemSource(makeMemorySource(toBytes(archiveOf(pickle, floats(6, first))), "i"))
            .value();
    };
    const std::string pickle = itemPickle({{2, 3}, {3, 1}});
    const auto item = itemOf(pickle, 0);
    const auto archive = openItemArchive(item, 1000).value();
    KnownItems known;
    EXPECT_FALSE(known.find(*item));
    known.keep(*item, archive, *archive.storage("0"), {});
    EXPECT_EQ(known.find(*item).value().crc32, crcOf(floats(6)));
    EXPECT_EQ(known.find(*itemOf(pickle, 6)).value().crc32, crcOf(floats(6, 6)));
    EXPECT_FALSE(known.find(*itemOf(itemPickle({{3, 2}, {2, 1}}), 6)));
}

TEST(DcpKnownItems, AreReadLikeTheFirst) {
    const std::string pickle = itemPickle({{2, 3}, {3, 1}});
    expectSameAnswers(archiveOf(pickle, floats(6)), archiveOf(pickle, floats(6, 6)),
                      entryOf(Dtype::Float32, {2, 3}));
}

TEST(DcpKnownItems, OfUnknownChecksums) {
    const std::string pickle = itemPickle({{2, 3}, {1, 2}});
    const auto archive = [&](float first, std::uint32_t crc) {
        RawEntry data = stored("x/data/0", floats(6, first));
        data.crc = crc;
        data.flags = 8; // the local header has no such flag
        return buildZip({stored("x/extra", "?" + std::to_string(first).substr(0, 1)), data,
                         stored("x/data.pkl", pickle), stored("x/byteorder", "big")});
    };
    expectSameAnswers(archive(0, 7), archive(6, 0), entryOf(Dtype::Float32, {2, 3}));
    expectSameAnswers(archive(0, 0), archive(6, 9), entryOf(Dtype::Float32, {2, 3}));
}

TEST(DcpKnownItems, AsTorchWritesThem) {
    const auto opened = openCheckpoint(std::filesystem::path(CAIRN_TEST_DATA) / "dcp" / "plain");
    ASSERT_TRUE(opened);
    const TensorEntry& rows = (*opened)->tensor(*(*opened)->find("model.rows.weight"));
    ASSERT_GE(rows.pieces.size(), 2U);
    std::vector<std::string> items;
    for (const std::size_t i : {0, 1}) {
        const Piece& piece = rows.pieces[i];
        ASSERT_EQ(piece.box.extent, rows.pieces[0].box.extent);
        const auto file = (*opened)->openFile(piece.file);
        ASSERT_TRUE(file);
        const auto bytes = readRange(**file, piece.bytes);
        ASSERT_TRUE(bytes);
        items.emplace_back(asText(*bytes));
    }
    expectSameAnswers(items[0], items[1], entryOf(rows.dtype, rows.pieces[0].box.extent));
}

} // namespace
} // namespace cairn::test
