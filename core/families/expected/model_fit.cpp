// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/model_fit.h"

#include "core/families/config/name_pattern.h"
#include "core/families/config/name_prefix.h"
#include "core/families/expected/class_names.h"
#include "core/families/quantised/quantised.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace cairn {
namespace {

// clang-format off
/// Names of the original checkpoints, and what is in front of them in files of complete pipelines.
/// Source: diffusers 0.37, loaders/single_file_utils.py.
constexpr auto kOriginalNames = std::to_array<std::string_view>({
    "double_blocks.{i}.img_attn.{*}", "double_blocks.{i}.img_mod.{*}", "single_blocks.{i}.linear1.{*}",
    "single_blocks.{i}.modulation.{*}", "joint_blocks.{i}.context_block.{*}", "joint_blocks.{i}.x_block.{*}",
    "input_blocks.{i}.{j}.{*}", "output_blocks.{i}.{j}.{*}", "middle_block.{i}.{*}", "first_stage_model.{*}",
    "cond_stage_model.{*}", "encoder.down.{i}.block.{j}.{*}", "decoder.up.{i}.block.{j}.{*}",
});
constexpr auto kOriginalPrefixes =
    std::to_array<std::string_view>({"model.diffusion_model.", "control_model."});
/// The classes into which from_single_file() converts such names; none has one of them as its own.
/// Source: SINGLE_FILE_LOADABLE_CLASSES of loaders/single_file_model.py. Not AutoencoderKLLTX2Audio,
/// whose own names are "encoder.down.0.block.0…".
constexpr auto kOfSingleFiles = std::to_array<std::string_view>({
    "UNet2DConditionModel", "AutoencoderKL", "ControlNetModel", "SD3Transformer2DModel", "FluxTransformer2DModel",
    "Flux2Transformer2DModel", "ChromaTransformer2DModel", "HunyuanVideoTransformer3DModel",
});
// clang-format on

bool isOriginalName(std::string_view name) {
    static const std::vector<NamePattern> patterns(kOriginalNames.begin(), kOriginalNames.end());
    for (const std::string_view prefix : kOriginalPrefixes) {
        name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
    }
    return std::ranges::any_of(
        patterns, [name](const NamePattern& pattern) { return pattern.match(name).has_value(); });
}

/// A weight whose elements a library would convert to floats without a word.
bool isInteger(const OutputTensor& tensor) {
    const DtypeKind kind = dtypeInfo(tensor.dtype).kind;
    return tensor.shape.size() > 1 &&
           (kind == DtypeKind::Signed || kind == DtypeKind::Unsigned || kind == DtypeKind::Bool);
}

TensorDifference differenceOf(const ExpectedTensors& expected,
                              std::span<const OutputTensor> tensors, std::string_view prefix,
                              const QuantisedLayout* quantised) {
    TensorDifference made;
    made.hasLayout = quantised != nullptr;
    std::unordered_set<std::string> found;
    std::unordered_set<std::string> packed;
    std::map<std::string, Dtype> integers;
    for (const OutputTensor& tensor : tensors) {
        std::string name = tensor.name;
        const bool under = name.starts_with(prefix);
        name = under ? name.substr(prefix.size()) : name;
        const ExpectedTensors::Entry* entry = under ? expected.find(name) : nullptr;
        const auto part = entry == nullptr && under && quantised != nullptr
                              ? quantised->partOf(name)
                              : std::nullopt;
        if (part && expected.find(part->parameter) != nullptr) {
            packed.insert(part->parameter);
            if (part->standsForIt) {
                found.insert(part->parameter);
            }
        } else if (entry != nullptr) {
            found.insert(name);
            if (entry->shape != tensor.shape) {
                made.misshapen.push_back(name + " " + formatDims(tensor.shape) + " instead of " +
                                         formatDims(entry->shape));
            } else if (isInteger(tensor)) {
                integers.emplace(name, tensor.dtype);
            }
        } else if (!expected.ignores(name)) {
            made.unexpected.push_back(tensor.name);
        }
    }
    made.quantised = packed.size();
    for (const auto& [name, dtype] : integers) {
        if (!packed.contains(name)) {
            made.misshapen.push_back(name + " " + std::string(dtypeName(dtype)) +
                                     " instead of floats");
        }
    }
    if (quantised != nullptr && quantised->inPlace) {
        std::erase_if(made.misshapen, [&](const std::string& text) {
            return packed.contains(text.substr(0, text.find(' ')));
        });
    }
    for (const auto& [name, entry] : expected.all()) {
        made.required += entry.mayBeAbsent() ? 0 : 1;
        if (!entry.mayBeAbsent() && !found.contains(name)) {
            made.missing.push_back(name);
        }
    }
    std::ranges::sort(made.missing);
    std::ranges::sort(made.unexpected);
    std::ranges::sort(made.misshapen);
    return made;
}

/// Whether the names are complete with what the base's names lack in front.
void tryBaseNames(ModelFit& fit, std::span<const OutputTensor> tensors,
                  const QuantisedLayout* quantised) {
    if (fit.difference.count() == 0 || fit.model->base.empty() || fit.model->prefix.empty()) {
        return;
    }
    std::vector<OutputTensor> longer(tensors.begin(), tensors.end());
    for (OutputTensor& tensor : longer) {
        tensor.name.insert(0, fit.model->prefix);
    }
    TensorDifference difference = differenceOf(fit.expected, longer, "", quantised);
    if (difference.count() == 0) {
        fit.difference = std::move(difference);
        fit.prefix.clear();
        fit.underBase = true;
    }
}

/// Of two classes that fit equally well, the one with the shorter prefix is meant, then the one
/// whose save has these names, then the one with a head: a tied head has no tensor of its own.
bool isBetter(const ModelFit& fit, const ModelFit& than) {
    const auto rank = [](const ModelFit& each) {
        return std::tuple(each.difference.count(), each.prefix.size(), each.underBase,
                          -static_cast<std::int64_t>(each.expected.all().size()));
    };
    return rank(fit) < rank(than);
}

/// The class of this name or, if it is empty, that of the type which fits best.
Result<std::optional<ModelFit>>
bestFit(const ModelConfig& config, std::span<const OutputTensor> tensors, std::string_view name) {
    constexpr std::size_t kMore = 200'000; ///< names that may be missing
    const std::string type = config.text("model_type").value_or("");
    const QuantisedLayout* quantised = quantisedLayout(config);
    std::vector<std::string_view> names;
    for (const OutputTensor& tensor : tensors) {
        names.push_back(tensor.name);
    }
    std::optional<ModelFit> best;
    std::optional<Error> problem;
    for (const KnownModel& model : knownModels()) {
        const bool asked = name.empty()
                               ? model.type == type
                               : model.name == name && (type.empty() || model.type == type);
        if (!asked) {
            continue;
        }
        auto expected = ExpectedTensors::of(model, config, 2 * tensors.size() + kMore);
        if (!expected) {
            if (!problem) {
                problem = expected.error();
            }
            continue;
        }
        ModelFit fit;
        fit.model = &model;
        fit.expected = std::move(*expected);
        fit.prefix = bestPrefix(names, PrefixOf::Some, [&fit](std::string_view rest) {
                         return fit.expected.find(std::string(rest)) != nullptr;
                     }).text;
        fit.difference = differenceOf(fit.expected, tensors, fit.prefix, quantised);
        tryBaseNames(fit, tensors, quantised);
        if (!best || isBetter(fit, *best)) {
            if (best && best->difference.count() == 0 && best->prefix == fit.prefix) {
                fit.alsoFits = std::move(best->alsoFits);
                fit.alsoFits.push_back(best->model->name);
            }
            best = std::move(fit);
        } else if (fit.difference.count() == 0 && fit.prefix == best->prefix) {
            best->alsoFits.push_back(model.name);
        }
    }
    if (!best && problem) {
        return *problem;
    }
    return best;
}

/// Whether the unexpected tensors have as many elements as the missing ones.
bool mayStandForMissing(const ModelFit& fit, std::span<const OutputTensor> tensors) {
    std::uint64_t missing = 0;
    for (const std::string& name : fit.difference.missing) {
        const auto* entry = fit.expected.find(name);
        missing += entry != nullptr ? elementCount(entry->shape).value_or(0) : 0;
    }
    std::uint64_t found = 0;
    for (const OutputTensor& tensor : tensors) {
        if (std::ranges::binary_search(fit.difference.unexpected, tensor.name)) {
            found += elementCount(tensor.shape).value_or(0);
        }
    }
    return found >= missing;
}

/// Decides what the difference alone does not show.
void decideRest(ModelFit& fit, const ModelConfig& config, std::span<const OutputTensor> tensors) {
    fit.isLayoutUnknown =
        config.has("quantization_config.quant_method") && !fit.difference.hasLayout;
    if (fit.difference.count() == 0 && fit.prefix.empty()) {
        return;
    }
    const auto inferred = bestFit(config, tensors, "");
    const bool isOther = inferred && *inferred && (*inferred)->difference.count() == 0 &&
                         (*inferred)->prefix.empty() && (*inferred)->model != fit.model;
    fit.other = isOther ? (*inferred)->model : nullptr;
    fit.mayBeOlder =
        !isOther && !fit.difference.missing.empty() && mayStandForMissing(fit, tensors);
}

} // namespace

