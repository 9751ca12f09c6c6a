// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/members.h"
#include "tests/core/formats/huggingface_fixture.h"

// Weight files next to the chosen ones: none is omitted silently, and none appears twice.

namespace cairn::test {
namespace {

using Tensors = std::vector<std::pair<std::string, Shape>>;
const Tensors kModel{{"model.layers.0.fc.weight", {4, 4}}, {"model.layers.1.fc.weight", {4, 4}}};

/// A model with these files next to it.
struct ModelFolder {
    explicit ModelFolder(const Tensors& model = kModel) {
        folder.write("config.json", R"({"model_type":"x"})");
        folder.write("model.safetensors", shapedFile(model));
    }
    CheckpointPtr with(std::string_view name, const Tensors& tensors) const {
        folder.write(name, shapedFile(tensors));
        return openedParts(folder.path());
    }
    TemporaryFolder folder;
};

Severity severityOf(const Checkpoint& checkpoint, std::string_view file) {
    const Notice* notice = noticeOf(checkpoint, file);
    EXPECT_NE(notice, nullptr) << noticesText(checkpoint);
    return notice == nullptr ? Severity::Error : notice->severity;
}

TEST(HuggingFaceLoose, BuffersAloneAreNoCopy) {
    const CheckpointPtr checkpoint = ModelFolder().with(
        "normalizer.safetensors", {{"norm.running_mean", {4}}, {"norm.running_var", {4}}});
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(checkpoint->find("norm.running_mean")) << noticesText(*checkpoint);
    EXPECT_TRUE(checkpoint->find("norm.running_var"));
    // Tensors that are identical appear once.
    const Tensors whole{{"fc.weight", {2}}, {"norm.running_mean", {4}}};
    const auto again = ModelFolder(whole).with("pytorch_model.safetensors", whole);
    EXPECT_EQ(again->tensors().size(), 2U);
    EXPECT_EQ(severityOf(*again, "pytorch_model.safetensors"), Severity::Info);
}

TEST(HuggingFaceLoose, EndingsOfSomeNamesAreNoCopy) {
    const Tensors layers{{"encoder.layer.0.linear.weight", {8, 8}},
                         {"encoder.layer.0.linear.bias", {8}},
                         {"encoder.layer.1.linear.weight", {8, 8}},
                         {"encoder.layer.1.linear.bias", {8}}};
    const Tensors projector{{"linear.weight", {8, 8}}, {"linear.bias", {8}}};
    for (const char* name : {"projector.safetensors", "diffusion_pytorch_model.safetensors"}) {
        SCOPED_TRACE(name);
        const auto checkpoint = ModelFolder(layers).with(name, projector);
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->tensors().size(), 6U) << noticesText(*checkpoint);
        EXPECT_TRUE(checkpoint->find("linear.weight"));
    }
    // Every tensor has a different prefix, so this is not one model in a wrapper.
    const auto mixed = ModelFolder({{"vision.proj.weight", {2}},
                                    {"text.head.weight", {3}},
                                    {"text.embed.weight", {5}},
                                    {"vision.embed.weight", {6}}})
                           .with("diffusion_pytorch_model.safetensors",
                                 {{"proj.weight", {2}}, {"head.weight", {3}}});
    EXPECT_TRUE(mixed->find("proj.weight") && mixed->find("head.weight")) << noticesText(*mixed);
}

TEST(HuggingFaceLoose, AModelInAWrapperIsACopy) {
    const Tensors bare{{"h.0.w", {2, 3}}, {"h.1.w", {2, 3}}, {"h.1.bias", {3}}};
    Tensors wrapped;
    for (const auto& [name, shape] : bare) {
        wrapped.push_back({"transformer." + name, shape});
    }
    wrapped.push_back({"lm_head.weight", {7, 3}});
    const auto shorter = ModelFolder(wrapped).with("pytorch_model.fp16.safetensors", bare);
    EXPECT_EQ(shorter->tensors().size(), 4U) << noticesText(*shorter);
    EXPECT_EQ(severityOf(*shorter, "pytorch_model.fp16.safetensors"), Severity::Info);
    const auto longer = ModelFolder(bare).with("diffusion_pytorch_model.safetensors", wrapped);
    EXPECT_EQ(longer->tensors().size(), 3U) << noticesText(*longer);
    const Notice* notice = noticeOf(*longer, "diffusion_pytorch_model.safetensors");
    ASSERT_NE(notice, nullptr);
    EXPECT_EQ(notice->severity, Severity::Warning);
    EXPECT_EQ(notice->error.where.tensor, "lm_head.weight");
}

TEST(HuggingFaceLoose, OtherShapesAreOtherWeights) {
    const Tensors wider{{"model.layers.0.fc.weight", {7, 9}}, {"model.layers.1.fc.weight", {7, 9}}};
    const auto assistant = ModelFolder().with("assistant.safetensors", wider);
    ASSERT_TRUE(assistant->find("assistant.model.layers.0.fc.weight")) << noticesText(*assistant);
    EXPECT_EQ(assistant->tensors().size(), 4U);
    // With the names of a model's variant they cannot be shown, but a notice reports them.
    const auto variant = ModelFolder().with("model.int8.safetensors", wider);
    EXPECT_EQ(variant->tensors().size(), 2U);
    EXPECT_EQ(severityOf(*variant, "model.int8.safetensors"), Severity::Warning);
}

TEST(HuggingFaceLoose, AFileOfItsOwnNameIsSomethingOfItsOwn) {
    const ModelFolder model;
    model.folder.write("ema.safetensors", shapedFile(kModel));
    model.folder.write("model.fp16.safetensors", shapedFile(kModel));
    model.folder.write("diffusion_pytorch_model.non_ema.safetensors", shapedFile(kModel));
    const auto checkpoint = model.with("critic.safetensors", kModel);
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 6U) << noticesText(*checkpoint);
    const auto roleOf = [&](std::string_view name) {
        const auto found = checkpoint->find(name);
        EXPECT_TRUE(found) << name;
        return found ? checkpoint->tensor(*found).role : Role::Other;
    };
    EXPECT_EQ(roleOf("ema.model.layers.0.fc.weight"), Role::Ema);
    EXPECT_EQ(roleOf("critic.model.layers.0.fc.weight"), Role::Weight);
    EXPECT_EQ(severityOf(*checkpoint, "critic.safetensors"), Severity::Info);
    EXPECT_EQ(severityOf(*checkpoint, "model.fp16.safetensors"), Severity::Info);
    EXPECT_EQ(severityOf(*checkpoint, "diffusion_pytorch_model.non_ema.safetensors"),
              Severity::Warning);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
}

