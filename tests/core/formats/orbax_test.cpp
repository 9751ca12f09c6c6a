// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/tensor_pass.h"
#include "core/model/coverage.h"
#include "tests/core/formats/format_fixture.h"

namespace cairn::formats::orbax {
extern const FormatInfo kFormat;
}

namespace cairn::test {
namespace {

const std::filesystem::path kOrbaxData = CAIRN_SOURCE_DIR "/tests/data/orbax";

CheckpointPtr opened(const std::filesystem::path& path) {
    auto checkpoint = openCheckpoint(path);
    EXPECT_TRUE(checkpoint.has_value()) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

std::vector<float> floats(const Checkpoint& checkpoint, std::string_view name) {
    const auto index = checkpoint.find(name);
    EXPECT_TRUE(index.has_value()) << name;
    if (!index) {
        return {};
    }
    const auto bytes = readComplete(checkpoint, checkpoint.tensor(*index), 1U << 20U);
    EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : describe(bytes.error()));
    std::vector<float> values(bytes ? bytes->size() / 4 : 0);
    if (bytes) {
        std::memcpy(values.data(), bytes->data(), bytes->size());
    }
    return values;
}

std::string asFile(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * 4};
}

std::string zarray(const std::string& shape, const std::string& chunks, const std::string& fill,
                   const std::string& order = "C") {
    return R"({"zarr_format":2,"shape":)" + shape + R"(,"chunks":)" + chunks +
           R"(,"dtype":"<f4","compressor":null,"filters":null,"order":")" + order +
           R"(","fill_value":)" + fill + "}";
}

/// A folder of arrays next to the metadata of a finished step.
void writeStep(const TemporaryFolder& folder) {
    folder.write("_CHECKPOINT_METADATA", R"({"commit_timestamp_nsecs": 1})");
}

TEST(Orbax, ChunksAtTheEdgeAreCut) {
    TemporaryFolder folder;
    writeStep(folder);
    folder.write("w/.zarray", zarray("[3,3]", "[2,2]", "null"));
    folder.write("w/0.0", asFile({0, 1, 3, 4}));
    folder.write("w/0.1", asFile({2, -1, 5, -1}));
    folder.write("w/1.0", asFile({6, 7, -1, -1}));
    folder.write("w/1.1", asFile({8, -1, -1, -1}));
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
    EXPECT_EQ(floats(*checkpoint, "w"), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Orbax, AnArrayMayBeTheRoot) {
    TemporaryFolder folder;
    folder.write(".zarray", zarray("[3]", "[2]", "null"));
    folder.write("0", asFile({0, 1}));
    folder.write("1", asFile({2, -1}));
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->framework(), "zarr");
    ASSERT_EQ(checkpoint->tensors().size(), 1U);
    EXPECT_EQ(floats(*checkpoint, "array"), (std::vector<float>{0, 1, 2}));
}

/// In version 3 an array "c" with the keys of version 2 has the same keys as one at the root.
TEST(Orbax, AnArrayMayBeCalledAsTheFolderOfChunks) {
    const std::string plain =
        R"({"zarr_format":3,"node_type":"array","shape":[2],"data_type":"float32","fill_value":0,)"
        R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1]}},"chunk_key_encoding":)"
        R"({"name":"v2"},"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]})";
    TemporaryFolder folder;
    folder.write("zarr.json", R"({"zarr_format":3,"node_type":"group"})");
    folder.write("c/zarr.json", plain);
    folder.write("c/0", asFile({5}));
    folder.write("c/1", asFile({6}));
    folder.write("d/zarr.json", plain);
    folder.write("d/0", asFile({7}));
    folder.write("d/1", asFile({8}));
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->tensors().size(), 2U);
    EXPECT_EQ(floats(*checkpoint, "c"), (std::vector<float>{5, 6}));
    EXPECT_EQ(floats(*checkpoint, "d"), (std::vector<float>{7, 8}));
    EXPECT_TRUE(std::ranges::none_of(checkpoint->notices(), [](const Notice& notice) {
        return notice.severity == Severity::Error;
    }));
}

