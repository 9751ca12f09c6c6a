// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/folder_kind.h"
#include "core/formats/huggingface/members.h"
#include "tests/core/formats/format_fixture.h"

#include <cmath>
#include <functional>

namespace cairn::test {
namespace {

const std::filesystem::path kData = CAIRN_SOURCE_DIR "/tests/data/huggingface";

CheckpointPtr opened(const std::filesystem::path& path) {
    auto checkpoint = openCheckpoint(path);
    EXPECT_TRUE(checkpoint) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

JsonValue expectedTensors() {
    auto json = parseJson(readText(kData / "expected.json"), "expected.json");
    EXPECT_TRUE(json);
    return json ? *json : JsonValue();
}

TEST(HuggingFaceReader, ReadsShardsByTheirIndex) {
    const CheckpointPtr checkpoint = opened(kData / "sharded");
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->format(), "huggingface");
    EXPECT_EQ(checkpoint->framework(), "transformers");
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
    expectTensors(*checkpoint, *expectedTensors().find("sharded"));
    auto values = checkpoint->values();
    ASSERT_TRUE(values);
    EXPECT_EQ(*values->findPath({"config", "vocab_size"})->asInt(), 8);
    EXPECT_EQ(*values->findPath({"__metadata__", "format"})->asString(), "pt");
}

TEST(HuggingFaceReader, AnIndexStandsForItsFolder) {
    const CheckpointPtr whole = opened(kData / "sharded");
    const CheckpointPtr named = opened(kData / "sharded" / "model.safetensors.index.json");
    ASSERT_TRUE(whole && named);
    EXPECT_EQ(named->tensors().size(), whole->tensors().size());
    EXPECT_EQ(named->path(), whole->path());
    const TemporaryFolder folder;
    std::filesystem::copy(kData / "sharded", folder.path() / "m");
    folder.write("m/notes.json", "{}"); // not part of the model
    folder.write("m/notes.txt", "What was trained");
    for (const char* name : {"m/notes.json", "m/notes.txt"}) {
        const auto other = openCheckpoint(folder.path() / name);
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().code, ErrorCode::NotACheckpoint);
        EXPECT_EQ(other.error().hint.text(),
                  "Its folder is a checkpoint (format huggingface): open " +
                      (folder.path() / "m").string());
    }
}

TEST(HuggingFaceReader, ReadsAnAdapter) {
    const CheckpointPtr checkpoint = opened(kData / "adapter");
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->framework(), "peft");
    expectTensors(*checkpoint, *expectedTensors().find("adapter"));
    EXPECT_EQ(*checkpoint->values()->findPath({"adapter_config", "r"})->asInt(), 2);
}

TEST(HuggingFaceReader, ReadsATrainersCheckpointAsOne) {
    const CheckpointPtr checkpoint = opened(kData / "checkpoint-2");
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    expectTensors(*checkpoint, *expectedTensors().find("checkpoint-2"));
    EXPECT_EQ(checkpoint->data().step, 2);
    EXPECT_EQ(checkpoint->data().epoch, 1.0);
    const auto role = [&](std::string_view name) {
        return checkpoint->tensor(*checkpoint->find(name)).role;
    };
    EXPECT_EQ(role("transformer.wte.weight"), Role::Weight);
    EXPECT_EQ(role("optimizer.state.0.exp_avg"), Role::Optimizer);
    EXPECT_EQ(role("rng_state.cpu"), Role::Rng);
    auto values = checkpoint->values();
    ASSERT_TRUE(values) << describe(values.error());
    EXPECT_EQ(*values->findPath({"trainer_state", "global_step"})->asInt(), 2);
    EXPECT_NE(values->findPath({"optimizer", "param_groups", "0", "lr"}), nullptr);
    EXPECT_NE(values->findPath({"scheduler", "last_epoch"}), nullptr);
    const Value* step = values->findPath({"optimizer", "state", "0", "step"});
    if (step != nullptr && step->asTensor() != nullptr) {
        EXPECT_EQ(checkpoint->tensor(*step->asTensor()).name, "optimizer.state.0.step");
    }
}

