// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/quantised_weights.h"
#include "core/families/quantised/scale_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace cairn {
namespace {

struct Part {
    std::string name;
    Dtype dtype;
    Shape shape;
};

CheckpointPtr weights(const std::vector<Part>& parts) {
    CheckpointData data;
    for (const Part& part : parts) {
        TensorEntry tensor;
        tensor.name = part.name;
        tensor.dtype = part.dtype;
        tensor.shape = part.shape;
        data.tensors.push_back(std::move(tensor));
    }
    return Checkpoint::make(std::move(data));
}

struct Sample {
    std::string layout;
    std::string codes;
    std::vector<Part> parts; ///< all of one weight, in the shapes that its library writes
};

/// A weight [64, 128], or experts.
std::vector<Sample> samples() {
    return {
        {"GPTQ or AWQ",
         "l.qweight",
         {{"l.qweight", Dtype::Int32, {16, 64}},
          {"l.qzeros", Dtype::Int32, {2, 8}},
          {"l.scales", Dtype::Float16, {2, 64}},
          {"l.g_idx", Dtype::Int32, {128}}}},
        {"GPTQ or AWQ",
         "l.qweight",
         {{"l.qweight", Dtype::Int32, {128, 8}},
          {"l.qzeros", Dtype::Int32, {1, 8}},
          {"l.scales", Dtype::Float16, {1, 64}}}},
        {"float8 with scales",
         "l.weight",
         {{"l.weight", Dtype::Float8E4m3fn, {64, 128}},
          {"l.weight_scale", Dtype::Float32, {64, 1}}}},
        {"float8 with scales",
         "l.weight",
         {{"l.weight", Dtype::Float8E4m3fn, {64, 128}},
          {"l.weight_scale", Dtype::Float32, {}},
          {"l.input_scale", Dtype::Float32, {}},
          {"l.k_scale", Dtype::Float32, {}}}},
        {"float8 with scales",
         "l.weight",
         {{"l.weight", Dtype::Float8E4m3fn, {256, 128}},
          {"l.weight_scale_inv", Dtype::Float32, {2, 1}}}},
        {"float8 with scales",
         "experts.gate_up_proj",
         {{"experts.gate_up_proj", Dtype::Float8E4m3fn, {3, 256, 128}},
          {"experts.gate_up_proj_scale_inv", Dtype::Float32, {3, 2, 1}}}},
        {"ComfyUI scaled float8",
         "l.weight",
         {{"l.weight", Dtype::Float8E4m3fn, {64, 128}}, {"l.scale_weight", Dtype::Float32, {}}}},
        {"int8 with scales",
         "l.weight",
         {{"l.weight", Dtype::Int8, {64, 128}}, {"l.weight_scale", Dtype::Float32, {64, 1}}}},
        {"compressed-tensors, packed",
         "l.weight_packed",
         {{"l.weight_packed", Dtype::Int32, {64, 16}},
          {"l.weight_scale", Dtype::Bfloat16, {64, 2}},
          {"l.weight_shape", Dtype::Int64, {2}}}},
        {"compressed-tensors, float4",
         "l.weight_packed",
         {{"l.weight_packed", Dtype::Uint8, {64, 64}},
          {"l.weight_scale", Dtype::Float8E4m3fn, {64, 8}},
          {"l.weight_global_scale", Dtype::Float32, {1}}}},
        {"compressed-tensors, float4",
         "l.weight_packed",
         {{"l.weight_packed", Dtype::Uint8, {64, 64}}, {"l.weight_scale", Dtype::Uint8, {64, 4}}}},
        {"NVFP4",
         "l.weight",
         {{"l.weight", Dtype::Uint8, {64, 64}},
          {"l.weight_scale", Dtype::Float8E4m3fn, {64, 8}},
          {"l.weight_scale_2", Dtype::Float32, {}}}},
        {"MXFP4",
         "mlp.gate_up_proj_blocks",
         {{"mlp.gate_up_proj_blocks", Dtype::Uint8, {2, 64, 4, 16}},
          {"mlp.gate_up_proj_scales", Dtype::Uint8, {2, 64, 4}}}},
        {"MXFP8",
         "l.weight",
         {{"l.weight", Dtype::Float8E4m3fn, {64, 128}}, {"l.weight_scale", Dtype::Uint8, {64, 4}}}},
        {"bitsandbytes 8 bit",
         "l.weight",
         {{"l.weight", Dtype::Int8, {64, 128}},
          {"l.SCB", Dtype::Float32, {64}},
          {"l.weight_format", Dtype::Uint8, {}}}},
        {"bitsandbytes 4 bit",
         "l.weight",
         {{"l.weight", Dtype::Uint8, {4096, 1}},
          {"l.weight.absmax", Dtype::Float32, {128}},
          {"l.weight.quant_map", Dtype::Float32, {16}},
          {"l.weight.quant_state.bitsandbytes__nf4", Dtype::Uint8, {80}}}},
        {"bitsandbytes 4 bit, nested",
         "l.weight",
         {{"l.weight", Dtype::Uint8, {4096, 1}},
          {"l.weight.absmax", Dtype::Uint8, {128}},
          {"l.weight.nested_absmax", Dtype::Float32, {1}},
          {"l.weight.nested_quant_map", Dtype::Float32, {256}},
          {"l.weight.quant_map", Dtype::Float32, {16}},
          {"l.weight.quant_state.bitsandbytes__nf4", Dtype::Uint8, {80}}}},
        {"quanto",
         "l.weight._data",
         {{"l.weight._data", Dtype::Int8, {64, 128}},
          {"l.weight._scale", Dtype::Float32, {64, 1}}}},
        {"quanto, packed",
         "l.weight._data._data",
         {{"l.weight._data._data", Dtype::Uint8, {32, 128}},
          {"l.weight._scale", Dtype::Float32, {64, 1}},
          {"l.weight._shift", Dtype::Float32, {64, 1}}}},
        {"HQQ",
         "l.W_q",
         {{"l.W_q", Dtype::Uint8, {32, 128}},
          {"l.scale", Dtype::Float16, {64, 1}},
          {"l.zero", Dtype::Float16, {64, 1}}}},
        {"EETQ",
         "l.weight",
         {{"l.weight", Dtype::Int8, {128, 64}}, {"l.weight_scales", Dtype::Float16, {64}}}},
        {"MLX",
         "l.weight",
         {{"l.weight", Dtype::Uint32, {64, 16}},
          {"l.scales", Dtype::Float16, {64, 2}},
          {"l.biases", Dtype::Float16, {64, 2}}}},
        {"torchao",
         "l.weight.qdata",
         {{"l.weight.qdata", Dtype::Int8, {64, 128}},
          {"l.weight.scale", Dtype::Float32, {64, 1}},
          {"l.weight.zero_point", Dtype::Int8, {64, 1}}}},
        {"torchao, flattened",
         "l._weight_qdata",
         {{"l._weight_qdata", Dtype::Float8E4m3fn, {64, 128}},
          {"l._weight_scale", Dtype::Float32, {64, 1}}}},
        {"ggml blocks", "blk.0.ffn_up.weight", {{"blk.0.ffn_up.weight", Dtype::Q8_0, {64, 128}}}},
        {"torch quantised tensor", "w", {{"w", Dtype::Qint8, {64, 128}}}},
    };
}

TEST(QuantisedWeights, FindTheCodesAndEverythingThatBelongsToThem) {
    for (const Sample& sample : samples()) {
        SCOPED_TRACE(sample.layout);
        const CheckpointPtr checkpoint = weights(sample.parts);
        const QuantisedWeights quantised(*checkpoint);
        ASSERT_EQ(quantised.all().size(), 1U);
        const QuantisedWeight& found = quantised.all().front();
        EXPECT_EQ(found.layout->name, sample.layout);
        EXPECT_EQ(checkpoint->tensor(found.codes).name, sample.codes);
        EXPECT_EQ(found.strength, Strength::Proven);
        for (std::size_t i = 0; i < sample.parts.size(); ++i) {
            EXPECT_EQ(quantised.of(TensorIndex(i)), &found) << sample.parts[i].name;
        }
    }
}

TEST(QuantisedWeights, DoNotDependOnTheOrderOrOnOtherTensors) {
    std::mt19937 random(7); // NOLINT: the same numbers in each run
    for (const Sample& sample : samples()) {
        SCOPED_TRACE(sample.layout);
        for (int round = 0; round < 20; ++round) {
            std::vector<Part> parts = sample.parts;
            parts.push_back({"norm.weight", Dtype::Bfloat16, {64}});
            parts.push_back({"norm.bias", Dtype::Bfloat16, {64}});
            parts.push_back({"steps", Dtype::Int64, {}});
            std::ranges::shuffle(parts, random);
            const CheckpointPtr checkpoint = weights(parts);
            const QuantisedWeights quantised(*checkpoint);
            ASSERT_EQ(quantised.all().size(), 1U);
            EXPECT_EQ(quantised.all().front().layout->name, sample.layout);
            for (const std::string_view plain : {"norm.weight", "norm.bias", "steps"}) {
                EXPECT_EQ(quantised.of(*checkpoint->find(plain)), nullptr) << plain;
            }
        }
    }
}

/// Without the scales the codes are no quantised weight; without a shape that fits they are one by
/// name only, from which nothing may be computed.
TEST(QuantisedWeights, GetWeakerAsEvidenceIsTakenAway) {
    for (const Sample& sample : samples()) {
        if (sample.parts.size() < 2) {
            continue;
        }
        SCOPED_TRACE(sample.layout);
        const QuantisedWeights whole(*weights(sample.parts));
        const std::size_t scales = whole.all().front().others.front().position();
        std::vector<Part> without = sample.parts;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(scales));
        const QuantisedWeights left(*weights(without));
        for (const QuantisedWeight& other : left.all()) {
            EXPECT_NE(other.strength, Strength::Proven) << other.layout->name;
        }
        std::vector<Part> floats = sample.parts;
        for (Part& part : floats) {
            part.dtype = Dtype::Float32; // names alone decide nothing
        }
        EXPECT_TRUE(QuantisedWeights(*weights(floats)).all().empty());
    }
}

