// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dequantized.h"
#include "core/formats/gguf/data_start.h"
#include "core/formats/gguf/layout.h"
#include "tests/core/formats/format_fixture.h"

#include <gtest/gtest.h>

namespace cairn::formats::gguf {
extern const FormatInfo kFormat;
}

namespace cairn::test {
namespace {

using formats::gguf::kFormat;
const std::filesystem::path kData = CAIRN_SOURCE_DIR "/tests/data/gguf";

CheckpointPtr opened(const std::filesystem::path& path) {
    auto checkpoint = openAs(kFormat, path);
    EXPECT_TRUE(checkpoint) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

TEST(GgufReader, ReadsWhatTheReferenceWrote) {
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

TEST(GgufReader, DecodesBlocksAsTheReferenceDoes) {
    auto numbers = parseJson(readText(kData / "numbers.json"), "numbers.json");
    ASSERT_TRUE(numbers);
    std::size_t seen = 0;
    for (const JsonMember& file : numbers->members()) {
        const CheckpointPtr checkpoint = opened(kData / file.key);
        ASSERT_TRUE(checkpoint);
        const CheckpointPtr view = dequantizedView(*checkpoint);
        ASSERT_TRUE(view);
        for (const JsonMember& tensor : file.value.members()) {
            const auto index = view->find(tensor.key);
            ASSERT_TRUE(index) << tensor.key;
            EXPECT_EQ(view->tensor(*index).dtype, Dtype::Float32);
            EXPECT_EQ(sha256Of(*view, view->tensor(*index)), tensor.value.asString().value_or(""))
                << file.key << " " << tensor.key;
            ++seen;
        }
    }
    EXPECT_GE(seen, 28U);
}

TEST(GgufReader, DecodesAnyPartOfATensor) {
    const CheckpointPtr checkpoint = opened(kData / "types.gguf");
    ASSERT_TRUE(checkpoint);
    for (const TensorEntry& stored : checkpoint->tensors()) {
        const TensorNumbers numbers(*checkpoint, stored);
        auto whole = readComplete(numbers.checkpoint(), numbers.tensor(), 1U << 20U);
        ASSERT_TRUE(whole) << describe(whole.error());
        auto reader = TensorReader::open(numbers.checkpoint(), numbers.tensor());
        ASSERT_TRUE(reader);
        const std::int64_t columns = stored.shape[1];
        const std::size_t size = reader->elementBytes();
        TensorReader::Scratch scratch;
        const Box box{Dims{0, 3}, Dims{2, columns - 5}};
        std::vector<std::byte> part(static_cast<std::size_t>(2 * (columns - 5)) * size);
        ASSERT_TRUE(reader->readBox(box, part, scratch));
        for (std::size_t row = 0; row < 2; ++row) {
            const std::size_t length = part.size() / 2;
            const std::size_t from = (row * static_cast<std::size_t>(columns) + 3) * size;
            EXPECT_EQ(std::memcmp(part.data() + row * length, whole->data() + from, length), 0)
                << stored.name;
        }
    }
}

TEST(GgufReader, ReadsBlocksByWholeBlocks) {
    const CheckpointPtr checkpoint = opened(kData / "types.gguf");
    ASSERT_TRUE(checkpoint);
    const TensorEntry& tensor = checkpoint->tensor(*checkpoint->find("q4_k"));
    EXPECT_EQ(tensor.bytes(), 4U * 144U);
    auto reader = TensorReader::open(*checkpoint, tensor);
    ASSERT_TRUE(reader);
    TensorReader::Scratch scratch;
    std::vector<std::byte> column(2 * 144);
    ASSERT_TRUE(reader->readBox({Dims{0, 256}, Dims{2, 256}}, column, scratch));
    auto whole = readComplete(*checkpoint, tensor, 1U << 20U);
    ASSERT_TRUE(whole);
    EXPECT_EQ(std::memcmp(column.data(), whole->data() + 144, 144), 0);
    EXPECT_EQ(std::memcmp(column.data() + 144, whole->data() + 3 * 144, 144), 0);
    const auto cut = reader->readBox({Dims{0, 0}, Dims{2, 128}}, column, scratch);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, ErrorCode::Unsupported);
}

TEST(GgufReader, ShowsMetadataExactly) {
    for (const char* file : {"metadata.gguf", "big_endian.gguf", "split", "no_tensors.gguf"}) {
        SCOPED_TRACE(file);
        const CheckpointPtr checkpoint = opened(kData / file);
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->framework(), "ggml/llama");
        const auto values = checkpoint->values();
        ASSERT_TRUE(values) << describe(values.error());
        const auto integer = [&](std::string_view key) {
            const Value* value = values->find(key);
            return value != nullptr && value->asInt() != nullptr ? *value->asInt() : 0;
        };
        EXPECT_EQ(integer("test.uint8"), 255);
        EXPECT_EQ(integer("test.int8"), -128);
        EXPECT_EQ(integer("test.uint32"), 4294967295);
        EXPECT_EQ(integer("test.int64"), std::numeric_limits<std::int64_t>::min());
        EXPECT_EQ(values->find("test.uint64")->asBigInt()->digits, "18446744073709551615");
        EXPECT_EQ(*values->find("test.float32")->asFloat(), static_cast<double>(0.1F));
        EXPECT_EQ(*values->find("test.float64")->asFloat(), 0.1);
        EXPECT_TRUE(*values->find("test.bool")->asBool());
        EXPECT_EQ(*values->find("test.text")->asString(), "na\u00efve \U0001F999\n");
        EXPECT_EQ(*values->findPath({"test.nested", "1", "0"})->asInt(), 3);
        EXPECT_EQ(*values->findPath({"test.truths", "1"})->asBool(), false);
        EXPECT_EQ(values->find("tokenizer.ggml.tokens")->items().size(), 400U);
        EXPECT_EQ(*values->findPath({"tokenizer.ggml.tokens", "399"})->asString(), "tok399");
    }
}

TEST(GgufReader, SaysWhatFilesFromBeforeGgufAre) {
    const test::TemporaryFolder folder;
    for (const std::string magic :
         {"lmgg", "fmgg", "tjgg", "algg"}) { // magics of older formats, all in files named .bin
        const std::string bytes = magic + std::string(60, '\1');
        Candidate candidate;
        candidate.path = "ggml-model.bin";
        candidate.head = asBytes(bytes);
        EXPECT_EQ(kFormat.probe(candidate), Match::Maybe) << magic;
        const auto opened = test::openAs(kFormat, folder.write("ggml-model.bin", bytes));
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ErrorCode::Unsupported) << describe(opened.error());
    }
}

TEST(GgufReader, OpensAllFilesOfASplitFromAnyOfThem) {
    for (const char* file :
         {"split/model-00001-of-00003.gguf", "split/model-00003-of-00003.gguf"}) {
        const CheckpointPtr checkpoint = opened(kData / file);
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->tensors().size(), 8U);
        EXPECT_EQ(checkpoint->files().size(), 3U);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    }
}

