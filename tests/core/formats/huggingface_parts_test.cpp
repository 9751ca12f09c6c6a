// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/folder_kind.h"
#include "core/formats/huggingface/members.h"
#include "tests/core/formats/huggingface_fixture.h"

// Weights in several files of one folder: adapters and heads.

namespace cairn::test {
namespace {

void expectGolden(const Checkpoint& checkpoint, std::string_view name) {
    auto json = parseJson(readText(kGoldens / "expected.json"), "expected.json");
    ASSERT_TRUE(json);
    expectTensors(checkpoint, *json->find(name));
    EXPECT_EQ(checkpoint.completeness(), Completeness::Complete) << noticesText(checkpoint);
    EXPECT_EQ(checkpoint.framework(), "peft");
}

TEST(HuggingFaceAdapters, ReadsASecondOneUnderItsName) {
    const CheckpointPtr checkpoint = openedParts(kGoldens / "adapters");
    ASSERT_TRUE(checkpoint);
    expectGolden(*checkpoint, "adapters");
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
    EXPECT_EQ(*checkpoint->values()->findPath({"adapter_config", "r"})->asInt(), 1);
    EXPECT_EQ(*checkpoint->values()->findPath({"other", "adapter_config", "r"})->asInt(), 2);
}

TEST(HuggingFaceAdapters, ReadsATrainersCheckpointWithANamedOne) {
    const CheckpointPtr checkpoint = openedParts(kGoldens / "named");
    ASSERT_TRUE(checkpoint);
    expectGolden(*checkpoint, "named");
    EXPECT_EQ(checkpoint->data().step, 1);
    EXPECT_EQ(*checkpoint->values()->findPath({"adapter_config", "peft_type"})->asString(), "LORA");
}

TEST(HuggingFaceAdapters, NamesDamageInASubFolder) {
    const TemporaryFolder folder;
    std::filesystem::copy(kGoldens / "adapters", folder.path(),
                          std::filesystem::copy_options::recursive);
    const auto file = folder / "other/adapter_model.safetensors";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    CheckpointPtr checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::Truncated)) << noticesText(*checkpoint);
    std::filesystem::remove(file); // only its configuration is left
    checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
}

TEST(HuggingFaceAdapters, ReadsAFolderOfNothingElse) {
    const TemporaryFolder folder;
    for (const std::string name : {"x", "y"}) {
        folder.write(name + "/adapter_config.json", R"({"peft_type":"LORA"})");
        folder.write(name + "/adapter_model.safetensors", weightFile({"base_model.w"}));
    }
    for (const std::string_view card : {"", "README.md"}) { // with and without the model card
        if (!card.empty()) {
            folder.write(card, "A model card");
        }
        const CheckpointPtr checkpoint = openedParts(folder.path());
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(namesOf(*checkpoint), (Names{"x.base_model.w", "y.base_model.w"}));
        EXPECT_EQ(checkpoint->framework(), "peft");
    }
    folder.write("y/README.md", "Saved by itself: a checkpoint of its own");
    EXPECT_FALSE(openCheckpoint(folder.path()));
    EXPECT_TRUE(openCheckpoint(folder / "y"));
}

TEST(HuggingFaceAdapters, TakesNoRunForThem) {
    using formats::huggingface::mayHoldAdaptersOnly;
    const auto may = [](const Names& names) {
        return mayHoldAdaptersOnly(entriesNamed(names, EntryKind::Folder));
    };
    for (const Names& run :
         {Names{"step_100", "step_200"}, Names{"step_100"}, Names{"100", "200"},
          Names{"global_step5", "final"}, Names{"Epoch-1", "epoch-2"}, Names{"checkpoint-7"},
          Names{"run1", "run2"}, Names{"a-1-b", "a-20-b"}, Names{"lora_epoch=3", "lora"}}) {
        EXPECT_FALSE(may(run)) << run[0];
    }
    for (const Names& adapters : {Names{"x", "y"}, Names{"english", "german2"}, Names{"lora1"},
                                  Names{"stepwise", "x"}, Names{"step", "x"}}) {
        EXPECT_TRUE(may(adapters)) << adapters[0];
    }
    const TemporaryFolder folder;
    for (const std::string name : {"step_100", "step_200"}) {
        folder.write(name + "/adapter_config.json", R"({"peft_type":"LORA"})");
        folder.write(name + "/adapter_model.safetensors", weightFile({"base_model.w"}));
    }
    const auto run = openCheckpoint(folder.path());
    EXPECT_TRUE(!run || !(*run)->find("step_100.base_model.w"));
    EXPECT_EQ(namesOf(*openedParts(folder / "step_200")), Names{"base_model.w"});
    // Nor next to an adapter of the run itself.
    folder.write("adapter_config.json", "{}");
    folder.write("adapter_model.safetensors", weightFile({"base_model.w"}));
    EXPECT_EQ(namesOf(*openedParts(folder.path())), Names{"base_model.w"});
}