/// No part may have a shape that contradicts the others and be proven.
TEST(QuantisedWeights, AreNotProvenAgainstAShape) {
    for (const Sample& sample : samples()) {
        const QuantisedWeights whole(*weights(sample.parts));
        for (const TensorIndex part : whole.all().front().others) {
            const Part& scales = sample.parts[part.position()];
            const bool isScales = scales.name.find("scale") != std::string::npos ||
                                  scales.name.find("absmax") != std::string::npos;
            const bool isAlone = scales.name.find("input") != std::string::npos ||
                                 scales.name.find("k_scale") != std::string::npos ||
                                 scales.name.find("nested") != std::string::npos ||
                                 scales.name.find("global") != std::string::npos ||
                                 scales.name.ends_with("scale_2");
            if (!isScales || isAlone) { // what belongs to the layer may have any shape
                continue;
            }
            SCOPED_TRACE(sample.layout + ", " + scales.name);
            std::vector<Part> parts = sample.parts;
            parts[part.position()].shape = {4099, 4111}; // of no blocks
            const QuantisedWeights quantised(*weights(parts));
            for (const QuantisedWeight& found : quantised.all()) {
                EXPECT_NE(found.strength, Strength::Proven);
            }
        }
    }
}

/// Many weights of different layouts in one checkpoint, under any names of modules.
TEST(QuantisedWeights, OfOneCheckpointDoNotMix) {
    std::mt19937 random(11); // NOLINT: the same numbers in each run
    const std::vector<Sample> all = samples();
    for (int round = 0; round < 500; ++round) {
        std::vector<Part> parts;
        std::map<std::string, std::string> truth; // codes -> layout
        std::map<std::string, std::string> owner; // part -> codes
        for (int i = 0; i < 6; ++i) {
            const Sample& sample = all[random() % all.size()];
            const std::string prefix =
                std::vector<std::string>{"model.layers.", "scale.", "weight_scale.", "a.qweight.",
                                         "ema."}[random() % 5] +
                std::to_string(i) + ".";
            truth[prefix + sample.codes] = sample.layout;
            for (const Part& part : sample.parts) {
                parts.push_back({prefix + part.name, part.dtype, part.shape});
                owner[prefix + part.name] = prefix + sample.codes;
            }
        }
        parts.push_back({"norm.weight", Dtype::Float32, {64}});
        std::ranges::shuffle(parts, random);
        const CheckpointPtr checkpoint = weights(parts);
        const QuantisedWeights quantised(*checkpoint);
        ASSERT_EQ(quantised.all().size(), truth.size()) << round;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const QuantisedWeight* found = quantised.of(TensorIndex(i));
            const auto known = owner.find(parts[i].name);
            ASSERT_EQ(found != nullptr, known != owner.end()) << parts[i].name;
            if (found != nullptr) {
                EXPECT_EQ(checkpoint->tensor(found->codes).name, known->second) << round;
                EXPECT_EQ(found->layout->name, truth[known->second]) << round;
            }
        }
    }
}