LoaderAnswer ModelFit::answer() const {
    const bool isUnknown = isLayoutUnknown && difference.count() > 0;
    return prefix.empty() || isUnknown ? answerWithoutPrefix() : LoaderAnswer::No;
}

LoaderAnswer ModelFit::answerWithoutPrefix() const {
    if (difference.count() == 0) {
        return LoaderAnswer::All;
    }
    if (isLayoutUnknown) {
        return LoaderAnswer::Unknown;
    }
    if (!difference.misshapen.empty() || (!difference.missing.empty() && !mayBeOlder)) {
        return LoaderAnswer::No;
    }
    // A part of a quantised layout that is not known is not left out.
    return !difference.missing.empty() || difference.hasLayout ? LoaderAnswer::Undecided
                                                               : LoaderAnswer::Part;
}

bool ModelFit::isBase() const {
    return std::ranges::any_of(knownModels(), [this](const KnownModel& each) {
        return each.type == model->type && each.base == model->name && !each.prefix.empty();
    });
}

std::string modelClass(const ModelConfig& config) {
    const std::vector<std::string> classes = config.texts("architectures");
    return classes.empty() ? std::string() : classes.front();
}

bool isModelUnknown(const Error& error) {
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Unsupported;
}

const KnownModel* contradictedModel(const ModelConfig& config) {
    const std::string type = config.text("model_type").value_or("");
    const auto models = knownModels();
    const auto known = std::ranges::find(models, modelClass(config), &KnownModel::name);
    const bool isTypes = ClassNames::of(config).has_value(); // a class of several types
    const bool contradicts = known != models.end() && !type.empty() && known->type != type &&
                             !isTypes && !config.has("auto_map.#");
    return contradicts ? &*known : nullptr;
}