TEST(HuggingFaceAdapters, LeavesCheckpointsInSubFoldersAlone) {
    const TemporaryFolder folder;
    folder.write("adapter_config.json", "{}");
    folder.write("adapter_model.safetensors", weightFile({"base_model.w"}));
    for (const std::string name : {"checkpoint-1", "checkpoint-best", "final"}) {
        folder.write(name + "/adapter_config.json", "{}");
        folder.write(name + "/adapter_model.safetensors", weightFile({"base_model.w"}));
    }
    folder.write("final/tokenizer.json", "{}");
    EXPECT_EQ(namesOf(*openedParts(folder.path())), Names{"base_model.w"});
}

TEST(HuggingFaceParts, ReadsAModelBesideItsAdapter) { // torchtune's epoch_0
    const TemporaryFolder folder;
    folder.write("config.json", R"({"model_type":"llama"})");
    folder.write("model-00001-of-00001.safetensors", weightFile({"model.q.weight"}));
    folder.write("model.safetensors.index.json",
                 R"({"weight_map":{"model.q.weight":"model-00001-of-00001.safetensors"}})");
    folder.write("adapter_model.safetensors", weightFile({"base_model.model.q.lora_A.weight"}));
    folder.write("adapter_model.pt", "the same once more");
    folder.write("adapter_config.json", R"({"r":2})");
    const CheckpointPtr checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(namesOf(*checkpoint), (Names{"model.q.weight", "base_model.model.q.lora_A.weight"}));
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    ASSERT_EQ(checkpoint->notices().size(), 2U) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->notices()[0].error.where.file, "adapter_model.pt");
    EXPECT_EQ(checkpoint->notices()[0].severity, Severity::Info);
    EXPECT_EQ(checkpoint->notices()[1].error.code, ErrorCode::SecondSave);
}

TEST(HuggingFaceParts, ReadsOtherTensorsAndNoCopies) {
    const TemporaryFolder folder;
    folder.write("config.json", R"({"model_type":"x"})");
    folder.write("model.safetensors", weightFile({"transformer.h.0.w", "transformer.h.1.w"}));
    folder.write("value_head.safetensors", weightFile({"v_head.summary.weight"}));
    folder.write("diffusion_pytorch_model.safetensors", // the same model, saved without the head
                 weightFile({"h.0.w", "h.1.w"}));
    folder.write("model.fp16.safetensors", weightFile({"transformer.h.0.w", "transformer.h.1.w"}));
    folder.write("more.safetensors", weightFile({"transformer.h.0.w", "lm_head.weight"}));
    folder.write("pytorch_model.bin", "PK"); // of unknown content
    const CheckpointPtr checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(namesOf(*checkpoint),
              (Names{"transformer.h.0.w", "transformer.h.1.w", "v_head.summary.weight"}));
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    EXPECT_TRUE(readComplete(*checkpoint, checkpoint->tensors()[2], 100));
    const auto severity = [&](std::string_view file) {
        const Notice* notice = noticeOf(*checkpoint, file);
        EXPECT_NE(notice, nullptr) << file;
        return notice == nullptr ? Severity::Error : notice->severity;
    };
    EXPECT_EQ(severity("diffusion_pytorch_model.safetensors"), Severity::Info);
    EXPECT_EQ(severity("model.fp16.safetensors"), Severity::Info);
    EXPECT_EQ(severity("pytorch_model.bin"), Severity::Warning);
    EXPECT_EQ(severity("more.safetensors"), Severity::Warning);
    const Notice* more = noticeOf(*checkpoint, "more.safetensors");
    ASSERT_NE(more, nullptr);
    EXPECT_EQ(more->error.where.tensor, "lm_head.weight");
    EXPECT_FALSE(more->error.hint.empty());
    EXPECT_EQ(checkpoint->notices().size(), 4U) << noticesText(*checkpoint);
}