TEST(HuggingFaceReader, ReadsTrainerStateWithNaN) {
    const TemporaryFolder folder;
    folder.write("model.safetensors", readText(kData / "checkpoint-2/model.safetensors"));
    folder.write("trainer_state.json", readText(kData / "checkpoint-2/trainer_state.json"));
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->data().step, 2);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    auto values = checkpoint->values();
    const Value* norm = values->findPath({"trainer_state", "log_history", "0", "grad_norm"});
    ASSERT_NE(norm, nullptr);
    EXPECT_TRUE(std::isnan(*norm->asFloat()));
}

std::string shard(std::string_view tensor, std::size_t bytes = 4) {
    return safetensorsFile({byteTensor(tensor, bytes)});
}

std::string index(std::string_view map, std::string_view metadata = R"({"total_size":8})") {
    return R"({"metadata":)" + std::string(metadata) + R"(,"weight_map":)" + std::string(map) + "}";
}

constexpr std::string_view kFirst = "model-00001-of-00002.safetensors";
constexpr std::string_view kSecond = "model-00002-of-00002.safetensors";
constexpr std::string_view kIndex = "model.safetensors.index.json";
constexpr std::string_view kGoodMap = R"({"a":"model-00001-of-00002.safetensors",)"
                                      R"("b":"model-00002-of-00002.safetensors"})";

/// Two shards with an index; changed by each case.
void writeGood(const TemporaryFolder& folder) {
    folder.write(kFirst, shard("a"));
    folder.write(kSecond, shard("b"));
    folder.write(kIndex, index(kGoodMap));
}

struct FolderCase {
    std::string name;
    std::function<void(const TemporaryFolder&)> change;
    ErrorCode code;
    Completeness completeness;
};

constexpr auto kWhole = Completeness::Complete;
constexpr auto kBroken = Completeness::Incomplete;

std::vector<FolderCase> damagedIndexes() {
    const auto withIndex = [](std::string text) {
        return [text](const TemporaryFolder& folder) { folder.write(kIndex, text); };
    };
    return {
        {"index is empty", withIndex(""), ErrorCode::EmptyFile, kBroken},
        {"index is a pointer", withIndex("version https://git-lfs.github.com/spec/v1\n"),
         ErrorCode::LfsPointer, kBroken},
        {"index is a web page", withIndex("<!DOCTYPE html><html>"), ErrorCode::HtmlPage, kBroken},
        {"index is no JSON", withIndex("{"), ErrorCode::JsonSyntax, kBroken},
        {"index is not UTF-8", withIndex("{\"\xff\":1}"), ErrorCode::BadEncoding, kBroken},
        {"index is an array", withIndex("[]"), ErrorCode::BadIndex, kBroken},
        {"index is too deep", withIndex(std::string(5000, '[')), ErrorCode::JsonTooDeep, kBroken},
        {"no weight_map", withIndex("{}"), ErrorCode::BadIndex, kBroken},
        {"weight_map is a string", withIndex(index("\"x\"")), ErrorCode::BadIndex, kBroken},
        {"weight_map is empty", withIndex(index("{}")), ErrorCode::BadIndex, kBroken},
        {"file name is a number",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors","b":2})")), ErrorCode::BadIndex,
         kBroken},
        {"file name is empty",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors","b":""})")),
         ErrorCode::BadIndex, kBroken},
        {"file is this folder",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors","b":"."})")),
         ErrorCode::BadIndex, kBroken},
        {"other spelling of a file",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors",)"
                         R"("b":"./model-00002-of-00002.safetensors"})")),
         ErrorCode::BadIndex, kBroken},
        {"zero byte in the name",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors","b":"x\u0000"})")),
         ErrorCode::BadIndex, kBroken},
        {"tensor twice",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors",)"
                         R"("a":"model-00001-of-00002.safetensors",)"
                         R"("b":"model-00002-of-00002.safetensors"})")),
         ErrorCode::JsonDuplicateKey, kBroken},
        {"file that is not there",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors","b":"gone.safetensors"})")),
         ErrorCode::MissingShard, kBroken},
        {"file that is no weights",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors",)"
                         R"("b":"model.safetensors.index.json"})")),
         ErrorCode::NotACheckpoint, kBroken},
        {"tensor that no shard has",
         withIndex(index(R"({"a":"model-00001-of-00002.safetensors",)"
                         R"("b":"model-00002-of-00002.safetensors",)"
                         R"("c":"model-00002-of-00002.safetensors"})")),
         ErrorCode::BadIndex, kBroken},
        {"tensor in the other shard",
         withIndex(index(R"({"b":"model-00001-of-00002.safetensors",)"
                         R"("a":"model-00002-of-00002.safetensors"})")),
         ErrorCode::BadIndex, kWhole},
        {"another total size", withIndex(index(kGoodMap, R"({"total_size":9})")),
         ErrorCode::BadIndex, kWhole},
    };
}