std::string zarrJson(const std::string& keys) {
    return R"({"zarr_format":3,"node_type":"array","shape":[2,2],"data_type":"float32","fill_value":0,)"
           R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,1]}},)"
           R"("chunk_key_encoding":)" +
           keys + R"(,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]})";
}

/// As tensorstore and zarr-python write them on demand; groups within are no arrays.
TEST(Orbax, ChunksAreFoundUnderEachEncodingOfTheirKeys) {
    struct Row {
        const char* keys;
        const char* first;
        const char* second;
    };
    for (const Row& row :
         {Row{R"({"name":"default"})", "c/0/0", "c/0/1"},
          Row{R"({"name":"default","configuration":{"separator":"."}})", "c.0.0", "c.0.1"},
          Row{R"({"name":"v2","configuration":{"separator":"."}})", "0.0", "0.1"}}) {
        SCOPED_TRACE(row.first);
        TemporaryFolder folder;
        writeStep(folder);
        folder.write("a/zarr.json", R"({"zarr_format":3,"node_type":"group"})");
        folder.write("a/w/zarr.json", zarrJson(row.keys));
        folder.write(std::string("a/w/") + row.first, asFile({1, 2}));
        folder.write(std::string("a/w/") + row.second, asFile({3, 4}));
        const auto checkpoint = opened(folder.path());
        ASSERT_NE(checkpoint, nullptr);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
        EXPECT_EQ(checkpoint->tensors().size(), 1U);
        EXPECT_EQ(floats(*checkpoint, "a/w"), (std::vector<float>{1, 3, 2, 4}));
    }
}

TEST(Orbax, ChunksUnderOtherKeysAreNotTakenForAbsent) {
    TemporaryFolder folder;
    writeStep(folder);
    folder.write("w/zarr.json", zarrJson(R"({"name":"default"})"));
    folder.write("w/c.0.0", asFile({1, 2})); // would be zeros
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
}

