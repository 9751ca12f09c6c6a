// SPDX-License-Identifier: Apache-2.0
#include "core/families/framework.h"

#include "core/families/words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

Error inHead(Error error, std::string_view title) {
    error.message += " (" + std::string(title) + ")";
    return error;
}

/// The framework, and what is before the anchor in the names.
struct Recognised {
    const Framework* framework = nullptr;
    std::string prefix;
};

std::optional<Recognised> recognise(std::span<const NamedTensor> tensors) {
    for (const Framework* framework : knownFrameworks()) {
        for (const std::string_view anchor : wordsOf(framework->anchors)) {
            for (const NamedTensor& each : tensors) {
                const std::string_view name = each.name;
                if (!name.ends_with(anchor)) {
                    continue;
                }
                const std::string_view before = name.substr(0, name.size() - anchor.size());
                if (before.empty() || before.ends_with('.')) {
                    return Recognised{framework, std::string(before)};
                }
            }
        }
    }
    return std::nullopt;
}

std::vector<NamedTensor> allOf(const Checkpoint& checkpoint) {
    std::vector<NamedTensor> named;
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        named.push_back({TensorIndex(i), checkpoint.tensors()[i].name});
    }
    return named;
}

bool anyMatches(std::span<const NamedTensor> tensors, std::string_view pattern) {
    const NamePattern wanted(pattern);
    return std::ranges::any_of(
        tensors, [&](const NamedTensor& each) { return wanted.match(each.name).has_value(); });
}

Result<const FamilyRow*> familyOf(const Framework& framework, std::span<const NamedTensor> tensors,
                                  std::string_view wanted) {
    std::string known;
    for (const FamilyRow& row : framework.families) {
        known += (known.empty() ? "" : ", ") + std::string(row.family);
        if (wanted.empty() ? std::ranges::all_of(wordsOf(row.patterns),
                                                 [&](std::string_view pattern) {
                                                     return anyMatches(tensors, pattern);
                                                 })
                           : row.family == wanted) {
            return &row;
        }
    }
    return fail(ErrorCode::Unsupported, "Tensors of this model family cannot be converted from " +
                                            std::string(framework.title))
        .butFound(std::string(wanted))
        .expecting(known)
        .withHint("--family names one of these; --names keep leaves the names as they are");
}

bool isFor(std::string_view families, std::string_view family) {
    return families.empty() || isWordOf(families, family);
}

Result<void> checkSettings(const Framework& framework, std::string_view family,
                           const ModelConfig& settings) {
    for (const RefusedSetting& each : framework.refused) {
        if (!isFor(each.families, family)) {
            continue;
        }
        CAIRN_TRY(const Expression condition, Expression::parse(each.condition));
        const auto met = condition.evaluate(settings);
        if (met && *met != 0) {
            return fail(ErrorCode::Unsupported, std::string(each.message))
                .inField(std::string(framework.settings))
                .withHint("--names keep writes the tensors under the framework's own names");
        }
    }
    return {};
}

std::optional<ConfigField> fieldOf(const ConfigRow& row, const ModelConfig& settings,
                                   std::string_view source) {
    const bool isConstant = row.value == "0" || row.value == "1";
    ConfigField field{std::string(row.field), std::string(row.value),
                      isConstant ? "the family"
                                 : std::string(source) + " (" + std::string(row.value) + ")"};
    switch (row.kind) {
    case ConfigRow::Kind::Text:
        field.from = "the family";
        return field;
    case ConfigRow::Kind::Number:
        for (const std::string_view name : wordsOf(row.value)) {
            if (const auto number = settings.number(name)) {
                field.value = *number;
                field.from = std::string(source) + " (" + std::string(name) + ")";
                return field;
            }
        }
        return std::nullopt;
    case ConfigRow::Kind::Integer:
    case ConfigRow::Kind::Flag: {
        const auto expression = Expression::parse(row.value);
        const auto value =
            expression ? expression->evaluate(settings) : Result<std::int64_t>(expression.error());
        if (!value) {
            return std::nullopt;
        }
        if (row.kind == ConfigRow::Kind::Flag) {
            field.value = *value != 0;
        } else {
            field.value = *value;
        }
        return field;
    }
    }
    return std::nullopt;
}

/// The fields that the settings give; of several rows for a field, the first that can be computed.
std::vector<ConfigField> fieldsOf(const Framework& framework, const FamilyRow& family,
                                  const ModelConfig& settings) {
    std::vector<ConfigField> fields = {
        {"architectures", std::string(family.modelClass), "the family"},
        {"model_type", std::string(family.family), "the family"}};
    for (const ConfigRow& row : framework.config) {
        const bool known = std::ranges::find(fields, row.field, &ConfigField::name) != fields.end();
        if (known || !isFor(row.families, family.family)) {
            continue;
        }
        if (auto field = fieldOf(row, settings, framework.settings)) {
            fields.push_back(std::move(*field));
        }
    }
    return fields;
}