TEST(HuggingFaceLoose, WhatIsPartlyThereIsToldOf) {
    Tensors more = kModel;
    more.push_back({"score.weight", {4}});
    const auto critic = ModelFolder().with("critic.safetensors", more);
    EXPECT_EQ(critic->tensors().size(), 2U);
    EXPECT_EQ(severityOf(*critic, "critic.safetensors"), Severity::Warning);
    const auto average = ModelFolder().with("model.ema.safetensors", more);
    EXPECT_EQ(average->tensors().size(), 5U) << noticesText(*average);
    EXPECT_TRUE(average->find("model.ema.score.weight"));
}

TEST(HuggingFaceLoose, AnAverageIsNoModelUnlessItIsAlone) {
    const TemporaryFolder folder;
    folder.write("trainer_state.json", "{}");
    folder.write("ema.safetensors", shapedFile(kModel));
    EXPECT_TRUE(openedParts(folder.path())->find("model.layers.0.fc.weight"));
    folder.write("policy.safetensors", shapedFile(kModel));
    const auto checkpoint = openedParts(folder.path());
    EXPECT_TRUE(checkpoint->find("model.layers.0.fc.weight"));
    EXPECT_TRUE(checkpoint->find("ema.model.layers.0.fc.weight")) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors().size(), 4U);
    using formats::huggingface::sortMembers;
    const auto pickled = sortMembers(entriesNamed({"ema.pt", "model.safetensors"}));
    ASSERT_EQ(pickled.states.size(), 1U);
    EXPECT_EQ(pickled.states[0].role, Role::Ema);
}

/// The names and shapes in a file of torch.save.
Tensors tensorsIn(const std::filesystem::path& path) {
    const CheckpointPtr checkpoint = openedParts(path);
    Tensors tensors;
    for (const TensorEntry& tensor : checkpoint->tensors()) {
        tensors.emplace_back(tensor.name, tensor.shape);
    }
    return tensors;
}

TEST(HuggingFaceLoose, APickledModelBesideItIsNotThereTwice) {
    const auto pickled = kGoldens / "named/optimizer.pt";
    const Tensors tensors = tensorsIn(pickled);
    for (const std::string name : {"model.pt", "pytorch_model.pt", "model.fp16.pt"}) {
        SCOPED_TRACE(name);
        const ModelFolder model(tensors);
        std::filesystem::copy(pickled, model.folder / name);
        const CheckpointPtr checkpoint = openedParts(model.folder.path());
        EXPECT_EQ(checkpoint->tensors().size(), tensors.size()) << noticesText(*checkpoint);
        EXPECT_EQ(severityOf(*checkpoint, name), Severity::Warning); // the values differ
        EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::ConflictingSaves));
        model.folder.write("model.safetensors", shapedFile(kModel)); // other tensors
        EXPECT_EQ(openedParts(model.folder.path())->tensors().size(), tensors.size() + 2);
    }
    const TemporaryFolder alone; // the model alone
    alone.write("trainer_state.json", "{}");
    std::filesystem::copy(pickled, alone / "model.pt");
    const CheckpointPtr checkpoint = openedParts(alone.path());
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->tensors()[0].name, tensors[0].first);
}

TEST(HuggingFaceLoose, AStemThatIsTakenGoesByItsWholeName) {
    const Tensors named{{"critic.fc.weight", {4}}};
    const auto checkpoint = ModelFolder(named).with("critic.safetensors", named);
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(checkpoint->find("critic.safetensors.critic.fc.weight"))
        << noticesText(*checkpoint);
}

} // namespace
} // namespace cairn::test