TEST(Orbax, ColumnOrderBecomesStrides) {
    TemporaryFolder folder;
    writeStep(folder);
    folder.write("w/.zarray", zarray("[2,3]", "[2,3]", "null", "F"));
    folder.write("w/0.0", asFile({0, 3, 1, 4, 2, 5}));
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(floats(*checkpoint, "w"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

/// Every set of absent chunks of a small grid gives pieces that tile the array exactly.
TEST(Orbax, AbsentChunksAreTheFillValue) {
    for (unsigned present = 0; present < 64; ++present) {
        TemporaryFolder folder;
        writeStep(folder);
        folder.write("w/.zarray", zarray("[5,3]", "[2,2]", "0.5")); // a grid of 3 by 2
        std::vector<float> expected(15, 0.5F);
        for (unsigned chunk = 0; chunk < 6; ++chunk) {
            if ((present >> chunk & 1U) == 0) {
                continue;
            }
            const unsigned row = chunk / 2;
            const unsigned column = chunk % 2;
            folder.write("w/" + std::to_string(row) + "." + std::to_string(column),
                         asFile({7, 7, 7, 7}));
            for (unsigned r = 2 * row; r < std::min(2 * row + 2, 5U); ++r) {
                for (unsigned c = 2 * column; c < std::min(2 * column + 2, 3U); ++c) {
                    expected[r * 3 + c] = 7;
                }
            }
        }
        const auto checkpoint = opened(folder.path());
        ASSERT_NE(checkpoint, nullptr);
        EXPECT_EQ(floats(*checkpoint, "w"), expected) << present;
        EXPECT_TRUE(coverage(checkpoint->tensors()[0]).complete()) << present;
        EXPECT_LE(checkpoint->tensors()[0].pieces.size(), 6U);
    }
}

TEST(Orbax, AGridWithoutEndCostsNothing) {
    TemporaryFolder folder;
    writeStep(folder);
    folder.write("w/.zarray", zarray("[1073741824,1073741824]", "[1,1]", "0.0"));
    folder.write("w/77.5", asFile({3}));
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_LE(checkpoint->tensors()[0].pieces.size(), 6U);
    EXPECT_TRUE(coverage(checkpoint->tensors()[0]).complete());
}

TEST(Orbax, AbsentChunksWithoutAFillValueAreMissing) {
    TemporaryFolder folder;
    writeStep(folder);
    folder.write("w/.zarray", zarray("[4]", "[2]", "null"));
    folder.write("w/1", asFile({1, 2}));
    const auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_EQ(coverage(checkpoint->tensors()[0]).holes, 2U);
}

TEST(Orbax, ZerosThatWereLeftOutAreReadWhateverTheirSize) {
    const auto checkpoint = opened(kOrbaxData / "left_out");
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
    const TensorEntry& moments = checkpoint->tensor(*checkpoint->find("mu"));
    ASSERT_GT(moments.bytes(), 1U << 30U);
    const auto reader = TensorReader::open(*checkpoint, moments);
    ASSERT_TRUE(reader.has_value());
    EXPECT_TRUE(checkExpansion(moments, *reader).has_value());
}

/// Compressed chunks in separate files: only their own headers record their length.
TEST(Orbax, ACutChunkIsNoticedWhenTheFolderIsOpened) {
    const std::vector<std::pair<std::string, std::string>> files{{"array_folders", "params.w/0.0"},
                                                                 {"left_out", "w/c/0"}};
    for (const auto& [sample, chunk] : files) {
        const std::string whole = readText(kOrbaxData / sample / chunk);
        for (std::size_t length = 0; length < whole.size(); ++length) {
            TemporaryFolder folder;
            std::filesystem::copy(kOrbaxData / sample, folder / "step",
                                  std::filesystem::copy_options::recursive);
            folder.write("step/" + chunk, whole.substr(0, length));
            const auto checkpoint = opened(folder / "step");
            ASSERT_NE(checkpoint, nullptr);
            EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete)
                << chunk << " of " << length << " bytes";
            EXPECT_FALSE(checkpoint->why().empty());
        }
    }
}

TEST(Orbax, AnItemThatTheMetadataListAndIsNotThereIsMissing) {
    for (const char* item : {"state", "metrics"}) {
        TemporaryFolder folder;
        std::filesystem::copy(kOrbaxData / "step_100", folder / "100",
                              std::filesystem::copy_options::recursive);
        ASSERT_GT(std::filesystem::remove_all(folder / "100" / item), 1U);
        const auto checkpoint = opened(folder / "100");
        ASSERT_NE(checkpoint, nullptr);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete) << item;
        EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::MissingShard)) << noticesText(*checkpoint);
    }
}

TEST(Orbax, AnItemWithoutItsFileIsMissing) {
    for (const char* file : {"meta/metadata", "metrics/metrics"}) {
        TemporaryFolder folder;
        std::filesystem::copy(kOrbaxData / "old_step_10", folder / "10",
                              std::filesystem::copy_options::recursive);
        ASSERT_TRUE(std::filesystem::remove(folder / "10" / file));
        const auto checkpoint = opened(folder / "10");
        ASSERT_NE(checkpoint, nullptr);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete) << file;
    }
}

TEST(Orbax, ItemsOfOldManagersAreOneStep) {
    const auto checkpoint = opened(kOrbaxData / "old_step_10");
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->format(), "orbax");
    EXPECT_EQ(trainingPosition(*checkpoint).step, 10);
    EXPECT_TRUE(checkpoint->find("state.params.dense.kernel").has_value());
    const auto values = checkpoint->values();
    ASSERT_TRUE(values.has_value());
    ASSERT_NE(values->findPath({"meta", "epoch"}), nullptr);
    ASSERT_NE(values->findPath({"metrics", "loss"}), nullptr);
    // The folder of an item opened directly, which contains that one file.
    const auto item = opened(kOrbaxData / "old_step_10" / "state");
    ASSERT_NE(item, nullptr);
    EXPECT_TRUE(item->find("params.dense.kernel").has_value());
}

