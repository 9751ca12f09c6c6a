// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/parts.h"
#include "tests/core/formats/huggingface_fixture.h"

// Pipelines of several models, each in its own folder: the folders named in their index must exist.

namespace cairn::test {
namespace {

constexpr std::string_view kModelIndex = R"({"_class_name":"P",
    "force_zeros":true,
    "unet":["diffusers","UNet2DConditionModel"],
    "text_encoder":["transformers","CLIPTextModel"],
    "scheduler":["diffusers","DDIMScheduler"],
    "tokenizer":["transformers","CLIPTokenizerFast"],
    "feature_extractor":["transformers","CLIPImageProcessor"],
    "safety_checker":[null,null]})";

/// A pipeline folder with everything that its index names, as diffusers saves it.
struct PipelineFolder {
    PipelineFolder() {
        folder.write("model_index.json", kModelIndex);
        folder.write("unet/config.json", "{}");
        folder.write("unet/diffusion_pytorch_model.safetensors", weightFile({"w"}));
        folder.write("text_encoder/config.json", "{}");
        folder.write("text_encoder/model.fp16.safetensors", weightFile({"w"}));
        folder.write("scheduler/scheduler_config.json", "{}");
        folder.write("tokenizer/tokenizer_config.json", "{}");
        folder.write("feature_extractor/preprocessor_config.json", "{}");
    }
    CheckpointPtr open() const { return openedParts(folder.path()); }
    TemporaryFolder folder;
};

void expectLack(const Checkpoint& checkpoint, std::string_view part) {
    EXPECT_EQ(checkpoint.completeness(), Completeness::Incomplete) << noticesText(checkpoint);
    const Notice* notice = noticeOf(checkpoint, part);
    ASSERT_NE(notice, nullptr) << noticesText(checkpoint);
    EXPECT_EQ(notice->error.code, ErrorCode::MissingShard);
    EXPECT_EQ(notice->severity, Severity::Error);
    EXPECT_FALSE(notice->error.hint.empty());
    ASSERT_FALSE(checkpoint.why().empty());
    EXPECT_NE(checkpoint.why()[0].text().find(part), std::string::npos);
}

TEST(HuggingFacePipelines, AreWholeWithPartsThatHaveNoWeights) {
    const auto checkpoint = PipelineFolder().open();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 2U);
}

TEST(HuggingFacePipelines, MissAPartWithoutItsWeights) {
    const PipelineFolder settings;
    std::filesystem::remove(settings.folder / "unet/diffusion_pytorch_model.safetensors");
    expectLack(*settings.open(), "unet");
    std::filesystem::remove(settings.folder / "unet/config.json"); // the folder becomes empty
    expectLack(*settings.open(), "unet");
    const PipelineFolder gone;
    std::filesystem::remove_all(gone.folder / "text_encoder");
    expectLack(*gone.open(), "text_encoder");
    const PipelineFolder scheduler; // a scheduler has no weights
    std::filesystem::remove_all(scheduler.folder / "scheduler");
    const auto checkpoint = scheduler.open();
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    const Notice* notice = noticeOf(*checkpoint, "scheduler");
    ASSERT_NE(notice, nullptr);
    EXPECT_EQ(notice->severity, Severity::Warning);
}

TEST(HuggingFacePipelines, TrustAPartsOwnSettingsBeforeItsClass) {
    const PipelineFolder pipeline;
    pipeline.folder.write("model_index.json", R"({"unet":["diffusers","U"],
        "timer":["my","Noise"],"words":["my","Bpe"],"__":["a","b"],"text_encoder":["t","T"]})");
    pipeline.folder.write("timer/scheduler_config.json", "{}");
    pipeline.folder.write("words/vocab.json", "{}");
    const auto checkpoint = pipeline.open();
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
}

TEST(HuggingFacePipelines, ReadOddIndexes) {
    for (const char* text :
         {"[]", R"({"a":1,"b":[],"c":[1,2],"d":[null,null],"e":["f","g","h"]})", "null"}) {
        SCOPED_TRACE(text);
        const auto json = parseJson(text, "model_index.json");
        ASSERT_TRUE(json);
        EXPECT_TRUE(formats::huggingface::partsOfPipeline(*json).empty());
    }
    const auto modules = parseJson(
        R"([{"path":"","type":"x.Dense"},{"path":3,"type":"x.Dense"},{"type":"x.Dense"},7])",
        "modules.json");
    ASSERT_TRUE(modules);
    EXPECT_TRUE(formats::huggingface::partsOfModules(*modules).empty());
}

TEST(HuggingFaceModules, MissADenseWithoutItsWeights) {
    const TemporaryFolder folder;
    folder.write("model.safetensors", weightFile({"w"}));
    folder.write("config.json", "{}");
    folder.write("modules.json", R"([
        {"idx":0,"path":"","type":"sentence_transformers.models.Transformer"},
        {"idx":1,"path":"1_Pooling","type":"sentence_transformers.models.Pooling"},
        {"idx":2,"path":"2_Dense","type":"sentence_transformers.models.Dense"},
        {"idx":3,"path":"3_Normalize","type":"sentence_transformers.models.Normalize"}])");
    folder.write("1_Pooling/config.json", "{}");
    folder.write("2_Dense/config.json", "{}");
    expectLack(*openedParts(folder.path()), "2_Dense");
    folder.write("2_Dense/model.safetensors", weightFile({"linear.weight"}));
    const auto whole = openedParts(folder.path());
    EXPECT_EQ(whole->completeness(), Completeness::Complete) << noticesText(*whole);
    EXPECT_TRUE(whole->notices().empty()) << noticesText(*whole);
    EXPECT_TRUE(whole->find("2_Dense.linear.weight"));
    std::filesystem::remove_all(folder / "2_Dense");
    expectLack(*openedParts(folder.path()), "2_Dense");
}

TEST(HuggingFaceSavedStates, MissAModelWithoutItsWeights) {
    const TemporaryFolder folder;
    folder.write("random_states_0.pkl", "");
    folder.write("unet/config.json", "{}");
    folder.write("unet/diffusion_pytorch_model.safetensors", weightFile({"w"}));
    folder.write("unet_ema/config.json", "{}");
    folder.write("logs/events", "{}");
    const auto checkpoint = openedParts(folder.path());
    ASSERT_NE(noticeOf(*checkpoint, "unet_ema"), nullptr) << noticesText(*checkpoint);
    EXPECT_EQ(noticeOf(*checkpoint, "logs"), nullptr);
}

} // namespace
} // namespace cairn::test
