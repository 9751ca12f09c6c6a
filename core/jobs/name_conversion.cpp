// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/name_conversion.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/families/adapter.h"
#include "core/families/conversion.h"
#include "core/families/framework.h"
#include "core/model/name_rules.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace cairn {
namespace {

constexpr std::array<std::string_view, 3> kKnownNames = {"auto", "keep", "hf"};

/// What a conversion reads.
struct Input {
    const CheckpointPtr& source;
    const ConsolidateOptions& options;
    const std::vector<TensorIndex>& chosen;
    const std::vector<NamedTensor>& named;
    std::span<const Sidecar> sidecars;
    const ModelConfig* config; ///< null: there is none
};

/// The converted tensors, then the tensors that the job does not write, for what it says of them.
CheckpointPtr withOthers(const CheckpointPtr& converted, const Input& input) {
    CheckpointData data = converted->data();
    std::vector<bool> isChosen(input.source->tensors().size());
    for (const TensorIndex index : input.chosen) {
        isChosen[index.position()] = true;
    }
    const std::size_t count = data.tensors.size();
    for (std::size_t i = 0; i < isChosen.size(); ++i) {
        const TensorEntry& other = input.source->tensors()[i];
        const bool isOther = !isChosen[i] && !isDeployable(other.role) &&
                             inSubtree(other.name, input.options.only.subtree);
        if (isOther && !converted->find(other.name)) {
            data.tensors.push_back(other);
            data.tensors.back().aliasOf.reset();
        }
    }
    return data.tensors.size() == count ? converted : Checkpoint::make(std::move(data));
}

std::string countsOf(const Converted& converted) {
    std::string value = counted(converted.renamed, "tensor") + " renamed";
    if (converted.rearranged > 0) {
        value += ", " + std::to_string(converted.rearranged) + " cut out or rearranged";
    }
    if (!converted.dropped.empty()) {
        value += ", " + std::to_string(converted.dropped.size()) + " left out (" +
                 converted.dropped.front() + (converted.dropped.size() > 1 ? ", …)" : ")");
    }
    return value;
}

void addPrefix(ConvertedSource& made, const std::string& prefix) {
    if (!prefix.empty()) {
        made.decisions.push_back({"names", "'" + prefix.substr(0, prefix.size() - 1) + "' dropped",
                                  "Without it, the names are those of the model"});
    }
}

/// config.json as text.
Sidecar configFile(const FrameworkConversion& conversion) {
    nlohmann::ordered_json json;
    for (const ConfigField& field : conversion.config) {
        std::visit([&](const auto& value) { json[field.name] = value; }, field.value);
    }
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    const auto bytes = asBytes(text);
    return {"config.json", "", {bytes.begin(), bytes.end()}};
}

PlanDecision configDecision(const FrameworkConversion& conversion) {
    std::string fields;
    for (const ConfigField& field : conversion.config) {
        fields += (fields.empty() ? "" : ", ") + field.name + " from " + field.from;
    }
    std::string why = "No config was found; the checkpoint records the model's settings";
    if (conversion.paddedVocabulary) {
        why += ". They do not contain the size of the vocabulary before padding, so that all rows "
               "are kept";
    }
    return {"config.json", fields, why};
}

Result<std::optional<ConvertedSource>> fromFramework(const Input& input, const Value* values) {
    const auto settings = [&](std::string_view name) -> std::optional<ModelConfig> {
        if (const auto file = sidecarFields(input.sidecars, name)) {
            return file;
        }
        const Value* found = values != nullptr ? values->find(name) : nullptr;
        return found != nullptr ? std::optional(ModelConfig::of(*found)) : std::nullopt;
    };
    CAIRN_TRY(const auto conversion, convertFramework(input.source, input.named, input.config,
                                                      settings, input.options.family));
    if (!conversion) {
        return std::nullopt;
    }
    ConvertedSource made;
    made.checkpoint = withOthers(conversion->made.checkpoint, input);
    addPrefix(made, conversion->prefix);
    made.decisions.push_back({"names",
                              std::string(conversion->framework->title) + " to " +
                                  std::string(conversion->family->family) + ": " +
                                  countsOf(conversion->made),
                              input.options.family.empty()
                                  ? "The family follows from the tensors and the config; --family "
                                    "names another, --names keep leaves the names as they are"
                                  : "As requested by --family"});
    if (input.config == nullptr) {
        made.decisions.push_back(configDecision(*conversion));
        made.config = configFile(*conversion);
    }
    return made;
}

Result<std::optional<ConvertedSource>> asPublished(const Input& input) {
    CAIRN_TRY(const std::optional<Conversion> conversion,
              chooseConversion(input.named, input.config, publishedRecipes()));
    if (!conversion) {
        return std::nullopt;
    }
    CAIRN_TRY(const Converted converted,
              convertTensors(input.source, conversion->tensors, conversion->recipe,
                             input.config != nullptr ? *input.config : ModelConfig()));
    ConvertedSource made;
    made.checkpoint = withOthers(converted.checkpoint, input);
    addPrefix(made, conversion->prefix);
    made.decisions.push_back(
        {"names", "as published: " + countsOf(converted),
         "transformers 5 has other names and layouts in memory than save_pretrained writes, and "
         "other programs read the latter; --names keep leaves them as they are"});
    return made;
}

} // namespace

