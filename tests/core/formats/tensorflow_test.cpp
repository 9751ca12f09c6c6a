// SPDX-License-Identifier: Apache-2.0
#include "core/codec/crc32c/crc32c.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/proto.h"
#include "core/formats/tensorflow/scalar_values.h"
#include "core/formats/tensorflow/state_file.h"
#include "core/model/string_elements.h"
#include "tests/core/formats/format_fixture.h"

namespace cairn::formats::tensorflow {
extern const FormatInfo kFormat;

namespace {

namespace fs = std::filesystem;
const fs::path kData = fs::path(CAIRN_SOURCE_DIR) / "tests/data/tensorflow";

CheckpointPtr opened(const fs::path& path) {
    auto checkpoint = test::openAs(kFormat, path);
    EXPECT_TRUE(checkpoint) << describe(checkpoint.error());
    return checkpoint ? *checkpoint : nullptr;
}

void copyTo(const test::TemporaryFolder& folder, std::string_view golden) {
    fs::copy(kData / golden, folder.path(), fs::copy_options::recursive);
}

void flipByte(const fs::path& path, std::size_t at) {
    std::string text = test::readText(path);
    text.at(at) = static_cast<char>(text.at(at) ^ 1);
    std::ofstream(path, std::ios::binary) << text;
}

TEST(TensorflowReader, ReadsWhatTheSaversWrote) {
    const auto json = parseJson(test::readText(kData / "expected.json"), "expected.json");
    ASSERT_TRUE(json);
    ASSERT_GE(json->members().size(), 7U);
    for (const JsonMember& sample : json->members()) {
        const auto checkpoint = opened(kData / std::string(sample.key));
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << sample.key;
        const JsonValue* tensors = sample.value.find("tensors");
        ASSERT_NE(tensors, nullptr);
        EXPECT_EQ(checkpoint->tensors().size(), tensors->members().size()) << sample.key;
        for (const JsonMember& row : tensors->members()) {
            const auto index = checkpoint->find(row.key);
            ASSERT_TRUE(index) << row.key;
            const TensorEntry& tensor = checkpoint->tensor(*index);
            const auto parts = row.value.asArray();
            EXPECT_EQ(dtypeName(tensor.dtype), (*parts)[0].asString().value_or("")) << row.key;
            EXPECT_EQ(tensor.shape.size(), (*parts)[1].asArray()->size()) << row.key;
            EXPECT_EQ(test::sha256Of(*checkpoint, tensor), (*parts)[2].asString().value_or(""))
                << row.key;
        }
    }
}

TEST(TensorflowReader, OpensTheNewestWholeCheckpointOfAFolder) {
    const test::TemporaryFolder folder;
    copyTo(folder, "manager");
    EXPECT_EQ(opened(folder.path())->path(), folder / "ckpt-3");
    EXPECT_EQ(opened(folder.path())->data().step, 15);
    fs::remove(folder / "ckpt-3.data-00000-of-00001");
    folder.write("ckpt-3.data-00001-of-00002", "stale");
    const auto older = opened(folder.path());
    EXPECT_EQ(older->path(), folder / "ckpt-2");
    EXPECT_EQ(older->data().step, 10);
    EXPECT_TRUE(test::hasNotice(*older, ErrorCode::BadIndex)) << "the state file names ckpt-3";
}

TEST(TensorflowReader, WhatOnlyTrainingNeedsIsNoWeight) {
    const OptimizerPlaces none;
    EXPECT_EQ(roleOf("data/.ATTRIBUTES/ITERATOR_STATE", Dtype::Opaque, none), Role::TrainingState);
    EXPECT_EQ(roleOf("keras_api/metrics/0/total/.ATTRIBUTES/VARIABLE_VALUE", Dtype::Float32, none),
              Role::TrainingState);
    EXPECT_EQ(roleOf("rng/_state_var/.ATTRIBUTES/VARIABLE_VALUE", Dtype::Int64, none),
              Role::TrainingState);
    EXPECT_EQ(roleOf("table/.ATTRIBUTES/table-values", Dtype::Int64, none), Role::Other);
    EXPECT_EQ(roleOf("table/.ATTRIBUTES/table-keys", Dtype::Int64, none), Role::Other);
}

TEST(TensorflowReader, OldShardsAreOneCheckpoint) {
    const test::TemporaryFolder folder;
    copyTo(folder, "old_shards");
    for (const char* name : {"", "m.ckpt-7-00000-of-00002", "m.ckpt-7-00001-of-00002"}) {
        const auto checkpoint = opened(folder / name);
        EXPECT_EQ(checkpoint->tensors().size(), 4U) << name;
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << name;
        EXPECT_EQ(checkpoint->data().step, 7) << name;
        EXPECT_TRUE(checkpoint->notices().empty()) << test::noticesText(*checkpoint);
    }
    fs::remove(folder / "m.ckpt-7-00001-of-00002");
    for (const char* name : {"", "m.ckpt-7-00000-of-00002"}) {
        const auto checkpoint = opened(folder / name);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
        EXPECT_TRUE(test::hasNotice(*checkpoint, ErrorCode::MissingShard));
        EXPECT_NE(test::noticesText(*checkpoint).find("m.ckpt-7-00001-of-00002"),
                  std::string::npos);
    }
}

TEST(TensorflowReader, OpensTheNewestOldTableOfAFolder) {
    const test::TemporaryFolder folder;
    for (const char* name : {"model.ckpt-7", "model.ckpt-12"}) {
        fs::copy_file(kData / "old.ckpt-7", folder / name);
        folder.write(std::string(name) + ".meta", "graph");
    }
    folder.write("checkpoint", "model_checkpoint_path: \"model.ckpt-12\"\n");
    const auto checkpoint = opened(folder.path());
    EXPECT_EQ(checkpoint->path(), folder / "model.ckpt-12");
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
    EXPECT_TRUE(checkpoint->notices().empty()) << test::noticesText(*checkpoint);
}

TEST(TensorflowReader, FoldersOfOtherThingsAreNotItsOwn) {
    const auto probed = [](std::initializer_list<const char*> names) {
        Candidate candidate;
        candidate.isFolder = true;
        std::vector<FolderEntry> entries;
        for (const char* name : names) {
            FolderEntry& entry = entries.emplace_back();
            entry.name = name;
            entry.kind = EntryKind::File;
        }
        candidate.entries = entries;
        return kFormat.probe(candidate);
    };
    EXPECT_EQ(probed({"a.cs", "a.cs.meta"}), Match::No);
    EXPECT_EQ(probed({"checkpoint", "model.pt"}), Match::No);
    EXPECT_EQ(probed({"checkpoint", "m.ckpt-1.data-00000-of-00001"}), Match::No);
    EXPECT_EQ(probed({"epoch=1.ckpt", "last.ckpt"}), Match::No);
    EXPECT_EQ(probed({"checkpoint", "m-1", "m-1.meta"}), Match::Maybe);
    EXPECT_EQ(probed({"m.ckpt-1-00000-of-00002"}), Match::Maybe);
}

TEST(TensorflowReader, TheOptimizerWithinALossScaleOptimizerCounts) {
    const auto rank = [](std::string_view path) {
        return stepRank(std::string(path) + std::string(kValueSuffix));
    };
    for (const std::string owner : {"optimizer", "model/optimizer"}) {
        EXPECT_GT(rank(owner + "/inner_optimizer/_iterations"), 0);
        EXPECT_LT(rank(owner + "/inner_optimizer/_iterations"), rank(owner + "/_iterations"));
    }
    EXPECT_LT(rank("optimizer/iterations"), rank("step"));
    EXPECT_LT(rank("step"), rank("model/optimizer/inner_optimizer/iter"));
}

TEST(TensorflowReader, TellsRolesPositionAndNames) {
    const auto checkpoint = opened(kData / "manager");
    const auto roleAt = [&](std::string_view name) {
        return checkpoint->tensor(*checkpoint->find(name)).role;
    };
    EXPECT_EQ(roleAt("model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE"), Role::Weight);
    EXPECT_EQ(roleAt("model/layer_with_weights-1/moving_mean/.ATTRIBUTES/VARIABLE_VALUE"),
              Role::Buffer);
    EXPECT_EQ(roleAt("optimizer/_variables/1/.ATTRIBUTES/VARIABLE_VALUE"), Role::Optimizer);
    EXPECT_EQ(roleAt("save_counter/.ATTRIBUTES/VARIABLE_VALUE"), Role::TrainingState);
    EXPECT_EQ(checkpoint->data().epoch, 3.0);
    const auto values = checkpoint->values();
    ASSERT_TRUE(values);
    const Value* counter = values->find("save_counter");
    ASSERT_TRUE(counter != nullptr && counter->asTensor() != nullptr);
    const Value* name = values->findPath(
        {"object_graph", "names", "model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE"});
    ASSERT_TRUE(name != nullptr && name->asString() != nullptr);
    EXPECT_EQ(*name->asString(), "first/kernel");
}

TEST(TensorflowReader, NamesAMissingShardAndReadsTheOthers) {
    const test::TemporaryFolder folder;
    copyTo(folder, "two_shards");
    fs::remove(folder / "ckpt-9.data-00001-of-00002");
    const auto checkpoint = opened(folder.path());
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(test::hasNotice(*checkpoint, ErrorCode::MissingShard));
    const TensorEntry& there = checkpoint->tensor(*checkpoint->find("layer_0/w"));
    EXPECT_TRUE(readComplete(*checkpoint, there, 1000));
    const TensorEntry& gone = checkpoint->tensor(*checkpoint->find("layer_1/w"));
    EXPECT_EQ(readComplete(*checkpoint, gone, 1000).error().code, ErrorCode::MissingShard);
}

TEST(TensorflowReader, ChecksumsTellWhichVariableChanged) {
    const test::TemporaryFolder folder;
    copyTo(folder, "two_shards");
    const fs::path shard = folder / "ckpt-9.data-00000-of-00002";
    const auto before = opened(folder.path());
    const TensorEntry& w = before->tensor(*before->find("layer_0/w"));
    flipByte(shard, static_cast<std::size_t>(w.pieces.front().bytes.offset) + 3);
    const TensorEntry& names = before->tensor(*before->find("layer_0/names"));
    flipByte(shard, static_cast<std::size_t>(names.pieces.front().bytes.end()) - 1);
    const auto checkpoint = opened(folder.path());
    std::vector<std::string> wrong;
    for (const StoredChecksum& checksum : checkpoint->checksums()) {
        const auto bytes = readRange(**checkpoint->openFile(checksum.file), checksum.bytes);
        ASSERT_TRUE(bytes && checksum.kind.update != nullptr);
        if (checksum.kind.update(0, *bytes) != checksum.crc32) {
            wrong.push_back(checksum.what);
        }
    }
    EXPECT_EQ(wrong, std::vector<std::string>{"layer_0/w"});
    EXPECT_EQ(
        readComplete(*checkpoint, checkpoint->tensor(*checkpoint->find("layer_0/names")), 1000)
            .error()
            .code,
        ErrorCode::BadChecksum);
}

TEST(TensorflowReader, APartitionedVariableHasAPieceForEachSlice) {
    const auto checkpoint = opened(kData / "partitioned");
    const TensorEntry& rows = checkpoint->tensor(*checkpoint->find("net/rows"));
    EXPECT_EQ(rows.shape, (Shape{7, 5}));
    EXPECT_EQ(rows.pieces.size(), 3U);
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("net/columns")).pieces.size(), 2U);
}