TEST(QuantisedWeights, ArePlainTensorsWhenOnlyTheNamesLookAlike) {
    const CheckpointPtr plain = weights({
        {"l.weight", Dtype::Float32, {64, 128}},
        {"l.weight_scale", Dtype::Float32, {64}}, // of weight normalisation
        {"vq.codes", Dtype::Int64, {64}},
        {"bn.weight", Dtype::Float32, {64}},
        {"bn.num_batches_tracked", Dtype::Int64, {}},
        {"film.scale", Dtype::Float32, {64}},
        {"embed.indices", Dtype::Int64, {64}},
    });
    EXPECT_TRUE(QuantisedWeights(*plain).all().empty());
}

TEST(QuantisedWeights, ProtectScalesByTheirNamesBesideAnyWeight) {
    const CheckpointPtr plain =
        weights({{"layers.0.self_attn.q_proj.weight", Dtype::Float32, {8, 8}},
                 {"layers.0.self_attn.k_scale", Dtype::Float32, {1}},
                 {"layers.0.self_attn.q_proj.input_scale", Dtype::Float32, {}},
                 {"layers.0.vision.input_scale", Dtype::Float32, {8, 8}},
                 {"layers.0.self_attn.q_proj.weight_scale", Dtype::Float32, {8, 1}},
                 {"layers.0.norm.weight", Dtype::Float32, {8}}});
    const QuantisedWeights quantised(*plain);
    EXPECT_TRUE(quantised.all().empty());
    for (std::size_t i = 0; i < plain->tensors().size(); ++i) {
        EXPECT_EQ(quantised.isPart(TensorIndex(i)), i == 1 || i == 2 || i == 4) << i;
    }
}