TEST(Orbax, AStepHasItemsAndValues) {
    const auto checkpoint = opened(kOrbaxData / "step_100");
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(trainingPosition(*checkpoint).step, 100);
    EXPECT_TRUE(checkpoint->find("state.params.dense.kernel").has_value());
    EXPECT_TRUE(checkpoint->find("rng.jax_random_key.checkpoint").has_value());
    const auto values = checkpoint->values();
    ASSERT_TRUE(values.has_value());
    const Value* layers = values->findPath({"config", "layers"});
    ASSERT_NE(layers, nullptr);
    EXPECT_EQ(*layers->asInt(), 2);
    ASSERT_NE(values->findPath({"metrics", "loss"}), nullptr);
    const auto count = checkpoint->find("state.opt_state.0.count");
    ASSERT_TRUE(count.has_value());
    EXPECT_EQ(checkpoint->tensor(*count).role, Role::Optimizer);
}

TEST(Orbax, ArraysAloneDoNotTellWhetherAllAreThere) {
    TemporaryFolder folder;
    folder.write("step-20/model/head/.zarray", zarray("[1]", "[1]", "null"));
    folder.write("step-20/model/head/0", asFile({7}));
    folder.write("step-20/opt_state/0/mu/.zarray", zarray("[1]", "[1]", "null"));
    folder.write("step-20/opt_state/0/mu/0", asFile({7}));
    folder.write("step-20/step/.zarray", zarray("[]", "[]", "null"));
    folder.write("step-20/step/0", asFile({20}));
    const auto saving = opened(folder / "step-20");
    ASSERT_NE(saving, nullptr);
    EXPECT_EQ(saving->completeness(), Completeness::Unknown);
    EXPECT_FALSE(saving->why().empty());
    EXPECT_EQ(saving->tensor(*saving->find("opt_state/0/mu")).role, Role::Optimizer);
    // Levanter's metadata, written last.
    folder.write("step-20/metadata.json",
                 R"({"step": 21, "timestamp": "2026-01-02T03:04:05", "is_temporary": true})");
    const auto done = opened(folder / "step-20");
    ASSERT_NE(done, nullptr);
    EXPECT_EQ(done->completeness(), Completeness::Complete);
    EXPECT_EQ(trainingPosition(*done).step, 21);
    const auto values = done->values();
    ASSERT_TRUE(values.has_value());
    EXPECT_TRUE(*values->findPath({"metadata", "is_temporary"})->asBool());
}

TEST(Orbax, LeavesThatAreNoArraysAreValues) {
    const auto checkpoint = opened(kOrbaxData / "leaves");
    ASSERT_NE(checkpoint, nullptr);
    const auto values = checkpoint->values();
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(*values->find("text")->asString(), "hello");
    EXPECT_EQ(values->find("none")->kind(), ValueKind::Null);
    EXPECT_EQ(values->find("empty")->kind(), ValueKind::Dict);
    EXPECT_EQ(values->find("list")->kind(), ValueKind::List);
}