std::vector<FolderCase> damagedShards() {
    const auto write = [](std::string_view name, std::string content) {
        return [=](const TemporaryFolder& folder) { folder.write(name, content); };
    };
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\n";
    return {
        {"shard missing",
         [](const TemporaryFolder& folder) { std::filesystem::remove(folder / kSecond); },
         ErrorCode::MissingShard, kBroken},
        {"shard is empty", write(kSecond, ""), ErrorCode::EmptyFile, kBroken},
        {"shard is a pointer", write(kSecond, pointer), ErrorCode::LfsPointer, kBroken},
        {"shard is a web page", write(kSecond, "<!DOCTYPE html><html>"), ErrorCode::HtmlPage,
         kBroken},
        {"shard is zeros", write(kSecond, std::string(5000, '\0')), ErrorCode::ZeroFilled, kBroken},
        {"shard is cut off", write(kSecond, shard("b").substr(0, 40)), ErrorCode::Truncated,
         kBroken},
        {"shard's data is truncated",
         [](const TemporaryFolder& folder) {
             const std::string whole = shard("b");
             folder.write(kSecond, whole.substr(0, whole.size() - 1));
         },
         ErrorCode::Truncated, kBroken},
        {"shard is a folder",
         [](const TemporaryFolder& folder) {
             std::filesystem::remove(folder / kSecond);
             std::filesystem::create_directory(folder / kSecond);
         },
         ErrorCode::NotRegularFile, kBroken},
        {"tensor in two shards", write(kSecond, shard("a")), ErrorCode::DuplicateTensor, kBroken},
        {"tensor that the index does not list",
         [](const TemporaryFolder& folder) {
             folder.write(kIndex, index(R"({"a":"model-00001-of-00002.safetensors",)"
                                        R"("b":"model-00002-of-00002.safetensors"})",
                                        R"({"total_size":12})"));
             folder.write(kFirst,
                          safetensorsFile(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                                          R"("x":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
                                          8));
         },
         ErrorCode::BadIndex, kWhole},
        {"shard of another save", write("model-00003-of-00003.safetensors", shard("old")),
         ErrorCode::StaleShard, kWhole},
        {"weights once more", write("pytorch_model.bin", "PK"), ErrorCode::StrayFile, kWhole},
        {"configuration is no JSON", write("config.json", "{,}"), ErrorCode::JsonSyntax, kWhole},
        {"optimizer is cut off", write("optimizer.pt", "PK\3\4"), ErrorCode::NotFound, kBroken},
        {"optimizer is empty", write("optimizer.pt", ""), ErrorCode::EmptyFile, kBroken},
    };
}