TEST(TensorflowReader, SaysThatPartsWereNotMerged) {
    const test::TemporaryFolder folder;
    copyTo(folder, "two_shards");
    for (const char* end : {".index", ".data-00000-of-00002", ".data-00001-of-00002"}) {
        fs::rename(folder / ("ckpt-9" + std::string(end)),
                   folder / ("part-00000-of-00001" + std::string(end)));
    }
    fs::remove(folder / "checkpoint");
    const auto checkpoint = opened(folder.path());
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(test::hasNotice(*checkpoint, ErrorCode::BeingWritten));
    EXPECT_EQ(checkpoint->tensors().size(), 5U);
}

TEST(TensorflowKeys, SlicesAreDecodedAsOrderedCode) {
    const auto whole =
        parseSliceKey(std::string_view("\0net/w\0\x01\x01\x02\x80\x7f\x81\xc0\x40", 15));
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->name, "net/w");
    ASSERT_EQ(whole->slice.size(), 2U);
    EXPECT_EQ(whole->slice[0].start, 0);
    EXPECT_EQ(whole->slice[0].length, -1);
    EXPECT_EQ(whole->slice[1].start, 1);
    EXPECT_EQ(whole->slice[1].length, 64);
    const auto escaped = parseSliceKey(std::string_view("\0a\0\xff\xff\0b\0\x01\0", 10));
    ASSERT_TRUE(escaped);
    EXPECT_EQ(escaped->name, std::string("a\0\xff"
                                         "b",
                                         4));
    EXPECT_FALSE(parseSliceKey(std::string_view("\0net/w", 6)));
    EXPECT_FALSE(parseSliceKey(std::string_view("\0a\0\x01\x01\x02\x80", 7)));
}