TEST(HuggingFaceParts, ReadsAPickledHeadBesideAnAdapter) { // TRL's
    const TemporaryFolder folder;
    folder.write("adapter_config.json", "{}");
    folder.write("adapter_model.safetensors", weightFile({"base_model.w"}));
    std::filesystem::copy(kGoldens / "named/optimizer.pt", folder / "pytorch_model.bin");
    const CheckpointPtr checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(checkpoint->find("base_model.w"));
    EXPECT_TRUE(checkpoint->find("state.0.exp_avg")) << noticesText(*checkpoint);
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
}

TEST(HuggingFaceParts, SaysThatAHeadIsDamaged) {
    const TemporaryFolder folder;
    folder.write("adapter_config.json", "{}");
    folder.write("adapter_model.safetensors", weightFile({"base_model.w"}));
    const std::string head = weightFile({"v_head.summary.weight"});
    folder.write("value_head.safetensors", head.substr(0, 20));
    const CheckpointPtr checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::Truncated)) << noticesText(*checkpoint);
}

TEST(HuggingFaceParts, WeightsWithoutValuesAddNone) {
    const TemporaryFolder folder;
    folder.write("config.json", R"({"model_type":"x"})");
    folder.write("model.safetensors", weightFile({"w"}));
    const auto values = openedParts(folder.path())->values();
    ASSERT_TRUE(values);
    ASSERT_EQ(values->items().size(), 1U);
    EXPECT_EQ(*values->items()[0].key.asString(), "config");
}

TEST(HuggingFaceParts, ALinkToSomewhereElseIsNotFollowed) {
    const TemporaryFolder outside;
    const auto other = outside.write("other.safetensors", weightFile({"secret"}));
    const TemporaryFolder folder;
    folder.write("config.json", "{}");
    folder.write("model.safetensors", weightFile({"w"}));
    std::filesystem::create_symlink(other, folder / "other.safetensors");
    const CheckpointPtr checkpoint = openedParts(folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(namesOf(*checkpoint), Names{"w"});
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::StrayFile)) << noticesText(*checkpoint);
}

TEST(HuggingFaceParts, AModelComesBeforeItsAdapter) {
    std::vector<FolderEntry> entries;
    for (const char* name :
         {"adapter_model.bin", "adapter_model.safetensors", "consolidated.safetensors.index.json",
          "model.safetensors.index.json", "optimizer.safetensors"}) {
        entries.push_back({name, EntryKind::File, {}});
    }
    const auto members = formats::huggingface::sortMembers(entries);
    ASSERT_TRUE(members.weights && members.adapter);
    EXPECT_EQ(members.weights->index, "model.safetensors.index.json");
    EXPECT_EQ(members.adapter->files, Names{"adapter_model.safetensors"});
    EXPECT_EQ(members.copies, Names{"adapter_model.bin"});
    ASSERT_EQ(members.states.size(), 1U);
    EXPECT_EQ(members.states[0].role, Role::Optimizer);
}

TEST(HuggingFaceShards, SomeOfThePickledOnesAreNotTheWhole) {
    for (const std::string base : {"pytorch_model", "net"}) {
        SCOPED_TRACE(base);
        const TemporaryFolder folder;
        std::filesystem::copy(kGoldens / "named/optimizer.pt",
                              folder / (base + "-00001-of-00003.bin"));
        CheckpointPtr checkpoint = openedParts(folder.path());
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->format(), "huggingface");
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
        EXPECT_NE(noticeOf(*checkpoint, base + "-00002-of-00003.bin"), nullptr)
            << noticesText(*checkpoint);
        folder.write("tokenizer.json", "{}"); // other files do not matter
        std::filesystem::copy(kGoldens / "named/scheduler.pt",
                              folder / (base + "-00003-of-00003.bin"));
        checkpoint = openedParts(folder.path());
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->format(), "huggingface");
        EXPECT_EQ(checkpoint->why().size(), 1U); // only the second is missing
    }
}

TEST(HuggingFaceShards, LeavesOtherProgramsNumberedFilesAlone) {
    const TemporaryFolder folder;
    folder.write("train-00001-of-00002.bin", std::string(4096, 'x'));
    folder.write("train-00002-of-00002.bin", std::string(4096, 'y'));
    const auto format = detectFormat(folder.path());
    EXPECT_TRUE(!format || (*format)->id != "huggingface");
}

} // namespace
} // namespace cairn::test