TEST(HuggingFaceReader, NotesDamageAndReadsTheRest) {
    auto cases = damagedIndexes();
    for (FolderCase& item : damagedShards()) {
        cases.push_back(std::move(item));
    }
    EXPECT_GE(cases.size(), 30U);
    for (const FolderCase& item : cases) {
        SCOPED_TRACE(item.name);
        const TemporaryFolder folder;
        writeGood(folder);
        item.change(folder);
        const CheckpointPtr checkpoint = opened(folder.path());
        ASSERT_TRUE(checkpoint);
        if (item.code == ErrorCode::NotFound) { // the code depends on the formats that are built in
            EXPECT_FALSE(checkpoint->notices().empty());
        } else {
            EXPECT_TRUE(hasNotice(*checkpoint, item.code)) << noticesText(*checkpoint);
        }
        EXPECT_EQ(checkpoint->completeness(), item.completeness) << noticesText(*checkpoint);
        EXPECT_EQ(checkpoint->why().empty(), item.completeness == kWhole);
        for (const Notice& notice : checkpoint->notices()) {
            const Where& where = notice.error.where;
            EXPECT_TRUE(!where.file.empty() || !where.tensor.empty()) << describe(notice.error);
        }
        const auto first = checkpoint->find("a");
        ASSERT_TRUE(first) << noticesText(*checkpoint);
        EXPECT_TRUE(readComplete(*checkpoint, checkpoint->tensor(*first), 100));
        EXPECT_TRUE(checkpoint->values());
    }
}

TEST(HuggingFaceReader, SaysOnceThatTheIndexContradictsItself) {
    const TemporaryFolder folder;
    writeGood(folder);
    folder.write(kIndex, index(R"({"a":"model-00001-of-00002.safetensors","c":1,"d":2,"e":3})"));
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(
        std::ranges::count(checkpoint->why(), "The index contradicts itself", &Sentence::text), 1)
        << noticesText(*checkpoint);
}

TEST(HuggingFaceReader, RefusesAnIndexThatPointsOutside) {
    const TemporaryFolder outside;
    const auto secret = outside.write("secret.safetensors", shard("secret"));
    for (const std::string& name :
         {secret.string(), std::string("../secret.safetensors"),
          std::string("sub/../../secret.safetensors"), std::string("..")}) {
        SCOPED_TRACE(name);
        const TemporaryFolder folder;
        writeGood(folder);
        folder.write(kIndex,
                     index(R"({"a":"model-00001-of-00002.safetensors","b":")" + name + "\"}"));
        auto checkpoint = openCheckpoint(folder.path());
        ASSERT_FALSE(checkpoint);
        EXPECT_EQ(checkpoint.error().code, ErrorCode::OutsideFolder);
    }
    const TemporaryFolder folder;
    writeGood(folder);
    std::filesystem::remove(folder / kSecond);
    std::filesystem::create_symlink(secret, folder / kSecond);
    auto checkpoint = openCheckpoint(folder.path());
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::OutsideFolder);
}

TEST(HuggingFaceReader, OfTwoCopiesShowsTheOneThatTheIndexNames) {
    const TemporaryFolder folder;
    folder.write(kFirst, shard("a", 2));
    folder.write(kSecond, shard("a", 4));
    folder.write(kIndex, index(R"({"z":"model-00001-of-00002.safetensors",)"
                               R"("a":"model-00002-of-00002.safetensors"})"));
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("a")).shape, (Shape{4}));
}

TEST(HuggingFaceReader, FailsWithTheReasonWhenNothingCanBeRead) {
    const TemporaryFolder folder;
    folder.write("model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    auto checkpoint = openCheckpoint(folder.path());
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::LfsPointer);
}

TEST(HuggingFaceReader, ReadsShardsWhoseIndexIsMissing) {
    const TemporaryFolder folder;
    writeGood(folder);
    std::filesystem::remove(folder / kIndex);
    folder.write("config.json", R"({"model_type":"x"})");
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->format(), "huggingface");
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::MissingIndex));
    EXPECT_EQ(checkpoint->tensors().size(), 2U);
    std::filesystem::remove(folder / kFirst);
    EXPECT_TRUE(hasNotice(*opened(folder.path()), ErrorCode::MissingShard));
}

TEST(HuggingFaceReader, SaysWhenThereAreNoWeights) {
    const TemporaryFolder folder;
    folder.write("trainer_state.json", R"({"global_step": 7, "epoch": 0.5})");
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->data().step, 7);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
}