TEST(TensorflowKeys, LargeExtentsSurvive) {
    // 2^40 as WriteSignedNumIncreasing() encodes it: seven bits in each byte but the first.
    const auto key = parseSliceKey(std::string_view("\0a\0\x01\x01\x01\x80\xfd\0\0\0\0\0", 13));
    ASSERT_TRUE(key);
    EXPECT_EQ(key->slice[0].length, std::int64_t{1} << 40);
}

TEST(TensorflowState, IsReadAndCutToNames) {
    const auto state = parseStateFile("model_checkpoint_path: \"/home/x/ckpt-3\"\n"
                                      "all_model_checkpoint_paths: \"ckpt-2\"\n"
                                      "all_model_checkpoint_paths: \"a\\\"b\\303\\251\"\n"
                                      "all_model_checkpoint_timestamps: 1.5\n");
    ASSERT_TRUE(state);
    EXPECT_EQ(state->newest, "ckpt-3");
    EXPECT_EQ(state->all, (std::vector<std::string>{"ckpt-2", "a\"b\xc3\xa9"}));
    EXPECT_FALSE(parseStateFile("just text\n"));
    EXPECT_FALSE(parseStateFile("model_checkpoint_path: \"open\n"));
    EXPECT_EQ(parseStateFile("model_checkpoint_path: \"..\"\n")->newest, "");
}