TEST(QuantisedWeights, AreNamedOnlyWhenTheShapesDisagree) {
    const CheckpointPtr checkpoint = weights({{"l.weight", Dtype::Float8E4m3fn, {64, 128}},
                                              {"l.weight_scale_inv", Dtype::Float32, {7, 3}}});
    const QuantisedWeights quantised(*checkpoint);
    ASSERT_EQ(quantised.all().size(), 1U);
    EXPECT_EQ(quantised.all().front().strength, Strength::Named);
}

TEST(ScaleBlock, FollowsFromBothShapes) {
    EXPECT_EQ(scaleBlock({256, 130}, {2, 2}), Shape({128, 128}));
    EXPECT_EQ(scaleBlock({64, 32}, {64}), Shape({1, 32}));
    EXPECT_EQ(scaleBlock({64, 32}, {}), Shape({64, 32}));
    EXPECT_EQ(scaleBlock({64, 32}, {65, 5}), std::nullopt);
    EXPECT_EQ(scaleBlock({2112, 7168}, {17, 56}), Shape({128, 128})); // clipped in one dimension
    EXPECT_EQ(scaleBlock({3, 300, 256}, {3, 3, 2}), Shape({1, 128, 128}));
    EXPECT_EQ(scaleBlock({192, 192}, {2, 2}), std::nullopt); // 96, or 128 clipped
    EXPECT_TRUE(scalesFit({192, 192}, {2, 2}));
    EXPECT_EQ(scaleBlock({192, 192}, {2, 2}, Shape{96, 96}), Shape({96, 96}));
    EXPECT_EQ(scaleBlock({192, 192}, {2, 2}, Shape{128, 128}), Shape({128, 128}));
    EXPECT_EQ(scaleBlock({192, 192}, {2, 2}, Shape{64, 64}), std::nullopt);
    EXPECT_EQ(scaleBlock({64, 32}, {}, Shape{96, 96}), Shape({64, 32}));
}

} // namespace
} // namespace cairn
