// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/names/name_conversion.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/families/adapters/adapter.h"
#include "core/families/expected/class_names.h"
#include "core/families/expected/model_fit.h"
#include "core/families/names/conversion.h"
#include "core/families/names/framework.h"
#include "core/families/names/model_check.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/names/framework_source.h"
#include "core/jobs/names/keras_source.h"
#include "core/model/wrapper_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

constexpr std::array<std::string_view, 4> kOwnNames = {"auto", "keep", "hf", "gguf"};

std::string knownNames() {
    std::string names = "keep, hf, gguf";
    for (const Framework* each : knownFrameworks()) {
        names += ", " + std::string(each->id);
    }
    return names;
}

CheckpointPtr unwrittenToo(const CheckpointPtr& converted, const NameInput& input) {
    return withUnwritten(converted, *input.source, input.chosen, input.request.only.subtree);
}

std::vector<OutputTensor> outputsOf(const Checkpoint& checkpoint,
                                    std::span<const NamedTensor> named) {
    std::vector<OutputTensor> tensors;
    for (const NamedTensor& each : named) {
        tensors.push_back({each.name, checkpoint.tensor(each.tensor).shape,
                           checkpoint.tensor(each.tensor).dtype});
    }
    return tensors;
}

/// What all names begin with, up to the first dot; empty: nothing.
std::string sharedPart(std::span<const NamedTensor> named) {
    const std::string_view first = named.empty() ? std::string_view() : named.front().name;
    const std::string part(first.substr(0, first.find('.') + 1));
    const bool shared = std::ranges::all_of(named, [&](const NamedTensor& each) {
        return each.name.size() > part.size() && each.name.starts_with(part);
    });
    return shared ? part : std::string();
}

Result<std::optional<ConvertedSource>>
published(const NameInput& input, std::span<const NamedTensor> named, const std::string& dropped) {
    CAIRN_TRY(const std::optional<Conversion> conversion,
              chooseConversion(named, input.config, publishedRecipes()));
    if (!conversion) {
        return std::nullopt;
    }
    CAIRN_TRY(const Converted converted,
              convertTensors(input.source, conversion->tensors, conversion->recipe,
                             input.config != nullptr ? *input.config : ModelConfig()));
    ConvertedSource made;
    made.checkpoint = converted.checkpoint;
    addPrefix(made, dropped + conversion->prefix);
    made.decisions.push_back(
        {DecisionId::NamesPublished, sentence("as published: %1", countsOf(converted)),
         "transformers 5 has other names and layouts in memory than save_pretrained writes, and "
         "other programs read the latter; --names keep leaves them as they are"});
    return made;
}

/// Exactly the tensors of the config's class, with their shapes.
bool isPublished(const ModelConfig& config, const Checkpoint& source,
                 std::span<const NamedTensor> named) {
    const auto fit = fitModel(config, outputsOf(source, named));
    return fit && *fit && (*fit)->difference.count() == 0 && (*fit)->prefix.empty();
}

/// Converted by the recipe of the config's class. A recipe whose rules take any rest of a name
/// takes it with an attribute of the trainer in front, too: the published names of the class
/// decide.
Result<std::optional<ConvertedSource>> asPublished(const NameInput& input) {
    constexpr int kMostAttributes = 3;
    std::optional<ConvertedSource> first;
    std::vector<NamedTensor> named(input.named.begin(), input.named.end());
    std::string dropped;
    for (int level = 0; level <= kMostAttributes; ++level) {
        if (input.config != nullptr && isPublished(*input.config, *input.source, named)) {
            return std::nullopt; // what is in front of them goes with the wrappers
        }
        CAIRN_TRY(auto made, published(input, named, dropped));
        if (!made && input.config != nullptr &&
            namesFit(*input.config, outputsOf(*input.source, named)) == NamesFit::Begins) {
            return std::nullopt; // no rule takes them: likewise
        }
        const NamesFit fit = made && input.config != nullptr
                                 ? namesFit(*input.config, outputsOf(*made->checkpoint,
                                                                     allTensors(*made->checkpoint)))
                                 : NamesFit::Other;
        if (made && fit != NamesFit::Other) {
            return made;
        }
        first = first ? std::move(first) : std::move(made);
        const std::string part = sharedPart(named);
        if (part.empty()) {
            break;
        }
        for (NamedTensor& each : named) {
            each.name.erase(0, part.size());
        }
        dropped += part;
    }
    return first;
}

