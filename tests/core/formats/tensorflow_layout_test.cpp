// SPDX-License-Identifier: Apache-2.0
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/protobuf/write.h"
#include "core/codec/sstable/sstable.h"
#include "core/codec/sstable/table_writer.h"
#include "core/formats/tensorflow/layout.h"
#include "core/formats/tensorflow/object_graph.h"
#include "core/formats/tensorflow/scalar_values.h"
#include "core/formats/tensorflow/state_file.h"
#include "core/formats/tensorflow/string_codec.h"
#include "core/model/string_elements.h"
#include "tests/core/formats/format_fixture.h"

namespace cairn::formats::tensorflow {
extern const FormatInfo kFormat;

namespace {

const std::filesystem::path kSaves =
    std::filesystem::path(CAIRN_SOURCE_DIR) / "tests/data/tensorflow";

std::vector<sstable::Row> rowsOf(const std::filesystem::path& path) {
    std::vector<sstable::Row> rows;
    const auto folder = Folder::open(path.parent_path());
    const auto source = (*folder)->openFile(path.filename().string());
    const auto walked = sstable::walk(
        **source,
        [&](const sstable::Entry& entry) -> Result<void> {
            rows.push_back({std::string(entry.key), std::string(asText(entry.value))});
            return {};
        },
        [](const Error& error) { ADD_FAILURE() << describe(error); }, {});
    EXPECT_TRUE(walked);
    return rows;
}

TEST(TensorflowLayout, TablesAreThoseOfTensorflow) {
    std::size_t tables = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSaves)) {
        if (entry.path().extension() == ".index") {
            const sstable::Table table = sstable::writeTable(rowsOf(entry.path()));
            EXPECT_EQ(asText(table.bytes), test::readText(entry.path())) << entry.path();
            ++tables;
        }
    }
    EXPECT_EQ(tables, 8U);
}

TEST(TensorflowLayout, LongTablesHaveSeveralBlocks) {
    std::vector<sstable::Row> rows;
    for (int i = 0; i < 20000; ++i) {
        const std::string number = std::to_string(100000 + i);
        rows.push_back({"layer_" + number + "/kernel", std::string(40, 'v'), 10});
    }
    const sstable::Table table = sstable::writeTable(rows);
    ASSERT_GE(table.checksums.size(), 5U); // data, no meta blocks, index
    for (const auto& checksum : table.checksums) {
        const auto stored = loadLittle<std::uint32_t>(table.bytes, checksum.offset);
        const auto bytes =
            std::span(table.bytes).subspan(checksum.bytes.offset, checksum.bytes.length);
        EXPECT_EQ(stored, maskedCrc32c(crc32c(0, bytes)));
    }
    ASSERT_TRUE(table.slots.back());
    EXPECT_EQ(asText(table.bytes).substr(*table.slots.back() - 10, 40), rows.back().value);
    const test::TemporaryFolder folder;
    folder.write("long.index", asText(table.bytes));
    const auto read = rowsOf(folder / "long.index");
    ASSERT_EQ(read.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(read[i].key, rows[i].key);
    }
}

std::vector<std::byte> graphOf(const Checkpoint& checkpoint) {
    const auto index = checkpoint.find(kFormat.writes.objectGraph);
    EXPECT_TRUE(index);
    auto bytes = readStringBytes(checkpoint, checkpoint.tensor(*index), 1U << 20U);
    EXPECT_TRUE(bytes);
    bytes->erase(bytes->begin(), bytes->begin() + 8); // its length
    return *bytes;
}

TEST(TensorflowLayout, StringsAreThoseOfTensorflow) {
    std::size_t compared = 0;
    for (const char* name :
         {"manager/ckpt-3", "dtypes/all-3", "saved_model", "two_shards/ckpt-9"}) {
        const auto checkpoint = *test::openAs(
            kFormat, name == std::string("saved_model") ? kSaves / name
                                                        : kSaves / (std::string(name) + ".index"));
        for (const TensorEntry& tensor : checkpoint->tensors()) {
            if (!hasStrings(tensor.dtype)) {
                continue;
            }
            const auto canonical = readStringBytes(*checkpoint, tensor, 1U << 20U);
            const auto file = checkpoint->openFile(tensor.pieces.front().file);
            const auto stored = readRange(**file, tensor.pieces.front().bytes);
            EXPECT_EQ(encodeStrings(*canonical).bytes, *stored) << tensor.name;
            ++compared;
        }
    }
    EXPECT_GE(compared, 8U);
}