TEST(GgufReader, NamesTheMissingFileOfASplit) {
    const TemporaryFolder folder;
    for (const char* part : {"1", "3"}) {
        const std::string name = std::string("model-0000") + part + "-of-00003.gguf";
        folder.write(name, readText(kData / "split" / name));
    }
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::MissingShard)) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 5U);
}

TEST(GgufReader, NoticesAFileThatSaysThatItIsAnotherPart) {
    const TemporaryFolder folder;
    const auto part = [&](const char* name) { return readText(kData / "split" / name); };
    folder.write("m-00001-of-00002.gguf", part("model-00001-of-00003.gguf"));
    folder.write("m-00002-of-00002.gguf", part("model-00002-of-00003.gguf"));
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::StaleShard)) << noticesText(*checkpoint);
}

/// The parts after the first do not record the alignment that gguf's writer used for them.
TEST(GgufReader, FindsDataThatAnotherAlignmentMoved) {
    const CheckpointPtr checkpoint = opened(kData / "moved/model-00001-of-00002.gguf");
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::GgufBadHeader)) << noticesText(*checkpoint);
    for (const TensorEntry& tensor : checkpoint->tensors()) {
        const auto bytes = readComplete(*checkpoint, tensor, 1U << 16U);
        ASSERT_TRUE(bytes.has_value());
        float first = 0;
        std::memcpy(&first, bytes->data(), sizeof first);
        EXPECT_EQ(first, tensor.name == "first" ? 1.0F : 2.0F) << tensor.name;
    }
}

/// Tensor infos that end at offset 40, and 64 bytes of data. Bytes that are not zero are 'x'.
formats::gguf::DataStart startOf(std::string file, std::uint32_t stated) {
    std::vector<std::byte> bytes(file.size());
    std::ranges::transform(file, bytes.begin(), [](char c) { return std::byte(c == 'x' ? 1 : 0); });
    const auto source = makeMemorySource(std::move(bytes), "model.gguf");
    const auto found = formats::gguf::findDataStart(*source, {40, 64, 0, stated});
    EXPECT_TRUE(found.has_value());
    return found ? *found : formats::gguf::DataStart{};
}

TEST(GgufReader, BeginsTheDataWhereTheFilesSizeTells) {
    const std::string infos(40, 'x');
    const std::string data(64, 'x');
    const auto zeros = [](std::size_t count) { return std::string(count, '0'); };
    EXPECT_EQ(startOf(infos + zeros(24) + data, 32).offset, 64U);
    EXPECT_EQ(startOf(infos + zeros(88) + data, 128).offset, 128U);
    EXPECT_EQ(startOf(infos + zeros(88) + data, 32).offset, 128U);            // gguf's writer
    EXPECT_EQ(startOf(infos + zeros(24) + data, 4096).offset, 64U);           // gguf-split
    EXPECT_EQ(startOf(infos + zeros(88) + data.substr(8), 128).offset, 128U); // cut off
    const auto more = startOf(infos + zeros(24) + data + data, 32);
    EXPECT_EQ(more.offset, 64U);
    EXPECT_EQ(more.trailing, 64U);
}

