// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/quantization_config.h"

#include "core/families/config/model_part.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

/// The modules whose matrices stay as they are. Heads are among them even if they are tied, and so
/// not stored: programs would look for their scales.
Json keptModules(const CopyPlan& plan) {
    constexpr std::string_view kEnd = ".weight";
    std::set<std::string> quantised;
    for (const PlannedPrecision::Tensor& tensor : plan.precision->tensors) {
        quantised.insert(tensor.name);
    }
    std::set<std::string> modules{"lm_head"};
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            const std::string name(segment.name);
            const Shape& shape = plan.source->tensor(segment.source).shape;
            if (name.ends_with(kEnd) && shape.size() == 2 && !quantised.contains(name) &&
                modelPart(name) != ModelPart::Embedding) {
                modules.insert(name.substr(0, name.size() - kEnd.size()));
            }
        }
    }
    return Json(modules);
}

Json compressedTensors(const Precision& precision, const Json& kept) {
    const auto scheme = [](std::string_view strategy, bool isDynamic) {
        return Json{{"num_bits", 8},
                    {"type", "float"},
                    {"symmetric", true},
                    {"strategy", strategy},
                    {"dynamic", isDynamic},
                    {"group_size", nullptr},
                    {"block_structure", nullptr}};
    };
    const bool isRow = precision.scales == ScaleGroup::Row;
    return {{"quant_method", "compressed-tensors"},
            {"format", "float-quantized"},
            {"quantization_status", "compressed"},
            {"config_groups",
             {{"group_0",
               {{"targets", Json::array({"Linear"})},
                {"weights", scheme(isRow ? "channel" : "tensor", false)},
                {"input_activations", scheme("token", true)},
                {"output_activations", nullptr}}}}},
            {"ignore", kept}};
}

} // namespace

bool storesTransposed(const ModelConfig& config) {
    // transformers 5.23: the modeling files that import Conv1D
    static constexpr std::array<std::string_view, 5> kTypes = {"gpt2", "openai-gpt", "imagegpt",
                                                               "decision_transformer", "clvp"};
    const std::string type = config.text("model_type").value_or("");
    return std::ranges::find(kTypes, type) != kTypes.end();
}

nlohmann::ordered_json quantizationConfig(const CopyPlan& plan) {
    const Precision& precision = *plan.precision->precision;
    const Json kept = keptModules(plan);
    if (precision.scales != ScaleGroup::Square) {
        return compressedTensors(precision, kept);
    }
    return {{"quant_method", "fp8"},
            {"fmt", "e4m3"},
            {"activation_scheme", "dynamic"},
            {"weight_block_size", Json::array({kSquareSide, kSquareSide})},
            {"modules_to_not_convert", kept}};
}

} // namespace cairn