/// One scalar array of the tree, and its entry in `_METADATA`.
std::string leaf(const TemporaryFolder& folder, const std::string& item, const std::string& keys,
                 const std::string& name, float value) {
    folder.write(item + name + "/.zarray", zarray("[]", "[]", "null"));
    folder.write(item + name + "/0", asFile({value}));
    return "\"" + name + R"(": {"key_metadata": [)" + keys +
           R"(], "value_metadata": {"value_type": "jax.Array", "skip_deserialize": false}})";
}

TEST(Orbax, ARootThatIsATupleIsAList) {
    TemporaryFolder folder;
    const std::string third = leaf(folder, "root/", R"({"key": "2", "key_type": 1})", "2", 7);
    const std::string first = leaf(folder, "root/", R"({"key": "0", "key_type": 1})", "0", 1);
    const std::string second = leaf(folder, "root/", R"({"key": "1", "key_type": 1})", "1", 2.5);
    folder.write("root/_METADATA",
                 R"({"tree_metadata": {)" + third + "," + first + "," + second + "}}");
    const auto checkpoint = opened(folder / "root");
    ASSERT_NE(checkpoint, nullptr);
    const auto values = checkpoint->values();
    ASSERT_TRUE(values.has_value());
    ASSERT_EQ(values->kind(), ValueKind::List);
    ASSERT_EQ(values->items().size(), 3U);
    const auto nameOf = [&](std::size_t i) {
        const TensorIndex* index = values->items()[i].value.asTensor();
        return index != nullptr ? checkpoint->tensor(*index).name : "";
    };
    EXPECT_EQ(nameOf(0) + nameOf(1) + nameOf(2), "012");
}

TEST(Orbax, AnItemWhoseRootIsATupleKeepsItsValues) {
    TemporaryFolder folder;
    writeStep(folder);
    const std::string count =
        leaf(folder, "opt_state/",
             R"({"key": "0", "key_type": 1}, {"key": "count", "key_type": 2})", "0.count", 3);
    folder.write("opt_state/_METADATA",
                 R"({"tree_metadata": {)" + count +
                     R"(, "1": {"key_metadata": [{"key": "1", "key_type": 1}],
                        "value_metadata": {"value_type": "None", "skip_deserialize": true}}}})");
    folder.write("opt_state/metrics", R"({"loss": 0.5})"); // next to the tree
    for (const bool beside : {true, false}) {
        if (!beside) {
            std::filesystem::remove(folder / "opt_state/metrics");
        }
        const auto checkpoint = opened(folder.path());
        ASSERT_NE(checkpoint, nullptr);
        const auto values = checkpoint->values();
        ASSERT_TRUE(values.has_value());
        const Value* state = values->find("opt_state");
        ASSERT_NE(state, nullptr);
        ASSERT_EQ(state->items().size(), beside ? 3U : 2U);
        EXPECT_EQ(state->kind(), beside ? ValueKind::Dict : ValueKind::List);
        const Value* stored = state->items()[0].value.find("count");
        ASSERT_NE(stored, nullptr);
        ASSERT_NE(stored->asTensor(), nullptr);
        EXPECT_EQ(checkpoint->tensor(*stored->asTensor()).name, "opt_state.0.count");
        EXPECT_EQ(beside, state->find("0") != nullptr && state->find("metrics") != nullptr);
    }
}

TEST(Orbax, TheOptimizerOfNnxTellsTheStep) {
    TemporaryFolder folder;
    const std::string step =
        leaf(folder, "save/", R"({"key": "opt"}, {"key": "step"}, {"key": "value"})",
             "opt.step.value", 3);
    folder.write("save/_METADATA", R"({"tree_metadata": {)" + step + "}}");
    const auto checkpoint = opened(folder / "save");
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(trainingPosition(*checkpoint).step, 3);
}

Role roleOf(const Checkpoint& checkpoint, std::string_view name) {
    const auto index = checkpoint.find(name);
    EXPECT_TRUE(index.has_value()) << name;
    return index ? checkpoint.tensor(*index).role : Role::Other;
}

TEST(Orbax, RandomStatesAreNoWeights) {
    TemporaryFolder folder;
    writeStep(folder);
    std::string tree;
    for (const char* name :
         {"model.d.rngs.key.value", "model.d.rngs.count.value", "model.rngs.params.key", "k",
          "dense.key", "enc.rngs.proj.kernel", "my_rngs.key.value", "key.value"}) {
        tree += (tree.empty() ? "" : ",") +
                leaf(folder, "state/", R"({"key": ")" + std::string(name) + "\"}", name, 1);
    }
    folder.write("state/_METADATA", R"({"tree_metadata": {)" + tree + "}}");
    folder.write("state/array_metadatas/process_0",
                 R"({"array_metadatas": [{"array_metadata": {"param_name": "dense.key",
                    "ext_metadata": null}}, {"array_metadata": {"param_name": "k",
                    "ext_metadata": {"random_key_impl": "threefry2x32"}}}]})");
    leaf(folder, "np_rng/np_random_key/", "", "1", 1);
    folder.write("np_rng/np_random_key/_METADATA", R"({"tree_metadata": {}})");
    auto checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    for (const char* name : {"state.model.d.rngs.key.value", "state.model.d.rngs.count.value",
                             "state.model.rngs.params.key", "state.k", "np_rng.np_random_key.1"}) {
        EXPECT_EQ(roleOf(*checkpoint, name), Role::Rng) << name;
    }
    for (const char* name : {"state.dense.key", "state.enc.rngs.proj.kernel",
                             "state.my_rngs.key.value", "state.key.value"}) {
        EXPECT_EQ(roleOf(*checkpoint, name), Role::Weight) << name;
    }
    folder.write("state/array_metadatas/process_0", R"({"array_metadatas": [{"random_key_impl)");
    checkpoint = opened(folder.path());
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(roleOf(*checkpoint, "state.k"), Role::Weight);
    EXPECT_EQ(checkpoint->notices().size(), 1U) << "told";
}