Result<void> checkTensors(const ModelConfig& config, const Checkpoint& checkpoint,
                          std::span<const NamedTensor> named) {
    CAIRN_CHECK(checkConfig(checkpoint, named, config)); // its errors name the config's field
    const auto fit = fitModel(config, outputsOf(checkpoint, named));
    if (!fit || !*fit) {
        return {};
    }
    const TensorDifference& difference = (*fit)->difference;
    const auto fails = [&](ErrorCode code, const Sentence& what, const std::string& first,
                           std::size_t count) {
        return fail(code, what)
            .inTensor(first.substr(0, first.find(' ')))
            .butFound(
                sentence("%1%2", first, count > 1 ? sentence(", and %1 more", count - 1) : ""))
            .expecting(sentence("the tensors of %1", (*fit)->model->name))
            .withHint("Name the folder of the same model with --like");
    };
    if (!difference.misshapen.empty()) {
        return fails(ErrorCode::BadSlice,
                     "The weights do not have the shapes of the config's model",
                     difference.misshapen.front(), difference.misshapen.size());
    }
    if (!difference.missing.empty()) {
        return fails(ErrorCode::BadSlice, "The weights lack tensors of the config's model",
                     difference.missing.front(), difference.missing.size());
    }
    return {};
}

/// A config that the user names is used in spite of the names around the weights, so that it is
/// compared with them.
Result<void> checkLike(const NameInput& input, const std::optional<ConvertedSource>& made) {
    if (input.config == nullptr || input.request.like.empty()) {
        return {};
    }
    return made ? checkTensors(*input.config, *made->checkpoint, allTensors(*made->checkpoint))
                : checkTensors(*input.config, *input.source, input.named);
}

/// What is in front of the model's names, and what shows that.
struct AttributePrefix {
    std::string text;
    Sentence why;
};

/// By the names of the config's class; if it is not known, by the container: Lightning names the
/// tensors by the attributes of its module.
AttributePrefix attributePrefix(const NameInput& input) {
    if (input.config == nullptr) {
        return {};
    }
    const std::vector<OutputTensor> tensors = outputsOf(*input.source, input.named);
    if (auto prefix = classPrefix(*input.config, tensors)) {
        return {std::move(*prefix), "Without it, the names are those of the model"};
    }
    const auto names = ClassNames::of(*input.config);
    const bool unknown =
        names ? names->differInMemory() : namesFit(*input.config, tensors) == NamesFit::Unknown;
    const bool hasClass = !modelClass(*input.config).empty() || input.config->has("model_type");
    if (unknown && hasClass && input.source->framework() == "lightning") {
        return {sharedPart(input.named),
                "Lightning puts the attribute that holds the model in front of its names. The "
                "class is unknown, so the names without it are not checked; --names keep leaves "
                "them as they are"};
    }
    return {};
}

/// Names that only differ from the model's by what wraps it.
Result<std::optional<ConvertedSource>> withoutWrapping(const NameInput& input,
                                                       const Value* values) {
    const AttributePrefix prefix = attributePrefix(input);
    const std::size_t container = containerPrefix(*input.source, input.chosen, values).size();
    const bool wrapped = std::ranges::any_of(input.named, [&](const NamedTensor& each) {
        const std::string_view stored = input.source->tensor(each.tensor).name;
        return withoutWrappers(stored.substr(container)) != stored.substr(container);
    });
    if (prefix.text.empty() && !wrapped && input.oldNorms == 0) {
        return std::nullopt;
    }
    std::vector<NamedTensor> named(input.named.begin(), input.named.end());
    for (NamedTensor& each : named) {
        each.name.erase(0, prefix.text.size());
    }
    CAIRN_TRY(const Recipe nothing, Recipe::parse(""));
    CAIRN_TRY(const Converted converted,
              convertTensors(input.source, named, nothing, ModelConfig()));
    ConvertedSource made;
    made.checkpoint = converted.checkpoint;
    addPrefix(made, prefix.text, prefix.why);
    return made;
}

/// Under the names of the model's library; nothing if they are those already.
Result<std::optional<ConvertedSource>> toLibrary(const NameInput& input, const Value* values) {
    CAIRN_TRY(auto made, fromFramework(input, values));
    if (!made && input.config != nullptr) {
        CAIRN_TRY(made, fromKeras(input.source, input.named, *input.config));
    }
    if (!made) {
        CAIRN_TRY(made, asPublished(input));
    }
    if (!made) {
        CAIRN_TRY(made, withoutWrapping(input, values));
    }
    return made;
}