std::vector<LayoutTensor> allOf(const Checkpoint& checkpoint) {
    std::vector<LayoutTensor> tensors;
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        const TensorEntry& tensor = checkpoint.tensors()[i];
        tensors.push_back({TensorIndex(i), tensor.name, tensor.dtype, tensor.shape, {}});
    }
    return tensors;
}

TEST(GgufLayout, ReadsBackAsItWas) {
    const auto expected = parseJson(readText(kData / "expected.json"), "expected.json");
    ASSERT_TRUE(expected);
    for (const char* file :
         {"types.gguf", "plain.gguf", "big_endian.gguf", "metadata.gguf", "no_tensors.gguf"}) {
        SCOPED_TRACE(file);
        const CheckpointPtr checkpoint = opened(kData / file);
        const auto values = checkpoint->values();
        ASSERT_TRUE(values);
        const std::vector<LayoutTensor> tensors = allOf(*checkpoint);
        LayoutRequest request;
        request.tensors = tensors;
        request.values = &*values;
        const auto layout = kFormat.layout(request);
        ASSERT_TRUE(layout) << describe(layout.error());
        ASSERT_EQ(layout->files.size(), 1U);
        const TemporaryFolder folder;
        const auto path = folder.write("out.gguf", fillFile(*checkpoint, layout->files[0]));
        const CheckpointPtr again = opened(path);
        ASSERT_TRUE(again);
        EXPECT_TRUE(again->notices().empty()) << noticesText(*again);
        expectTensors(*again, *expected->find(file));
        EXPECT_EQ(*again->values()->find("general.architecture")->asString(), "llama");
    }
}

TEST(GgufLayout, SplitsAsLlamaDoes) {
    const CheckpointPtr checkpoint = opened(kData / "plain.gguf");
    const std::vector<LayoutTensor> tensors = allOf(*checkpoint);
    LayoutRequest request;
    request.tensors = tensors;
    request.maxShardBytes = 100;
    const auto layout = kFormat.layout(request);
    ASSERT_TRUE(layout);
    EXPECT_TRUE(layout->folder);
    ASSERT_GT(layout->files.size(), 2U);
    const TemporaryFolder folder;
    for (const OutputFile& file : layout->files) {
        folder.write(file.name, fillFile(*checkpoint, file));
    }
    const CheckpointPtr again = opened(folder.path());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->notices().empty()) << noticesText(*again);
    EXPECT_EQ(again->tensors().size(), tensors.size());
    EXPECT_EQ(again->completeness(), Completeness::Complete);
}

TEST(GgufLayout, DescribesAModelByItsConfig) {
    const Value config = Value::dict({{Value("model_type"), Value("qwen2")},
                                      {Value("num_hidden_layers"), Value(std::int64_t{28})},
                                      {Value("rms_norm_eps"), Value(1e-6)}});
    const Value values = Value::dict({{Value("config"), config}});
    const CheckpointPtr checkpoint = opened(kData / "plain.gguf");
    const std::vector<LayoutTensor> tensors = allOf(*checkpoint);
    LayoutRequest request;
    request.tensors = tensors;
    request.values = &values;
    const auto layout = kFormat.layout(request);
    ASSERT_TRUE(layout);
    const TemporaryFolder folder;
    const CheckpointPtr again =
        opened(folder.write("out.gguf", fillFile(*checkpoint, layout->files[0])));
    ASSERT_TRUE(again);
    const auto written = again->values();
    EXPECT_EQ(*written->find("general.architecture")->asString(), "qwen2");
    EXPECT_EQ(*written->find("qwen2.block_count")->asInt(), 28);
    EXPECT_EQ(*written->find("qwen2.attention.layer_norm_rms_epsilon")->asFloat(),
              static_cast<double>(1e-6F));
}

TEST(GgufLayout, RefusesWhatGgmlCannotHold) {
    const auto refused = [](LayoutTensor tensor) {
        const std::vector<LayoutTensor> tensors{std::move(tensor)};
        LayoutRequest request;
        request.tensors = tensors;
        const auto layout = kFormat.layout(request);
        return layout ? ErrorCode::Internal : layout.error().code;
    };
    EXPECT_EQ(refused({TensorIndex(0), "w", Dtype::Complex64, Shape{2}, {}}),
              ErrorCode::DtypeNotRepresentable);
    EXPECT_EQ(refused({TensorIndex(0), "w", Dtype::Float32, Shape{1, 1, 1, 1, 1}, {}}),
              ErrorCode::DtypeNotRepresentable);
    EXPECT_EQ(refused({TensorIndex(0), std::string(64, 'x'), Dtype::Float32, Shape{2}, {}}),
              ErrorCode::NameNotRepresentable);
}

} // namespace
} // namespace cairn::test