TEST(Orbax, PartsThatWereNeverMergedAreShownAndIncomplete) {
    TemporaryFolder folder;
    std::filesystem::copy(kOrbaxData / "sharded", folder / "step",
                          std::filesystem::copy_options::recursive);
    std::filesystem::remove(folder / "step/manifest.ocdbt");
    const auto checkpoint = opened(folder / "step");
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_EQ(checkpoint->tensors().size(), 7U);
}

TEST(Orbax, ItsOwnFilesStandForTheFolder) {
    const auto checkpoint = opened(kOrbaxData / "leaves/manifest.ocdbt");
    ASSERT_NE(checkpoint, nullptr);
    EXPECT_TRUE(checkpoint->find("some").has_value());
}

Result<OutputLayout> layoutOf(std::string_view name, Shape shape = {2, 3}) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), name, Dtype::Bfloat16, std::move(shape)},
        {TensorIndex(1), "b", Dtype::Bool, Shape{}}};
    LayoutRequest request;
    request.tensors = tensors;
    return formats::orbax::kFormat.layout(request);
}

TEST(Orbax, EachTensorIsAnArrayInAFolder) {
    const auto layout = layoutOf("params.w");
    ASSERT_TRUE(layout.has_value()) << describe(layout.error());
    std::vector<std::string> names;
    for (const OutputFile& file : layout->files) {
        names.push_back(file.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"params.w/.zarray", "params.w/0.0", "b/.zarray",
                                               "b/0", "_METADATA"}));
}

TEST(Orbax, LargeTensorsAreCutWhereNoChunkIsPadded) {
    const auto even = layoutOf("w", {6, 1 << 27}); // 256 MiB for each row
    ASSERT_TRUE(even.has_value());
    EXPECT_EQ(even->files.size(), 1U + 6U + 2U + 1U);
    EXPECT_EQ(even->files[6].name, "w/5.0");
    EXPECT_EQ(even->files[6].tensors[0].box.origin[0], 5);
    const auto prime = layoutOf("w", {(1 << 28) + 3, 1}); // 536870918 bytes, no divisor near
    ASSERT_TRUE(prime.has_value());
    std::uint64_t bytes = 0;
    for (const OutputFile& file : prime->files) {
        for (const TensorSegment& segment : file.tensors) {
            bytes += segment.source == TensorIndex(0) ? segment.length : 0;
        }
    }
    EXPECT_EQ(bytes, 2U * ((1U << 28U) + 3U));
}

TEST(Orbax, NamesThatAreNoFoldersAreRefused) {
    for (const std::string_view name :
         {"..", "a/../b", "/a", "a/", "a\\b", "d", "_METADATA", "array_metadatas", "b/0"}) {
        const auto layout = layoutOf(name);
        ASSERT_FALSE(layout.has_value()) << name;
        EXPECT_EQ(layout.error().code, ErrorCode::NameNotRepresentable) << name;
    }
    EXPECT_TRUE(layoutOf("layer/kernel:0").has_value());
    std::string deep = "a";
    for (int i = 0; i < 60; ++i) {
        deep += "/a";
    }
    EXPECT_TRUE(layoutOf(deep).has_value());
    for (const std::string& name : {deep + "/a", std::string(1, 'a') + [] {
                                        std::string text;
                                        for (int i = 0; i < 20; ++i) {
                                            text += "/" + std::string(200, 'n');
                                        }
                                        return text;
                                    }()}) {
        const auto layout = layoutOf(name);
        ASSERT_FALSE(layout.has_value()) << name;
        EXPECT_EQ(layout.error().code, ErrorCode::NameNotRepresentable);
    }
}

} // namespace
} // namespace cairn::test