/// The tensors as they are, with the names that `input` has for them.
Result<CheckpointPtr> renamed(const NameInput& input) {
    CAIRN_TRY(const Converted same, convertTensors(input.source, input.named, Recipe(), {}));
    return same.checkpoint;
}

/// Under the names of a framework. `made`: what the library's names took, if anything.
Result<ConvertedSource> toFramework(const NameInput& input, std::optional<ConvertedSource> library,
                                    const Framework& framework) {
    ConvertedSource made = library ? std::move(*library) : ConvertedSource();
    if (made.checkpoint == nullptr) {
        CAIRN_TRY(made.checkpoint, renamed(input));
    }
    std::optional<ModelConfig> config =
        input.config != nullptr ? std::optional(*input.config) : std::nullopt;
    if (made.config) {
        CAIRN_TRY(config, ModelConfig::parse(asText(made.config->bytes)));
    }
    const std::vector<NamedTensor> named = allTensors(*made.checkpoint);
    CAIRN_TRY(const FrameworkConversion conversion,
              convertToFramework(
                  {made.checkpoint, named, config ? &*config : nullptr, input.request.family},
                  framework));
    made.checkpoint = conversion.made.checkpoint;
    made.decisions.push_back({DecisionId::NamesForFramework,
                              sentence("%1 to %2: %3", conversion.family->family, framework.title,
                                       countsOf(conversion.made)),
                              "As requested by --names; the opposite of the conversion to the "
                              "library's names. Padding of a vocabulary is not added"});
    made.checklist.push_back(
        {CheckId::FrameworkNames, false,
         sentence("They are those of %1; transformers and serving engines cannot load them",
                  framework.title),
         false});
    return made;
}

Result<void> checkRequest(const JobRequest& request, bool isWeights) {
    const bool known = std::ranges::find(kOwnNames, request.names) != kOwnNames.end() ||
                       findFramework(request.names) != nullptr;
    if (!known) {
        return fail(ErrorCode::InvalidArgument, "Unknown names")
            .inField("--names")
            .butFound(verbatim(request.names))
            .expecting(verbatim(knownNames()));
    }
    if (!isWeights && request.names != "auto" && request.names != "keep") {
        return fail(ErrorCode::InvalidArgument, "Only weights can get the names of a model family")
            .butFound(sentence("--only %1", request.only.text()))
            .withHint("Leave out --only, or use --names keep");
    }
    return {};
}

/// Returns how many.
std::size_t renameOldNorms(std::vector<NamedTensor>& named) {
    std::size_t count = 0;
    for (NamedTensor& each : named) {
        std::string name = currentNormName(each.name);
        count += name != each.name ? 1 : 0;
        each.name = std::move(name);
    }
    return count;
}

/// Tells which words of containers and wrappers are no longer in the names.
void decideDropped(ConvertedSource& made, const NameInput& input, const Value* values) {
    const std::string prefix = containerPrefix(*input.source, input.chosen, values);
    std::set<std::string> words;
    std::size_t count = 0;
    for (const NamedTensor& each : input.named) {
        const std::string_view name =
            std::string_view(input.source->tensor(each.tensor).name).substr(prefix.size());
        const bool wrapped = withoutWrappers(name) != name;
        count += wrapped ? 1 : 0;
        for (std::size_t at = 0; wrapped && at < name.size();) {
            const std::size_t dot = std::min(name.find('.', at), name.size());
            const std::string_view part = name.substr(at, dot - at);
            if (isWrapperPart(part)) {
                words.emplace(part);
            }
            at = dot + 1;
        }
    }
    if (!prefix.empty()) {
        made.decisions.push_back({DecisionId::PrefixDropped,
                                  sentence("'%1' dropped", prefix.substr(0, prefix.size() - 1)),
                                  "The position of the weights in the training checkpoint, not "
                                  "part of the model's tensor names"});
    }
    if (input.oldNorms > 0) {
        made.decisions.push_back(
            {DecisionId::NamesPublished,
             sentence("as published: %1",
                      sentence("%1 renamed", counting(input.oldNorms, "tensor"))),
             "LayerNorm.gamma and LayerNorm.beta are names of BERT's original checkpoints; "
             "transformers reads them as weight and bias, other programs do not"});
    }
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    if (count > 0) {
        made.decisions.push_back({DecisionId::WrappersDropped,
                                  sentence("%1 dropped from %2", text, counting(count, "name")),
                                  "FSDP, torch.compile, activation checkpointing and similar "
                                  "wrappers add them; the model's own names lack them"});
    }
}

} // namespace

