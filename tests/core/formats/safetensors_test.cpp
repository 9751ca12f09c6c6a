// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/layout.h"
#include "tests/core/formats/safetensors_fixture.h"
#include "tests/support/growth.h"

namespace cairn::test::safetensors {
namespace {

Match probeBytes(std::string_view name, std::string_view bytes) {
    Candidate candidate;
    candidate.path = name;
    candidate.size = bytes.size();
    candidate.head = asBytes(bytes.substr(0, 4096));
    return kFormat.probe(candidate);
}

TEST(SafetensorsReader, ReadsWhatTheReferenceWrote) {
    auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    ASSERT_TRUE(expected);
    for (const JsonMember& file : expected->members()) {
        SCOPED_TRACE(file.key);
        const CheckpointPtr checkpoint = opened(kData / file.key);
        ASSERT_TRUE(checkpoint);
        EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
        expectTensors(*checkpoint, file.value);
    }
}

TEST(SafetensorsReader, ShowsMetadataAndTiedWeights) {
    const CheckpointPtr checkpoint = opened(kData / "tied.safetensors");
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->framework(), "torch");
    const TensorEntry& head = checkpoint->tensor(*checkpoint->find("head.weight"));
    ASSERT_TRUE(head.aliasOf);
    EXPECT_EQ(checkpoint->tensor(*head.aliasOf).name, "embed.weight");
    EXPECT_EQ(totals(*checkpoint).bytes, 48U);
    auto values = checkpoint->values();
    ASSERT_TRUE(values);
    EXPECT_EQ(*values->findPath({"__metadata__", "format"})->asString(), "pt");
    const CheckpointPtr dtypes = opened(kData / "dtypes.safetensors");
    EXPECT_NE(dtypes->values()->find("scalar")->asTensor(), nullptr);
}

TEST(SafetensorsReader, JoinsThePartsOfAllRanks) {
    const CheckpointPtr checkpoint = opened(kData / "per_rank");
    ASSERT_TRUE(checkpoint);
    const TensorEntry& rows = checkpoint->tensor(*checkpoint->find("rows.weight"));
    EXPECT_EQ(rows.shape, (Shape{5, 4}));
    ASSERT_EQ(rows.pieces.size(), 2U);
    EXPECT_EQ(rows.pieces[1].box.origin, (Dims{3, 0}));
    EXPECT_EQ(checkpoint->files().size(), 2U);
}

TEST(SafetensorsReader, AShardByItselfIsNotSaidToBeWhole) {
    const TemporaryFolder folder;
    const std::string file =
        safetensorsFile(R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4);
    const auto shard = openCheckpoint(folder.write("model-00001-of-00003.safetensors", file));
    ASSERT_TRUE(shard) << describe(shard.error());
    EXPECT_EQ((*shard)->completeness(), Completeness::Unknown);
    EXPECT_NE((*shard)->why().front().text().find("one of 3"), std::string::npos);
    EXPECT_TRUE(hasNotice(**shard, ErrorCode::MissingShard));
    for (const char* whole : {"model-00001-of-00001.safetensors", "model.safetensors"}) {
        const auto other = openCheckpoint(folder.write(whole, file));
        ASSERT_TRUE(other) << describe(other.error());
        EXPECT_EQ((*other)->completeness(), Completeness::Complete) << whole;
        EXPECT_TRUE((*other)->notices().empty()) << noticesText(**other);
    }
}

TEST(SafetensorsReader, RecognisesItsFiles) {
    const std::string good = safetensorsFile("{}", 0);
    EXPECT_EQ(probeBytes("x.safetensors", good), Match::Yes);
    EXPECT_EQ(probeBytes("no_extension", good), Match::Yes);
    EXPECT_EQ(probeBytes("x.safetensors", safetensorsFile(" {}", 0)), Match::Yes);
    EXPECT_EQ(probeBytes("x.bin", safetensorsFile(" {}", 0)), Match::No);
    EXPECT_EQ(probeBytes("x.safetensors", "PK\3\4aaaaaaaaaa"), Match::Maybe);
    EXPECT_EQ(probeBytes("x.pt", "PK\3\4aaaaaaaaaa"), Match::No);
    EXPECT_EQ(probeBytes("x.safetensors", "short"), Match::Maybe);
    EXPECT_EQ(probeBytes("x", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{", 9)), Match::No);
}

TEST(SafetensorsReader, NoMetadataMayBeWrittenAsNull) { // as MLX writes it
    const TemporaryFolder folder;
    const auto path = folder.write(
        "x.safetensors",
        safetensorsFile(
            R"({"__metadata__":null,"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4));
    const CheckpointPtr checkpoint = opened(path);
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 1U);
    HeaderChanges changes;
    changes.set.push_back({"note", "kept"});
    const auto source = Folder::open(folder.path()).value()->openFile("x.safetensors");
    const auto edited = kFormat.editHeader(**source, changes);
    ASSERT_TRUE(edited) << describe(edited.error());
    const auto bytes = edited->bytes(edited->leastSize);
    EXPECT_EQ(
        asText(bytes).substr(8),
        R"({"__metadata__":{"note":"kept"},"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})");
    const CheckpointPtr wrong = opened(folder.write(
        "y.safetensors",
        safetensorsFile(R"({"__metadata__":1,"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
                        4)));
    EXPECT_TRUE(hasNotice(*wrong, ErrorCode::SafetensorsBadMetadata));
}

TEST(SafetensorsReader, OpensManyTensorsInLinearTime) {
    EXPECT_LT(
        growth(
            20'000,
            [](std::size_t count) {
                std::vector<SafetensorsTensor> tensors;
                for (std::size_t i = 0; i < count; ++i) {
                    tensors.push_back({"layers." + std::to_string(i) + ".weight", "F32", {2}, 8});
                }
                const TemporaryFolder folder;
                const auto path = folder.write("x.safetensors", safetensorsFile(tensors));
                return processorSeconds([&] { EXPECT_EQ(opened(path)->tensors().size(), count); });
            }),
        kLinear);
}

/// The layout: the reader reads back what it writes.
std::vector<LayoutTensor> everyTensor(const Checkpoint& source) {
    std::vector<LayoutTensor> tensors;
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
        const TensorEntry& entry = source.tensors()[i];
        LayoutTensor tensor{TensorIndex(i), entry.name, entry.dtype, entry.shape, std::nullopt};
        if (entry.aliasOf) {
            tensor.aliasOf = entry.aliasOf->position();
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

TEST(SafetensorsLayout, WritesWhatTheReaderReads) {
    auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    for (const JsonMember& item : expected->members()) {
        SCOPED_TRACE(item.key);
        const CheckpointPtr source = opened(kData / item.key);
        const auto tensors = everyTensor(*source);
        LayoutRequest request;
        request.tensors = tensors;
        auto layout = formats::safetensors::layOut(request);
        ASSERT_TRUE(layout) << describe(layout.error());
        ASSERT_EQ(layout->files.size(), 1U);
        EXPECT_EQ(layout->files[0].name, "model.safetensors");
        EXPECT_FALSE(layout->folder);
        const TemporaryFolder folder;
        const CheckpointPtr copy =
            opened(folder.write("model.safetensors", fillFile(*source, layout->files[0])));
        ASSERT_TRUE(copy);
        EXPECT_TRUE(copy->notices().empty()) << noticesText(*copy);
        expectTensors(*copy, item.value);
        for (const TensorSegment& segment : layout->files[0].tensors) {
            const std::uint32_t bits = dtypeInfo(segment.dtype).bits;
            EXPECT_EQ(segment.offset % std::max(1U, bits / 8), 0U) << segment.name;
        }
        if (!layout->files[0].tensors.empty()) {
            EXPECT_EQ(layout->files[0].tensors[0].offset % 4096, 0U);
        }
    }
}

TEST(SafetensorsLayout, SplitsIntoShardsWithAnIndex) {
    const CheckpointPtr source = opened(kData / "dtypes.safetensors");
    const auto tensors = everyTensor(*source);
    LayoutRequest request;
    request.tensors = tensors;
    request.maxShardBytes = 64;
    auto layout = formats::safetensors::layOut(request);
    ASSERT_TRUE(layout) << describe(layout.error());
    EXPECT_TRUE(layout->folder);
    ASSERT_GT(layout->files.size(), 3U);
    EXPECT_EQ(layout->files.back().name, "model.safetensors.index.json");
    const TemporaryFolder folder;
    for (const OutputFile& file : layout->files) {
        folder.write(file.name, fillFile(*source, file));
        std::uint64_t bytes = 0;
        for (const TensorSegment& segment : file.tensors) {
            bytes += segment.length;
        }
        EXPECT_LE(bytes, 64U);
    }
    auto index = parseJson(readText(folder / "model.safetensors.index.json"), "index");
    ASSERT_TRUE(index) << describe(index.error());
    EXPECT_EQ(index->find("weight_map")->asObject()->size(), tensors.size());
    EXPECT_EQ(index->find("metadata")->find("total_size")->asUnsigned().value_or(0),
              totals(*source).bytes);
    auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    const CheckpointPtr copy = opened(folder.path());
    expectTensors(*copy, *expected->find("dtypes.safetensors"));
}

TEST(SafetensorsLayout, PacksTorchsPairsOfFourBits) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "q", Dtype::Float4E2m1fnX2, Shape{2, 4}, std::nullopt}};
    LayoutRequest request;
    request.tensors = tensors;
    auto layout = formats::safetensors::layOut(request);
    ASSERT_TRUE(layout);
    const std::string text(asText(layout->files[0].contents[0].bytes).substr(8));
    EXPECT_NE(text.find(R"("dtype":"F4","shape":[2,8],"data_offsets":[0,8])"), std::string::npos)
        << text;
}

TEST(SafetensorsLayout, NamesWhatItCannotHold) {
    const auto layOutOne = [](std::string_view name, Dtype dtype, Shape shape) {
        const std::vector<LayoutTensor> tensors = {
            {TensorIndex(0), name, dtype, std::move(shape), std::nullopt}};
        LayoutRequest request;
        request.tensors = tensors;
        return formats::safetensors::layOut(request);
    };
    for (const Dtype dtype : {Dtype::Complex128, Dtype::Complex32, Dtype::Qint8, Dtype::Quint4x2,
                              Dtype::Bits8, Dtype::String, Dtype::Opaque}) {
        auto layout = layOutOne("w", dtype, Shape{4});
        ASSERT_FALSE(layout);
        EXPECT_EQ(layout.error().code, ErrorCode::DtypeNotRepresentable);
        EXPECT_EQ(layout.error().where.tensor, "w");
    }
    EXPECT_EQ(layOutOne("w", Dtype::Float4, Shape{3}).error().code,
              ErrorCode::DtypeNotRepresentable);
    EXPECT_EQ(layOutOne("__metadata__", Dtype::Uint8, Shape{3}).error().code,
              ErrorCode::NameNotRepresentable);
    EXPECT_EQ(layOutOne("\xff", Dtype::Uint8, Shape{3}).error().code,
              ErrorCode::NameNotRepresentable);
    EXPECT_EQ(layOutOne("w", Dtype::Uint8, Shape{std::int64_t{1} << 62, 4}).error().code,
              ErrorCode::DtypeNotRepresentable);
}

} // namespace
} // namespace cairn::test::safetensors