TEST(TensorflowNames, ShardsAndPartsAreRecognised) {
    const auto shard = parseShardFile("model.data-1.data-00003-of-00007");
    ASSERT_TRUE(shard);
    EXPECT_EQ(shard->prefix, "model.data-1");
    EXPECT_EQ(shard->index, 3U);
    EXPECT_EQ(shard->count, 7U);
    EXPECT_EQ(shardFileName("a/b", 3, 7), "a/b.data-00003-of-00007");
    EXPECT_FALSE(parseShardFile("x.data-00007-of-00007"));
    EXPECT_FALSE(parseShardFile("x.data-1-of-2"));
    const auto old = parseV1Shard("m.ckpt-5-00001-of-00002");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->prefix, "m.ckpt-5");
    EXPECT_EQ(old->index, 1U);
    EXPECT_EQ(old->count, 2U);
    EXPECT_EQ(v1ShardName("m.ckpt-5", 1, 2), "m.ckpt-5-00001-of-00002");
    EXPECT_FALSE(parseV1Shard("m.ckpt-5.data-00001-of-00002"));
    EXPECT_FALSE(parseV1Shard("m.ckpt-5-00002-of-00002"));
    EXPECT_FALSE(parseV1Shard("-00001-of-00002"));
    EXPECT_FALSE(parseV1Shard("model-00001-of-00002.safetensors"));
    EXPECT_TRUE(isPartIndex("part-00000-of-00002.index"));
    EXPECT_FALSE(isPartIndex("part-of.index"));
}

TEST(TensorflowChecksum, IsTheOneThatWasMasked) {
    for (const std::uint32_t crc : {0U, 1U, 0x12345678U, 0xFFFFFFFFU}) {
        EXPECT_EQ(unmaskedCrc32c(maskedCrc32c(crc)), crc);
    }
}

} // namespace
} // namespace cairn::formats::tensorflow