Result<std::vector<NamedTensor>>
modelNames(const Checkpoint& source, const std::vector<TensorIndex>& chosen, const Value* values) {
    const std::string prefix = containerPrefix(source, chosen, values);
    std::vector<NamedTensor> named;
    for (const TensorIndex index : chosen) {
        const std::string_view name = source.tensor(index).name;
        named.push_back({index, withoutWrappers(name.substr(prefix.size()))});
    }
    return named;
}

bool convertsNames(const JobRequest& request) {
    const bool isWeights = request.only.isWeights();
    const bool isAsked = request.names != "auto" && request.names != "keep";
    const bool isPublished = request.bundle || request.to == "gguf";
    return isAsked || (request.names == "auto" && isPublished && isWeights);
}

CheckpointPtr withUnwritten(const CheckpointPtr& converted, const Checkpoint& source,
                            const std::vector<TensorIndex>& chosen, std::string_view subtree) {
    CheckpointData data = converted->data();
    std::vector<bool> isChosen(source.tensors().size());
    for (const TensorIndex index : chosen) {
        isChosen[index.position()] = true;
    }
    const std::size_t count = data.tensors.size();
    for (std::size_t i = 0; i < isChosen.size(); ++i) {
        const TensorEntry& other = source.tensors()[i];
        const bool isOther =
            !isChosen[i] && !isDeployable(other.role) && inSubtree(other.name, subtree);
        if (isOther && !converted->find(other.name)) {
            data.tensors.push_back(other);
            data.tensors.back().aliasOf.reset();
        }
    }
    return data.tensors.size() == count ? converted : Checkpoint::make(std::move(data));
}

Sentence countsOf(const Converted& converted) {
    Sentence value = sentence("%1 renamed", counting(converted.renamed, "tensor"));
    if (converted.rearranged > 0) {
        value =
            sentence("%1%2", value, sentence(", %1 cut out or rearranged", converted.rearranged));
    }
    if (!converted.dropped.empty()) {
        value = sentence("%1%2", value,
                         sentence(", %1 left out (%2%3", converted.dropped.size(),
                                  converted.dropped.front(),
                                  converted.dropped.size() > 1 ? Sentence(", …)") : ")"));
    }
    return value;
}

Result<std::optional<ConvertedSource>> convertNames(const CheckpointPtr& source,
                                                    const JobRequest& request,
                                                    std::span<const Sidecar> sidecars,
                                                    const Value* values, ComputedBy code) {
    CAIRN_CHECK(checkRequest(request, request.only.isWeights()));
    if (!convertsNames(request)) {
        return std::nullopt;
    }
    CAIRN_TRY(const std::vector<TensorIndex> chosen, selectTensors(*source, request.only));
    const bool hasAdapter = std::ranges::any_of(
        chosen, [&](TensorIndex index) { return isAdapterTensor(source->tensor(index).name); });
    if (hasAdapter && request.names == "auto") {
        return std::nullopt; // the names of an adapter are not those of a model
    }
    CAIRN_TRY(std::vector<NamedTensor> named, modelNames(*source, chosen, values));
    const std::optional<ModelConfig> config = sidecarFields(sidecars, "config.json");
    const std::size_t oldNorms =
        config && config->has("model_type") ? renameOldNorms(named) : std::size_t{0};
    const NameInput input{source, request, chosen, named, sidecars, config ? &*config : nullptr,
                          code,   oldNorms};
    CAIRN_TRY(std::optional<ConvertedSource> made, toLibrary(input, values));
    CAIRN_CHECK(checkLike(input, made));
    if (const Framework* framework = findFramework(request.names)) {
        CAIRN_TRY(made, toFramework(input, std::move(made), *framework));
    } else if (!made && request.names == "hf") {
        made = ConvertedSource();
        CAIRN_TRY(made->checkpoint, renamed(input));
        made->decisions.push_back(
            {DecisionId::NamesUnknown, "as they are",
             sentence(
                 "No recipe is known that converts these names to those of the model's library%1",
                 input.config == nullptr ? Sentence(", and no config.json was found") : "")});
    }
    if (made) {
        made->checkpoint = unwrittenToo(made->checkpoint, input);
        decideDropped(*made, input, values);
    }
    return made;
}

} // namespace cairn