ModelConfig configOf(const std::vector<ConfigField>& fields) {
    ModelConfig config;
    for (const ConfigField& field : fields) {
        if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
            config.set(field.name, *integer);
        } else if (const auto* flag = std::get_if<bool>(&field.value)) {
            config.set(field.name, std::int64_t{*flag});
        } else if (const auto* text = std::get_if<std::string>(&field.value)) {
            config.set(field.name, *text);
        }
    }
    return config;
}

void addFacts(ModelConfig& settings, const Framework& framework,
              std::span<const NamedTensor> tensors, const Checkpoint& checkpoint) {
    for (const FactRow& row : framework.facts) {
        const NamePattern pattern(row.pattern);
        std::optional<std::int64_t> fact;
        for (const NamedTensor& each : tensors) {
            const auto numbers = pattern.match(each.name);
            const Shape& shape = checkpoint.tensor(each.tensor).shape;
            if (!numbers) {
                continue;
            }
            if (row.dim == FactRow::kSmallestNumber && !numbers->empty()) {
                fact = std::min(fact.value_or(numbers->front().second), numbers->front().second);
            } else if (row.dim >= 0 && static_cast<std::size_t>(row.dim) < shape.size()) {
                fact = shape[static_cast<std::size_t>(row.dim)];
            }
        }
        if (fact) {
            settings.set(row.setting, *fact);
        }
    }
}

Result<Converted> apply(const CheckpointPtr& base, std::span<const NamedTensor> tensors,
                        std::string_view rules, const ModelConfig& config) {
    CAIRN_TRY(const Recipe recipe, Recipe::parse(rules));
    return convertTensors(base, tensors, recipe, config);
}

} // namespace

std::span<const Framework* const> knownFrameworks() {
    static const std::array<const Framework*, 4> all = {&megatron(), &nativeNames(), &torchtune(),
                                                        &litGpt()};
    return all;
}

Result<std::optional<FrameworkConversion>> convertFramework(const CheckpointPtr& base,
                                                            std::span<const NamedTensor> tensors,
                                                            const ModelConfig* config,
                                                            const SettingsFinder& settings,
                                                            std::string_view family) {
    const auto recognised = recognise(tensors);
    if (!recognised) {
        return std::nullopt;
    }
    const Framework& framework = *recognised->framework;
    FrameworkConversion conversion;
    conversion.framework = &framework;
    conversion.prefix = recognised->prefix;
    std::vector<NamedTensor> named;
    for (const NamedTensor& each : tensors) {
        const bool inside = each.name.starts_with(conversion.prefix);
        named.push_back(
            {each.tensor, inside ? each.name.substr(conversion.prefix.size()) : each.name});
    }
    CAIRN_TRY(const Converted common, apply(base, named, framework.common, {}));
    const std::vector<NamedTensor> forms = allOf(*common.checkpoint);
    const std::string given = config != nullptr && family.empty()
                                  ? config->text("model_type").value_or("")
                                  : std::string(family);
    CAIRN_TRY(conversion.family, familyOf(framework, forms, given));
    const std::optional<ModelConfig> found = settings(framework.settings);
    ModelConfig own = found.value_or(ModelConfig());
    CAIRN_CHECK(checkSettings(framework, conversion.family->family, own));
    ModelConfig used = config != nullptr ? *config : ModelConfig();
    used.set("model_type", std::string(conversion.family->family));
    if (config == nullptr) {
        if (!found) {
            return fail(ErrorCode::NotFound,
                        "The checkpoint does not contain the model's settings, which its "
                        "conversion needs")
                .inField(std::string(framework.settings))
                .withHint("--like FOLDER takes the config from a Hugging Face folder; --names keep "
                          "leaves the names as they are");
        }
        addFacts(own, framework, forms, *common.checkpoint);
        conversion.paddedVocabulary = !own.integer("vocab_size");
        conversion.config = fieldsOf(framework, *conversion.family, own);
        used = configOf(conversion.config);
    }
    CAIRN_TRY(const Converted library, apply(common.checkpoint, forms, framework.rules, used));
    if (!library.kept.empty()) {
        return inHead(fail(ErrorCode::Unsupported, "No rule is known for a tensor of this model")
                          .inTensor(library.kept.front())
                          .withHint("--names keep leaves the names as they are; --family names "
                                    "another family"),
                      framework.title);
    }
    CAIRN_TRY(conversion.made,
              apply(library.checkpoint, allOf(*library.checkpoint), framework.variants, used));
    conversion.made.renamed = library.renamed;
    conversion.made.rearranged = library.rearranged;
    conversion.made.dropped = common.dropped;
    conversion.made.dropped.insert(conversion.made.dropped.end(), library.dropped.begin(),
                                   library.dropped.end());
    return conversion;
}

} // namespace cairn
