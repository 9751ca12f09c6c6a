// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/npy_header.h"
#include "core/formats/common/numpy/npz_write.h"
#include "core/formats/common/numpy/numpy_dtype.h"
#include "core/formats/common/numpy/python_literal.h"
#include "tests/core/formats/format_fixture.h"

#include <numeric>

// Headers, names of types, and folders assembled by hand. The content of complete files is compared
// with NumPy by the conformance suite and tests/interop.

namespace cairn::formats {
namespace npz {
extern const FormatInfo kFormat;
}
namespace {

using test::TemporaryFolder;

std::string npy(std::string_view dict, std::string_view data = {}) {
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(dict.size() & 0xffU);
    file += static_cast<char>(dict.size() >> 8U);
    return file + std::string(dict) + std::string(data);
}

Result<NpyHeader> header(std::string_view dict) {
    const std::string file = npy(dict);
    return parseNpyHeader(asBytes(file));
}

Result<NpyHeader> withDescr(std::string_view descr) {
    return header("{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': (2,)}");
}

TEST(PythonLiteral, ReadsWhatHeadersAreMadeOf) {
    const auto value = parsePythonLiteral(R"({"a": (1, -2L, [True, None]), u'b': 'x\'\u00e9'})");
    ASSERT_TRUE(value) << describe(value.error());
    const PythonLiteral* list = value->find("a");
    ASSERT_NE(list, nullptr);
    ASSERT_EQ(list->items.size(), 3U);
    EXPECT_EQ(list->items[1].integer, -2);
    EXPECT_EQ(list->items[2].kind, LiteralKind::List);
    EXPECT_EQ(value->find("b")->text, "x'\xc3\xa9");
    EXPECT_EQ(parsePythonLiteral("(4)")->kind, LiteralKind::Integer);
    EXPECT_EQ(parsePythonLiteral("(4,)")->kind, LiteralKind::Tuple);
}

TEST(PythonLiteral, RefusesEverythingElse) {
    for (const std::string_view text :
         {"", "{", "{'a'}", "{'a': }", "[1 2]", "'x", "1.5", "0x10", "1_0", "f'x'", "print(1)",
          "__import__('os')", "{'a': 1} + 2", "-", "'\\q'", "'\\ud800'", "'a\nb'", "lambda: 0"}) {
        const auto value = parsePythonLiteral(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::NpyBadHeader) << text;
    }
    EXPECT_FALSE(parsePythonLiteral(std::string(100'000, '(')));
    EXPECT_FALSE(parsePythonLiteral(std::string(300'000, '[')));
}

TEST(NpyHeader, KnowsElementTypes) {
    EXPECT_EQ(withDescr("'<f4'")->element.dtype, Dtype::Float32);
    EXPECT_TRUE(withDescr("'>c8'")->element.bigEndian);
    EXPECT_FALSE(withDescr("'>u1'")->element.bigEndian);
    EXPECT_EQ(withDescr("'<V2'")->element.dtype, Dtype::Bfloat16);
    EXPECT_EQ(withDescr("'|V2'")->element.dtype, Dtype::Opaque);
    EXPECT_EQ(withDescr("'<f1'")->element.dtype, Dtype::Float8E5m2);
    EXPECT_EQ(withDescr("'bfloat16'")->element.dtype, Dtype::Bfloat16);
    EXPECT_EQ(withDescr("'|O'")->element.kind, NpyKind::Objects);
    EXPECT_EQ(withDescr("[('a', '<f4'), ('b', '|O')]")->element.kind, NpyKind::Objects);
    EXPECT_EQ(withDescr("[('a', '<f4'), ('b', '>i2', (2, 3)), ('', '|V7')]")->element.itemBytes,
              23U);
    EXPECT_EQ(withDescr("'<U3'")->element.itemBytes, 12U);
    EXPECT_EQ(withDescr("'<M8[25us]'")->element.itemBytes, 8U);
    EXPECT_EQ(withDescr("'<q4'").error().code, ErrorCode::NpyUnknownDtype);
    EXPECT_EQ(withDescr("'<f3'").error().code, ErrorCode::NpyUnknownDtype);
    EXPECT_EQ(withDescr("[('a', '<f8', (99999999999,))]").error().code, ErrorCode::NpyBadHeader);
}

TEST(NpyHeader, RefusesShapesThatAreNone) {
    for (const std::string_view shape :
         {"(-1,)", "(1.0,)", "4", "[4]", "('4',)", "(99999999999999999999,)",
          "(4611686018427387904, 4611686018427387904)"}) {
        const auto read =
            header("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + "}");
        ASSERT_FALSE(read) << shape;
        EXPECT_EQ(read.error().code, ErrorCode::NpyBadHeader) << shape;
    }
}

TEST(NumpyNames, PeopleCallTypesManyThings) {
    EXPECT_EQ(dtypeOfManifestName("torch.bfloat16"), Dtype::Bfloat16);
    EXPECT_EQ(dtypeOfManifestName("BF16"), Dtype::Bfloat16);
    EXPECT_EQ(dtypeOfManifestName("<f4"), Dtype::Float32);
    EXPECT_EQ(dtypeOfManifestName("np.int64"), Dtype::Int64);
    EXPECT_EQ(dtypeOfManifestName("fp16"), Dtype::Float16);
    EXPECT_FALSE(dtypeOfManifestName("quux"));
    EXPECT_FALSE(dtypeOfManifestName(""));
}

/// A file `name` with one float32 array of `rows` x 2, counting from `first`.
std::string rows(int rows, int first) {
    std::string data;
    for (int i = 0; i < rows * 2; ++i) {
        const float value = static_cast<float>(first + i);
        data.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    return npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) +
                   ", 2)}\n",
               data);
}

TEST(NumpyShards, JoinsRowsOnlyWhenAManifestSaysSo) {
    const TemporaryFolder folder;
    folder.write("w.shard_0.npy", rows(2, 0));
    folder.write("w.shard_1.npy", rows(3, 4));
    const auto apart = openCheckpoint(folder.path());
    ASSERT_TRUE(apart) << describe(apart.error());
    EXPECT_EQ((*apart)->format(), "numpy-shards");
    EXPECT_EQ((*apart)->tensors().size(), 2U);
    EXPECT_TRUE(test::hasNotice(**apart, ErrorCode::ShardsNotJoined));
    EXPECT_EQ((*apart)->completeness(),
              Completeness::Incomplete); // must not be written as complete weights

    folder.write("manifest.json", R"({"tensors": {"w": {"axis": 0, "parts": [
        {"file": "w.shard_0.npy"}, {"file": "w.shard_1.npy"}]}}, "step": 12})");
    const auto whole = openCheckpoint(folder.path());
    ASSERT_TRUE(whole) << describe(whole.error());
    ASSERT_EQ((*whole)->tensors().size(), 1U) << test::noticesText(**whole);
    EXPECT_EQ((*whole)->tensors()[0].shape, (Shape{5, 2}));
    EXPECT_EQ((*whole)->completeness(), Completeness::Complete);
    EXPECT_EQ(trainingPosition(**whole).step, 12);
    const auto bytes = readComplete(**whole, (*whole)->tensors()[0], 1000);
    ASSERT_TRUE(bytes);
    for (int i = 0; i < 10; ++i) {
        float value = 0;
        std::memcpy(&value, bytes->data() + i * 4, 4);
        EXPECT_EQ(value, static_cast<float>(i));
    }
}

/// The tensor "w" that `manifest` joins from twelve files of one row each; empty if there is none.
std::vector<float> joined(const std::string& manifest) {
    const TemporaryFolder folder;
    for (int i = 1; i <= 12; ++i) {
        folder.write("shard_" + std::to_string(i) + ".npy", rows(1, 2 * i - 2));
    }
    folder.write("manifest.json", manifest);
    const auto opened = openCheckpoint(folder.path());
    EXPECT_TRUE(opened) << describe(opened.error());
    const auto index = (*opened)->find("w");
    EXPECT_EQ((*opened)->completeness(), index ? Completeness::Complete : Completeness::Incomplete);
    EXPECT_EQ(test::hasNotice(**opened, ErrorCode::ShardsNotJoined), !index);
    std::vector<float> values(index ? 24 : 0);
    if (index) {
        const auto bytes = readComplete(**opened, (*opened)->tensor(*index), 1000);
        EXPECT_TRUE(bytes && bytes->size() == 96);
        std::memcpy(values.data(), bytes->data(), bytes->size());
    }
    return values;
}

/// A manifest with one tensor whose parts are the files with these numbers.
std::string listed(const std::vector<int>& numbers, const std::vector<int>& ranks = {}) {
    std::string parts;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        parts += parts.empty() ? "" : ", ";
        parts += R"({"file": "shard_)" + std::to_string(numbers[i]) + R"(.npy")" +
                 (ranks.empty() ? "" : R"(, "rank": )" + std::to_string(ranks[i])) + "}";
    }
    return R"({"tensors": {"w": {"axis": 0, "parts": [)" + parts + "]}}}";
}

TEST(NumpyShards, JoinsByNumbersAndRanksNotByTheOrderOfText) {
    std::vector<float> rising(24);
    std::iota(rising.begin(), rising.end(), 0.0F);
    EXPECT_EQ(joined(listed({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})), rising);
    EXPECT_EQ(joined(listed({1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9})), rising); // sorted as text
    const std::vector<int> mixed{3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    EXPECT_TRUE(joined(listed(mixed)).empty());
    EXPECT_EQ(joined(listed(mixed, {2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11})), rising);
    EXPECT_TRUE(joined(listed(mixed, {2, 0, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11})).empty());
}

TEST(NumpyShards, AListOfArraysIsNotPartsOfOne) {
    const TemporaryFolder folder;
    folder.write("weights_00.npy", rows(2, 0));
    folder.write("weights_01.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\n",
                                       std::string(4, '\0')));
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_FALSE(test::hasNotice(**checkpoint, ErrorCode::ShardsNotJoined));
    EXPECT_NE((*checkpoint)->completeness(), Completeness::Incomplete);
}

TEST(NumpyShards, NamesWhatIsMissing) {
    const TemporaryFolder folder;
    folder.write("shard_0.npy", rows(1, 0));
    folder.write("shard_3.npy", rows(1, 0));
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Incomplete);
    const std::string said = test::noticesText(**checkpoint);
    EXPECT_NE(said.find("shard_1.npy"), std::string::npos) << said;
    EXPECT_NE(said.find("shard_2.npy"), std::string::npos) << said;
}

TEST(NumpyShards, LeavesStepsOfARunAlone) {
    const TemporaryFolder folder;
    folder.write("ckpt_100.npy", rows(1, 0));
    folder.write("ckpt_200.npy", rows(1, 0));
    const auto format = detectFormat(folder.path());
    EXPECT_TRUE(!format || (*format)->id != "numpy-shards");
}

TEST(NumpyShards, AMissingPartIsAHoleAtItsPlace) {
    const TemporaryFolder folder;
    folder.write("shard_0.npy", rows(2, 0));
    folder.write("manifest.json", R"({"tensors": {"w": {"shape": [5, 2], "axis": 0, "parts": [
        {"file": "shard_0.npy"}, {"file": "shard_1.npy"}]}}})");
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Incomplete);
    const auto index = (*checkpoint)->find("w");
    ASSERT_TRUE(index);
    const TensorEntry& tensor = (*checkpoint)->tensor(*index);
    EXPECT_EQ(tensor.shape, (Shape{5, 2}));
    ASSERT_EQ(tensor.pieces.size(), 2U);
    EXPECT_EQ(tensor.pieces[1].box, (Box{{2, 0}, {3, 2}}));
    EXPECT_TRUE((*checkpoint)->files()[tensor.pieces[1].file.position()].missing);
}

TEST(NpzLayout, MembersAreAlignedAndChecked) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "a", Dtype::Float32, {3}, std::nullopt},
        {TensorIndex(1), "b/c", Dtype::Int8, {0, 4}, std::nullopt}};
    LayoutRequest request;
    request.tensors = tensors;
    const auto layout = npz::kFormat.layout(request);
    ASSERT_TRUE(layout) << describe(layout.error());
    const OutputFile& file = layout->files.at(0);
    ASSERT_EQ(file.tensors.size(), 1U); // nothing is copied from the empty one
    EXPECT_EQ(file.tensors[0].offset % 64, 0U);
    EXPECT_EQ(file.checksums.size(), 2U);
    EXPECT_NE(file.tensors[0].crcStart, 0U);
}

TEST(NpzLayout, RefusesWhatNumPyHasNoNameFor) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "a", Dtype::Bfloat16, {3}, std::nullopt}};
    LayoutRequest request;
    request.tensors = tensors;
    const auto layout = npz::kFormat.layout(request);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, ErrorCode::DtypeNotRepresentable);
    EXPECT_NE(layout.error().hint.text().find("--dtype"), std::string::npos);
}

} // namespace
} // namespace cairn::formats
