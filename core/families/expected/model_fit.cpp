// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/model_fit.h"

#include "core/families/config/name_prefix.h"
#include "core/families/expected/class_names.h"
#include "core/families/quantised/quantised.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace cairn {
namespace {

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
        ModelFit fit{&model, std::move(*expected), {}, {}, false, {}};
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

} // namespace

LoaderAnswer TensorDifference::answer() const {
    if (!missing.empty() || !misshapen.empty()) {
        return LoaderAnswer::No;
    }
    return unexpected.empty() ? LoaderAnswer::All
           : hasLayout        ? LoaderAnswer::Undecided
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

Result<std::optional<ModelFit>> fitModel(const ModelConfig& config,
                                         std::span<const OutputTensor> tensors) {
    return bestFit(config, tensors, modelClass(config));
}

Result<std::optional<ModelFit>> inferModel(const ModelConfig& config,
                                           std::span<const OutputTensor> tensors) {
    return bestFit(config, tensors, "");
}

} // namespace cairn