TEST(HuggingFaceReader, ReadsAcceleratesSecondModel) {
    const TemporaryFolder folder;
    folder.write("model.safetensors", shard("a"));
    folder.write("model_1.safetensors", shard("a"));
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(checkpoint->find("a"));
    ASSERT_TRUE(checkpoint->find("model_1.a"));
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("model_1.a")).role, Role::Weight);
}

TEST(HuggingFaceReader, ReadsADiffusionPipelinesComponents) {
    const TemporaryFolder folder;
    folder.write("model_index.json", R"({"_class_name":"P","unet":["diffusers","U"]})");
    folder.write("unet/diffusion_pytorch_model.safetensors", shard("w"));
    folder.write("unet/config.json", R"({"_diffusers_version":"0.30"})");
    folder.write("text_encoder/model.safetensors", shard("w"));
    folder.write("tokenizer/vocab.json", "{}");
    const CheckpointPtr checkpoint = opened(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->framework(), "diffusers");
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 2U);
    ASSERT_TRUE(checkpoint->find("unet.w"));
    EXPECT_TRUE(readComplete(*checkpoint, checkpoint->tensor(*checkpoint->find("unet.w")), 100));
    EXPECT_TRUE(checkpoint->values()->findPath({"unet", "config", "_diffusers_version"}));
}

TEST(HuggingFaceMembers, TakesSavedStatesWithoutWeightsAtTheTop) {
    const auto takes = [](const std::vector<std::string>& names) {
        std::vector<FolderEntry> entries;
        for (const std::string& name : names) {
            entries.push_back({name, EntryKind::File, {}});
        }
        return formats::huggingface::isHuggingFaceFolder(entries);
    };
    EXPECT_TRUE(takes({"optimizer.bin", "random_states_0.pkl"}));
    EXPECT_FALSE(takes({"optimizer.bin", "scheduler.bin"}));
    // Folders of DeepSpeed and Megatron themselves, saved through accelerate.
    EXPECT_FALSE(takes({"latest", "zero_to_fp32.py", "random_states_0.pkl"}));
    EXPECT_FALSE(takes({"latest_checkpointed_iteration.txt", "random_states_0.pkl"}));
}

TEST(HuggingFaceMembers, ChoosesTheWeightsAsTransformersDoes) {
    using formats::huggingface::sortMembers;
    const auto choose = [](const std::vector<std::string>& names) {
        std::vector<FolderEntry> entries;
        for (const std::string& name : names) {
            entries.push_back({name, EntryKind::File, {}});
        }
        const auto members = sortMembers(entries);
        if (!members.weights) {
            return std::string();
        }
        return members.weights->index.empty() ? members.weights->files.front()
                                              : members.weights->index;
    };
    EXPECT_EQ(choose({"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin"}),
              "model.safetensors");
    EXPECT_EQ(choose({"pytorch_model.bin", "model.safetensors.index.json"}),
              "model.safetensors.index.json");
    EXPECT_EQ(choose({"pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin"}),
              "pytorch_model.bin.index.json");
    EXPECT_EQ(choose({"model.safetensors.index.fp16.json", "config.json"}),
              "model.safetensors.index.fp16.json");
    EXPECT_EQ(
        choose({"model.fp16-00001-of-00002.safetensors", "model.fp16-00002-of-00002.safetensors",
                "model.safetensors.index.fp16.json"}),
        "model.safetensors.index.fp16.json");
    EXPECT_EQ(choose({"diffusion_pytorch_model.fp16.safetensors", "config.json"}),
              "diffusion_pytorch_model.fp16.safetensors");
    EXPECT_EQ(choose({"diffusion_pytorch_model.bin", "config.json"}),
              "diffusion_pytorch_model.bin");
    EXPECT_EQ(choose({"adapter_config.json", "adapter_model.bin"}), "adapter_model.bin");
    EXPECT_EQ(choose({"consolidated.safetensors", "params.json"}), "consolidated.safetensors");
    EXPECT_EQ(choose({"config.json", "tokenizer.json"}), "");
}

} // namespace
} // namespace cairn::test