std::optional<ModelConfig> sidecarFields(std::span<const Sidecar> sidecars, std::string_view name) {
    const auto found = std::ranges::find(sidecars, name, &Sidecar::name);
    if (found == sidecars.end()) {
        return std::nullopt;
    }
    auto config = ModelConfig::parse(asText(found->bytes));
    return config ? std::optional(std::move(*config)) : std::nullopt;
}

Result<std::vector<NamedTensor>>
modelNames(const Checkpoint& source, const std::vector<TensorIndex>& chosen, const Value* values) {
    const std::string prefix = containerPrefix(source, chosen, values);
    CAIRN_TRY(const NameRules wrappers, NameRules::parse("strip-wrappers"));
    std::vector<NamedTensor> named;
    for (const TensorIndex index : chosen) {
        named.push_back({index, wrappers.apply(source.tensor(index).name.substr(prefix.size()))});
    }
    return named;
}

Result<std::optional<ConvertedSource>> convertNames(const CheckpointPtr& source,
                                                    const ConsolidateOptions& options,
                                                    std::span<const Sidecar> sidecars,
                                                    const Value* values) {
    if (std::ranges::find(kKnownNames, options.names) == kKnownNames.end()) {
        return fail(ErrorCode::InvalidArgument, "Unknown names")
            .butFound(options.names)
            .expecting("keep or hf");
    }
    const bool asked = options.names != "auto" && options.names != "keep";
    const bool isWeights = options.only.kind == Selection::Kind::Weights;
    if (options.names == "keep" || (!asked && (!options.bundle || !isWeights))) {
        return std::nullopt;
    }
    if (!isWeights) {
        return fail(ErrorCode::InvalidArgument, "Only weights can get the names of a model family")
            .butFound("--only " + options.only.text())
            .withHint("Leave out --only, or use --names keep");
    }
    CAIRN_TRY(const std::vector<TensorIndex> chosen, selectTensors(*source, options.only));
    const bool hasAdapter = std::ranges::any_of(
        chosen, [&](TensorIndex index) { return isAdapterTensor(source->tensor(index).name); });
    if (hasAdapter && !asked) {
        return std::nullopt; // the names of an adapter are not those of a model
    }
    CAIRN_TRY(const std::vector<NamedTensor> named, modelNames(*source, chosen, values));
    const std::optional<ModelConfig> config = sidecarFields(sidecars, "config.json");
    const Input input{source, options, chosen, named, sidecars, config ? &*config : nullptr};
    CAIRN_TRY(auto framework, fromFramework(input, values));
    return framework ? std::move(framework) : asPublished(input);
}

} // namespace cairn