std::string originalDiffusionName(std::span<const OutputTensor> tensors) {
    const auto found = std::ranges::find_if(tensors, isOriginalName, &OutputTensor::name);
    return found == tensors.end() ? std::string() : found->name;
}

ForeignNames foreignNames(const ModelConfig& config, std::span<const OutputTensor> tensors) {
    const bool isTyped = config.has("model_type");
    const std::string component = config.text("_class_name").value_or("");
    if (!isTyped && config.has("_diffusers_version") && !component.empty()) {
        const bool isOfSingleFiles =
            std::ranges::find(kOfSingleFiles, component) != kOfSingleFiles.end();
        return isOfSingleFiles && !originalDiffusionName(tensors).empty() ? ForeignNames::SingleFile
                                                                          : ForeignNames::None;
    }
    const bool isOfLibrary = (isTyped || !modelClass(config).empty()) && !config.has("auto_map.#");
    const auto isVariable = [](const OutputTensor& each) { return each.name.ends_with(":0"); };
    const auto isOfLayer = [](const OutputTensor& each) {
        return each.name.find('/') != each.name.npos;
    };
    const bool areVariables = isOfLibrary && std::ranges::all_of(tensors, isVariable) &&
                              std::ranges::any_of(tensors, isOfLayer);
    return areVariables ? ForeignNames::TensorFlow : ForeignNames::None;
}

Result<std::optional<ModelFit>> fitModel(const ModelConfig& config,
                                         std::span<const OutputTensor> tensors) {
    auto fit = bestFit(config, tensors, modelClass(config));
    if (fit && *fit) {
        decideRest(**fit, config, tensors);
    }
    return fit;
}

Result<std::optional<ModelFit>> inferModel(const ModelConfig& config,
                                           std::span<const OutputTensor> tensors) {
    return bestFit(config, tensors, "");
}

} // namespace cairn