TEST(TensorflowLayout, TheGraphFollowsWhatIsWritten) {
    const auto checkpoint = *test::openAs(kFormat, kSaves / "manager/ckpt-3.index");
    const std::vector<std::byte> graph = graphOf(*checkpoint);
    const auto same = graphWithKeys(graph, [](std::string_view key) { return std::string(key); });
    ASSERT_TRUE(same);
    EXPECT_EQ(*same, asText(graph));

    const auto part = graphWithKeys(graph, [](std::string_view key) {
        return key.starts_with("model/") ? "net/" + std::string(key) : std::string();
    });
    ASSERT_TRUE(part);
    const auto before = parseObjectGraph(graph);
    const auto after = parseObjectGraph(asBytes(*part));
    ASSERT_TRUE(before && after);
    EXPECT_EQ(after->objects, before->objects);
    EXPECT_LT(after->names.size(), before->names.size());
    EXPECT_GE(after->names.size(), 2U);
    for (const auto& [key, name] : after->names) {
        EXPECT_TRUE(key.starts_with("net/model/")) << key;
    }
    for (std::size_t length = 1; length < graph.size(); length += 7) { // never out of bounds
        (void)graphWithKeys(std::span(graph).first(length),
                            [](std::string_view) { return std::string(); });
    }
    const std::string broken = "\x0a\x7f";
    EXPECT_FALSE(
        graphWithKeys(asBytes(broken), [](std::string_view key) { return std::string(key); }));
}

TEST(TensorflowLayout, TheGraphHasItsObjects) {
    const auto checkpoint = *test::openAs(kFormat, kSaves / "manager/ckpt-3.index");
    const std::vector<std::byte> graph = graphOf(*checkpoint);
    const auto objects = objectsOf(graph);
    const auto names = parseObjectGraph(graph);
    ASSERT_TRUE(objects && names);
    EXPECT_EQ(objects->size(), names->objects);
    const auto childOf = [&](std::size_t object, std::string_view name) {
        const auto& children = (*objects)[object].children;
        const auto found = std::ranges::find(children, name, &GraphObject::Child::name);
        return found == children.end() ? std::size_t{0} : found->object;
    };
    const std::size_t list = childOf(childOf(0, "optimizer"), "_variables");
    ASSERT_NE(list, 0U);
    const GraphObject& moment = (*objects)[childOf(list, "3")];
    ASSERT_EQ(moment.variables.size(), 1U);
    EXPECT_EQ(moment.variables.front().attribute, "VARIABLE_VALUE");
    EXPECT_EQ(moment.variables.front().name, "Adam/m/first/bias");
    EXPECT_EQ(moment.variables.front().key, "optimizer/_variables/3/.ATTRIBUTES/VARIABLE_VALUE");
    for (std::size_t length = 1; length < graph.size(); length += 7) { // never out of bounds
        (void)objectsOf(std::span(graph).first(length));
    }
    std::string child;
    protobuf::appendNumber(child, 1, 1); // the only object is 0
    std::string node;
    protobuf::appendText(node, 1, child);
    std::string broken;
    protobuf::appendText(broken, 1, node);
    EXPECT_FALSE(objectsOf(asBytes(broken)));
}

Result<OutputLayout> layoutOf(std::span<const LayoutTensor> tensors, std::uint64_t shard = 0) {
    LayoutRequest request;
    request.tensors = tensors;
    request.maxShardBytes = shard;
    return layOut(request);
}

TEST(TensorflowLayout, HasShardsStateFileAndIndexLast) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "b", Dtype::Float32, Shape{4}},
        {TensorIndex(1), "a", Dtype::Bfloat16, Shape{2, 2}},
        {TensorIndex(2), "empty", Dtype::Int8, Shape{0, 3}},
        {TensorIndex(0), "tied", Dtype::Float32, Shape{4}, 0}};
    const auto layout = layoutOf(tensors, 16);
    ASSERT_TRUE(layout);
    ASSERT_EQ(layout->files.size(), 4U);
    EXPECT_EQ(layout->files[0].name, "model.data-00000-of-00002");
    EXPECT_EQ(layout->files[2].name, "checkpoint");
    const OutputFile& index = layout->files[3];
    EXPECT_EQ(index.name, "model.index");
    EXPECT_EQ(index.indexSlots.size(), 4U);
    EXPECT_EQ(index.indexSlots[1].file, index.indexSlots[3].file) << "one tensor, two names";
    EXPECT_EQ(index.indexSlots[1].segment, index.indexSlots[3].segment);
    EXPECT_TRUE(layout->files[0].needsChecksums());
    EXPECT_EQ(parseStateFile(asText(layout->files[2].contents[0].bytes))->newest, "model");
    EXPECT_EQ(parseStateFile(stateFileText("a\"b\\c\n\xc3"))->newest, "a\"b\\c\n\xc3");
}

std::shared_ptr<const std::vector<std::byte>> oneString(std::string_view text) {
    auto elements = std::make_shared<std::vector<std::byte>>();
    appendStringElement(*elements, asBytes(text));
    return elements;
}

/// One object whose attributes have these keys.
std::string graphWith(const std::vector<std::string>& keys) {
    std::string node;
    for (const std::string& key : keys) {
        std::string attribute;
        protobuf::appendText(attribute, 3, key);
        protobuf::appendText(node, 2, attribute);
    }
    std::string graph;
    protobuf::appendText(graph, 1, node);
    return graph;
}

TEST(TensorflowLayout, TablesStayInTheGraphIfTheyAreWhole) {
    const std::string graph =
        graphWith({"t/table", "a", "it/ITERATOR_STATE", "nowhere", "half/table"});
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "a", Dtype::Float32, Shape{4}},
        {TensorIndex(1), "t/table-values", Dtype::Int64, Shape{2}},
        {TensorIndex(2), "half/table-values", Dtype::Int64, Shape{2}}};
    const auto written = [&](const std::string& keys, const std::string& half, Shape shape) {
        const std::string graphKey(kFormat.writes.objectGraph);
        const std::vector<StringTensor> strings = {
            {keys, "t/table-keys", Shape{1}, oneString("x")},
            {half, "half/table-keys", Shape{1}, oneString("x")},
            {graphKey, graphKey, std::move(shape), oneString(graph)}};
        LayoutRequest request;
        request.tensors = tensors;
        request.strings = strings;
        const auto layout = layOut(request);
        std::string text(layout ? std::string_view() : errorName(layout.error().code));
        for (std::size_t i = 0; layout && i < layout->files.front().contents.size(); ++i) {
            text += asText(layout->files.front().contents[i].view());
        }
        return text;
    };
    const std::string whole = written("t/table-keys", "half/other", {});
    EXPECT_NE(whole.find(graphWith({"t/table", "a", "nowhere"})), std::string::npos);
    const std::string moved = written("u/table-keys", "half/table-keys", {});
    EXPECT_NE(moved.find(graphWith({"a", "nowhere", "half/table"})), std::string::npos);
    EXPECT_EQ(written("t/table-keys", "half/table-keys", Shape{1}),
              errorName(ErrorCode::BadEncoding));
}

TEST(TensorflowLayout, RefusesWhatHasNoPlace) {
    const auto code = [](std::vector<LayoutTensor> tensors) {
        const auto layout = layoutOf(tensors);
        return layout ? ErrorCode::Internal : layout.error().code;
    };
    using enum ErrorCode;
    EXPECT_EQ(code({{TensorIndex(0), "", Dtype::Float32, Shape{1}}}), NameNotRepresentable);
    EXPECT_EQ(code({{TensorIndex(0), std::string_view("\0x", 2), Dtype::Float32, Shape{1}}}),
              NameNotRepresentable);
    EXPECT_EQ(code({{TensorIndex(0), "a", Dtype::Float32, Shape{1}},
                    {TensorIndex(1), "a", Dtype::Float32, Shape{1}}}),
              NameNotRepresentable);
    EXPECT_EQ(code({{TensorIndex(0), "a", Dtype::Opaque, Shape{1}}}), DtypeNotRepresentable);
    EXPECT_EQ(code({{TensorIndex(0), "a", Dtype::Q4K, Shape{256}}}), DtypeNotRepresentable);
}

} // namespace
} // namespace cairn::formats::tensorflow
